"""A units file, whose rows become units and tenants, or problems.

A row has a unit with at most one tenant; several rows with the same label are one unit with several tenants.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import NamedTuple, TypeVar

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.area_cells import without_unit
from prorata.domain.files.cell_values import read_amount, read_date, read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_names import UNIT_COLUMNS, ColumnNames
from prorata.domain.files.row_words import is_dash, says_vacant
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank
from prorata.domain.groups import grouped
from prorata.domain.labels import same
from prorata.domain.limits import (
    LARGEST_SQFT,
    LONGEST_LABEL,
    LONGEST_MAIL_ADDRESS,
    LONGEST_TENANT_NAME,
    MOST_BEDROOMS,
    MOST_TENANT_OCCUPANTS,
    MOST_TENANTS_IN_A_ROW,
)
from prorata.domain.problems import shown
from prorata.domain.texts import Count, say

_NAMES = ColumnNames(UNIT_COLUMNS)
FIELDS = _NAMES.fields
_WHOLE = re.compile(r"[0-9]{1,6}", re.ASCII)
_BEDROOMS = re.compile(
    r"([0-9]{1,2}) ?(?:(?:br|bd|bdrms?|beds?|bedrooms?)\.?)?"
    r"(?: ?/ ?[0-9]{1,2}(?:\.[0-9]{1,2})? ?(?:(?:ba|baths?|bathrooms?)\.?)?)?",
    re.ASCII | re.IGNORECASE,
)
"""A number of bedrooms, which a number of bathrooms may follow."""
_NO_ROOMS = re.compile(r"[-–—]+ ?/ ?[-–—]+")
_AND = re.compile(r"\s*(?:[;/&+\n]|\b(?:and|und|et|y)\b)\s*", re.IGNORECASE)
_BETWEEN_ADDRESSES = re.compile(r"[\s;,/|&]+")
_CENTS_EXPONENT = -2
_YEARS_AHEAD = 5
"""The number of calendar years after which a last day is probably wrong."""
_NO_AREA = say("This is not a valid floor area. Enter digits with at most two decimals.")

T = TypeVar("T")


class FileTenant(NamedTuple):
    """A tenant as described by a file, with the line in the file."""

    line: int
    name: str
    email: str | None
    move_in: date | None
    move_out: date | None = None
    occupants: int | None = None

    def leaves_late(self, today: date) -> bool:
        """True if the last day is so many years ahead that it is probably wrong."""
        return self.move_out is not None and self.move_out.year > today.year + _YEARS_AHEAD


class FileUnit(NamedTuple):
    """A unit in a file with its tenants, and the first line naming it.

    `sqft` is exact, and `monthly_rent` is in cents. If the file has no column of tenants, `lists_tenants` is False.
    """

    line: int
    label: str
    sqft: Decimal | None
    bedrooms: int | None
    monthly_rent: int | None
    active_from: date | None
    tenants: tuple[FileTenant, ...]
    lists_tenants: bool = True

    def is_vacant(self, today: date) -> bool:
        """True if every tenant that the file lists for the unit left before `today`."""
        return all(tenant.move_out is not None and tenant.move_out < today for tenant in self.tenants)


class Repeat(NamedTuple):
    """A row that repeats an earlier row, with the numbers of both lines."""

    line: int
    above: int


class ReadUnits(NamedTuple):
    """The units of a file in order, all problems of the file, and repeated rows."""

    units: tuple[FileUnit, ...]
    problems: tuple[RowProblem, ...]
    repeats: tuple[Repeat, ...] = ()


def read_units(sheet: Sheet, *, country: str, currency: str, is_email: Callable[[str], bool]) -> ReadUnits:
    """Read the units of a file for a property with this country and currency.

    Blank rows and columns with unknown names are skipped.

    >>> sheet = Sheet(("Unit", "Sq Ft", "Tenant"), ((2, ("1A", "850", "Ann")), (3, ("1a", "", "Bob"))))
    >>> units, problems, _ = read_units(sheet, country="US", currency="USD", is_email=lambda _: True)
    >>> [(unit.label, unit.sqft, [tenant.name for tenant in unit.tenants]) for unit in units], problems
    ([('1A', Decimal('850.00'), ['Ann', 'Bob'])], ())
    """
    columns, problems = _columns(sheet)
    if problems:
        return ReadUnits((), tuple(problems))
    reader = _Reader(columns, sheet.header, country, currency, is_email)
    for line, cells in sheet.rows:
        if any(not is_blank(cell) for cell in cells):
            reader.read(line, cells)
    if not reader.units and not reader.problems:
        reader.problems.append(
            RowProblem(sheet.header_line, None, say("There are no units below the header. Add a row for each unit."))
        )
    return ReadUnits(tuple(reader.units.values()), tuple(reader.problems), tuple(reader.repeats))


def together_from(unit: FileUnit) -> tuple[FileTenant, ...]:
    """Find the first tenants of a unit with the same move-in day, if any.

    Tenants who moved in together are one household.

    >>> ann, bo = FileTenant(2, "Ann", None, date(2026, 1, 1)), FileTenant(9, "Bo", None, date(2026, 1, 1))
    >>> [one.name for one in together_from(FileUnit(2, "1", None, None, None, None, (ann, bo)))]
    ['Ann', 'Bo']
    """
    by_day = grouped((tenant.move_in, tenant) for tenant in unit.tenants)
    return next((tuple(its) for its in by_day.values() if len(its) > 1), ())


def names_of(text: str, number: int) -> list[str]:
    """Split a cell into a given number of names, or return its text unsplit.

    The cell is split only if it has exactly `number` names. If the last of them has several words, its last word is
    taken as a shared surname, and is added to each name of a single word.

    >>> names_of("Grace and Tina Garcia", 2), names_of("Ann Lee & Bo Cruz", 2), names_of("Ann and Bo Lee", 3)
    (['Grace Garcia', 'Tina Garcia'], ['Ann Lee', 'Bo Cruz'], ['Ann and Bo Lee'])
    """
    names = [name for name in _AND.split(text) if name]
    if len(names) != number:
        return [text]
    *_, last = names[-1].split()
    return [name if " " in name or last == names[-1] else f"{name} {last}" for name in names]


def field_named(name: str) -> str | None:
    """Return the field of a units file that the name of a column means."""
    return _NAMES.field(name)


def is_vacant(cell: Cell) -> bool:
    """True if a tenant cell states that there is no tenant.

    >>> [is_vacant(text) for text in (None, " ", "VACANT - ready", "—", "Ann Leer")]
    [True, True, True, True, False]
    """
    return is_blank(cell) or says_vacant(cell)


def known_columns(cells: Sequence[Cell]) -> int:
    """Count the fields of a units file that a row names as a header would."""
    return len({field_named(cell) for cell in cells if isinstance(cell, str)} - {None})


def _columns(sheet: Sheet) -> tuple[dict[str, int], list[RowProblem]]:
    places: dict[str, int] = {}
    problems = []
    for place, name in enumerate(sheet.header):
        column = field_named(name)
        if column in places:
            message = say("Two columns mean {column}. Keep one of them.", column=column)
            problems.append(RowProblem(sheet.header_line, shown(name.strip()), message))
        elif column is not None:
            places[column] = place
    if "label" not in places:
        problems.append(RowProblem(sheet.header_line, None, say("The header has no label column. Add it.")))
    return places, problems


class _Reader:
    """A reader that turns rows into units, merging rows with the same label."""

    def __init__(
        self,
        columns: dict[str, int],
        header: Sequence[str],
        country: str,
        currency: str,
        is_email: Callable[[str], bool],
    ) -> None:
        self.units: dict[str, FileUnit] = {}
        self.problems: list[RowProblem] = []
        self.repeats: list[Repeat] = []
        self._columns, self._header, self._country = columns, header, country
        self._day = partial(read_date, country=COUNTRIES[country])
        self._amount = partial(read_amount, country=COUNTRIES[country], currency=currency)
        self._is_email = is_email
        self._line = 0
        self._cells: tuple[Cell, ...] = ()

    def read(self, line: int, cells: tuple[Cell, ...]) -> None:
        """Read one row into a unit and its tenants, or record its problems."""
        self._line, self._cells = line, cells
        before = len(self.problems)
        if any(not is_blank(cell) for cell in cells[len(self._header) :]):
            self._refuse(
                None,
                say(
                    "This row has more cells than the header. Put double quotes around any text that "
                    "contains separators."
                ),
            )
            return
        label = self._value("label", partial(read_text, longest=LONGEST_LABEL))
        if label is None and len(self.problems) == before:
            self._refuse("label", say("This cell is required but empty."))
        unit = FileUnit(
            line,
            label or "",
            self._value("sqft", self._square_feet),
            self._value("bedrooms", _bedrooms),
            self._value("monthlyRent", self._rent),
            self._value("activeFrom", self._day),
            self._tenant(),
            "tenantName" in self._columns,
        )
        if len(self.problems) == before:
            self._join(unit)

    def _tenant(self) -> tuple[FileTenant, ...]:
        is_empty = is_vacant(self._cell("tenantName"))
        name = None if is_empty else self._value("tenantName", partial(read_text, longest=LONGEST_TENANT_NAME))
        emails: list[str | None] = list(self._value("tenantEmail", self._emails) or [])
        move_in, move_out = self._value("moveInDate", self._day), self._value("moveOutDate", self._day)
        people = self._value("occupants", partial(_whole_number, most=MOST_TENANT_OCCUPANTS))
        if name is None:
            if not is_blank(self._cell("tenantName")):  # a day in a vacant row belongs to no tenant
                move_in = move_out = None
            if emails or move_in is not None or move_out is not None or people:
                message = say(
                    "This row has a tenant's e-mail address, date or number of people, but no name. Add the name."
                )
                self._refuse("tenantName", message)
            return ()
        if move_in is not None and move_out is not None and move_out < move_in:
            self._refuse("moveOutDate", say("This day is before the tenant's first day."))
        names = names_of(name, len(emails)) if len(emails) > 1 else [name]
        if len(emails) > len(names):
            message = say(
                "There are {n} e-mail addresses here, but fewer names. Give each tenant a separate row with the same "
                "unit: they count as one household.",
                n=Count(len(emails)),
            )
            self._refuse("tenantEmail", message)
        others = None if people is None else min(len(names) - 1, max(people - 1, 0))
        return tuple(
            FileTenant(self._line, its_name, email, move_in, move_out, _counted(people, others, at))
            for at, (its_name, email) in enumerate(zip(names, emails or [None], strict=False))
        )

    def _join(self, unit: FileUnit) -> None:
        """Add a row's unit, or merge it with the earlier unit of that label.

        Rows that contradict each other about the unit or a tenant are a problem.
        """
        key = same(unit.label)
        above = self.units.setdefault(key, unit)
        if above is unit:
            return
        merged = above._asdict()
        for column, field in _FIELDS.items():
            mine = getattr(unit, field)
            if mine is not None and merged[field] is not None and mine != merged[field]:
                self._refuse(
                    column, say("This differs from what line {line} gives for the same unit.", line=above.line)
                )
            merged[field] = mine if merged[field] is None else merged[field]
        there = {same(tenant.name): tenant for tenant in above.tenants}
        found = [(tenant, there[same(tenant.name)]) for tenant in unit.tenants if same(tenant.name) in there]
        if any(mine[2:] != other[2:] for mine, other in found):  # all but their lines and names
            message = say("This tenant is already listed in this unit, further up. Keep one of the rows.")
            self._refuse("tenantName", message)
        stays = next((tenant for tenant in above.tenants if tenant.move_out is None), None)
        who = self._cell("tenantName")
        if stays and says_vacant(who) and not is_dash(who):
            message = say(
                "This row says that the unit is vacant, but line {line} has a tenant without a last day. Enter the "
                "last day there, or remove this row.",
                line=stays.line,
            )
            self._refuse("tenantName", message)
        is_vacant_since = not unit.tenants and bool(above.tenants) and not stays
        new = tuple(tenant for tenant in unit.tenants if same(tenant.name) not in there)
        merged["tenants"] = (*above.tenants, *new)
        if merged == above._asdict() and not is_vacant_since:
            self.repeats.append(Repeat(unit.line, found[0][1].line if found else above.line))
        self.units[key] = FileUnit(**merged)

    def _value(self, column: str, reader: Callable[[Cell], T | None]) -> T | None:
        cell = self._cell(column)
        if is_blank(cell) or (column != "label" and is_dash(cell)):
            return None
        try:
            return reader(cell)
        except Unclear as unclear:
            self._refuse(column, str(unclear))
            return None

    def _cell(self, column: str) -> Cell:
        place = self._columns.get(column)
        return self._cells[place] if place is not None and place < len(self._cells) else None

    def _refuse(self, column: str | None, message: str) -> None:
        place = self._columns.get(column) if column else None
        name = shown(self._header[place].strip()) if place is not None else column
        self.problems.append(RowProblem(self._line, name, message))

    def _square_feet(self, cell: Cell) -> Decimal:
        bare = without_unit(cell, self._country)
        try:
            area = Decimal(self._amount(bare)).scaleb(_CENTS_EXPONENT)
        except Unclear:
            raise Unclear(_NO_AREA) from None
        if not 0 <= area <= LARGEST_SQFT:
            raise Unclear(say("An area must be between 0 and {f}.", f=Count(LARGEST_SQFT)))
        return area

    def _rent(self, cell: Cell) -> int:
        rent = self._amount(cell)
        if rent < 0:
            raise Unclear(say("A rent can’t be negative."))
        return rent

    def _emails(self, cell: Cell) -> list[str]:
        text = read_text(cell, MOST_TENANTS_IN_A_ROW * LONGEST_MAIL_ADDRESS) or ""
        emails = (
            [address for address in _BETWEEN_ADDRESSES.split(text) if address]
            if text.count("@") > 1
            else [text] * bool(text)
        )
        if len(emails) > MOST_TENANTS_IN_A_ROW or not all(map(self._is_email, emails)):
            raise Unclear(say("This is not a valid e-mail address. Enter one such as name@example.com."))
        return emails


_FIELDS = {"sqft": "sqft", "bedrooms": "bedrooms", "monthlyRent": "monthly_rent", "activeFrom": "active_from"}


def _counted(people: int | None, others: int | None, at: int) -> int | None:
    """Return the number of people for which one of a row's tenants counts.

    `people` is the row's number of people, and `at` the tenant's position, from 0. Of the tenants after the first,
    the first `others` count for one person each; the first tenant counts for the rest. The result is None if a
    number is unknown.
    """
    if people is None or others is None:
        return None
    return people - others if at == 0 else int(at <= others)


def _bedrooms(cell: Cell) -> int | None:
    """Read a number of bedrooms, without the number of bathrooms that may follow it.

    >>> [_bedrooms(text) for text in ("2", "2/1", "2BR/1BA", "3 bd / 1.50 ba", "2BR", "--/--")]
    [2, 2, 2, 3, 2, None]
    """
    text = cell.strip() if isinstance(cell, str) else ""
    if _NO_ROOMS.fullmatch(text):
        return None
    found = _BEDROOMS.fullmatch(text)
    return _whole_number(found[1] if found else cell, most=MOST_BEDROOMS)


def _whole_number(cell: Cell, most: int) -> int:
    text = read_text(cell, LONGEST_TENANT_NAME) or ""
    if not _WHOLE.fullmatch(text) or int(text) > most:
        raise Unclear(say("Enter a whole number from 0 to {f}.", f=Count(most)))
    return int(text)
