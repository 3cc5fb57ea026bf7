"""Flags of one bill or of several bills can be accepted together.

A bill whose lines do not add up to its total stays flagged until somebody looks at the lines.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.bills import entries as bill_entries, flag_acceptances
from prorata.actions.bills.flags import Decision
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import FormLine
from prorata.errors import InvalidRequest
from prorata.store.bills import flags as stored
from prorata.store.bills.bills import BillSummary
from prorata.store.properties.properties import PropertyRow
from tests.actions.bills.test_flags import enter, form, kinds
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def marks(landlord: Landlord, *bills: BillSummary) -> dict[str, str]:
    found = landlord.see(flag_acceptances.open_of, [bill.id for bill in bills])
    return {bill_id: one.mark for bill_id, one in found.items()}


def twice(landlord: Landlord, of: PropertyRow, **more: Any) -> BillSummary:
    """A bill with two flags, one of which says that it repeats another bill."""
    enter(landlord, of, **more)
    bill: BillSummary = enter(landlord, of, due_date="2026-01-01", **more)
    return bill


def not_summing(landlord: Landlord, of: PropertyRow, reasons: Sequence[str] = ("",)) -> BillSummary:
    filled = form(of, "100.00", lines=(FormLine("WATER", "90"),), account_number="A-7")
    shown = shown_as(landlord.do(bill_entries.enter, filled).flags)
    decision = Decision(shown, tuple(reasons), later=True, difference="OWNER")
    bill: BillSummary = landlord.do(bill_entries.enter, filled, decision=decision).bill
    return bill


def test_all_flags_of_several_bills_are_accepted_for_one_reason(landlord: Landlord, maple: PropertyRow) -> None:
    accounts_wish = Wishes(hold_flagged=True)
    landlord.do(accounts.change_settings, accounts_wish)
    bills = [twice(landlord, maple), twice(landlord, maple, on="2026-02-11")]
    assert landlord.totals(maple) == {"1": 90_00, "2": 90_00}
    done = landlord.do(flag_acceptances.accept_shown, marks(landlord, *bills), " second meters ")
    assert done == (2, 2, ())
    for bill in bills:
        assert kinds(landlord, bill) == ([], ["duplicate", "dueBeforeBilled"])
        assert {row.reason for row in landlord.read(stored.of_bill, bill.id)} == {"second meters"}
    assert landlord.totals(maple) == {"1": 180_00, "2": 180_00}
    accepted = [one for one in landlord.see(activity.page) if one.verb == "accept flag of bill"]
    assert len(accepted) == 4
    landlord.sound()


def test_flags_that_nobody_was_shown_are_not_accepted(landlord: Landlord, maple: PropertyRow) -> None:
    bill, other = twice(landlord, maple), twice(landlord, maple, on="2026-02-11")
    shown = marks(landlord, bill, other)
    before = landlord.see(bill_entries.form_of, bill.id)
    landlord.do(bill_entries.change, bill.id, before._replace(due_date="2026-01-02"))
    done = landlord.do(flag_acceptances.accept_shown, {**shown, "bill_of_nobody": "x"}, "right")
    assert done == (1, 0, (bill.id, "bill_of_nobody"))
    assert kinds(landlord, bill) == (["duplicate", "dueBeforeBilled"], [])
    assert kinds(landlord, other)[0] == []


def test_a_reason_and_a_bill_are_needed(landlord: Landlord, maple: PropertyRow) -> None:
    bill = twice(landlord, maple)
    for shown, reason, wrong in (
        ({}, "right", ["chosen"]), (marks(landlord, bill), " ", ["reason"]), ({}, "", ["chosen", "reason"]),
    ):  # fmt: skip
        with pytest.raises(InvalidRequest) as refusal:
            landlord.do(flag_acceptances.accept_shown, shown, reason)
        assert [problem.field for problem in refusal.value.problems] == wrong


def test_lines_that_do_not_sum_stay_flagged_until_the_lines_are_changed(landlord: Landlord, maple: PropertyRow) -> None:
    landlord.do(accounts.change_settings, Wishes(hold_flagged=True))
    bill = not_summing(landlord, maple)
    assert (bill.held, landlord.totals(maple)) == (True, {})
    enter(landlord, maple, "5.00", account_number="A-9", lines=(FormLine("GAS"),))
    before = landlord.see(bill_entries.form_of, bill.id)
    for wish in ({"due_date": "2026-03-20"}, {"due_date": "2026-01-20"}, {"bill_number": "8"}):
        before = before._replace(**wish)
        assert landlord.do(bill_entries.change, bill.id, before).held
        assert "doesNotSum" in kinds(landlord, bill)[0]
    before = before._replace(due_date="", lines=(FormLine("WATER", "100"),))
    assert not landlord.do(bill_entries.change, bill.id, before).held
    assert kinds(landlord, bill) == ([], [])
    landlord.sound()


def test_a_difference_that_is_accepted_stays_nobodys(landlord: Landlord, maple: PropertyRow) -> None:
    bill = not_summing(landlord, maple, ["the bill itself adds up so"])
    assert kinds(landlord, bill) == ([], ["doesNotSum"])
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    assert landlord.month(maple).owner_amount == 10_00  # type: ignore[union-attr]
