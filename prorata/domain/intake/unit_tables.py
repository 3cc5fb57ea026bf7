"""A table of units before it is read: column meanings and rows of sums."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from prorata.domain.countries import is_state
from prorata.domain.files.cells import Cell
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, mark_of
from prorata.domain.files.column_names import PROPERTY_COLUMNS, UNIT_COLUMNS, ColumnNames, looked_for
from prorata.domain.files.row_words import (
    SumRow,
    begins_as_sum,
    folded_name,
    is_dash,
    is_sum,
    is_sum_of,
    says_vacant,
    sum_name,
)
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank, open_questions, without
from prorata.domain.problems import shown
from prorata.domain.properties import property_files, unit_files
from prorata.domain.properties.house_rows import ABOVE, Taken, housed
from prorata.domain.properties.unit_files import is_vacant

FIELDS = (*unit_files.FIELDS, *property_files.FIELDS)
"""The fields that a column of a table of units may contain."""
_NAMES = ColumnNames({**UNIT_COLUMNS, **PROPERTY_COLUMNS})
_OF_HOUSES = frozenset(property_files.FIELDS)
_OF_UNITS = "a file of units"
_NUMBERS = {"no", "nr", "num", "number", "nummer", "numero"}
"""The names of a column of house numbers, in the form that `looked_for` returns."""
_HOUSEHOLDS = {"household", "haushalt", "foyer", "hogar"}
"""The names of a column of tenants, or of their numbers of people."""
_STATES = {"st", "state", "prov", "province"}
"""The ambiguous names that a column of states may share with other columns."""
_FEW_LINES = 3
"""The minimum number of lines from which a column's meaning may be doubted."""
_MAY_SAY_VACANT = {"va"}
"""States whose abbreviation may also mean that a unit is vacant."""


class UnitTable(NamedTuple):
    """An interpreted table of units, with the open questions.

    `sheet` has the fields' names as its header; the rows of sums are not in it, but in `sums`. `fields` are the
    meanings of the columns, `missing` the required fields that no column has, and `doubled` the fields that
    several columns have. `names` maps fields to the file's own column names. `unread` are the columns that are not
    read, except those that somebody chose to skip. `taken` are rows without a property, which belong to the
    property named in a row higher up. For `unclear` rows, a person has to state whether they belong to that
    property too (`ABOVE`).
    """

    sheet: Sheet
    header: tuple[str, ...]
    fields: tuple[str, ...]
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    sums: tuple[SumRow, ...]
    names: dict[str, str]
    unread: tuple[str, ...]
    taken: tuple[Taken, ...] = ()
    unclear: tuple[int, ...] = ()

    @property
    def is_open(self) -> bool:
        """True if somebody has to answer a question before the table's rows can be read."""
        return bool(self.missing or self.doubled)

    @property
    def problems(self) -> tuple[RowProblem, ...]:
        """The problems of the header: required columns that are missing, and repeated columns."""
        return open_questions(self.sheet.header_line, self.missing, self.doubled)

    def named(self, problems: Sequence[RowProblem]) -> tuple[RowProblem, ...]:
        """Rename the columns in problems to the names that the file gives these columns."""
        return tuple(
            problem._replace(column=self.names.get(problem.column or "", problem.column)) for problem in problems
        )

    def doubtful(self, problems: Sequence[RowProblem]) -> tuple[str, ...]:
        """List the fields of units whose column is probably another one.

        Of such a column, at least nine tenths of the cells have one of these problems (`named`).
        """
        found = []
        for field in filter(unit_files.FIELDS.__contains__, self.names):
            place = self.sheet.header.index(field)
            filled = {line for line, cells in self.sheet.rows if not is_blank(_at(cells, place))}
            wrong = filled & {problem.line for problem in problems if problem.column == self.names[field]}
            if len(wrong) >= _FEW_LINES and len(wrong) * 10 >= len(filled) * 9:
                found.append(field)
        return tuple(found)


def header_mark(header: Sequence[str]) -> str:
    """Return a fingerprint of a unit table's header.

    Another kind of file with the same header has a different fingerprint.
    """
    return mark_of((*header, _OF_UNITS))


