"""Tenants' pages and the mail about them state the same facts in every language."""

import string
from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.dispute_words import DISPUTE_WORDS
from prorata.domain.delivery.question_mail import Question, question_letter
from prorata.domain.delivery.questions import as_asked
from prorata.domain.delivery.statement_words import STATEMENT_WORDS
from prorata.domain.delivery.tenant_mail import InvoiceNews, Kind, invoice_letter
from prorata.domain.delivery.tenant_page_words import PAGE_WORDS
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.locale_forms import PLAIN
from prorata.domain.mail.message_body import as_html, as_plain_text
from prorata.domain.mail.words import WORDS
from prorata.domain.mail.words.disputes import DISPUTES
from prorata.domain.mail.words.questions import QUESTIONS
from prorata.domain.mail_addresses import read_address
from prorata.domain.printing.languages import LANGUAGES

QUESTION = Question(
    token="mail_01kb1n3x6ve2hrrk0p1w4bqv2f",
    locale="en-US",
    to="office@example.com",
    at=datetime(2026, 3, 10, tzinfo=UTC),
    reply_to=read_address("ann@example.org"),
    tenant_name="Ann Lee",
    number="MAPLE-1-2026-02",
    month=Month("2026-02"),
    property_name="Maple Court",
    unit_label="1",
    asked="Why so much?",
)
URL = "https://prorata.example/invoices/inv_1"


def values_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_says_everything_about_the_same_things(language: str) -> None:
    for every in (PAGE_WORDS, STATEMENT_WORDS, QUESTIONS, DISPUTES, DISPUTE_WORDS):
        assert set(every) == set(LANGUAGES)
        words, english = every[language]._asdict(), every["en"]._asdict()
        for name, text in words.items():
            assert text, name
            assert values_in(text) == values_in(english[name]), name
            assert language == "en" or text != english[name], name


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("kind", list(Kind))
def test_every_message_about_an_invoice_leads_to_its_page(language: str, kind: Kind) -> None:
    news = InvoiceNews("Maple Homes", "Maple Court", "2B", "March", "M-1", 1, "$1.00", "April 15", page_url=URL)
    for said in (news, news._replace(balance=0, due=None)):
        if kind in (Kind.INVOICE, Kind.AGAIN) or said.balance:
            letter = invoice_letter(kind, said, language)
            assert f"{WORDS[language].see_online}:\n{URL}\n" in as_plain_text(letter)
            assert f'href="{URL}"' in as_html(letter)


@given(st.text(), st.text(max_size=60))
def test_a_question_starts_no_line_of_its_own_making_and_no_markup(asked: str, name: str) -> None:
    said = QUESTION._replace(asked=as_asked(asked)[:LONGEST_QUESTION], tenant_name=name, unit_label=name)
    letter = question_letter(said, URL, PLAIN)
    assert "\n" not in letter.subject
    assert "\r" not in as_plain_text(letter)
    assert as_html(letter).count("<p") == as_html(question_letter(QUESTION, URL, PLAIN)).count("<p")
    assert "<script" not in as_html(letter)


@given(st.text())
def test_a_question_is_kept_once_for_all(asked: str) -> None:
    kept = as_asked(asked)
    assert as_asked(kept) == kept
    assert "\n\n\n" not in kept
    assert all(letter.isprintable() or letter == "\n" for letter in kept)
