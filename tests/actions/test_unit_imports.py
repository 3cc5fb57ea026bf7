"""Units and tenants from a file, into a property."""

from datetime import date

import pytest

from prorata.actions import unit_imports
from prorata.actions.unit_imports import UnitReport
from prorata.domain.unit_files import FileTenant, FileUnit
from prorata.errors import Conflict, NotFound
from prorata.store import units
from tests.landlord import Landlord


def unit(label: str, *names: str) -> FileUnit:
    tenants = tuple(FileTenant(2, name, None, date(2026, 1, 1)) for name in names)
    return FileUnit(2, label, None, 2, 120000, None, tenants)


def test_units_and_tenants_come_in_at_once_and_open_months_show_them(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.bill(maple, 100_00)

    report = landlord.do(unit_imports.import_units, maple.id, (unit("1", "Ann", "Bob"), unit("2")))

    assert report == UnitReport(units=2, tenants=2, skipped=0)
    assert landlord.totals(maple) == {"1": 50_00, "2": 50_00}
    landlord.sound()


def test_a_second_time_adds_nothing_and_changes_nothing(landlord: Landlord) -> None:
    maple = landlord.property_()
    file = (unit("1", "Ann", "Bob"), unit("2"))
    landlord.do(unit_imports.import_units, maple.id, file)
    before = landlord.read(units.of_properties, [maple.id]), landlord.read(units.tenants_of_properties, [maple.id])
    landlord.clock.forward(days=1)

    report = landlord.do(unit_imports.import_units, maple.id, (*file, unit("3", "Eve")))

    assert report == UnitReport(units=1, tenants=1, skipped=4)
    after = landlord.read(units.of_properties, [maple.id]), landlord.read(units.tenants_of_properties, [maple.id])
    assert (after[0][:2], after[1][:2]) == before


def test_a_tenant_who_left_does_not_come_back_by_importing_again(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.do(unit_imports.import_units, maple.id, (unit("1", "Ann"),))
    landlord.clock.forward(days=2)
    (ann,) = landlord.read(units.tenants_of_properties, [maple.id])
    landlord.remove_tenant(ann)

    assert landlord.do(unit_imports.import_units, maple.id, (unit("1", "ANN"),)).tenants == 0


def test_more_units_than_a_property_can_have_are_refused(landlord: Landlord) -> None:
    maple = landlord.property_()

    with pytest.raises(Conflict, match="5,001 units"):
        landlord.do(unit_imports.import_units, maple.id, tuple(unit(str(number)) for number in range(5_001)))


def test_labels_of_one_short_form_get_numbers_of_their_own(landlord: Landlord) -> None:
    maple = landlord.property_()

    landlord.do(unit_imports.import_units, maple.id, (unit("1-A"), unit("1 A")))

    assert sorted(row.code for row in landlord.read(units.of_properties, [maple.id])) == ["1A", "1A2"]


def test_a_property_is_named_by_id_or_by_a_name_that_only_one_has(landlord: Landlord) -> None:
    maple = landlord.property_("Maple")

    assert landlord.see(unit_imports.find_property, maple.id) == maple
    assert landlord.see(unit_imports.find_property, " maple") == maple
    with pytest.raises(NotFound):
        Landlord(landlord.database, landlord.clock).see(unit_imports.find_property, maple.id)
    landlord.property_("MAPLE")
    with pytest.raises(Conflict, match="Several"):
        landlord.see(unit_imports.find_property, "Maple")
