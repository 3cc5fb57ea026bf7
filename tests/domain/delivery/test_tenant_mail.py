"""Messages state the same facts in four languages and in both forms.

They go to tenants who owe, owe nothing or have a credit.
"""

import html
import re
import string
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import product

import pytest
from hypothesis import given, strategies as st

from prorata.domain.accounts.account_mail import AccountKind, AccountNews, Notice, account_letter, notice_letter
from prorata.domain.delivery.tenant_mail import REMINDERS, InvoiceNews, Kind, invoice_letter
from prorata.domain.mail.message_body import PLAIN_WIDTH, Facts, Letter, Link, Text, as_html, as_plain_text, one_line
from prorata.domain.mail.words import WORDS, words_for
from prorata.domain.mail.words.words import Words
from prorata.domain.printing.languages import LANGUAGES as LANGUAGES_OF_INVOICES, language_of

NEWS = InvoiceNews(
    biller="Maple Homes",
    property_name="Maple Court",
    unit_label="2B",
    month="March 2026",
    number="MAPLE-2B-2026-03",
    balance=1,
    amount="$120.50",
    due="April 15, 2026",
    tenant_name="Ann Smith",
)
CREDIT = NEWS._replace(balance=-1, amount="$12.00", due=None, credit=("You get $12.00.", "You owe nothing."))
NOTHING = NEWS._replace(balance=0, amount="$0.00", due=None)
LANGUAGES = sorted(WORDS)


def plain(kind: Kind, news: InvoiceNews = NEWS, language: str = "en") -> str:
    return as_plain_text(invoice_letter(kind, news, language))


