"""Tests of charge files for other programs.

Prorata remembers names, exports no charge twice by itself, and names what changes later.
"""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.exports import charge_exports, charge_names
from prorata.actions.exports.charge_exports import Wish
from prorata.actions.exports.charge_names import NamesReport
from prorata.actions.invoices import invoices
from prorata.actions.properties import properties, tenants
from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.domain.billing_calendar import Month
from prorata.domain.exports.charge_name_files import ReadNames, read_names
from prorata.domain.files.sheets import Sheet
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.database.engine import Database
from prorata.store.exports.charge_exports import ExportRow
from prorata.store.properties.properties import PropertyRow
from tests.landlord import Landlord, MovableClock

BUILDIUM, APPFOLIO = load_layouts()["buildium"], load_layouts()["appfolio"]
FEBRUARY = Wish(Month("2026-02"))
WATER = {("account", "WATER"): "4100 Water"}


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    """A property with three units, one of them vacant, and $90.00 of water.

    The invoices of the two tenants were sent.
    """
    maple = landlord.property_()
    for label, name in (("1", "Ann Lee"), ("2", "Bo Chen")):
        landlord.tenant(landlord.unit(maple, label), name)
    landlord.unit(maple, "3")
    landlord.bill(maple, 90_00)
    for label in ("1", "2", "3"):
        landlord.set_status(maple, label, "SENT")
    return maple


@pytest.fixture
def named(landlord: Landlord, maple: PropertyRow) -> PropertyRow:
    landlord.do(charge_names.enter, BUILDIUM, WATER)
    assert landlord.do(charge_names.take_ours, BUILDIUM, [maple.id]) == 4
    return maple


def make(landlord: Landlord, wish: Wish = FEBRUARY) -> ExportRow:
    return landlord.do(charge_exports.make, BUILDIUM, wish)


def text_of(landlord: Landlord, row: ExportRow) -> str:
    return landlord.database.snapshot(lambda tx: b"".join(charge_exports.pieces(tx, row))).decode()


def enter(landlord: Landlord, of: PropertyRow, said: Mapping[tuple[str, str], str]) -> int:
    return landlord.do(charge_names.enter, BUILDIUM, said, of.id)


def test_what_nobody_has_named_is_named_with_how_many_wait_and_nothing_is_made(
    landlord: Landlord, maple: PropertyRow
) -> None:
    looked = landlord.see(charge_exports.look, BUILDIUM, FEBRUARY)
    assert (looked.invoices, looked.number_left_out, looked.number_lacking) == (0, 2, 2)
    assert {(one.lacking.ours, one.property_id, one.invoices) for one in looked.lacking} == {
        ("Maple Court", maple.id, 2), ("Maple Court, 1", maple.id, 1), ("Maple Court, 2", maple.id, 1),
        ("Water", None, 2),
    }  # fmt: skip
    with pytest.raises(Conflict, match="some of the other program's names have not been given yet"):
        make(landlord)


def test_a_file_holds_what_was_sent_to_somebody_and_comes_to_the_same(landlord: Landlord, named: PropertyRow) -> None:
    looked = landlord.see(charge_exports.look, BUILDIUM, FEBRUARY)
    assert (looked.invoices, looked.rows, looked.totals, looked.there) == (2, 2, (("USD", 60_00),), 0)
    row = make(landlord)
    assert (row.invoices, row.rows, row.total, row.currency, row.system) == (2, 2, 60_00, "USD", "buildium")
    lines = text_of(landlord, row).split("\r\n")
    assert lines[0].startswith("Date,Transaction type,Property name,")
    assert [line.split(",")[2:7] for line in lines[1:-1]] == [
        ["Maple Court", "1", "", "", "30.00"], ["Maple Court", "2", "", "", "30.00"],
    ]  # fmt: skip
    assert "4100 Water" in lines[1]


