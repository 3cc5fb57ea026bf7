"""A file of units in many properties, which may also add properties.

A property that is new needs its address in the file. The rows of each property are read like a units file
(`unit_files`), without the columns about the property.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from prorata.domain.countries import state_kept
from prorata.domain.country_names import country_named
from prorata.domain.files.cell_values import read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_names import PROPERTY_COLUMNS, ColumnNames
from prorata.domain.files.row_words import folded_name
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank
from prorata.domain.groups import grouped
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_STATE, MOST_PROPERTIES_IN_FILE
from prorata.domain.problems import shown
from prorata.domain.properties.unit_files import (
    FileUnit,
    Repeat,
    known_columns as known_of_units,
    read_units,
)
from prorata.domain.properties.written_addresses import in_parts, town_parts
from prorata.domain.texts import Count, say

_LENGTHS = {
    "property": 255,
    "streetNumber": 50,
    "street": 255,
    "city": 100,
    "state": LONGEST_STATE,
    "zip": 20,
    "country": 100,
}
_REQUIRED = ("streetNumber", "street", "city", "state", "zip", "country")
_BY_ADDRESS = ("streetNumber", "street", "city", "zip")
"""The parts of an address that are compared with an existing property's address."""
_WHOLE = ("streetNumber", "city")
"""The parts of an address that are never abbreviated."""
TYPED = ("street", "city")
"""The columns that a person may type for a new property.

The street may include the number, and the city the state and postal code.
"""
Addresses = Mapping[str, Mapping[str, str]]
"""The values that a person typed for `TYPED` columns, by the property's name (`same`); under "" the city for all."""
NONE_TYPED: Addresses = {}
_NAMES = ColumnNames(PROPERTY_COLUMNS)
FIELDS = _NAMES.fields
_NO_ADDRESS = say(
    "This property doesn’t exist yet, and the file gives no address for it. Add columns with the street and its "
    "number, and with the city, state and postal code, or add the property first with “Add a property”."
)


class KnownHouse(NamedTuple):
    """An existing property of the account.

    `address` has the parts of the address in the order of `_BY_ADDRESS`.
    """

    id: str
    name: str
    country: str
    currency: str
    address: tuple[str, ...] = ()


class FileHouse(NamedTuple):
    """A property in a file with its units, and the first line naming the property.

    If `id` is set, the property already exists. Otherwise it is new, and `address` maps columns to parts of its
    address.
    """

    line: int
    id: str | None
    name: str
    address: dict[str, str]
    units: tuple[FileUnit, ...]
    country: str = ""

    @property
    def lacking(self) -> tuple[str, ...]:
        """The parts of the address that a new property still needs."""
        return tuple(part for part in _REQUIRED if part not in self.address) if self.id is None else ()

    @property
    def lacks_town(self) -> bool:
        """True if a new property still needs its city, state or postal code."""
        return not {"city", "state", "zip"}.isdisjoint(self.lacking)

    def may_be_in(self, town: str) -> bool:
        """True if a line with the city may complete the address of a new property."""
        city = town_parts(town, self.address.get("country", "US"))["city"]
        return self.lacks_town and same(self.address.get("city", city)) == same(city)


class ReadHouses(NamedTuple):
    """The properties of a file in order, all problems of the file, and repeated rows."""

    houses: tuple[FileHouse, ...]
    problems: tuple[RowProblem, ...]
    repeats: tuple[Repeat, ...] = ()


def names_properties(sheet: Sheet) -> bool:
    """True if a file has a property column, and so may have several properties' units."""
    return "property" in _places(sheet)


def field_named(name: str) -> str | None:
    """Return the property column that a column name means."""
    return _NAMES.field(name)


def known_columns(cells: Sequence[Cell]) -> int:
    """Count the fields of units and properties that a row names as a header would.

    >>> known_columns(("Building", "Unit", "Rent", "Colour"))
    3
    """
    return known_of_units(cells) + len({field_named(cell) for cell in cells if isinstance(cell, str)} - {None})


