"""An invoice contains payment instructions while something is left to pay.

The instructions are those of the invoice's own copy.
"""

import json
import string
from datetime import date

import pytest

from prorata.domain.accounts.pay_to import PayTo
from prorata.domain.limits import LONGEST_PAYMENT_REFERENCE
from prorata.domain.payments.named_numbers import numbers_named
from prorata.domain.printing.languages import LANGUAGES
from prorata.domain.printing.printed_invoices import from_json, to_json
from prorata.domain.printing.translations import ENGLISH, FRENCH, GERMAN, SPANISH
from tests.domain.printing.test_rendering import COPY, OTHERS, charges, invoice, written
from tests.domain.splitting.test_planned_charges import line

LINK = "https://pay.example.org/1"
NUMBER = "MAPLE-2B-2026-03"
IBAN = PayTo("", "Jörg Müller", "DE89370400440532013000", "COBADEFFXXX")
AMERICAN = PayTo("By the 5th.\n\nOr by check.", "", routing="021000021", number="12345678")


def paid_to(pay_to, currency="USD"):
    return COPY._replace(pay_to=pay_to, currency=currency)


def pays(pay_to, texts=ENGLISH, currency="USD", **other):
    """The sections about paying.

    Each has its title, sentences, and whether it has a link or a transfer.
    """
    return pays_with(paid_to(pay_to, currency), texts, **other)


def pays_with(copy, texts, **other):
    sections = written(texts, copy=copy, **other).sections
    return [one for one in sections if one.title not in (texts.wrong, texts.credit)]


def test_words_stand_before_an_american_account_that_is_a_way_of_its_own_and_has_no_code():
    (section,) = pays(AMERICAN)
    assert section == (
        "How to pay",
        (
            "By the 5th.", "Or by check.", "By bank transfer of $90.70 to this account:", "Account holder: Harbor Rentals",
            "Routing number: 021000021", "Account number: 12345678", f"Reference: {NUMBER}",
        ),
        None, "", None,
    )  # fmt: skip


def test_a_credit_says_how_to_pay_what_is_open_on_other_invoices():
    below = {"charges": charges(line(-84_37)), "payment_link": "https://pay.example/x"}
    (section,) = pays(AMERICAN, elsewhere=OTHERS, **below)
    assert section.title == "How to pay"
    assert section.sentences[2] == "By bank transfer of $20.60 to this account:", "less the credit of $23.90"
    assert section.sentences[-1] == "Reference: A-1-2026-01, A-1-2026-02"
    assert section.link is None
    assert pays(AMERICAN, **below) == []
    covered = OTHERS[1:], (*OTHERS, OTHERS[0]._replace(amount=-20_60))
    assert [pays(AMERICAN, elsewhere=others, **below) for others in covered] == [[], []], "the credits cover it"


def test_an_invoice_that_asks_for_nothing_says_how_to_pay_what_is_open_on_others():
    for nothing in ({"status": "PAID", "paid": 90_70}, {"disputed": 90_70}):
        (section,) = pays(AMERICAN, elsewhere=OTHERS, payment_link=LINK, **nothing)
        assert section.sentences[2] == "By bank transfer of $44.50 to this account:"
        assert section.sentences[-1] == "Reference: A-1-2026-01, A-1-2026-02"
        assert section.link is None, "it pays this invoice"
        assert pays(AMERICAN, **nothing) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reference_names_as_many_invoices_as_a_transfer_and_its_code_can_hold(language):
    def reference(number, count, **other):
        others = [OTHERS[1]._replace(number=number.format(at), amount=30_00) for at in range(1, count + 1)]
        copy = paid_to(IBAN, "EUR")._replace(locale=language)
        (section,) = pays_with(copy, LANGUAGES[language], elsewhere=others, charges=charges(line(-84_37)), **other)
        assert section.transfer is not None
        said = section.transfer.reference
        assert len(said) <= LONGEST_PAYMENT_REFERENCE
        assert any(sentence.endswith(said) for sentence in section.sentences)
        return said

    assert reference("A-1-2026-{:02}", 5) == ", ".join(f"A-1-2026-{at:02}" for at in range(1, 6))
    assert reference("A-1-2026-{:02}", 6).startswith("A-1-2026-01, A-1-2026-02, A-1-2026-03, A-1-2026-04, ")
    assert "A-1-2026-05" not in reference("A-1-2026-{:02}", 6)
    long = reference(f"{'A' * 16}-{'1' * 16}.12R34-2026-{{:02}}", 4)
    assert numbers_named([long]) == {f"{'A' * 16}-{'1' * 16}.12R34-2026-{at:02}" for at in (1, 2)}
    assert len(numbers_named([reference("A-1-2026-{:02}", 6)])) == 4