class _Shown(HTMLParser):
    """A parser that collects the visible text, tags and attributes of an HTML document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.shown = ""
        self.attributes: list[tuple[str, str | None]] = []
        self.tags: list[str] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.shown += f"{data} "


def test_an_invoice_says_what_to_pay_until_when_and_how() -> None:
    assert plain(Kind.INVOICE, NEWS._replace(pay_url="https://pay.example/x", replies_reach_biller=True)) == (
        "Hello Ann Smith,\n\n"
        "Here is your utility invoice for March 2026. Please pay $120.50 by April\n15, 2026.\n\n"
        "Invoice: MAPLE-2B-2026-03\nProperty: Maple Court\nUnit: 2B\nMonth: March 2026\nTo pay: $120.50\n"
        "Due: April 15, 2026\n\n"
        "Pay $120.50 online:\nhttps://pay.example/x\n\n"
        "The invoice is attached as a PDF. It lists every charge and says how\nyour share was worked out.\n\n"
        "If you have a question, or think that something is wrong, just reply to\nthis e-mail.\n\n"
        "Kind regards,\nMaple Homes\n\n"
        "-- \nThis e-mail was sent automatically on behalf of Maple Homes.\n"
    )


@pytest.mark.parametrize("kind", list(Kind))
def test_a_tenant_whose_list_begins_with_surnames_is_greeted_in_the_usual_order(kind: Kind) -> None:
    assert plain(kind, NEWS._replace(tenant_name="Richter, Violetta"), "de").startswith("Guten Tag Violetta Richter,")
    own = NEWS._replace(tenant_name="Richter, Violetta", own_opening="Dear {tenant}, here it is.")
    assert "Dear Violetta Richter, here it is." in plain(Kind.INVOICE, own)


def test_an_invoice_names_the_months_that_it_corrects_and_a_reminder_does_not() -> None:
    of_one = NEWS._replace(corrections=(("March 2026", "$5.12 less"),))
    of_two = NEWS._replace(corrections=(*of_one.corrections, ("April 2026", "$3.00 more")))
    for kind in (Kind.INVOICE, Kind.AGAIN):
        assert "This invoice includes a correction for March 2026: $5.12 less." in plain(kind, of_one)
    assert "corrections for March 2026: $5.12 less; April 2026: $3.00 more." in " ".join(
        plain(Kind.INVOICE, of_two).split()
    )
    assert "correction" not in plain(Kind.OVERDUE, of_one)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_final_invoice_is_named_so_in_every_subject_and_opening(language: str) -> None:
    usual, final = WORDS[language].invoice
    for kind in Kind:
        news = NEWS._replace(is_final=True, own_subject="Costs of {month}", received="$1.00")
        letter = invoice_letter(kind, news, language)
        assert final in letter.subject, kind
        assert final in as_plain_text(letter).replace("\n", " "), kind
        assert usual in invoice_letter(kind, NEWS._replace(own_subject=""), language).subject


def test_without_a_link_the_reader_learns_whom_to_ask() -> None:
    assert "how to pay, please contact Maple Homes.\n" in plain(Kind.INVOICE)
    assert "how to pay, please contact Maple Homes: 555-0199\n" in plain(
        Kind.INVOICE, NEWS._replace(contact=" 555-0199 ")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_sent_again_after_it_was_due_asks_for_nothing_by_a_day_that_has_passed(language: str) -> None:
    words, late = WORDS[language], NEWS._replace(overdue=True)
    values = {"invoice": words.invoice[0], "month": NEWS.month, "amount": NEWS.amount, "due": NEWS.due}
    for news, opening, other in (
        (late, words.overdue, words.invoice_due),
        (NEWS, words.invoice_due, words.overdue),
    ):
        said = plain(Kind.AGAIN, news, language).replace("\n", " ")
        assert opening.format(**values) in said
        assert other.format(**values) not in said
    credit = plain(Kind.AGAIN, CREDIT._replace(overdue=True), language).replace("\n", " ")
    assert f"{words.invoice_here.format_map(values)} {' '.join(CREDIT.credit)}" in credit


def test_a_credit_and_a_balance_of_nothing_ask_for_no_money() -> None:
    for kind, language in product((Kind.INVOICE, Kind.AGAIN), LANGUAGES):
        words = WORDS[language]
        for news, says in ((CREDIT, f"{words.invoice_here} You get {{amount}}."), (NOTHING, words.invoice_nothing)):
            letter = invoice_letter(kind, news._replace(pay_url="https://pay.example/x", contact="555"), language)
            said = as_plain_text(letter).replace("\n", " ")
            assert says.format(invoice=words.invoice[0], month=news.month, amount=news.amount) in said
            assert not any(isinstance(block, Link) for block in letter.blocks)
            assert "https://" not in said
            assert words.already_paid not in said
            assert words.due not in dict(_facts(letter).lines)
    assert dict(_facts(invoice_letter(Kind.INVOICE, CREDIT, "en")).lines)["Credit"] == "$12.00"


def test_a_credit_says_how_to_pay_other_invoices_but_nothing_if_there_are_none() -> None:
    other = "M-2B-2026-02 (February 2026): $20.00, was due on March 15, 2026 (overdue)"
    how = CREDIT._replace(how_to_pay=("How to pay", "By check."))
    owing = how._replace(others=(other,), pays_others=True)
    assert "How to pay\nBy check." in plain(Kind.INVOICE, owing)
    assert "By check." not in plain(Kind.INVOICE, how._replace(others=(other,)))
    asks = " ".join(plain(Kind.INVOICE, owing._replace(how_to_pay=())).split())
    assert "To find out how to pay, please contact Maple Homes." in asks


def test_a_receipt_says_what_becomes_of_a_credit_and_that_the_invoice_was_corrected() -> None:
    paid = CREDIT._replace(received="$90.00", in_short="Corrected invoice M-2B.R1-2026-03: total $90.00 → $78.00")
    for language in LANGUAGES:
        said = " ".join(plain(Kind.RECEIPT, paid, language).split())
        words = WORDS[language]
        receipt = words.receipt.format(received="$90.00", invoice=words.invoice[0], month=paid.month)
        assert f"{receipt} {' '.join(paid.credit)} {paid.in_short}" in said
        assert WORDS[language].receipt_all not in said


def _facts(letter: Letter) -> Facts:
    return next(block for block in letter.blocks if isinstance(block, Facts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_is_asked_a_second_time_is_thanked_for_having_paid(language: str) -> None:
    for kind in Kind:
        said = plain(kind, language=language).replace("\n", " ")
        assert (WORDS[language].already_paid in said) == (kind not in (Kind.INVOICE, Kind.RECEIPT))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_a_subject_and_an_opening_of_its_own(language: str) -> None:
    letters = [invoice_letter(kind, NEWS, language) for kind in Kind]

    assert len({letter.subject for letter in letters}) == len(Kind)
    assert all("March 2026" in letter.subject for letter in letters)
    assert {letter.language for letter in letters} == {language}


@pytest.mark.parametrize("kind", REMINDERS)
@pytest.mark.parametrize("news", [CREDIT, NOTHING])
def test_nobody_is_reminded_of_nothing(kind: Kind, news: InvoiceNews) -> None:
    with pytest.raises(AssertionError, match="nobody is reminded"):
        invoice_letter(kind, news, "en")


@pytest.mark.parametrize("field", [field for field in Words._fields if field != "language"])
def test_a_text_asks_for_the_same_values_in_every_language(field: str) -> None:
    asked = {language: _asked(_text(getattr(words, field))) for language, words in WORDS.items()}
    assert len(set(asked.values())) == 1, asked


def _text(said: str | tuple[str, ...] | Mapping[str, str]) -> str:
    return said if isinstance(said, str) else " ".join(said.values() if isinstance(said, Mapping) else said)


def _asked(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name)


ACCOUNT_NEWS = AccountNews("My houses", "https://prorata.example/x/1", "Ann", "Bob")


@pytest.mark.parametrize("language", LANGUAGES)
def test_mail_of_accounts_says_who_invites_where_to_and_that_nothing_need_be_done(language: str) -> None:
    words = WORDS[language]
    letters = {kind: account_letter(kind, ACCOUNT_NEWS, language) for kind in AccountKind}
    said = {kind: " ".join(as_plain_text(letter).split()) for kind, letter in letters.items()}

    assert len({letter.subject for letter in letters.values()}) == len(AccountKind)
    assert all(ACCOUNT_NEWS.url in text and "Ann" in text for text in said.values())
    assert {kind for kind, text in said.items() if "My houses" in text} == {AccountKind.INVITE}
    assert {kind for kind, text in said.items() if "Bob" in text} == {AccountKind.INVITE}
    assert {kind for kind, text in said.items() if " ".join(words.not_asked_reset.split()) in text} == {
        AccountKind.RESET
    }
    assert all(text.endswith(words.account_note) for text in said.values())


@pytest.mark.parametrize("kind", [Kind.INVOICE, Kind.AGAIN, Kind.RECEIPT, *REMINDERS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_in_dispute_is_told_and_not_asked_for_whatever_the_message(kind: Kind, language: str) -> None:
    news = NEWS._replace(received="$5.00", amount="$80.50", disputed="$40.00", whole_balance="$120.50")
    said = plain(kind, news, language)
    assert (said.count("$80.50"), said.count("$40.00"), said.count("$120.50")) == (2, 1, 1)


@pytest.mark.parametrize("kind", [Kind.INVOICE, Kind.AGAIN, Kind.RECEIPT])
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_all_of_it_is_in_dispute_nothing_is_asked_for(kind: Kind, language: str) -> None:
    news = NOTHING._replace(received="$5.00", disputed="$120.50", whole_balance="$120.50")
    said, words = " ".join(plain(kind, news, language).split()), WORDS[language]
    assert (said.count("$120.50"), words.receipt_all in said) == (1, False)


LASTING = {
    "en": ("3 days", "1 hour", "7 days"),
    "de": ("3 Tage", "1 Stunde", "7 Tage"),
    "fr": ("3\u00a0jours", "1\u00a0heure", "7\u00a0jours"),
    "es": ("3 días", "1 hora", "7 días"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_mail_with_a_link_says_how_long_it_lasts(language: str) -> None:
    for kind, lasts in zip(AccountKind, LASTING[language], strict=True):
        said = account_letter(kind, ACCOUNT_NEWS, language).blocks[-1]
        assert isinstance(said, Text)
        assert WORDS[language].link_once.format(time=lasts) in said.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notice_says_what_has_changed_and_what_to_do_where_it_was_somebody_else(language: str) -> None:
    words, letters = WORDS[language], {one: notice_letter(one, "Ann", language) for one in Notice}
    said = {one: " ".join(as_plain_text(letter).split()) for one, letter in letters.items()}
    assert len({letter.subject for letter in letters.values()}) == len({*said.values()}) == len(Notice)
    assert all("Ann" in text and "http" not in text and text.endswith(words.account_note) for text in said.values())
    of_a_webhook = said.pop(Notice.WEBHOOK_OFF)
    assert words.turn_webhook_on in of_a_webhook
    assert words.was_you not in of_a_webhook
    assert all(words.was_you in text for text in said.values())
    has_forgotten = {"en": "Forgot your password?", "de": "Passwort vergessen?"}
    has_forgotten |= {"es": "¿Olvidó su contraseña?", "fr": "Mot de passe oublié ?"}
    leads = {one: has_forgotten[language] in text for one, text in said.items()}
    assert leads == {one: one is not Notice.ADDRESS for one in said}  # where the link for a new one goes to another
    assert "\n" not in notice_letter(Notice.PASSWORD, "Ann\nBcc: all@example.com", language).blocks[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_of_nobody_known_has_no_gap(language: str) -> None:
    said = as_plain_text(account_letter(AccountKind.INVITE, ACCOUNT_NEWS._replace(invited_by=" "), language))
    assert WORDS[language].invite_nobody.format(account="My houses") in " ".join(said.split())


@pytest.mark.parametrize("kind", AccountKind)
def test_what_people_call_themselves_starts_no_line_in_mail_of_accounts(kind: AccountKind) -> None:
    evil = "x\r\nBcc: all@example.com\r\n\r\nhttps://evil.example"
    letter = account_letter(kind, AccountNews(evil, ACCOUNT_NEWS.url, evil, evil), "en")
    assert all(not line.startswith(("Bcc:", "https://evil")) for line in as_plain_text(letter).split("\n\n"))
    assert "\n" not in letter.subject
    assert as_html(letter).count('href="') == 1


def test_a_language_we_do_not_speak_is_answered_in_english() -> None:
    assert invoice_letter(Kind.INVOICE, NEWS, "tlh-001") == invoice_letter(Kind.INVOICE, NEWS, "en")
    assert invoice_letter(Kind.INVOICE, NEWS, "DE_at").language == "de"


def test_a_message_and_the_invoice_in_it_speak_the_same_language() -> None:
    assert WORDS.keys() == LANGUAGES_OF_INVOICES.keys()
    for locale in ("DE_at", "de", "FR-CA", "es-419", "sv-SE", "", "_", "zh_Hant_TW"):
        assert words_for(locale).language == language_of(locale)
    assert language_of("DE_at") == "de"


texts = st.text(max_size=60) | st.text("{}<>&'\"\r\n\x00 month/\u202eü", max_size=60)


TOLD = ("biller", "property_name", "unit_label", "month", "number", "amount", "due", "tenant_name", "contact")
all_news = st.fixed_dictionaries(dict.fromkeys(TOLD, texts)).map(lambda values: NEWS._replace(**values))


@given(all_news, st.sampled_from(list(Kind)), st.sampled_from(LANGUAGES))
def test_whatever_is_put_in_both_forms_say_the_same_and_nothing_more(
    news: InvoiceNews, kind: Kind, language: str
) -> None:
    letter = invoice_letter(kind, news._replace(pay_url="https://pay.example/?a=1&b=%3Cx%3E"), language)
    document = as_html(letter)

    assert letter.subject == one_line(letter.subject)
    seen, usual = (
        _Shown(document),
        _Shown(as_html(invoice_letter(kind, NEWS._replace(pay_url="https://pay.example"), language))),
    )
    assert seen.tags == usual.tags
    assert _words(as_plain_text(letter).replace("-- \n", "")) <= _words(f"{seen.shown}:")


def _words(text: str) -> set[str]:
    return {word.strip(":") for word in re.split(r"[ \t\r\n]+", text)} | {""}


def test_the_html_form_loads_nothing_and_runs_nothing() -> None:
    document = as_html(invoice_letter(Kind.OVERDUE, NEWS._replace(pay_url="https://pay.example/x"), "fr"))
    seen = _Shown(document)

    assert not {"script", "img", "link", "style", "iframe", "form", "object"} & set(seen.tags)
    assert [value for name, value in seen.attributes if name in ("href", "src", "background")] == [
        "https://pay.example/x"
    ]
    assert "url(" not in document
    assert ("lang", "fr") in seen.attributes
    assert "width=device-width" in document
    assert "light dark" in document


def test_the_html_form_sets_no_colour_against_the_readers_own() -> None:
    document = as_html(invoice_letter(Kind.INVOICE, NEWS._replace(pay_url="https://pay.example/x"), "en"))
    styles = [value or "" for name, value in _Shown(document).attributes if name == "style"]

    coloured = [style for style in styles if "color:" in re.sub(r"border[a-z-]*:[^;]*", "", style)]
    assert coloured, "the button has its own colours"
    assert all("background-color:" in style and ";color:" in style for style in coloured)


def test_text_is_escaped_and_its_lines_kept() -> None:
    document = as_html(
        Letter("en", "<s>", (Text("a < b\n& c"), Facts((("<l>", '"v"'),)), Link("<pay>", "https://x.example/?a&b")))
    )

    assert "<title>&lt;s&gt;</title>" in document
    assert "a &lt; b<br>&amp; c" in document
    assert html.escape('"v"') in document
    assert 'href="https://x.example/?a&amp;b"' in document


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "http://x.example/\r\n", "ftp://x.example", "https://", "https://ü.example"]
)
def test_a_link_is_an_http_address_in_ascii_or_a_bug(url: str) -> None:
    for form in (as_plain_text, as_html):
        with pytest.raises(AssertionError, match="a link in a letter"):
            form(Letter("en", "s", (Link("Pay", url),)))


def test_plain_lines_are_short_and_links_are_never_broken() -> None:
    url = f"https://pay.example/{'x-' * 200}"
    said = plain(Kind.AGAIN, NEWS._replace(pay_url=url, property_name="Maple " * 30))

    assert url in said.split("\n")
    assert max(len(line) for line in said.split("\n") if not line.startswith("https:")) <= PLAIN_WIDTH


def test_an_amount_and_its_currency_stay_on_one_line() -> None:
    for padding in range(40):
        letter = Letter(
            "de", "s", (Text(f"{'x' * padding} Bitte zahlen Sie die Summe von 1 120,50\u00a0€ bis zum 15. April"),)
        )
        assert "120,50\u00a0€" in as_plain_text(letter)
    assert one_line("120,50\u00a0€") == "120,50\u00a0€"


def test_one_that_corrects_another_says_so_in_its_subject_and_first_and_a_reminder_in_short() -> None:
    corrects = NEWS._replace(replaces="This corrected invoice replaces invoice A.", in_short="Corrected invoice B")
    letter = invoice_letter(Kind.INVOICE, corrects, "en")
    assert letter.subject == "Corrected invoice B"
    assert letter.blocks[1] == Text("This corrected invoice replaces invoice A.")
    again = invoice_letter(Kind.AGAIN, corrects, "en")
    assert again.subject.startswith("Once more")
    assert again.blocks[1] == letter.blocks[1]
    reminder, plainly = (invoice_letter(Kind.OVERDUE, news, "en") for news in (corrects, NEWS))
    assert reminder.subject == plainly.subject
    assert [block for block in reminder.blocks if block not in plainly.blocks] == [Text("Corrected invoice B")]


def test_a_letter_ends_with_how_the_biller_is_reached_where_it_can_also_be_answered():
    contact = "office@example.com, 518-555-0100"
    said = plain(Kind.INVOICE, NEWS._replace(contact=contact, replies_reach_biller=True))
    assert f"Kind regards,\nMaple Homes\n{contact}\n" in said
    assert plain(Kind.INVOICE, NEWS._replace(contact=contact)).count(contact) == 1, "it is said once"