def read_houses(
    sheet: Sheet,
    known: Sequence[KnownHouse],
    *,
    currency_of: Callable[[str], str],
    is_email: Callable[[str], bool],
    likely: str = "",
    typed: Addresses = NONE_TYPED,
) -> ReadHouses:
    """Read the properties and units of a file.

    A property of the file is an existing one if it has the name of one of the `known` properties and, if its
    columns or the text after the name give an address, also its address. Any other property is new; the same name
    at two addresses means two new properties. A new property needs its whole address in one of its rows or after
    its name, with a state in countries whose addresses have one. `likely` is the default country. `typed` has
    parts of addresses that a person entered for new properties. `currency_of` gives a country's currency.
    """
    places = _places(sheet)
    if "property" not in places:
        return ReadHouses((), (RowProblem(sheet.header_line, None, say("The header has no property column. Add it.")),))
    rest = _without(sheet, set(places.values()))
    of_line = dict(rest.rows)
    problems: list[RowProblem] = []
    groups: dict[str, list[_Group]] = {}
    names = _Names(known, likely)
    for line, cells in sheet.rows:
        if any(not is_blank(cell) for cell in cells):
            _take(groups, problems, places, names, line, cells)
    found_groups = sorted((group for its in groups.values() for group in its), key=lambda group: group.first)
    if len(found_groups) > MOST_PROPERTIES_IN_FILE:
        message = say(
            "The file contains more than {f} properties. Split it into smaller files.", f=Count(MOST_PROPERTIES_IN_FILE)
        )
        return ReadHouses((), (RowProblem(sheet.header_line, None, message),))
    houses, repeats = list[FileHouse](), list[Repeat]()
    for group in found_groups:
        group.address.update(
            {part: names[same(group.name)] for part, names in typed.items() if same(group.name) in names}
        )
        house, its = _house(group, names, likely, problems)
        country = its.country if its else house.address.get("country", "US")
        currency = its.currency if its else currency_of(country)
        its_rows = tuple((line, of_line[line]) for line in sorted(group.lines))
        read = read_units(rest._replace(rows=its_rows), country=country, currency=currency, is_email=is_email)
        problems += read.problems
        repeats += read.repeats
        houses.append(house._replace(units=read.units, country=country))
    if not groups and not problems:
        problems.append(
            RowProblem(sheet.header_line, None, say("There is nothing below the header. Add a row for each unit."))
        )
    found = tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.line))
    return ReadHouses(tuple(houses), found, tuple(sorted(repeats)))


class _Group(NamedTuple):
    """The rows of one property in a file, and the property's facts in them."""

    first: int
    name: str
    address: dict[str, str]
    lines: set[int]


def _places(sheet: Sheet) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, name in enumerate(sheet.header):
        column = field_named(name)
        if column is not None:
            places.setdefault(column, place)
    return places


def _without(sheet: Sheet, places: set[int]) -> Sheet:
    """Blank the names of some columns, so that the reader of units skips these columns."""
    header = tuple("" if place in places else name for place, name in enumerate(sheet.header))
    return sheet._replace(header=header)


def _take(
    groups: dict[str, list[_Group]],
    problems: list[RowProblem],
    places: dict[str, int],
    names: "_Names",
    line: int,
    cells: tuple[Cell, ...],
) -> None:
    """Add a row to the group of rows of its property."""
    said = _said(problems, places, line, cells)
    name = said.pop("property", None)
    if name is None:
        problems.append(RowProblem(line, "property", say("This cell is required but empty.")))
        return
    country, is_in_name = said.get("country") or names.likely or "US", False
    if not names.find(name) and "street" not in places and (its := _in_name(name, country)):
        said, name, is_in_name = its | said, name.partition(",")[0].strip(), True
    address = in_parts(said, country)
    try:
        named = names.at_address(name, address)
    except Unclear as unclear:
        problems.append(RowProblem(line, "property", str(unclear)))
        return
    if len(named) == 1:
        name = named[0].id  # the same property by name and by id
    of_name = groups.setdefault(same(name), [])
    alike = [group for group in of_name if named or not _is_second(group, address, is_in_name=is_in_name)]
    if not alike:
        alike = [_Group(line, name, {}, set())]
        of_name += alike
    group = alike[-1]
    group.lines.add(line)
    for column, value in said.items():
        if same(group.address.setdefault(column, value)) != same(value):
            message = say(
                "This differs from what line {first}, or a line below it, gives for the same property.",
                first=group.first,
            )
            problems.append(RowProblem(line, column, message))


def _is_second(group: _Group, address: dict[str, str], *, is_in_name: bool) -> bool:
    """True if a row's address is that of another new property with the same name.

    This is the case if the house number differs, or if two parts of the addresses do. If the row's address is
    written after the property's name, one differing part is enough. Any smaller difference counts as a mistyped
    address.
    """
    country = group.address.get("country") or "US"
    differing = _differing(address, in_parts(group.address, country))
    return "streetNumber" in differing or len(differing) > 1 or (is_in_name and bool(differing))


def _differing(one: dict[str, str], other: dict[str, str]) -> set[str]:
    """Return the parts that both addresses have and that differ.

    A part may be abbreviated or longer in one of them.

    >>> _differing({"street": "Main St.", "zip": "89501"}, {"street": "Main Street", "zip": "89501-1234"})
    set()
    >>> _differing({"street": "Main St", "streetNumber": "1"}, {"street": "Main St", "streetNumber": "12"})
    {'streetNumber'}
    """
    differing = set()
    for part in one.keys() & other.keys() & set(_BY_ADDRESS):
        text, another = folded_name(one[part]), folded_name(other[part])
        is_shorter = part not in _WHOLE and (text.startswith(another) or another.startswith(text))
        if text != another and not is_shorter:
            differing.add(part)
    return differing


