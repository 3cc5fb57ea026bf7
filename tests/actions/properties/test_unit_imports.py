"""Tests of importing units and tenants from a file into a property."""

from datetime import date
from decimal import Decimal

import pytest

from prorata.actions.properties import (
    tenant_lists,
    tenants as tenant_actions,
    unit_imports,
    units as unit_actions,
)
from prorata.actions.properties.unit_imports import UnitReport
from prorata.domain.properties.unit_differences import mark_of
from prorata.domain.properties.unit_files import FileTenant, FileUnit
from prorata.errors import Conflict, DiffersMeanwhile, NotFound
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from tests.landlord import Landlord
from tests.meanwhile import while_somebody_else_writes


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


def test_people_are_counted_as_the_file_says_and_where_it_says_nothing_they_stay(landlord: Landlord) -> None:
    maple = landlord.property_()
    family = FileUnit(2, "1", None, None, None, None, (FileTenant(2, "Ann", None, None, occupants=4),))
    landlord.do(unit_imports.import_units, maple.id, (family, unit("2", "Bob")))
    assert [row.occupants for row in landlord.read(units.tenants_of_properties, [maple.id])] == [4, 1]

    said = landlord.do(unit_imports.import_units, maple.id, (unit("1", "Ann"),), take=True)
    assert [one.column for one in said.differs] == []
    fewer = family._replace(tenants=(family.tenants[0]._replace(occupants=3),))
    landlord.do(unit_imports.import_units, maple.id, (fewer,), take=True)
    assert [row.occupants for row in landlord.read(units.tenants_of_properties, [maple.id])] == [3, 1]


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


def corrected(label: str = "1", **tenant: object) -> FileUnit:
    ann = FileTenant(3, "ANN", None, date(2026, 1, 1))._replace(**tenant)
    return FileUnit(2, label, Decimal("850.50"), 2, 125000, None, (ann,))


def test_what_a_corrected_file_says_otherwise_is_told_and_changes_nothing_by_itself(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.do(unit_imports.import_units, maple.id, (unit("1", "Ann"),))
    before = landlord.read(units.of_properties, [maple.id]), landlord.read(units.tenants_of_properties, [maple.id])
    file = (corrected(email="ann@example.org", move_out=date(2026, 5, 31)),)

    seen = landlord.see(unit_imports.preview, maple.id, file)

    assert [(one.line, one.unit, one.tenant, one.column, one.here, one.there) for one in seen.differs] == [
        (2, "1", "", "sqft", "", "850.5"),
        (2, "1", "", "monthlyRent", "1200.00", "1250.00"),
        (3, "1", "Ann", "tenantEmail", "", "ann@example.org"),
        (3, "1", "Ann", "moveOutDate", "", "2026-05-31"),
    ]
    assert landlord.do(unit_imports.import_units, maple.id, file) == seen
    assert before == (
        landlord.read(units.of_properties, [maple.id]), landlord.read(units.tenants_of_properties, [maple.id])
    )  # fmt: skip


def test_what_a_corrected_file_says_is_taken_where_somebody_wants_that(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.do(unit_imports.import_units, maple.id, (unit("1", "Ann"), unit("2", "Bob")))
    file = (corrected(email="ann@example.org", move_out=date(2026, 1, 31)), corrected("2")._replace(tenants=()))
    landlord.bill(maple, 100_00)

    report = landlord.do(unit_imports.import_units, maple.id, file, take=True)

    assert (report.units, report.tenants, report.skipped, report.differs, report.changed) == (0, 0, 3, (), 3)
    (ann, bob) = landlord.read(units.tenants_of_properties, [maple.id])
    assert (ann.email, ann.move_out, bob.email) == ("ann@example.org", "2026-01-31", None)
    assert {row.sqft for row in landlord.read(units.of_properties, [maple.id])} == {"850.5"}
    found = landlord.see(tenant_lists.page, "ann@example.org", who="ALL", limit=9)
    assert [one.name for one in found.rows] == ["Ann"]
    assert landlord.see(unit_imports.preview, maple.id, file).differs == ()
    landlord.sound()


def test_a_corrected_file_leaves_who_was_removed_and_refuses_a_last_day_before_the_first(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.do(unit_imports.import_units, maple.id, (unit("1", "Ann"),))
    with pytest.raises(Conflict, match="Line 3: Ann would have a last day before the first day"):
        landlord.see(unit_imports.preview, maple.id, (corrected(move_out=date(2025, 12, 31)),))
    landlord.clock.forward(days=2)
    (ann,) = landlord.read(units.tenants_of_properties, [maple.id])
    landlord.remove_tenant(ann)
    seen = landlord.see(unit_imports.preview, maple.id, (corrected(email="ann@example.org"),))
    assert [one.tenant for one in seen.differs] == ["", ""]


def test_who_came_back_after_moving_out_is_not_told_to_have_left(landlord: Landlord) -> None:
    maple = landlord.property_()
    left = FileTenant(2, "Ann", None, None, date(2026, 1, 31))
    landlord.do(unit_imports.import_units, maple.id, (FileUnit(2, "1", None, None, None, None, (left,)),))
    (one,) = landlord.stored_units(maple)
    again = FileUnit(2, "1", None, None, None, None, (FileTenant(2, "Ann", None, None),))
    (others,) = landlord.see(unit_imports.preview, maple.id, (again,)).people
    assert [resident.name for resident in others.gone] == ["Ann"]
    landlord.do(tenant_actions.create, one.id, {"name": "Ann", "move_in": "2026-03-01"})
    assert landlord.see(unit_imports.preview, maple.id, (again,)).people == ()


def test_what_differs_is_taken_as_it_was_seen_and_not_what_somebody_saves_meanwhile(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.do(unit_imports.import_units, maple.id, (unit("1"),))
    (one,) = landlord.stored_units(maple)
    file = (corrected()._replace(tenants=()), unit("2"))
    seen = mark_of(landlord.see(unit_imports.preview, maple.id, file).differs)

    def mine(tx: Tx) -> UnitReport:
        return unit_imports.import_units(tx, landlord.caller, maple.id, file, take=True, seen=seen)

    def theirs(tx: Tx) -> None:
        unit_actions.change(tx, landlord.caller, one.id, {"monthly_rent": 99_00})

    with pytest.raises(DiffersMeanwhile, match="review the differences first"):
        while_somebody_else_writes(landlord.database, theirs, mine)
    (row,) = landlord.stored_units(maple)
    assert (row.sqft, row.monthly_rent) == (None, 99_00), "and unit 2 was not added"
    seen = mark_of(landlord.see(unit_imports.preview, maple.id, file).differs)
    assert landlord.run(mine).changed == 1
