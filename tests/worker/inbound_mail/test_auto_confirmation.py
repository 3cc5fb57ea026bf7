"""Bills received by e-mail are confirmed automatically only if everything about them is plain."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.bills import bills, entries as bill_entries, flags as bill_flags
from prorata.actions.bills.flags import Decision
from prorata.actions.inbound_mail import auto_confirmation, inbox_addresses, incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import MailRules
from prorata.actions.intake import documents, issuer_lessons, page_lessons
from prorata.actions.limits import MOST_OPEN_MONTHS
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.domain.intake.bill_reading.draft import Budget, Draft, Item, Line, Stated, asked, found, missing
from prorata.domain.intake.bill_reading.numbers import read_amount
from prorata.domain.intake.bill_reading.spots import key_of
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.store.properties.properties import PropertyRow
from tests.incoming import PDF, a_message
from tests.landlord import Landlord
from tests.worker.inbound_mail.test_incoming_mail import allow, bring, mails

DRAFT = Draft(
    issuer=found("Aqua Water Co."),
    account_number=found("A-1"),
    bill_number=missing("bill number"),
    bill_date=found(date(2026, 3, 5)),
    due_date=found(date(2026, 3, 25)),
    service_start=found(date(2026, 2, 1)),
    service_end=found(date(2026, 2, 28)),
    service_address=missing("service address"),
    total=found(93_00),
    lines=found((Line("WATER", 93_00, ()),)),
    currency="USD",
)
BEFORE = (
    ("2025-12-05", "2025-11-01", "2025-11-30"), ("2026-01-05", "2025-12-01", "2025-12-31"),
    ("2026-02-05", "2026-01-01", "2026-01-31"),
)  # fmt: skip
"""The three bills before it: their date, and the first and last day of their service."""


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    """A property with three bills for one account number.

    One of the bills was confirmed from a file. The account lets bills like these be confirmed automatically.
    """
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    for at, (on, first, last) in enumerate(BEFORE):
        enter(landlord, maple, f"{90 + at}.00", on, service_start=first, service_end=last)
    teach(landlord)
    allow(landlord, "aqua.example")
    landlord.do(inbox_addresses.set_rules, MailRules(365, counts_known=True))
    return maple


def enter(landlord: Landlord, of: PropertyRow, total: str, on: str, **more: str) -> None:
    fields: dict[str, Any] = {"account_number": "A-1"} | more
    form = BillForm(of.id, "Aqua Water Co.", total, on, (FormLine("WATER"),), **fields)
    entered = landlord.do(bill_entries.enter, form)
    if entered.bill is None:
        landlord.do(bill_entries.enter, form, decision=Decision(shown_as(entered.flags), later=True))


def teach(landlord: Landlord, issuer: str = "Aqua Water Co.", account_number: str = "A-1") -> None:
    lesson = PageLesson(issuer, (), ("WATER",), ((key_of(account_number), ("WATER",)),))
    landlord.run(lambda tx: page_lessons.keep(tx, landlord.account.id, lesson))


def comes(
    landlord: Landlord, of: PropertyRow, draft: Draft = DRAFT, *, everybody: bool = True, content: bytes = PDF,
    message_id: str = "<1@aqua.example>",
) -> int:  # fmt: skip
    """Receive a message whose file is read as `draft`, and count the new bills."""
    before = len(landlord.stored_bills(of))
    bring(landlord, a_message(("bill.pdf", content), message_id=message_id), everybody=everybody)
    note(landlord, draft)
    return len(landlord.stored_bills(of)) - before


def note(landlord: Landlord, draft: Draft = DRAFT) -> None:
    """Note `draft` as what was read from the waiting documents."""
    ids = [one.row.id for one in landlord.see(documents.inbox, ("reading",)).rows]
    landlord.run(lambda tx: [auto_confirmation.note_draft(tx, landlord.account.id, one, draft) for one in ids])


def test_a_bill_counts_by_itself_though_another_file_of_its_message_could_not_be_taken(
    landlord: Landlord, maple: PropertyRow
) -> None:
    bring(landlord, a_message(("bill.pdf", PDF), ("more.rtf", b"{\\rtf1 the bill}")), everybody=True)
    note(landlord)
    (mail,) = mails(landlord)
    assert (mail.row.state, [one.state for one in mail.documents]) == ("not taken", ["billed"])
    assert len(landlord.stored_bills(maple)) == 4


def test_a_bill_like_those_before_it_counts_by_itself_and_says_so(landlord: Landlord, maple: PropertyRow) -> None:
    assert comes(landlord, maple) == 1
    (bill,) = [one for one in landlord.stored_bills(maple) if one.total == 93_00]
    assert (bill.account_number, bill.bill_date, bill.service_start) == ("A-1", "2026-03-05", "2026-02-01")
    assert landlord.totals(maple) == {"1": 46_50, "2": 46_50}
    (mail,) = mails(landlord)
    (brought,) = mail.documents
    assert (brought.state, brought.counted_at is not None) == ("billed", True)
    assert landlord.see(auto_confirmation.counted_by, bill.id).id == mail.row.id
    counted = [one for one in landlord.see(activity.page) if one.verb == "count document"]
    assert [(one.record_id, one.actor) for one in counted] == [(brought.id, "inbox")]
    other = next(one for one in landlord.stored_bills(maple) if one.total == 92_00)
    assert landlord.see(auto_confirmation.counted_by, other.id) is None
    landlord.sound()


NOT_PLAIN: dict[str, Draft] = {
    "an asked field": DRAFT._replace(due_date=asked("Two days stand there.", date(2026, 3, 25), date(2026, 4, 25))),
    "an asked number": DRAFT._replace(bill_number=asked("Two numbers stand there.", "1", "2")),
    "no period": DRAFT._replace(service_start=missing("day"), service_end=missing("day")),
    "no account number": DRAFT._replace(account_number=missing("account number")),
    "another account number": DRAFT._replace(account_number=found("B-2")),
    "another issuer": DRAFT._replace(issuer=found("Aqua Water Company")),
    "another utility": DRAFT._replace(lines=found((Line("SEWER", 93_00, ()),))),
    "a fee": DRAFT._replace(lines=found((Line("WATER", 90_00, ()), Line("LATE_FEE", 3_00, ())))),
    "lines that do not sum": DRAFT._replace(lines=found((Line("WATER", 92_00, ()),))),
    "budget billing": DRAFT._replace(budget=Budget(80_00, ())),
    "another currency": DRAFT._replace(currency="CAD"),
    "a credit": DRAFT._replace(total=found(-5_00), lines=found((Line("WATER", -5_00, ()),))),
    "a service address elsewhere": DRAFT._replace(service_address=found("77 Elsewhere Road, Springfield")),
    "the same number in another street": DRAFT._replace(service_address=found("12 Oak Ave, Reno, NV 89501")),
    "a day to come": DRAFT._replace(bill_date=found(date(2026, 3, 12))),
    "an old day": DRAFT._replace(bill_date=found(date(2025, 10, 1))),
    "twice the usual": DRAFT._replace(total=found(300_00), lines=found((Line("WATER", 300_00, ()),))),
    "days left out": DRAFT._replace(service_start=found(date(2026, 2, 5))),
    "due before it is made": DRAFT._replace(due_date=found(date(2026, 3, 1))),
    "the same charge again": DRAFT._replace(
        total=found(92_00), lines=found((Line("WATER", 92_00, ()),)), bill_date=found(date(2026, 2, 5)),
        service_start=found(date(2026, 1, 1)), service_end=found(date(2026, 1, 31)), due_date=missing("due date"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", NOT_PLAIN)
def test_a_bill_of_which_anything_is_not_plain_or_odd_waits(landlord: Landlord, maple: PropertyRow, why: str) -> None:
    assert comes(landlord, maple, NOT_PLAIN[why]) == 0
    (row,) = landlord.see(documents.inbox).rows
    assert row.row.state == "draft"


def test_a_bill_that_is_refused_waits_with_what_was_read_of_it_and_says_why(
    landlord: Landlord, maple: PropertyRow
) -> None:
    days = [date(year, month, 5) for year in range(2010, 2020) for month in range(1, 13)]
    old = [NewBill(maple.id, "City", ("GARBAGE",), 10_00, day) for day in days[: MOST_OPEN_MONTHS - len(BEFORE)]]
    landlord.do(bills.add, old)
    assert comes(landlord, maple) == 0
    (shown,) = landlord.see(documents.inbox).rows
    assert (shown.row.state, shown.draft) == ("draft", DRAFT)
    assert shown.row.said is not None
    assert shown.row.said.startswith("This bill was not confirmed automatically. The property ")
    assert "open months, but the maximum is 120" in shown.row.said
    landlord.sound()


def test_a_service_address_that_is_the_propertys_speaks_for_the_bill(landlord: Landlord, maple: PropertyRow) -> None:
    assert comes(landlord, maple, DRAFT._replace(service_address=found("12 Maple St, Reno, NV 89501"))) == 1


@pytest.mark.parametrize(("printed", "counts"), [("$93.00", 1), ("US$93.00", 1), ("CA$93.00", 0), ("93.00", 0)])
def test_a_bill_counts_where_its_sign_may_mean_the_propertys_currency(
    landlord: Landlord, maple: PropertyRow, printed: str, counts: int
) -> None:
    amount = read_amount(printed)
    assert amount is not None
    assert comes(landlord, maple, DRAFT._replace(currency=amount.currency)) == counts


def another_property(landlord: Landlord, _maple: PropertyRow) -> None:
    enter(landlord, landlord.property_("Elm"), "12.00", "2025-10-05")


def not_wanted(landlord: Landlord, _maple: PropertyRow) -> None:
    landlord.do(inbox_addresses.set_rules, MailRules(365, counts_known=False))


def not_allowed(landlord: Landlord, _maple: PropertyRow) -> None:
    allow(landlord, "other.example")


@pytest.mark.parametrize("spoils", [another_property, not_wanted, not_allowed])
def test_what_is_not_known_or_not_wanted_waits(
    landlord: Landlord, maple: PropertyRow, spoils: Callable[[Landlord, PropertyRow], None]
) -> None:
    spoils(landlord, maple)
    assert comes(landlord, maple) == 0


def test_a_message_that_nobody_vouches_for_or_somebody_has_taken_up_waits(
    landlord: Landlord, maple: PropertyRow
) -> None:
    assert comes(landlord, maple, everybody=False) == 0
    (waits,) = mails(landlord)
    landlord.do(incoming_mail.take_up, waits.row.id)
    bring(landlord, everybody=True)
    note(landlord)
    assert [one.row.state for one in landlord.see(documents.inbox).rows] == ["draft"]


def test_fewer_than_three_bills_and_bills_that_no_file_taught_wait(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    allow(landlord, "aqua.example")
    landlord.do(inbox_addresses.set_rules, MailRules(365, counts_known=True))
    for at, (on, first, last) in enumerate(BEFORE[1:]):
        enter(landlord, maple, f"{91 + at}.00", on, service_start=first, service_end=last)
    teach(landlord)
    assert comes(landlord, maple) == 0


def two_and(landlord: Landlord) -> PropertyRow:
    """A property with the first two of the three bills."""
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    allow(landlord, "aqua.example")
    landlord.do(inbox_addresses.set_rules, MailRules(365, counts_known=True))
    for at, (on, first, last) in enumerate(BEFORE[:2]):
        enter(landlord, maple, f"{90 + at}.00", on, service_start=first, service_end=last)
    teach(landlord)
    return maple


@pytest.mark.parametrize("holds", [False, True])
def test_a_bill_with_an_open_flag_or_held_speaks_for_none_before_it_is_accepted(
    landlord: Landlord, holds: bool
) -> None:
    maple = two_and(landlord)
    landlord.do(accounts.change_settings, Wishes(hold_flagged=holds))
    on, first, last = BEFORE[2]
    enter(landlord, maple, "92.00", on, service_start=first, service_end=last, due_date="2026-01-01")
    (flagged,) = [one for one in landlord.stored_bills(maple) if one.total == 92_00]
    assert comes(landlord, maple) == 0
    (flag,) = landlord.see(bill_flags.of_bill, flagged.id)
    landlord.do(bill_flags.accept, flagged.id, 1, "so it says", flag.mark)
    (waits,) = landlord.see(documents.inbox).rows
    landlord.do(documents.set_aside, waits.row.id)
    assert comes(landlord, maple, message_id="<2@aqua.example>", content=PDF + b" again") == 1


def test_a_bill_that_counts_by_itself_speaks_for_none(landlord: Landlord, maple: PropertyRow) -> None:
    assert comes(landlord, maple) == 1
    landlord.remove_bill(next(one for one in landlord.stored_bills(maple) if one.total == 90_00))
    landlord.clock.forward(days=28)
    march = DRAFT._replace(
        bill_date=found(date(2026, 4, 5)), due_date=found(date(2026, 4, 25)), total=found(94_00),
        service_start=found(date(2026, 3, 1)), service_end=found(date(2026, 3, 31)),
        lines=found((Line("WATER", 94_00, ()),)),
    )  # fmt: skip
    assert comes(landlord, maple, march, message_id="<2@aqua.example>", content=PDF + b" again") == 0


def test_without_a_bill_that_was_confirmed_from_a_file_it_waits(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    allow(landlord, "aqua.example")
    landlord.do(inbox_addresses.set_rules, MailRules(365, counts_known=True))
    for at, (on, first, last) in enumerate(BEFORE):
        enter(landlord, maple, f"{90 + at}.00", on, service_start=first, service_end=last)
    assert comes(landlord, maple) == 0
    teach(landlord, "Aqua Works")
    assert comes(landlord, maple, content=PDF + b"2", message_id="<2@aqua.example>") == 0
    teach(landlord, account_number="B-2")
    assert comes(landlord, maple, content=PDF + b"3", message_id="<3@aqua.example>") == 0


def test_a_bill_that_was_removed_waits_when_its_file_is_taken_up_again(landlord: Landlord, maple: PropertyRow) -> None:
    assert comes(landlord, maple) == 1
    (document,) = mails(landlord)[0].documents
    landlord.clock.forward(minutes=5)
    bill = next(one for one in landlord.stored_bills(maple) if one.total == 93_00)
    landlord.remove_bill(bill)
    landlord.do(documents.take_up, document.id)
    note(landlord)
    assert len(landlord.stored_bills(maple)) == 3
    assert [one.row.state for one in landlord.see(documents.inbox).rows] == ["draft"]


def test_an_uploaded_bill_waits_whoever_it_is_of(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.do(documents.take, "bill.pdf", PDF, "upload")
    note(landlord)
    assert len(landlord.stored_bills(maple)) == 3


def test_a_bill_that_somebody_confirmed_after_all_is_not_said_to_count_by_itself(
    landlord: Landlord, maple: PropertyRow
) -> None:
    assert comes(landlord, maple) == 1
    (bill,) = [one for one in landlord.stored_bills(maple) if one.total == 93_00]
    landlord.remove_bill(bill)
    (mail,) = mails(landlord)
    (document,) = mail.documents
    landlord.clock.forward(minutes=5)
    landlord.do(documents.take_up, document.id)
    note(landlord)
    entered = landlord.do(documents.confirm, document.id, documents.begun(DRAFT, maple))
    assert landlord.see(auto_confirmation.counted_by, entered.bill.id) is None
    assert mails(landlord)[0].documents[0].counted_at is None


def test_an_e_invoice_counts_by_itself_once_its_seller_was_taught_all_its_lines(
    landlord: Landlord, maple: PropertyRow
) -> None:
    stated = Stated("DE1", (Item("name:water", "Water", 93_00),), (("contract", "B-2"),))
    draft = DRAFT._replace(account_number=found("B-2"), lines=asked("Say what “Water” is for."), stated=stated)
    for at, (on, first, last) in enumerate(BEFORE):
        enter(landlord, maple, f"{90 + at}.50", on, service_start=first, service_end=last, account_number="B-2")
    assert comes(landlord, maple, draft) == 0

    lesson = {"lines": {"name:water": "WATER"}}
    landlord.run(lambda tx: issuer_lessons.keep(tx, landlord.account.id, "DE1", "Aqua Water Co.", "eInvoice", lesson))

    assert comes(landlord, maple, draft, content=PDF + b"2", message_id="<2@aqua.example>") == 1
