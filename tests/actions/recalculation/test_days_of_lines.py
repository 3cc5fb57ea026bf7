"""A stored line is divided by the days of its bill's service period.

The line of a spread bill is divided by the days of that period that are in the line's month.
"""

from datetime import date

import pytest

from prorata.domain.billing_calendar import Month
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """A unit that Ann leaves on 4 February and Bo moves into on 5 February."""
    maple = landlord.property_()
    flat = landlord.unit(maple, "1")
    landlord.tenant(flat, "Ann", move_out="2026-02-04")
    landlord.tenant(flat, "Bo", move_in="2026-02-05")
    return maple


@pytest.mark.parametrize(
    ("start", "end", "totals"),
    [
        (date(2026, 1, 20), date(2026, 2, 10), {"1": 82_50, "1.1": 220_00}),  # 16 and 6 of 22 days
        (date(2026, 2, 5), date(2026, 2, 10), {"1": 302_50}),
        (date(2026, 1, 20), None, {"1": 259_29, "1.1": 43_21}),  # 4 and 24 of 28 days
        (None, date(2026, 2, 10), {"1": 259_29, "1.1": 43_21}),
    ],
)
def test_a_bill_is_for_the_days_of_its_period_and_of_its_month_where_it_has_none(landlord, maple, start, end, totals):
    landlord.bill(maple, 302_50, service_start=start, service_end=end, billing_month=Month("2026-02"))
    assert landlord.totals(maple) == totals


def test_a_bill_that_is_spread_is_for_the_days_of_each_month(landlord, maple):
    landlord.bill(maple, 510_00, service_start=date(2025, 12, 20), service_end=date(2026, 2, 8), spread=True)
    assert landlord.totals(maple, "2025-12") == {"1": 120_00}
    assert landlord.totals(maple, "2026-01") == {"1": 310_00}
    assert landlord.totals(maple, "2026-02") == {"1": 40_00, "1.1": 40_00}, "four days each of the eight"
