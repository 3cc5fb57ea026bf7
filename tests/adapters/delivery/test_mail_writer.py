"""Tests of e-mails about invoices.

They check the words and the links, and that the attached PDF says the same.
"""

from datetime import UTC, date, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import escape
from zoneinfo import ZoneInfo

import pytest

from prorata.adapters.delivery.mail_writer import LetterWriter
from prorata.adapters.printing.pdf import data_of
from prorata.domain.accounts.pay_to import PayTo
from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.receipts import Receipt
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.mail.message_body import Text
from prorata.domain.mail_addresses import read_address
from prorata.domain.printing.printed_invoices import CarriedCredit, PrintedCharge, PrintedInvoice
from prorata.domain.printing.printed_letters import PrintedLetter
from prorata.ports.mail import InvoiceMail
from tests.domain.printing.test_rendering import COPY, OTHERS, invoice

LINK = "https://pay.example/i/1"
IBAN = COPY._replace(
    currency="EUR", pay_to=PayTo("By the 5th.\n<b>Thanks.</b>", "Jörg Müller", "DE89370400440532013000", "COBADEFF")
)


def written(kind: Kind = Kind.INVOICE, **other: object) -> str:
    """The plain text of a message, in one line."""
    return " ".join(form("plain", kind, **other).split())


