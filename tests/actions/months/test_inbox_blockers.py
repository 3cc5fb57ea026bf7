"""Unconfirmed files and messages prevent the automatic sending of months.

They block only those months to which they might add a bill.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.inbound_mail import inbox_addresses, incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.actions.inbound_mail.parsed_mail import ReadMail
from prorata.actions.intake import documents, table_documents
from prorata.actions.months import inbox_blockers, reviews as month_reviews
from prorata.actions.months.inbox_blockers import Unconfirmed
from prorata.domain.accounts.settings import BY_ITSELF, BillingMonthRule
from prorata.domain.billing_calendar import Month
from prorata.domain.files.sheets import Sheet
from prorata.domain.inbound_mail.incoming_mail import read_message
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft, Reading, asked, found
from prorata.ports.files import IncomingFile
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from tests.incoming import PDF, Believes, a_message
from tests.landlord import Landlord
from tests.worker.inbound_mail.test_incoming_mail import allow, bring, mails

FEBRUARY = UNREAD._replace(bill_date=found(date(2026, 2, 20)), account_number=found("A-1"))


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    """A property with a bill for February."""
    maple = landlord.property_()
    (unit, _) = landlord.units(maple, "1", "2")
    landlord.tenant(unit, "Ann", email="ann@example.com")
    landlord.bill(maple, 90_00, on=date(2026, 2, 3), account_number="A-1")
    return maple


def brought(landlord: Landlord, draft: Draft, way: str = "mail") -> str:
    """Bring in a file that is read as the given draft, and return its id."""
    row = landlord.do(documents.take, "bill.pdf", repr(draft).encode(), way).row
    landlord.run(lambda tx: documents.note_draft(tx, landlord.account.id, row.id, draft))
    return row.id


def waits(landlord: Landlord, of: PropertyRow, month: str = "2026-02") -> bool:
    return landlord.see(month_reviews.review, of.id, month).is_to_wait


@pytest.mark.parametrize("way", ["mail", "upload"])
def test_a_month_waits_while_a_file_may_be_a_bill_of_it(landlord: Landlord, maple: PropertyRow, way: str) -> None:
    assert not waits(landlord, maple)
    document = brought(landlord, FEBRUARY, way)
    assert waits(landlord, maple)
    landlord.do(documents.set_aside, document)
    assert not waits(landlord, maple)


@pytest.mark.parametrize(
    ("draft", "is_to_wait"),
    [
        (FEBRUARY._replace(bill_date=found(date(2026, 1, 9))), False),
        (FEBRUARY._replace(bill_date=asked("It reads two ways.")), True),
        (FEBRUARY._replace(account_number=found("B-2"), issuer=found("Volt")), True),
        (FEBRUARY._replace(account_number=found("B-2"), bill_date=found(date(2026, 1, 9))), False),
        (UNREAD, True),
        (FEBRUARY._replace(bill_date=asked("It is from a picture.", date(2026, 1, 9))), True),
        (UNREAD._replace(bill_date=found(date(2026, 1, 9)), service_start=asked("Which?")), True),
        (UNREAD._replace(service_start=found(date(2026, 1, 1)), service_end=found(date(2026, 1, 31))), False),
        (UNREAD._replace(service_start=found(date(2026, 1, 1)), service_end=found(date(2026, 3, 31))), True),
    ],
    ids=[
        "another month",
        "no month that is plain",
        "a new account number of this month",
        "one of another month",
        "nothing that was read",
        "another month by a picture",
        "its service asked",
        "the service of another month",
        "three months it may be spread over",
    ],
)
def test_a_file_is_for_the_months_that_it_may_be_for(
    landlord: Landlord, maple: PropertyRow, draft: Draft, is_to_wait: bool
) -> None:
    brought(landlord, draft)
    assert waits(landlord, maple) is is_to_wait


@pytest.mark.parametrize(
    ("rule", "day", "is_to_wait"),
    [
        ("MOST_DAYS", found(date(2026, 2, 20)), False),
        ("SERVICE_END", found(date(2026, 3, 20)), True),
        ("BILL_DATE", found(date(2026, 2, 20)), True),
        ("BILL_DATE", found(date(2026, 3, 20)), False),
        ("BILL_DATE", asked("Which?"), True),
    ],
)
def test_a_file_is_for_the_month_that_the_accounts_rule_names(
    landlord: Landlord, maple: PropertyRow, rule: BillingMonthRule, day: Reading[date], is_to_wait: bool
) -> None:
    landlord.do(accounts.change_settings, Wishes(billing_month_rule=rule))
    served = {"service_start": found(date(2026, 1, 11)), "service_end": found(date(2026, 2, 10))}
    brought(landlord, UNREAD._replace(bill_date=day, **served))
    assert waits(landlord, maple) is is_to_wait


def test_a_known_account_number_keeps_no_other_property_waiting(landlord: Landlord, maple: PropertyRow) -> None:
    elm = landlord.property_("Elm")
    landlord.tenant(landlord.unit(elm, "1"), "Ben")
    landlord.bill(elm, 10_00, on=date(2026, 2, 3))
    brought(landlord, FEBRUARY)
    assert (waits(landlord, maple), waits(landlord, elm)) == (True, False)


def test_an_account_number_that_is_anothers_at_another_issuer_is_not_plain(
    landlord: Landlord, maple: PropertyRow
) -> None:
    elm = landlord.property_("Elm")
    landlord.bill(elm, 10_00, on=date(2026, 2, 3), issuer="Volt", account_number="77")
    document = brought(landlord, FEBRUARY._replace(account_number=found("77"), issuer=found("Volt")))
    assert not waits(landlord, maple)
    landlord.do(documents.set_aside, document)
    brought(landlord, FEBRUARY._replace(account_number=found("77"), issuer=found("Prairie Gas")))
    assert waits(landlord, maple)


CLOSED_FEBRUARY = UNREAD._replace(account_number=found("A-1"))


@pytest.mark.parametrize(
    "draft",
    [
        CLOSED_FEBRUARY._replace(bill_date=found(date(2026, 2, 20))),
        CLOSED_FEBRUARY._replace(service_start=found(date(2026, 2, 1)), service_end=found(date(2026, 2, 28))),
        CLOSED_FEBRUARY._replace(service_start=found(date(2026, 1, 1)), service_end=found(date(2026, 2, 28))),
    ],
    ids=["by its day", "by its service", "by a long service"],
)
def test_a_file_of_a_closed_month_keeps_the_month_back_that_late_bills_go_to(
    landlord: Landlord, maple: PropertyRow, draft: Draft
) -> None:
    landlord.bill(maple, 80_00, on=date(2026, 3, 3), account_number="A-1")
    landlord.set_status(maple, "1", "SENT")
    brought(landlord, draft)
    assert not waits(landlord, maple, "2026-03"), "a late bill waits, and goes nowhere by itself"
    landlord.do(accounts.change_settings, Wishes(late_bills=BY_ITSELF))
    assert waits(landlord, maple, "2026-03")


def not_read_yet(landlord: Landlord) -> str:
    taken: str = landlord.do(documents.take, "scan.pdf", b"scan", "upload").row.id
    return taken


def unreadable(landlord: Landlord) -> str:
    taken = not_read_yet(landlord)
    landlord.run(lambda tx: documents.note_unreadable(tx, landlord.account.id, taken, "It is a scan."))
    return taken


def table(landlord: Landlord) -> str:
    taken = not_read_yet(landlord)
    sheet = Sheet(("issuer", "total"), ((2, ("Aqua", "90.00")),))
    landlord.run(lambda tx: table_documents.note_table(tx, landlord.account.id, taken, sheet))
    return taken


@pytest.mark.parametrize("kind", [not_read_yet, unreadable, table])
def test_a_file_of_which_nobody_knows_what_it_is_keeps_every_month_back_until_it_is_set_aside(
    landlord: Landlord, maple: PropertyRow, kind: Callable[[Landlord], str]
) -> None:
    document = kind(landlord)
    assert waits(landlord, maple)
    landlord.do(documents.set_aside, document)
    assert not waits(landlord, maple)


def test_an_older_file_is_seen_behind_however_many_newer_ones(landlord: Landlord, maple: PropertyRow) -> None:
    brought(landlord, FEBRUARY)
    for day in range(1, 103):
        brought(landlord, FEBRUARY._replace(bill_date=found(date(2026, 1, 9)), total=found(day)))
    review = landlord.see(month_reviews.review, maple.id, "2026-02")
    assert [one.number for one in review.findings if one.kind == "unconfirmed"] == [1]


def given_up(landlord: Landlord) -> None:
    bring_kept(landlord)
    (mail,) = mails(landlord)
    landlord.run(lambda tx: incoming_mail.note_unreadable(tx, landlord.account.id, mail.row.id, "It was given up."))


def bring_kept(landlord: Landlord) -> None:
    recipient = inbox_addresses.Recipient(landlord.account.id)
    message = a_message(("bill.pdf", PDF))
    landlord.run(lambda tx: incoming_mail.keep(tx, recipient, envelope_from="", message=message, way="imap"))


def test_a_message_that_could_not_be_read_keeps_months_back_until_it_is_dealt_with(
    landlord: Landlord, maple: PropertyRow
) -> None:
    given_up(landlord)
    assert waits(landlord, maple)
    (mail,) = mails(landlord)
    landlord.do(incoming_mail.deal_with, mail.row.id)
    assert not waits(landlord, maple)
    landlord.do(incoming_mail.take_up, mail.row.id)
    assert waits(landlord, maple), "it is being read again"


def test_a_message_of_an_allowed_sender_whose_file_could_not_be_taken_keeps_months_back_until_it_is_dealt_with(
    landlord: Landlord, maple: PropertyRow
) -> None:
    allow(landlord)
    bring(landlord, a_message(("bill.gif", b"GIF89a" + bytes(90))), everybody=True)
    assert waits(landlord, maple)
    (mail,) = mails(landlord)
    landlord.do(incoming_mail.deal_with, mail.row.id)
    assert not waits(landlord, maple)


def test_a_message_without_a_file_keeps_no_month_back(landlord: Landlord, maple: PropertyRow) -> None:
    bring(landlord, a_message())
    assert [one.row.state for one in mails(landlord)] == ["nothing"]
    assert not waits(landlord, maple)


def test_a_message_that_waits_keeps_months_back_until_it_is_refused(landlord: Landlord, maple: PropertyRow) -> None:
    bring(landlord, a_message(("bill.pdf", PDF)))
    (mail,) = mails(landlord)
    assert mail.row.state == "waiting"
    assert waits(landlord, maple)
    review = landlord.see(month_reviews.review, maple.id, "2026-02")
    (finding,) = [one for one in review.findings if one.kind == "waitingMail"]
    assert finding.message.startswith("1 message in the inbox is waiting, with files that have not been accepted.")
    landlord.do(incoming_mail.refuse, mail.row.id)
    assert not waits(landlord, maple)


class Between:
    """A transaction after whose first statement somebody else does something."""

    def __init__(self, tx: Tx, does: Callable[[], None]) -> None:
        self._tx = tx
        self._does: list[Callable[[], None]] = [does]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    def all(self, statement: Any, **values: Any) -> Any:
        return self._after(self._tx.all(statement, **values))

    def one(self, statement: Any, **values: Any) -> Any:
        return self._after(self._tx.one(statement, **values))

    def _after(self, found: Any) -> Any:
        while self._does:
            with ThreadPoolExecutor(1) as thread:
                thread.submit(self._does.pop()).result()
        return found


def test_what_goes_from_a_message_into_files_meanwhile_is_missed_in_neither(
    landlord: Landlord, maple: PropertyRow
) -> None:
    allow(landlord)
    message, of = a_message(("bill.pdf", PDF)), Recipient(landlord.account.id)
    kept = landlord.run(lambda tx: incoming_mail.keep(tx, of, envelope_from="", message=message, way="smtp"))
    found = ReadMail(read_message(message), Believes(everybody=True)(message), (IncomingFile("bill.pdf", "pdf", PDF),))

    def read() -> None:
        landlord.run(lambda tx: incoming_mail.note_read(tx, landlord.account.id, kept.id, found))

    def look(tx: Tx) -> Unconfirmed:
        between: Tx = Between(tx, read)  # type: ignore[assignment]
        waiting = inbox_blockers.read(between, landlord.caller, [maple.id])
        return waiting.for_month(maple, Month("2026-02"))

    assert sum(landlord.database.read(look)) >= 1
    assert [one.row.state for one in mails(landlord)] == ["taken"]