def understood(sheet: Sheet, said: ColumnMapping | None, *, is_of_many: bool = False, country: str = "") -> UnitTable:
    """Interpret a table of units by the chosen mapping, and otherwise by its column names.

    `said` is the chosen mapping, or None, and `country` the account's country. If the table may have units of
    several properties (`is_of_many`), a person is asked which column names the property, unless one is known.

    >>> rows = ((3, ("1A", "80")), (4, ("Summe", "80")))
    >>> table = understood(Sheet(("Nummer", "Größe"), rows, 2), ColumnMapping({"nummer": "label", "grösse": "sqft"}))
    >>> table.sheet.header, len(table.sheet.rows), table.sums
    (('label', 'sqft'), 1, (SumRow(line=4, name='Summe'),))
    """
    chosen = said.fields if said else {}
    keys = keys_of(sheet.header)
    fields = tuple(
        _known(chosen[key]) if key in chosen else own if own and own not in chosen.values() else ""
        for key, own in zip(keys, _NAMES.named(sheet.header, ("label",)), strict=True)
    )
    fields = _with_house_numbers(sheet.header, fields, [key in chosen for key in keys])
    fields = _with_states(sheet, fields, [key in chosen for key in keys], country)
    fields = _with_people(sheet, fields, [key in chosen for key in keys])
    fields = _with_tenants(sheet, fields, [key in chosen for key in keys])
    places = {field: place for place, field in reversed([*enumerate(fields)]) if field}
    names = {field: shown(sheet.header[place].strip()) for field, place in places.items()}
    sums = tuple(_sums(sheet, fields))
    skipped = {row.line for row in sums}
    is_told = said is not None and said.fixed.get("property") == ABOVE
    of_houses = housed(sheet._replace(header=fields), is_of_many=is_of_many, is_told=is_told, skipped=skipped)
    of_houses = of_houses._replace(sheet=without(of_houses.sheet, skipped))
    is_housed = "property" in of_houses.sheet.header
    unread = tuple(
        shown(name.strip())
        for key, name, field in zip(keys, sheet.header, fields, strict=True)
        if name.strip() and key not in chosen and (not field or (field in _OF_HOUSES and not is_housed))
    )
    there = Counter(filter(None, fields))
    needed = [] if there["label"] else ["label"]
    if is_of_many and not is_housed and (said or unread):
        needed.append("property")
    return UnitTable(
        of_houses.sheet,
        sheet.header,
        fields,
        tuple(needed),
        tuple(field for field, times in there.items() if times > 1),
        sums,
        names,
        unread,
        of_houses.taken,
        of_houses.unclear,
    )


def _with_house_numbers(header: Sequence[str], fields: tuple[str, ...], is_chosen: Sequence[bool]) -> tuple[str, ...]:
    """Read a column named only "No." as house numbers if a street is beside it."""

    def is_it(place: int) -> bool:
        beside = fields[max(place - 1, 0) : place + 2]
        others = fields[:place] + fields[place + 1 :]
        is_named_so = looked_for(header[place]) in _NUMBERS and not is_chosen[place]
        return is_named_so and "street" in beside and "label" in others and "streetNumber" not in others

    return tuple("streetNumber" if is_it(place) else field for place, field in enumerate(fields))


def _with_states(sheet: Sheet, fields: tuple[str, ...], is_chosen: Sequence[bool], country: str) -> tuple[str, ...]:
    """Decide what a column named "St" or "State" means.

    If its cells are states of the account's country, the column gives the state of an address. If its cells say
    that units are vacant or occupied, the column is not read. A meaning that somebody chose is kept.
    """

    def meant(place: int, field: str) -> str:
        name = looked_for(sheet.header[place])
        if is_chosen[place] or name not in _STATES or field not in ("", "state"):
            return field
        texts = [str(cell).strip() for _, cells in sheet.rows if not is_blank(cell := _at(cells, place))]
        if not field and "state" not in fields and _are_states(texts, len(sheet.rows), country):
            return "state"
        return "" if any(says_vacant(text) and not is_dash(text) for text in texts) else field

    return tuple(meant(place, field) for place, field in enumerate(fields))


def _are_states(texts: Sequence[str], rows: int, country: str) -> bool:
    """True if all texts name states of a country.

    If there are fewer `texts` than table `rows` and each text may also be an abbreviation for "vacant", the result
    is False.
    """
    names = {text.casefold() for text in texts}
    is_vacancy = names <= _MAY_SAY_VACANT and len(texts) < rows
    return not is_vacancy and all(is_state(name, country) for name in names)