def test_what_is_in_a_file_is_left_out_of_the_next_unless_somebody_wants_it_again(
    landlord: Landlord, named: PropertyRow
) -> None:
    first = make(landlord, FEBRUARY._replace(most=1))
    looked = landlord.see(charge_exports.look, BUILDIUM, FEBRUARY)
    assert (looked.invoices, looked.there) == (1, 1)
    second = make(landlord)
    assert (first.invoices, second.invoices) == (1, 1)
    assert text_of(landlord, first) != text_of(landlord, second)
    with pytest.raises(Conflict, match="every sent invoice is already in a file"):
        make(landlord)
    assert make(landlord, FEBRUARY._replace(again=True)).invoices == 2
    other = landlord.see(charge_exports.look, APPFOLIO, FEBRUARY)
    assert other.there == 0, "what went into a file for one program says nothing of another"


def test_one_that_replaces_another_is_in_the_next_file_and_the_other_is_named(
    landlord: Landlord, named: PropertyRow
) -> None:
    first = make(landlord)
    invoice = landlord.invoices(named)["1"].summary
    landlord.set_status(named, "1", "DRAFT")
    landlord.do(charge_names.enter, BUILDIUM, {("account", "CUSTOM"): "4900"})
    landlord.do(invoices.add_custom_charge, invoice.id, "Key", 5_00)
    landlord.set_status(named, "1", "SENT")

    second = make(landlord)

    assert (second.invoices, second.total) == (1, 35_00)
    (change,) = landlord.see(charge_exports.changes, first)
    assert (change.number, change.difference) == (invoice.number, -30_00)
    assert change.why == "It was replaced by MAPLECOURT-1.R1-2026-02, which will be charged in the next file."


def test_what_is_left_out_takes_no_place_of_those_behind_it(landlord: Landlord, named: PropertyRow) -> None:
    landlord.tenant(landlord.stored_units(named)[2], "Cy")
    landlord.bill(named, 30_00, "GAS", date(2026, 3, 20))
    landlord.do(charge_names.enter, BUILDIUM, {("account", "CUSTOM"): "4900", ("account", "GAS"): "4300"})
    landlord.do(invoices.add_custom_charge, landlord.invoices(named, "2026-03")["1"].summary.id, "Credit", -10_00)
    for label in ("1", "2", "3"):
        landlord.set_status(named, label, "SENT", "2026-03")
    one = Wish(Month("2026-03"), most=1)
    looked = landlord.see(charge_exports.look, BUILDIUM, one)
    assert [left.number[-9:] for left in looked.left_out] == ["1-2026-03"]
    assert (looked.invoices, looked.totals, looked.number_left_out, looked.has_more) == (1, (("USD", 10_00),), 1, True)
    assert text_of(landlord, make(landlord, one)).split("\r\n")[1].split(",")[3] == "2"
    unit = landlord.stored_units(named)[2]
    enter(landlord, named, {("unit", unit.id): ""})
    looked = landlord.see(charge_exports.look, BUILDIUM, one)
    assert (looked.invoices, looked.number_left_out, looked.number_lacking, looked.has_more) == (0, 2, 1, False)
    enter(landlord, named, {("unit", unit.id): "3"})
    assert landlord.see(charge_exports.look, BUILDIUM, one._replace(most=2)).has_more is False
    assert text_of(landlord, make(landlord, one)).split("\r\n")[1].split(",")[3] == "3"


def test_drafts_go_into_a_file_only_where_somebody_wants_them_and_cancelled_ones_never(
    landlord: Landlord, named: PropertyRow
) -> None:
    landlord.set_status(named, "1", "DRAFT")
    landlord.set_status(named, "2", "CANCELLED")
    assert landlord.see(charge_exports.look, BUILDIUM, FEBRUARY).invoices == 0
    looked = landlord.see(charge_exports.look, BUILDIUM, FEBRUARY._replace(drafts=True))
    assert (looked.invoices, looked.drafts) == (1, 1)


def test_what_changes_after_a_file_was_made_is_named_with_the_difference_and_the_file_stays_as_it_is(
    landlord: Landlord, named: PropertyRow
) -> None:
    row = make(landlord)
    before = text_of(landlord, row)
    assert landlord.see(charge_exports.changes, row) == ()
    landlord.set_status(named, "1", "DRAFT")
    landlord.do(invoices.add_custom_charge, landlord.invoices(named)["1"].summary.id, "Key", 5_00)
    landlord.set_status(named, "2", "CANCELLED")
    changes = landlord.see(charge_exports.changes, row)
    assert [(one.exported, one.now, one.difference, one.why) for one in changes] == [
        (30_00, 35_00, 5_00, "Its amount has changed."), (30_00, 0, -30_00, "It was cancelled."),
    ]  # fmt: skip
    (listed,) = landlord.see(charge_exports.listed, BUILDIUM)
    assert listed.changed == 2
    assert text_of(landlord, row) == before
    landlord.do(charge_names.enter, BUILDIUM, {("account", "CUSTOM"): "4900"})
    later = make(landlord, FEBRUARY._replace(again=True, drafts=True, property_id=named.id))
    assert later.total == 35_00
    assert [one.number[-9:] for one in landlord.see(charge_exports.changes, row)] == ["2-2026-02"]


