"""The percentages of units may add up to 100 on each day.

Units that are never in use at the same time can share a percentage.
"""

from datetime import date

import pytest

from prorata.actions.properties import unit_imports
from prorata.domain.properties.unit_files import FileUnit
from prorata.errors import Conflict, InvalidRequest


@pytest.fixture
def parted(landlord):
    """A property where a unit of 60 percent was divided in February.

    It became two units of 30 percent each on 16 February; beside them is a unit of 40 percent.
    """
    maple = landlord.property_()
    landlord.unit(maple, "1", active_to="2026-02-15")
    for label in ("1a", "1b"):
        landlord.unit(maple, label, active_from="2026-02-16")
    landlord.unit(maple, "2")
    for unit in landlord.stored_units(maple):
        landlord.tenant(unit, f"Tenant {unit.label}")
    landlord.rule(maple, "WATER", "PERCENTAGE", weights='{"1": 60, "1a": 30, "1b": 30, "2": 40}')
    return maple


def test_a_flat_that_is_parted_shares_its_percentage_by_days(landlord, parted):
    landlord.bill(parted, 112_00)
    assert landlord.totals(parted) == {"1": 36_00, "1a": 15_60, "1b": 15_60, "2": 44_80}
    with pytest.raises(InvalidRequest, match="more than 100"):
        landlord.rule(parted, "GAS", "PERCENTAGE", weights='{"1": 60, "1a": 31, "1b": 30, "2": 40}')


def test_units_that_would_be_in_use_together_are_refused(landlord, parted):
    before = landlord.stored_units(parted)
    with pytest.raises(Conflict, match="add up to more than 100 in the rule for water"):
        landlord.change_unit(before[0], active_to=None)
    earlier = FileUnit(2, "1a", None, None, None, date(2026, 2, 1), ())
    with pytest.raises(Conflict, match="more than 100"):
        landlord.do(unit_imports.import_units, parted.id, (earlier,), take=True)
    assert landlord.stored_units(parted) == before
