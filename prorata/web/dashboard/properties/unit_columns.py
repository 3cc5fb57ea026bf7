"""The preview of a units file: its columns, questions about them, and first rows."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from prorata.actions.properties.property_imports import HousesReport, UnitsFile
from prorata.domain.countries import address_lines, area_unit
from prorata.domain.files.grouped_problems import in_ranges
from prorata.domain.groups import grouped
from prorata.domain.labels import same
from prorata.domain.problems import shown
from prorata.domain.properties.property_files import TYPED, FileHouse, ReadHouses
from prorata.domain.properties.unit_differences import SAME, Effect
from prorata.domain.properties.unit_files import FileUnit, together_from
from prorata.domain.properties.written_addresses import street_parts
from prorata.domain.texts import say
from prorata.ports import Forms
from prorata.web.dashboard.kernel import file_columns

ROWS_SHOWN = 10
TOGETHER_SHOWN = 12
CITY_OF_ALL = "city-all"
"""The name of the field for the city, state and postal code of all new properties that lack them."""
FIELD_NAMES = {
    "label": say("Unit"),
    "tenantName": say("Tenant"),
    "sqft": say("Floor area"),
    "occupants": say("How many people live there"),
    "tenantEmail": say("Tenant’s e-mail address"),
    "moveInDate": say("Tenant’s first day"),
    "moveOutDate": say("Tenant’s last day"),
    "bedrooms": say("Bedrooms"),
    "monthlyRent": say("Rent for a month"),
    "activeFrom": say("First day of the unit"),
    "property": say("Property"),
    "streetNumber": say("House number"),
    "street": say("Street, alone or with its number"),
    "city": say("City, alone or with state and ZIP"),
    "state": say("State or region"),
    "zip": say("ZIP or postal code"),
    "country": say("Country"),
}
"""The display names of the columns of a file of units."""
HEADINGS = {
    "property": say("Property"),
    "streetNumber": say("House number"),
    "street": say("Street"),
    "city": say("City"),
    "state": say("State or province"),
    "zip": say("Postal code"),
    "country": say("Country"),
    "label": say("Unit"),
    "sqft": say("Floor area"),
    "bedrooms": say("Bedrooms"),
    "monthlyRent": say("Monthly rent"),
    "tenantName": say("Tenant"),
    "tenantEmail": say("E-mail"),
    "moveInDate": say("Move-in date"),
    "occupants": say("People"),
    "moveOutDate": say("Move-out date"),
    "activeFrom": say("Unit since"),
}
"""The heading of each column of a file of units, by field name.

An import recognizes the headings in every language of the dashboard.
"""


class ReadRow(NamedTuple):
    """A unit as read from a file, with one of its tenants, if any."""

    line: int
    house: str
    unit: str
    tenant: str
    size: str
    people: str
    email: str
    since: str


class Together(NamedTuple):
    """A unit in a file with several tenants who move in on the same day.

    `house` is the unit's property. `lines` are the lines of these tenants in the file, and `number` is the number
    of tenants. Together, they count as `people` occupants, and their invoice is addressed to `addressee`.
    """

    house: str
    unit: str
    lines: str
    number: int
    people: int
    addressee: str


class Late(NamedTuple):
    """A tenant in a file whose last day is suspiciously many years away."""

    line: int
    unit: str
    tenant: str
    day: str


class Of(NamedTuple):
    """The numbers of a property's units and tenants in a file, by effect.

    The import's effect on a record is new, changed or unchanged. `name` is the property's name, or empty for the
    sums of all properties.
    """

    name: str
    is_new: bool
    units: Counter[str]
    tenants: Counter[str]


def effects_of(read: ReadHouses, effects: Sequence[Effect]) -> dict[str, Any]:
    """Collect the template values for an import's effects, by property and in total."""
    new = {house.name for house in read.houses if house.id is None}
    by_property = grouped((one.property, one) for one in effects)
    return {
        "effects": [one for one in effects if one.effect != SAME],
        "in_all": _counted("", effects),
        "by_property": [_counted(name, its, is_new=name in new) for name, its in by_property.items()],
    }


def _counted(name: str, its: Sequence[Effect], *, is_new: bool = False) -> Of:
    of_units, of_tenants = ([one.effect for one in its if bool(one.tenant) is is_it] for is_it in (False, True))
    return Of(name, is_new, Counter(of_units), Counter(of_tenants))