def test_who_was_charged_wrongly_is_charged_no_more_and_who_lived_there_is(
    landlord: Landlord, named: PropertyRow
) -> None:
    first = make(landlord)
    unit = landlord.stored_units(named)[0]
    (ann,) = landlord.see(tenants.of_unit, unit.id)
    landlord.set_status(named, "1", "CANCELLED")
    landlord.do(tenants.change, ann.id, {"move_out": "2026-01-31"})
    landlord.tenant(unit, "Cy Diaz", move_in="2026-02-01")
    landlord.set_status(named, "2", "DRAFT")
    landlord.set_status(named, "3", "DRAFT")
    assert landlord.invoices(named)["1.1"].summary.tenant_name == "Cy Diaz"
    cancelled = landlord.see(charge_exports.changes, first)[0]
    assert (cancelled.difference, cancelled.why) == (-30_00, "It was cancelled.")
    landlord.set_status(named, "1.1", "SENT")
    landlord.do(charge_names.take_ours, BUILDIUM, [named.id])
    second = make(landlord)
    assert (second.invoices, second.total) == (1, 30_00)


def test_a_custom_charge_waits_for_a_name_of_its_own(landlord: Landlord, named: PropertyRow) -> None:
    landlord.set_status(named, "1", "DRAFT")
    landlord.do(invoices.add_custom_charge, landlord.invoices(named)["1"].summary.id, "Key", 5_00)
    landlord.set_status(named, "1", "SENT")
    looked = landlord.see(charge_exports.look, BUILDIUM, FEBRUARY)
    assert [one.lacking.ours for one in looked.lacking] == ["Charges of your own"]
    landlord.do(charge_names.enter, BUILDIUM, {("account", "CUSTOM"): "4900"})
    assert make(landlord).total == 65_00


def test_every_kind_of_bill_has_rows_of_its_own(landlord: Landlord) -> None:
    elm = landlord.property_("Elm House")
    landlord.tenant(landlord.unit(elm, "1"), "Cy")
    for place, kind in enumerate(UTILITY_TYPES):
        landlord.bill(elm, 10_00 + place, kind)
    landlord.do(invoices.add_custom_charge, landlord.invoices(elm)["1"].summary.id, "Key", 5_00)
    landlord.set_status(elm, "1", "SENT")
    landlord.do(charge_names.take_ours, BUILDIUM, [elm.id])
    landlord.do(charge_names.enter, BUILDIUM, {("account", kind): f"of {kind}" for kind in (*UTILITY_TYPES, "CUSTOM")})
    row = make(landlord)
    rows = [line.split(",")[6:8] for line in text_of(landlord, row).split("\r\n")[1:-1]]
    assert sorted(rows) == sorted(
        [[f"10.0{place}", f"of {kind}"] for place, kind in enumerate(UTILITY_TYPES)] + [["5.00", "of CUSTOM"]]
    )
    assert row.total == landlord.totals(elm)["1"]


def test_a_file_holds_one_currency(landlord: Landlord, named: PropertyRow) -> None:
    elm = landlord.property_("Elm House", currency="CAD")
    landlord.tenant(landlord.unit(elm, "1"), "Cy")
    landlord.bill(elm, 10_00)
    landlord.set_status(elm, "1", "SENT")
    landlord.do(charge_names.take_ours, BUILDIUM, [elm.id])
    assert landlord.see(charge_exports.look, BUILDIUM, FEBRUARY).totals == (("CAD", 10_00), ("USD", 60_00))
    with pytest.raises(Conflict, match="several currencies"):
        make(landlord)
    assert make(landlord, FEBRUARY._replace(currency="CAD")).total == 10_00
    assert make(landlord, FEBRUARY._replace(property_id=named.id, currency="USD")).total == 60_00


