"""Messages about invoices as they leave: their words, their links, and the PDF that says the same."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from prorata.adapters.delivery.mail_writer import LetterWriter
from prorata.adapters.printing.pdf import data_of
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.mail_addresses import read_address
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.ports.mail import InvoiceMail
from tests.domain.printing.test_rendering import COPY, invoice

LINK = "https://pay.example/i/1"


def written(kind: Kind = Kind.INVOICE, **other: object) -> str:
    """The plain form of a message, in one line."""
    writer = LetterWriter(read_address("bills@example.com"), _print_nothing)
    mail = InvoiceMail(
        "mail_01hx9k2", kind, invoice(**other), "", "ann@example.com", "Ann", datetime(2026, 4, 6, tzinfo=UTC)
    )
    message = message_from_bytes(writer.write(mail).message, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


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