def test_words_alone_are_followed_by_the_reference_to_quote_and_have_no_code():
    (section,) = pays(PayTo("Sort code 20-00-00, account 55779911."), currency="EUR")
    words = ("Sort code 20-00-00, account 55779911.", f"Reference: {NUMBER}")
    assert section == ("How to pay", words, None, "", None)


def test_an_iban_in_euros_has_a_transfer_of_what_is_left_to_pay():
    (section,) = pays(IBAN, currency="EUR", paid=40_00)
    assert section.sentences == (
        "By bank transfer of €50.70 to this account:", "Account holder: Jörg Müller", "IBAN: DE89 3704 0044 0532 0130 00",
        "BIC: COBADEFFXXX", f"Reference: {NUMBER}", "Or scan the QR code with your banking app.",
    )  # fmt: skip
    assert section.transfer == ("Jörg Müller", "DE89370400440532013000", "COBADEFFXXX", 50_70, NUMBER)
    assert NUMBER in section.alt


def test_what_is_in_dispute_is_not_transferred():
    (section,) = pays(IBAN, currency="EUR", disputed=40_00, payment_link=LINK)
    assert section.sentences[0] == "By bank transfer of €50.70 to this account:"
    assert section.transfer is not None
    assert section.transfer.amount == 50_70
    assert pays(IBAN, currency="EUR", disputed=90_70) == []


def test_an_iban_in_another_currency_has_none():
    (section,) = pays(IBAN, currency="CHF")
    assert (section.transfer, section.alt, section.sentences[-1]) == (None, "", f"Reference: {NUMBER}")


@pytest.mark.parametrize("pay_to", [IBAN, AMERICAN, PayTo("Cash.")])
def test_a_link_comes_first_and_the_other_ways_after_it(pay_to):
    online, other = pays(pay_to, payment_link=LINK)
    assert (online.title, online.link, online.transfer) == ("How to pay", LINK, None)
    assert (other.title, other.link) == ("Other ways to pay", None)
    assert other.sentences == pays(pay_to)[0].sentences


@pytest.mark.parametrize(
    "other",
    [
        {"status": "PAID", "paid": 90_70, "paid_on": date(2026, 4, 9)}, {"paid": 100_00}, {"charges": ()},
        {"status": "CANCELLED", "due_date": None}, {"tenant_name": None},
    ],
)  # fmt: skip
def test_where_nothing_is_to_be_paid_nothing_is_said_of_paying(other):
    assert pays(IBAN, currency="EUR", **other) == []
    assert pays(IBAN, currency="EUR", payment_link=LINK, **other) == []


@pytest.mark.parametrize("texts", [ENGLISH, GERMAN, SPANISH, FRENCH])
@pytest.mark.parametrize("pay_to", [IBAN, AMERICAN])
def test_every_language_says_amount_account_and_number_and_nothing_in_english(texts, pay_to):
    (section,) = pays(pay_to, texts, "EUR")
    said = " ".join(section.sentences)
    for value in ("€90.70", NUMBER, *filter(None, (pay_to.holder, pay_to.bic, pay_to.routing, pay_to.number))):
        assert value in said
    if texts is not ENGLISH:
        english = pays(pay_to, ENGLISH, "EUR")[0].sentences
        assert [one for one in section.sentences if one in english] == [
            one
            for one in english
            if one in pay_to.text or (one.startswith(("IBAN: ", "BIC: ")) and texts is not FRENCH)
        ]


def test_no_text_about_paying_is_left_out_of_a_language():
    for name in (name for name in ENGLISH._fields if name.startswith("pay_")):
        fields = {tuple(field for _, field, *_ in string.Formatter().parse(getattr(one, name))) for one in
                  LANGUAGES.values()}  # fmt: skip
        assert len({frozenset(filter(None, one)) for one in fields}) == 1, name


def test_an_invoice_keeps_how_to_pay():
    for pay_to in (IBAN, AMERICAN, PayTo("Cash."), PayTo()):
        assert from_json(to_json(paid_to(pay_to), "Ann"), "en-US").pay_to == pay_to


def test_what_was_kept_before_there_was_such_a_thing_prints_as_it_did():
    kept = to_json(COPY, "Ann")
    assert "payTo" not in json.loads(kept)
    (section,) = pays(from_json(kept, "en-US").pay_to)
    assert section.sentences == (
        f"Pay $90.70 to Harbor Rentals and give the invoice number {NUMBER}.",
        "For payment details, please ask billing@example.org.",
    )
    assert invoice(copy=from_json(kept, "en-US")).copy == COPY