def _with_people(sheet: Sheet, fields: tuple[str, ...], is_chosen: Sequence[bool]) -> tuple[str, ...]:
    """Read a column named "Household" as numbers of people if it contains only numbers.

    >>> sheet = Sheet(("Unit", "Tenant", "Household"), ((2, ("1", "Ann", "3")), (3, ("2", "Bo", Decimal(1)))))
    >>> _with_people(sheet, ("label", "tenantName", ""), [False] * 3)
    ('label', 'tenantName', 'occupants')
    """

    def is_it(place: int) -> bool:
        if is_chosen[place] or "occupants" in fields or looked_for(sheet.header[place]) not in _HOUSEHOLDS:
            return False
        cells = [cell for _, row in sheet.rows if not is_blank(cell := _at(row, place)) and not is_vacant(cell)]
        return bool(cells) and all(isinstance(cell, Decimal) or str(cell).strip().isdigit() for cell in cells)

    return tuple("occupants" if is_it(place) else field for place, field in enumerate(fields))


def _with_tenants(sheet: Sheet, fields: tuple[str, ...], is_chosen: Sequence[bool]) -> tuple[str, ...]:
    """Read a column named "Residents" or similar as tenants' names if it contains names.

    A column named just "Occ." may also state whether a unit is occupied, so such a column is not read unless it
    contains numbers.
    """
    is_short = "occupants" in fields and looked_for(sheet.header[fields.index("occupants")]) == "occ"
    if ("tenantName" in fields and not is_short) or "occupants" not in fields:
        return fields
    place = fields.index("occupants")
    texts = [cell for _, cells in sheet.rows if not is_blank(cell := _at(cells, place)) and not is_vacant(cell)]
    if is_chosen[place] or not texts or any(str(cell).strip()[:1].isdigit() for cell in texts):
        return fields
    return (*fields[:place], "" if is_short else "tenantName", *fields[place + 1 :])


def _known(field: str) -> str:
    return field if field in FIELDS else ""


def _sums(sheet: Sheet, fields: Sequence[str]) -> list[SumRow]:
    """Return the rows of a table of units that are sums of other rows.

    The unit, the property or the first cell of such a row begins with a word for a sum. If the row has both a unit
    and a property, the word counts only if it is alone or followed by the name of a property of the file: "Total
    Plaza" may be a property, and "Total Fitness" a unit of it. A row is not a sum if it has a tenant's name (not
    just a number of tenants) or a unit of another name, or if its text, such as "Total Plaza", is the property of
    other rows.
    """
    places = [fields.index(field) if field in fields else None for field in ("label", "tenantName", "property")]
    houses = {folded_name(house) for _, cells in sheet.rows if isinstance(house := _at(cells, places[2]), str)} - {""}
    sum_rows, others = list[tuple[SumRow, str]](), set[str]()
    for line, cells in sheet.rows:
        unit, who, house = (_at(cells, place) for place in places)
        first = next((cell for cell in cells if not is_blank(cell)), None)
        of = next((cell for cell in (unit, house, first) if begins_as_sum(cell)), None)
        is_other_unit = not (is_blank(unit) or begins_as_sum(unit) or str(unit).strip().isdigit())
        says_sum = begins_as_sum if is_blank(unit) else is_sum  # a firm in a unit may have such a name
        is_of_place = (
            (begins_as_sum(unit) if is_blank(house) else is_sum_of(unit, houses))
            or (begins_as_sum(house) if is_blank(unit) else is_sum_of(house, houses))
            or says_sum(first)
        )
        is_nobody = is_vacant(who) or not isinstance(who, str) or says_sum(who) or who.strip()[:1].isdigit()
        if of is not None and is_of_place and is_nobody and not is_other_unit:
            sum_rows.append((SumRow(line, shown(sum_name(cells))), shown(str(of).strip())))
        elif isinstance(house, str):
            others.add(shown(house.strip()))
    return [sum_row for sum_row, of in sum_rows if is_sum(of) or of not in others]


def _at(cells: Sequence[Cell], place: int | None) -> Cell:
    return cells[place] if place is not None and place < len(cells) else None