def test_who_moves_in_has_no_name_there_until_somebody_says_it(landlord: Landlord, maple: PropertyRow) -> None:
    found = landlord.see(charge_names.of_property, APPFOLIO, maple.id)
    said = {(one.asked.field, one.record_id): "uid" for _, names in found.of_units for one in names}
    landlord.do(charge_names.enter, APPFOLIO, said, maple.id)
    landlord.do(charge_names.take_ours, APPFOLIO, [maple.id])
    assert landlord.see(charge_exports.look, APPFOLIO, FEBRUARY._replace(rows="invoice")).invoices == 2
    unit = found.of_units[0][0]
    (ann,) = landlord.see(tenants.of_unit, unit.id)
    landlord.set_status(maple, "1", "DRAFT")
    landlord.remove_tenant(ann)
    landlord.tenant(unit, "Di")
    again = landlord.see(charge_names.of_property, APPFOLIO, maple.id)
    asked = [one for one in again.of_units[0][1] if one.asked.of == "tenant"]
    assert [(one.ours, one.name) for one in asked] == [("Di", ""), ("Di", "")]


def test_a_name_is_changed_forgotten_and_refused(landlord: Landlord, maple: PropertyRow) -> None:
    unit = landlord.stored_units(maple)[0]
    assert enter(landlord, maple, {("unit", unit.id): " 1A "}) == 1
    assert enter(landlord, maple, {("unit", unit.id): "1A"}) == 0
    found = landlord.see(charge_names.of_property, BUILDIUM, maple.id)
    assert {one.name for _, names in found.of_units for one in names} == {"1A", ""}
    assert enter(landlord, maple, {("unit", unit.id): ""}) == 1
    with pytest.raises(InvalidRequest) as refused:
        enter(landlord, maple, {("unit", unit.id): "=1", ("property", maple.id): "x" * 201})
    assert [one.field for one in refused.value.problems] == [f"name.unit.{unit.id}", f"name.property.{maple.id}"]
    assert enter(landlord, maple, {("unit", "unit_of_somebody"): "1", ("account", "WATER"): "1"}) == 0


def test_a_proposal_counts_for_nothing_before_it_is_kept_and_never_overwrites(
    landlord: Landlord, maple: PropertyRow
) -> None:
    found = landlord.see(charge_names.of_property, BUILDIUM, maple.id)
    assert all(one.is_proposed for one in found.of_property)
    assert enter(landlord, maple, {("property", maple.id): "Maple Ct"}) == 1
    assert landlord.do(charge_names.take_ours, BUILDIUM, [maple.id]) == 3
    (of_property,) = landlord.see(charge_names.of_property, BUILDIUM, maple.id).of_property
    assert of_property.name == "Maple Ct"


def names_in(landlord: Landlord, rows: list[tuple[str, ...]], place: str | None = None) -> NamesReport:
    sheet = Sheet(("property", "unit", "Occupancy UID"), tuple(enumerate(rows, start=2)))
    read = read_names(sheet, APPFOLIO, names_property=place is None)
    return landlord.do(charge_names.bring, APPFOLIO, read, place)


def test_a_spreadsheet_of_names_is_kept_whole_or_not_at_all(landlord: Landlord, maple: PropertyRow) -> None:
    wrong = names_in(landlord, [("maple court", "1", "a"), ("Elm", "1", "b"), ("Maple Court", "9", "c")])
    assert wrong.names == 0
    assert [(one.line, one.message) for one in wrong.problems] == [
        (3, "No property is called “Elm”."), (4, "Maple Court has no unit “9”."),
    ]  # fmt: skip
    two = [("Maple Court", "1", "a"), ("Maple Court", "1", "b")]
    assert "Another line gives a different name for" in names_in(landlord, two).problems[0].message
    assert names_in(landlord, [("maple court", "1", "a"), ("Maple Court", "2", "b")]).names == 2
    found = landlord.see(charge_names.of_property, APPFOLIO, maple.id)
    said = [one.name for _, names in found.of_units for one in names if one.asked.field == "occupancy-uid"]
    assert said == ["a", "b"]
    assert names_in(landlord, [("", "2", "c")], maple.id).names == 1