def shown_of(
    file: UnitsFile,
    report: HousesReport,
    read: ReadHouses,
    effects: Sequence[Effect],
    write: Forms,
    today: date,
    *,
    asks_addresses: bool,
) -> dict[str, Any]:
    """Collect the values with which the page previews a file of units.

    If `asks_addresses` is set, the page has fields for addresses of new properties that the file doesn't contain,
    so that missing addresses are not listed as problems.
    """
    table = file.table
    lacking = {one.line for one in read.houses if one.lacking and asks_addresses}
    column = table.names.get("property", "property")
    others = [one for one in report.problems if not (one.line in lacking and one.column == column)]
    units = [(house, unit) for house in read.houses for unit in house.units]
    return {
        "columns": [
            one._replace(name=shown(one.name))
            for one in file_columns.columns_of(table.sheet._replace(header=table.header), table.fields, write)
        ],
        "names": FIELD_NAMES,
        "problems": file_columns.problems_of(others, table.sheet._replace(header=table.header), write),
        "wrong_lines": len({one.line for one in others}),
        "lacking": len(lacking),
        "doubtful": table.doubtful(others),
        "late": [
            Late(one.line, unit.label, one.name, write.day(one.move_out))
            for _, unit in units
            for one in unit.tenants
            if one.move_out and one.leaves_late(today)
        ],
        "most_together": TOGETHER_SHOWN,
        "repeats": [
            (in_ranges([one.line for one in its]), len(its), above)
            for above, its in grouped((one.above, one) for one in read.repeats).items()
        ],
        **effects_of(read, effects),
        "unaddressed": [one for one in read.houses if asks_addresses and (one.lacking or _is_typed(one, file))],
        "city_of_all": CITY_OF_ALL if sum(one.lacks_town for one in read.houses) > 1 else "",
        "typed_of_all": file.typed.get("city", {}).get("", ""),
        "typed_of": {
            part: {one.line: names.get(same(one.name)) or _proposed(part, one) for one in read.houses}
            for part, names in ((part, file.typed.get(part, {})) for part in TYPED)
        },
        "given_of": {part: {one.line: _given(part, one) for one in read.houses} for part in TYPED},
        "vacant": sum(unit.is_vacant(today) for _, unit in units),
        "together": _together(units),
        "read_rows": [row for house, unit in units[:ROWS_SHOWN] for row in _rows(house, unit, write)][:ROWS_SHOWN],
    }


def _proposed(part: str, house: FileHouse) -> str:
    """Propose the name of a new property as its street and number.

    The result is empty if the name is none, for other parts of the address, and if the file gives the street.
    """
    is_street = part == "street" and not {"street", "streetNumber"} & house.address.keys()
    return house.name if is_street and street_parts(house.name, house.address.get("country", "US")) else ""


def _given(part: str, house: FileHouse) -> str:
    """Write what is known of a part of a new property's address.

    The part is the street with its number, or the city with its state and postal code.
    """
    number, street, city, state, code = (
        house.address.get(name, "") for name in ("streetNumber", "street", "city", "state", "zip")
    )
    street, city = address_lines(number, street, city, state, code, house.country)
    return " ".join((street if part == "street" else city).split()).strip(", ")


def _is_typed(house: FileHouse, file: UnitsFile) -> bool:
    return any(same(house.name) in names for names in file.typed.values())


def _together(units: Sequence[tuple[FileHouse, FileUnit]]) -> list[Together]:
    """List a file's units that have several tenants who move in on the same day."""
    starting_together = ((house.name, unit.label, together_from(unit)) for house, unit in units)
    return [
        Together(
            house, label, in_ranges([file_tenant.line for file_tenant in its]), len(its),
            sum(1 if file_tenant.occupants is None else file_tenant.occupants for file_tenant in its),
            next((file_tenant.name for file_tenant in its if file_tenant.email), its[0].name),
        )
        for house, label, its in starting_together if its
    ]  # fmt: skip


def _rows(house: FileHouse, unit: FileUnit, write: Forms) -> list[ReadRow]:
    size = f"{write.number(Fraction(unit.sqft))}\u00a0{area_unit(house.country)}" if unit.sqft is not None else ""
    if not unit.tenants:
        return [ReadRow(unit.line, house.name, unit.label, "", size, "", "", "")]
    return [
        ReadRow(
            one.line, house.name, unit.label, one.name, size,
            write.count(1 if one.occupants is None else one.occupants), one.email or "",
            write.short_day(one.move_in) if one.move_in else "",
        )
        for one in unit.tenants
    ]  # fmt: skip
