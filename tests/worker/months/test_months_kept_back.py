"""A month is never sent automatically while it has something that a person should check."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills, flags as bill_flags
from prorata.actions.bills.flags import Noted
from prorata.actions.months import reviews as month_reviews, runs as month_runs
from prorata.actions.properties import tenancy_changes, tenants
from prorata.actions.properties.tenancy_changes import Leaving, NextTenant
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.flags import Flag
from prorata.domain.months.findings import KEEPS_FROM_SENDING
from prorata.domain.months.runs import NOT_KNOWN, PROPOSED, SENT, WAITS
from prorata.store.months import runs as stored
from tests.worker.mailing import House
from tests.worker.monthly import AQUA, GAS, at, run_of, runs, said_of_month, status, water, with_bills


@pytest.fixture
def maple(house: House) -> House:
    return with_bills(house)


def flag(house: House) -> None:
    (bill,) = [one for one in house.landlord.stored_bills(house.maple) if one.bill_date == "2026-03-20"]
    house.landlord.do(bill_flags.note, [Noted(bill, [Flag("duplicate", "It looks like another.")])])


def held(house: House) -> None:
    house.landlord.do(accounts.change_settings, Wishes(hold_flagged=True))
    new = NewBill(house.maple.id, "City", ("SEWER",), 7_00, date(2026, 3, 20))
    (row,) = house.landlord.do(bills.add, [new], held=[0]).bills
    house.landlord.do(bill_flags.note, [Noted(row, [Flag("dueBeforeBilled", "It is due too early.")])])


def guessed(house: House) -> None:
    water(house, "2026-03", 30_00, kind="GAS;SEWER", issuer="City")


def missing_area(house: House) -> None:
    house.landlord.rule(house.maple, "WATER", "SQFT")
    house.landlord.unit(house.maple, "2", sqft="500")


def missing_bill(house: House) -> None:
    for month in ("2025-12", "2026-01", "2026-02"):
        water(house, month, issuer=GAS, kind="GAS")


def moves_in_late(house: House) -> None:
    house.landlord.do(tenants.change, house.tenant.id, {"move_in": "2026-03-02"})


def leaves_early(house: House) -> None:
    house.landlord.do(tenants.change, house.tenant.id, {"move_out": "2026-03-30"})


def is_followed(house: House) -> None:
    house.landlord.do(
        tenancy_changes.leave, house.tenant.id, Leaving(date(2026, 3, 9)), NextTenant("Bea", move_in=date(2026, 3, 10))
    )


def is_joined(house: House) -> None:
    house.landlord.tenant(house.unit, "Bea", move_in="2026-03-10")


def begins_late(house: House) -> None:
    house.landlord.change_unit(house.unit, active_from="2026-03-02")


def ends_early(house: House) -> None:
    house.landlord.unit(house.maple, "2", active_to="2026-03-30")


BACK: dict[str, Callable[[House], None]] = {
    "flagged": flag,
    "held": held,
    "guessed": guessed,
    "missingFacts": missing_area,
    "missingBill": missing_bill,
}


def test_everything_that_keeps_a_month_back_has_a_test() -> None:
    inbox = {
        "unconfirmed",
        "waitingMail",
    }  # tests/actions/months/test_inbox_blockers.py, tests/dashboard/months/test_month_runs.py
    assert {*BACK, *inbox} == KEEPS_FROM_SENDING


@pytest.mark.parametrize("kind", BACK)
def test_a_month_is_not_sent_by_itself_while_something_of_it_is_open(maple: House, kind: str) -> None:
    runs(maple)
    water(maple, "2026-03")
    BACK[kind](maple)
    review = maple.landlord.see(month_reviews.review, maple.maple.id, "2026-03")
    (finding,) = [one for one in review.findings if one.kind == kind]
    at(maple, "2026-04-07T12:00")
    assert status(maple) == "DRAFT"
    assert run_of(maple) == (WAITS, finding.message)
    assert "Keeps it back" in (said_of_month(maple) or "")


@pytest.mark.parametrize("change", [moves_in_late, leaves_early, is_followed, is_joined, begins_late, ends_early])
def test_a_month_in_which_people_came_and_went_is_sent_by_itself_to_each_of_them(
    maple: House, change: Callable[[House], None]
) -> None:
    runs(maple)
    water(maple, "2026-03")
    water(maple, "2026-04")
    change(maple)
    at(maple, "2026-04-20T12:00")
    of_month = maple.landlord.invoices(maple.maple, "2026-03").values()
    assert {one.summary.status for one in of_month if one.summary.tenant_id} == {"OVERDUE"}
    assert all(one.summary.status == "DRAFT" for one in of_month if not one.summary.tenant_id)


def test_a_unit_that_stood_empty_all_month_keeps_nothing_back(maple: House) -> None:
    runs(maple)
    maple.landlord.unit(maple.maple, "2")
    maple.landlord.do(tenants.change, maple.tenant.id, {"move_in": "2026-03-01", "move_out": "2026-03-31"})
    water(maple, "2026-03")
    at(maple, "2026-04-07T12:00")
    assert maple.landlord.statuses(maple.maple, "2026-03") == {"1": "SENT", "2": "DRAFT"}


def test_a_bill_of_the_same_issuer_for_another_utility_does_not_let_a_month_go(maple: House) -> None:
    for month in ("2025-12", "2026-01", "2026-02"):
        water(maple, month, 30_00, kind="GARBAGE")
    runs(maple)
    water(maple, "2026-03")
    at(maple, "2026-04-07T12:00")
    assert status(maple) == "DRAFT"
    assert (run_of(maple) or ("", ""))[1] == (
        f"The bill from {AQUA} for garbage has not arrived: it came in 3 of the previous 6 months, most recently in February 2026."
    )


def test_a_month_of_which_nobody_can_say_what_is_usual_is_proposed_and_not_sent(house: House) -> None:
    runs(house)
    water(house, "2026-03")
    at(house, "2026-04-07T12:00")
    assert (status(house), run_of(house)) == ("DRAFT", (PROPOSED, NOT_KNOWN))


def test_a_bill_that_comes_between_two_looks_keeps_the_month_back(maple: House) -> None:
    """A month is checked again in the transaction that sends it.

    The property is locked at that time.
    """
    runs(maple)
    water(maple, "2026-03")
    maple.clock.moment = datetime(2026, 4, 5, 9, tzinfo=UTC)
    place = stored.MonthPlace("2026-03", maple.maple.id)
    seen = maple.landlord.read(month_runs.look, place)
    assert seen is not None
    assert seen.state == SENT
    flag(maple)
    maple.landlord.run(lambda tx: month_runs.propose_or_send(tx, maple.landlord.account.id, place))
    assert status(maple) == "DRAFT"
    assert (run_of(maple) or ("",))[0] == WAITS