@pytest.mark.parametrize(
    ("timezone", "moment", "whose"),
    [
        ("UTC", datetime(2026, 3, 15, 12, tzinfo=UTC), "Ann"),
        ("UTC", datetime(2026, 4, 1, 12, tzinfo=UTC), "Bob"),
        ("America/Los_Angeles", datetime(2026, 4, 1, 6, tzinfo=UTC), "Ann"),
        ("Pacific/Auckland", datetime(2026, 3, 31, 12, tzinfo=UTC), "Bob"),
    ],
)
def test_a_file_names_who_lives_there_on_the_day_it_is_where_the_account_is(
    landlord: Landlord, maple: PropertyRow, clock: MovableClock, timezone: str, moment: datetime, whose: str
) -> None:
    unit = landlord.unit(maple, "4")
    landlord.tenant(unit, "Ann", move_out="2026-03-31")
    landlord.tenant(unit, "Bob", move_in="2026-04-01")
    landlord.do(accounts.change_settings, Wishes(timezone=timezone))
    clock.moment = moment
    assert names_in(landlord, [("Maple Court", "4", "uid")]) == NamesReport(1)
    found = landlord.see(charge_names.of_property, APPFOLIO, maple.id)
    said = {one.ours: one.name for _, names in found.of_units for one in names if one.asked.field == "occupancy-uid"}
    assert {name: said[name] for name in ("Ann", "Bob")} == {"Ann": "", "Bob": ""} | {whose: "uid"}


def test_a_file_does_not_say_whose_name_it_is_where_several_households_live_in_a_unit(
    landlord: Landlord, maple: PropertyRow
) -> None:
    unit = landlord.unit(maple, "4")
    landlord.tenant(unit, "Ann", move_in="2020-01-01")
    landlord.tenant(unit, "Ben", move_in="2022-01-01")
    assert names_in(landlord, [("Maple Court", "4", "uid")]) == NamesReport(2), "they live there together"
    landlord.tenant(unit, "Cy", move_out="2026-03-31")
    refused = names_in(landlord, [("Maple Court", "1", "a"), ("Maple Court", "4", "new")])
    assert (refused.names, [one.line for one in refused.problems]) == (0, [3])
    assert "The tenants of unit “4” in Maple Court move out on different days" in refused.problems[0].message


def test_a_file_of_names_that_can_not_be_read_keeps_nothing(landlord: Landlord, maple: PropertyRow) -> None:
    read = read_names(Sheet(("unit", "x"), ()), APPFOLIO, names_property=True)
    assert landlord.do(charge_names.bring, APPFOLIO, read, None) == NamesReport(0, read.problems)
    assert isinstance(read, ReadNames)


def test_a_property_that_is_deleted_takes_its_names_and_its_lines_along(landlord: Landlord, named: PropertyRow) -> None:
    row = make(landlord)
    landlord.do(properties.remove, named.id, landlord.archive)
    ((_, kept),) = landlord.archive.kept.items()
    assert (len(json.loads(kept)["chargeNames"]), len(json.loads(kept)["exportedCharges"])) == (4, 2)
    assert text_of(landlord, row).count("\r\n") == 1
    with pytest.raises(NotFound):
        landlord.see(charge_names.of_property, BUILDIUM, named.id)


def test_to_another_account_files_and_names_are_not_there(
    landlord: Landlord, named: PropertyRow, database: Database, clock: MovableClock
) -> None:
    row = make(landlord)
    other = Landlord(database, clock, name="stranger")
    with pytest.raises(NotFound):
        other.see(charge_exports.find, row.id)
    with pytest.raises(NotFound):
        other.see(charge_exports.look, BUILDIUM, FEBRUARY._replace(property_id=named.id))
    with pytest.raises(NotFound):
        other.see(charge_names.of_property, BUILDIUM, named.id)
    with pytest.raises(NotFound):
        enter(other, named, {("property", named.id): "mine"})
    assert other.do(charge_names.take_ours, BUILDIUM, [named.id]) == 0
    assert other.see(charge_exports.listed, BUILDIUM) == ()
    assert other.see(charge_exports.look, BUILDIUM, FEBRUARY).there == 0