def _said(problems: list[RowProblem], places: dict[str, int], line: int, cells: tuple[Cell, ...]) -> dict[str, str]:
    """Read a row's facts about its property, by column; report unclear cells.

    The name of a country is converted to its code.
    """
    said: dict[str, str] = {}
    for column, place in places.items():
        try:
            value = partial(read_text, longest=_LENGTHS[column])(cells[place]) if place < len(cells) else None
        except Unclear as unclear:
            problems.append(RowProblem(line, column, str(unclear)))
            continue
        if value is not None:
            said[column] = value
    if "country" in said:
        code = country_named(said.pop("country"))
        if code is None:
            message = say("Enter the country's name or its two-letter code, such as US or DE.")
            problems.append(RowProblem(line, "country", message))
        else:
            said["country"] = code
    return said


class _Names:
    """The account's properties by id and name, with the likely country of new ones."""

    def __init__(self, known: Sequence[KnownHouse], likely: str) -> None:
        self.likely = likely
        self._ids = {one.id: one for one in known}
        self._names = grouped((same(one.name), one) for one in known)

    def find(self, name: str) -> list[KnownHouse]:
        """List the account's properties with this name or id."""
        by_id = self._ids.get(name)
        return [by_id] if by_id else self._names.get(same(name), [])

    def at_address(self, name: str, address: dict[str, str]) -> list[KnownHouse]:
        """List the account's properties with a name or id and, if given, an address.

        Raises `Unclear` if properties have the name, but all of them are at other addresses.
        """
        there = self.find(name)
        here = [house for house in there if house.id == name or not _is_elsewhere(house, address)]
        if there and not here:
            raise Unclear(
                say(
                    "A property named “{name}” already exists, with a different address. If you mean that property, "
                    "correct the address; if not, give this property another name.",
                    name=shown(name),
                )
            )
        return here


def _is_elsewhere(house: KnownHouse, address: dict[str, str]) -> bool:
    """True if an address is certainly not the address of a property.

    A different house number or postal code is enough. A different street or city counts only if `address` lacks a
    house number or a postal code.
    """
    its_address = dict(zip(_BY_ADDRESS, house.address, strict=False))
    differing = _differing(address, its_address)
    return bool(differing & {"streetNumber", "zip"} or (differing and not {"streetNumber", "zip"} <= address.keys()))


def _house(
    group: _Group, names: _Names, likely: str, problems: list[RowProblem]
) -> tuple[FileHouse, KnownHouse | None]:
    """Build a property of the file, and find the account's existing property for it."""
    named = names.find(group.name)
    if len(named) > 1:
        message = say(
            "{n} properties have this name. Give each a different name first, using “Edit” on its page.",
            n=Count(len(named)),
        )
        problems.append(RowProblem(group.first, "property", message))
    if named:
        return FileHouse(group.first, named[0].id, named[0].name, {}, ()), named[0]
    address = _address(group, likely, problems)
    missing = [column for column in _REQUIRED if column not in address]
    if not group.address.keys() - {"country"}:
        problems.append(RowProblem(group.first, "property", _NO_ADDRESS))
    elif missing:
        message = say(
            "{name} doesn’t exist yet. To add it, enter its {missing} in this row.",
            name=shown(group.name),
            missing=", ".join(missing),
        )
        problems.append(RowProblem(group.first, "property", message))
    return FileHouse(group.first, None, group.name, address, ()), None


def _in_name(name: str, country: str) -> dict[str, str]:
    """Parse the address that a property's name contains.

    The result is empty unless the name contains a whole address.

    >>> _in_name("Elm, 12 Main St, Reno, NV 89501", "US")["street"], _in_name("Elm 5", "US")
    ('Main St', {})
    """
    found = (in_parts({"street": text}, country) for text in (name.partition(",")[2].strip(), name))
    return next((parts for parts in found if {"streetNumber", "city", "zip"} <= parts.keys()), {})


def _address(group: _Group, likely: str, problems: list[RowProblem]) -> dict[str, str]:
    """Build a new property's address from its rows; report parts that are too long."""
    country = group.address.get("country", likely)
    address = in_parts(group.address, country or "US") | ({"country": country} if country else {})
    if state := state_kept(address.get("state", ""), address.get("city", ""), country or "US"):
        address["state"] = state
    for column, value in address.items():
        try:
            read_text(value, _LENGTHS[column])
        except Unclear as unclear:
            problems.append(RowProblem(group.first, column, str(unclear)))
    return address
