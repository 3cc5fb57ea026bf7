"""What a move would do to open months, told before it is saved."""

from datetime import date

import pytest

from prorata.actions.properties import moving_previews, tenancy_changes
from prorata.actions.properties.tenancy_changes import Leaving, NextTenant
from prorata.errors import InvalidRequest


@pytest.fixture
def maple(landlord):
    """Flats of 850 and 620 sq ft; electricity of $147.00 by area in March, and the same in February, which was sent."""
    maple = landlord.property_()
    for label, sqft, name in (("1", 850, "Ann"), ("2", 620, "Cy")):
        landlord.tenant(landlord.unit(maple, label, sqft=sqft), name)
    landlord.rule(maple, "ELECTRICITY", "SQFT")
    for month in (2, 3):
        landlord.bill(maple, 147_00, "ELECTRICITY", date(2026, month, 20))
    for label in ("1", "2"):
        landlord.set_status(maple, label, "SENT")
    return maple


def ann(landlord, maple):
    return landlord.invoices(maple, "2026-03")["1"].summary.tenant_id


def test_it_says_for_each_person_what_saving_then_does(landlord, maple):
    moves = Leaving(date(2026, 3, 14)), NextTenant("Bo", None, date(2026, 3, 16))

    (march,) = landlord.see(moving_previews.of_leaving, ann(landlord, maple), *moves)

    said = [(one.unit, one.names, one.before, one.after) for one in march.people]
    assert (march.month, march.is_closed) == ("2026-03", False)
    assert said == [("1", ("Ann",), 85_00, 38_39), ("1", ("Bo",), 0, 43_87)]
    assert (march.owner_before, march.owner_after) == (0, 2_74)
    landlord.do(tenancy_changes.leave, ann(landlord, maple), *moves)
    assert landlord.totals(maple, "2026-03") == {"1": 43_87, "1.1": 38_39, "2": 62_00}


def test_a_sent_month_is_told_of_too_and_a_roommate_who_comes_later_changes_none(landlord, maple):
    february = Leaving(date(2026, 2, 14)), NextTenant()
    found = landlord.see(moving_previews.of_leaving, ann(landlord, maple), *february)
    assert [(one.month, one.is_closed) for one in found] == [("2026-02", True), ("2026-03", False)]

    landlord.tenant(landlord.stored_units(maple)[0], "Dee", move_in="2026-03-01")
    assert not landlord.month(maple).pending
    joined = landlord.see(
        moving_previews.of_leaving, ann(landlord, maple), Leaving(date(2026, 3, 31)), NextTenant("Bo")
    )
    assert joined == (), "Dee pays for the days after Ann's"


def test_of_the_closed_months_the_last_twelve_are_told_of_and_every_open_one(landlord, maple):
    for month in range(2, 13):
        landlord.bill(maple, 10_00, "ELECTRICITY", date(2025, month, 20))
        landlord.set_status(maple, "1", "SENT", f"2025-{month:02}")
    landlord.bill(maple, 10_00, "ELECTRICITY", date(2025, 1, 20))
    landlord.bill(maple, 10_00, "ELECTRICITY", date(2024, 12, 20))
    landlord.set_status(maple, "1", "SENT", "2024-12")
    found = landlord.see(moving_previews.of_leaving, ann(landlord, maple), Leaving(date(2024, 11, 30)), NextTenant())
    of_2025 = [(f"2025-{month:02}", month > 1) for month in range(1, 13)]
    assert [(one.month, one.is_closed) for one in found] == [*of_2025, ("2026-02", True), ("2026-03", False)]


def test_what_could_not_be_saved_is_refused(landlord, maple):
    with pytest.raises(InvalidRequest, match="before this one moves out"):
        landlord.see(
            moving_previews.of_leaving, ann(landlord, maple), Leaving(date(2026, 3, 14)),
            NextTenant("Bo", None, date(2026, 3, 1)),
        )  # fmt: skip