def form(of: str, kind: Kind = Kind.INVOICE, **other: object) -> str:
    """A message's body, as plain text or HTML."""
    writer = LetterWriter(read_address("bills@example.com"), _print_nothing)
    mail = InvoiceMail(
        "mail_01hx9k2", kind, invoice(**other), "", "ann@example.com", "Ann", datetime(2026, 4, 6, tzinfo=UTC)
    )
    message = message_from_bytes(writer.write(mail).message, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body((of,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def test_a_receipt_brings_the_letter_that_is_printed_and_has_the_same_bytes_each_time() -> None:
    printed: list[object] = []
    writer = LetterWriter(read_address("bills@example.com"), lambda one: bytes(f"%PDF-{printed.append(one)}", "ascii"))
    at = datetime(2026, 4, 6, 23, tzinfo=ZoneInfo("America/Chicago"))
    mail = InvoiceMail(
        "mail_01hx9k2", Kind.RECEIPT, invoice(paid=90_70), "", "ann@example.com", "Ann", at,
        received=Receipt(90_70, date(2026, 4, 2), "CHEQUE", "1042"),
    )  # fmt: skip
    first, again = writer.write(mail), writer.write(mail)
    assert first == again
    assert b"MAPLE-2B-2026-03_2026-04-02.pdf" in first.message
    (letter, _) = printed
    assert isinstance(letter, PrintedLetter)
    assert letter.day == date(2026, 4, 6)
    assert "attached" not in " ".join(block.text for block in letter.letter.blocks if isinstance(block, Text))


def _print_nothing(_invoice: PrintedInvoice) -> bytes:
    return b"%PDF-"


def test_a_link_that_a_letter_can_hold_is_in_it() -> None:
    assert f"Pay $90.70 online: {LINK}" in written(payment_link=LINK)


@pytest.mark.parametrize(
    "link", [f"{LINK}/ü", "https://zähler.example/1", f"{LINK} 2", "javascript:alert(1)", "https://"]
)
def test_a_link_that_a_letter_can_not_hold_is_left_out_and_the_letter_goes(link: str) -> None:
    said = written(payment_link=link)
    assert link not in said
    assert "To find out how to pay, please contact Harbor Rentals." in said


@pytest.mark.parametrize("kind", [Kind.INVOICE, Kind.AGAIN])
def test_what_is_overdue_is_sent_without_a_day_that_has_passed(kind: Kind) -> None:
    late = written(kind, status="OVERDUE")
    assert "was due on April 20, 2026" in late
    assert "Please pay $90.70 by" not in late
    assert "Please pay $90.70 by April 20, 2026" in written(kind)


@pytest.mark.parametrize(
    ("locale", "due"),
    [("ja-JP", "April 20, 2026"), ("ar-EG", "April 20, 2026"), ("fr-FR", "20 avril 2026"), ("DE_at", "20. April 2026")],
)
def test_a_letter_writes_days_and_amounts_as_the_invoice_in_it_does(locale: str, due: str) -> None:
    said = written(copy=COPY._replace(locale=locale))
    assert due in said
    assert due in _headline(locale)


def _headline(locale: str) -> str:
    note = data_of(invoice(copy=COPY._replace(locale=locale)))["headline"]["note"]
    assert isinstance(note, str)
    return note


@pytest.mark.parametrize("kind", list(Kind))
def test_a_letter_says_how_to_pay_in_both_of_its_forms(kind: Kind) -> None:
    lines = (
        "How to pay", "By the 5th.", "<b>Thanks.</b>", "By bank transfer of €90.70 to this account:",
        "Account holder: Jörg Müller", "IBAN: DE89 3704 0044 0532 0130 00", "BIC: COBADEFF",
        "Reference: MAPLE-2B-2026-03",
    )  # fmt: skip
    assert "\n\n" + "\n".join(lines) + "\n\n" in form("plain", kind, copy=IBAN)
    assert f">{'<br>'.join(escape(line) for line in lines)}</p>" in form("html", kind, copy=IBAN)
    assert "To find out how to pay" not in written(kind, copy=IBAN)


def test_a_letter_says_what_else_is_open_and_what_was_credited_elsewhere() -> None:
    said = written(elsewhere=OTHERS, credits=(CarriedCredit("A-1-2026-04", -10_22),))
    assert "Credited to invoice A-1-2026-04: $10.22 Open on your other invoices: $44.50" in said
    assert (
        "Your other open invoices: A-1-2026-01 (January 2026): $40.00, was due on February 15, 2026 (overdue) "
        "A-1-2026-02 (February 2026): $4.50, due on April 15, 2026 "
        "In all, you now owe $135.20, of which $40.00 is overdue." in said
    )


def test_a_letter_about_what_is_paid_in_part_says_what_was_received() -> None:
    said = written(paid=80_00)
    assert "Please pay $10.70 by" in said
    assert "Total: $90.70 Paid: $80.00" in said
    assert "Paid:" not in written() + written(paid=90_70, status="PAID")


def test_a_letter_says_how_other_open_invoices_are_paid() -> None:
    assert "You can pay all of it at once" in written(copy=IBAN, elsewhere=OTHERS)
    for kind in (Kind.INVOICE, Kind.RECEIPT):
        paid = written(kind, copy=IBAN, elsewhere=OTHERS, status="PAID", paid=90_70)
        assert "Your other open invoices: A-1-2026-01" in paid
        assert "By bank transfer of €44.50 to this account:" in paid
        assert "Reference: A-1-2026-01, A-1-2026-02" in paid
    said = written(payment_link=LINK, elsewhere=OTHERS)
    assert "other open invoices through its own link." in said
    assert "at once" not in said


def test_a_letter_sums_the_corrections_of_a_month() -> None:
    months = ("2026-03", "2026-02", "2026-03", None)
    charges = [PrintedCharge("WATER", -2_56, "…", corrects_month=Month(month) if month else None) for month in months]
    assert "corrections for February 2026: $2.56 less; March 2026: $5.12 less." in written(charges=tuple(charges))


def test_a_letter_names_the_other_ways_after_the_link() -> None:
    said = written(copy=IBAN, payment_link=LINK)
    assert said.index(LINK) < said.index("Other ways to pay By the 5th.") < said.index("IBAN: DE89")
    assert "How to pay" not in said


def test_what_is_said_can_not_pass_for_another_part_of_the_letter() -> None:
    odd = COPY._replace(pay_to=PayTo("One\u2028Two\x00\u202e three"))
    assert "How to pay\nOne\nTwo three\nReference: " in form("plain", copy=odd)


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("de-DE", "Per Überweisung von 90,70 € auf dieses Konto:"),
        ("fr-FR", "Par virement de 90,70 € sur ce compte :"),
        ("es-ES", "Por transferencia de 90,70 € a esta cuenta:"),
    ],
)
def test_a_letter_says_it_in_its_language(locale: str, words: str) -> None:
    said = written(copy=IBAN._replace(locale=locale))
    assert " ".join(words.split()) in said
    assert "By bank transfer" not in said


@pytest.mark.parametrize("other", [{"paid": 90_70, "status": "PAID"}, {"paid": 100_00}])
def test_a_letter_about_nothing_to_pay_says_nothing_of_paying(other: dict[str, object]) -> None:
    assert "IBAN" not in written(copy=IBAN, payment_link=LINK, **other)


@pytest.mark.parametrize(
    ("contact", "reply_to", "said"),
    [
        ("carol@example.com\n518-555-0100", "carol@example.com", "just reply to this e-mail"),
        ("518-555-0100", None, "please contact Harbor Rentals: 518-555-0100"),
        ("", None, "please contact Harbor Rentals."),
    ],
)
def test_answers_go_to_the_address_for_questions_whatever_telephone_stands_beside_it(
    contact: str, reply_to: str | None, said: str
) -> None:
    writer = LetterWriter(read_address("bills@example.com"), _print_nothing)
    at = datetime(2026, 4, 6, tzinfo=UTC)
    mail = InvoiceMail("mail_01hx9k2", Kind.INVOICE, invoice(), contact, "ann@example.com", "Ann", at)
    message = message_from_bytes(writer.write(mail).message, policy=policy.default)
    body = message.get_body(("plain",))
    assert isinstance(body, EmailMessage)

    assert (message["Reply-To"] and str(message["Reply-To"].addresses[0].addr_spec)) == reply_to
    assert said in " ".join(str(body.get_content()).split())
