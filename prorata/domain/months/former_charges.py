"""Charges of the former program, read from a spreadsheet: amounts by unit, and problems."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import read_amount, read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_currencies import may_be_in
from prorata.domain.files.month_cells import read_month_of_day
from prorata.domain.files.row_words import begins_as_sum, is_dash, is_sum, says_vacant
from prorata.domain.files.sheets import RowProblem, is_blank
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_CHARGE_NAME, MOST_FORMER_CHARGE_ROWS, MOST_UNKNOWN_NAMES
from prorata.domain.months.amount_headings import Heading
from prorata.domain.months.former_columns import AMOUNT, MONTH, PROPERTY, TENANT, TOO_LONG, UNIT, UTILITY, Understood
from prorata.domain.problems import shown
from prorata.domain.properties.property_names import KnownProperty, PropertyFinder
from prorata.domain.texts import say

T = TypeVar("T")
_BEFORE_A_LABEL = re.compile(
    r"(?:(?:unit|apartment|apt|flat|suite|ste|number|no|wohnung|whg|nr|appartement|appt|piso|depto)\b[\s.:-]*|#\s*)(?=\w|#)"
)
_NO_UNIT = say("This row names no unit. Enter the unit’s label, or remove the row.")
_NO_AMOUNT = say("This cell is empty. Enter what the unit was charged, or 0 for nothing.")
_OTHER_CURRENCY = say("This column is not in {currency}.")
_EMPTY = say("This cell is required but empty.")
_NOTHING_BELOW = say("There are no amounts below the header. Add a row for each unit, with the amount it was charged.")


class TheirCharge(NamedTuple):
    """A charge of the former program for a unit, month and utility, in cents.

    `unit` is the unit's label or id; if it is empty, the unit is found by the name of its `tenant`. `house` is the
    property's id.
    """

    line: int
    unit: str
    amount: int
    house: str = ""
    month: str = ""
    tenant: str = ""
    utility: str = ""


class SumRow(NamedTuple):
    """A row with the sum of other rows, which is skipped: line, name and sums.

    `says` is the amount in the row, in cents, or None if there is none. `above` is the sum of the rows above.
    """

    line: int
    name: str
    says: int | None
    above: int
    currency: str = ""

    @property
    def agrees(self) -> bool:
        """False if the row states an amount other than the sum of the rows above."""
        return self.says is None or self.says == self.above


class ReadCharges(NamedTuple):
    """The charges in a file, in order, with all problems and the sum rows."""

    charges: tuple[TheirCharge, ...]
    problems: tuple[RowProblem, ...]
    sums: tuple[SumRow, ...] = ()


def read_charges(understanding: Understood, houses: Sequence[KnownProperty]) -> ReadCharges:
    """Read the charges in a file, whose rows may name any property in `houses`.

    Rows for the same unit, month and utility are added up. Several columns of amounts are added up too, unless
    they are named after different months or utilities. Blank rows and sum rows are skipped. If a row has no
    amount and says that its unit is vacant, the charge is read as 0.

    >>> rows = ((2, ("1A", "Ann", "$80.10")), (3, ("1a", "Ann", "5")), (4, ("2", "Bo", "")), (5, ("3", "vacant", "")),
    ...         (6, ("Total", "", "85.10")))
    >>> from prorata.domain.files.sheets import Sheet
    >>> from prorata.domain.months.former_columns import understood
    >>> given = {"property": "prop_1", "month": "2026-03"}
    >>> found = understood(Sheet(("Apt", "Tenant", "Amount"), rows), None, [("US", "USD")], given)
    >>> read = read_charges(found, [KnownProperty("prop_1", "Maple Court", "", "US", "USD")])
    >>> [(one.line, one.unit, one.amount, one.month) for one in read.charges]
    [(2, '1A', 8510, '2026-03'), (5, '3', 0, '2026-03')]
    >>> read.problems[0].message
    'This cell is empty. Enter what the unit was charged, or 0 for nothing.'
    >>> read.sums
    (SumRow(line=6, name='Total', says=8510, above=8510, currency='USD'),)
    """
    charges_of_a_row = max(1, len(set(understanding.headings.values())))
    if len(understanding.sheet.rows) * charges_of_a_row > MOST_FORMER_CHARGE_ROWS:
        return ReadCharges((), (RowProblem(understanding.sheet.header_line, None, TOO_LONG),))
    reading = _Reading(understanding, houses)
    for line, cells in understanding.sheet.rows:
        if not all(map(is_blank, cells)):
            reading.read(line, cells)
    problems = reading.problems
    if not reading.charges and not problems:
        problems.append(RowProblem(understanding.sheet.header_line, None, _NOTHING_BELOW))
    return ReadCharges(tuple(reading.charges.values()), tuple(problems), tuple(reading.sums))


def unknown_houses(understanding: Understood, houses: Sequence[KnownProperty]) -> dict[str, str]:
    """List names in a file that no property has, with the properties probably meant.

    Each name comes with a property's id, or "" if no property has a similar name. Names that somebody has already
    matched to a property are left out. The list has at most `MOST_UNKNOWN_NAMES`.
    """
    if PROPERTY not in understanding.fields:
        return {}
    finder, place = PropertyFinder(houses), understanding.fields.index(PROPERTY)
    unknown: dict[str, str] = {}
    texts = dict.fromkeys(
        str(cells[place]).strip() for _, cells in understanding.sheet.rows if place < len(cells) and cells[place]
    )
    for text in texts:
        if text and same(text) not in understanding.words and not begins_as_sum(text) and not _finds(finder, text):
            likely = finder.likely(text)
            unknown[text] = likely.id if likely else ""
    return dict(list(unknown.items())[:MOST_UNKNOWN_NAMES])


def _finds(finder: PropertyFinder, text: str) -> bool:
    try:
        finder.find(text)
    except Unclear:
        return False
    return True


class _Reading:
    """The reading of a file's rows, each into charges, a sum row or problems."""

    def __init__(self, understanding: Understood, houses: Sequence[KnownProperty]) -> None:
        self.found, self.sheet = understanding, understanding.sheet
        self.finder, self.usual = PropertyFinder(houses), houses[0]
        self.places = {field: place for place, field in enumerate(understanding.fields) if field}
        self.amounts = [place for place, field in enumerate(understanding.fields) if field == AMOUNT]
        self.has_months = all(understanding.headings.get(place, Heading()).month for place in self.amounts)
        self.charges: dict[tuple[str, ...], TheirCharge] = {}
        self.problems: list[RowProblem] = []
        self.sums: list[SumRow] = []
        self.group = self.whole = self.rows = 0

    def read(self, line: int, cells: Sequence[Cell]) -> None:
        """Read one row, and add it to the charges, the sum rows or the problems."""
        row = _Row(line, cells, self.sheet.header)
        house = row.value(PROPERTY, self.places.get(PROPERTY), self._house, self.found.fixed.get(PROPERTY))
        of = house or self.usual
        wrong_house = row.take_problems()
        amounts = self._amounts(row, of)
        cents = sum(amounts.values())
        wrong = row.take_problems()
        sums_up = self._sums_up(row, cents if not wrong else None, is_of_house=house is not None)
        if sums_up is not None:
            says = cents if not wrong else None
            above = self.whole if says == self.whole or not self.group else self.group
            self.sums.append(SumRow(line, sums_up, says, above, of.currency))
            self.group = 0
            return
        month = "" if self.has_months else self._month_of(row, of)
        tenant, unit = self._named(row)
        self.problems += [*wrong_house, *row.take_problems(), *wrong]
        if house is None or month is None or not (unit or tenant) or wrong:
            return
        self.group, self.whole, self.rows = self.group + cents, self.whole + cents, self.rows + 1
        of_row = row.value(UTILITY, self.places.get(UTILITY), _text) or ""
        who = same(unit) if unit else f" {same(tenant)}"
        for (named_month, named_utility), part in amounts.items():
            of_month, utility = named_month or month, named_utility or of_row
            key = house.id, of_month, who, same(utility)
            there = self.charges.get(key) or TheirCharge(line, unit, 0, house.id, of_month, tenant, utility)
            self.charges[key] = there._replace(amount=there.amount + part)

    def _house(self, cell: Cell) -> KnownProperty:
        text = cell if not isinstance(cell, str) else self.found.words.get(same(cell)) or cell
        return self.finder.find(text)

    def _month_of(self, row: "_Row", of: KnownProperty) -> str | None:
        place, fixed = self.places.get(MONTH), self.found.fixed.get(MONTH)
        return row.value(MONTH, place, lambda cell: self._month(cell, of), fixed)

    def _month(self, cell: Cell, of: KnownProperty) -> str:
        order = "" if self.found.dates.how == "asked" else self.found.dates.value
        name = self.sheet.header[self.places[MONTH]] if MONTH in self.places else ""
        return read_month_of_day(cell, COUNTRIES[of.country], order, named=name)

    def _named(self, row: "_Row") -> tuple[str, str]:
        """Read the tenant and unit that a row names; report a row with neither."""
        cell = row.cell(self.places.get(TENANT))
        tenant = "" if says_vacant(cell) else row.value(TENANT, self.places.get(TENANT), _text) or ""
        unit = row.value(UNIT, self.places.get(UNIT), _text) or ""
        if not (unit or tenant) and not row.problems:
            row.refuse(self.places.get(UNIT, self.places.get(TENANT)), _NO_UNIT)
        return tenant, unit

    def _amounts(self, row: "_Row", of: KnownProperty) -> dict[Heading, int]:
        """Sum a row's amounts by the month and utility that their columns are named after.

        A row without any amount is a problem, unless the row says that the unit is vacant. In a row with amounts,
        an empty cell counts as no charge.
        """
        given = [place for place in self.amounts if not is_blank(row.cell(place))]
        if not given and not any(says_vacant(cell) and not is_dash(cell) for cell in row.cells):
            row.refuse(self.amounts[0], _NO_AMOUNT)
        amounts: dict[Heading, int] = {}
        for place in given or self.amounts:
            heading, cell = self.found.headings.get(place, Heading()), row.cell(place)
            is_nothing = is_blank(cell) or says_vacant(cell)
            if not is_nothing and not may_be_in(self.sheet.header[place], of.currency):
                row.refuse(place, _OTHER_CURRENCY.format(currency=of.currency))
                return {}
            cents = 0 if is_nothing else row.value(AMOUNT, place, lambda cell: self._cents(cell, of)) or 0
            amounts[heading] = amounts.get(heading, 0) + cents
        return amounts

    def _cents(self, cell: Cell, of: KnownProperty) -> int:
        return read_amount(cell, COUNTRIES[of.country], of.currency, self.decimal)

    @property
    def decimal(self) -> str:
        """The decimal mark of the amounts; empty if the country's number format applies."""
        return "" if self.found.amounts.how == "asked" else self.found.amounts.value

    def _sums_up(self, row: "_Row", cents: int | None, *, is_of_house: bool) -> str | None:
        """Return the name of a sum row; None for any other row.

        A sum row is recognized by a name such as "Total" in the unit's cell. This name may be in another cell if
        the unit's cell is empty, or if the unit's cell is a number and the property is unknown. A row with neither a
        unit nor a tenant is a sum row without a name if `cents` equals the sum of the rows above; the result is
        then "".
        """
        unit, who = row.cell(self.places.get(UNIT)), row.cell(self.places.get(TENANT))
        if UNIT not in self.places:
            texts = [cell for cell in row.cells if cell is not who and begins_as_sum(cell)]
            texts += [who] if is_sum(who) else []
        elif is_blank(unit) or (not is_of_house and str(unit).strip().isdigit()):
            texts = [cell for cell in row.cells if begins_as_sum(cell)]
        else:
            texts = [unit] if begins_as_sum(unit) else []
        if texts:
            return shown(str(texts[0]).strip())
        is_total = UNIT in self.places and is_blank(unit) and is_blank(who) and self.rows > 1
        return "" if is_total and cents in (self.group or self.whole, self.whole) else None


class _Row:
    """A row of the file being read: its cells by position, and its problems."""

    def __init__(self, line: int, cells: Sequence[Cell], header: Sequence[str]) -> None:
        self.line, self.cells, self._header = line, cells, header
        self.problems: list[RowProblem] = []

    def cell(self, place: int | None) -> Cell:
        """Return the cell at a position in the row; None if the position is None."""
        return _at(self.cells, place) if place is not None else None

    def value(
        self, field: str, place: int | None, reader: Callable[[Cell], T], otherwise: str | None = None
    ) -> T | None:
        """Read a field's cell at `place`; if the field has no column, read `otherwise`.

        `otherwise` is the value that applies to all rows. The result is None if there is nothing to read. It is
        also None, and the row gets a problem, if `reader` can't interpret the cell, or if the cell of the property
        or the month is empty.
        """
        cell = otherwise if place is None else self.cell(place)
        if cell is None and place is None:
            return None
        if is_blank(cell) and field in (PROPERTY, MONTH):
            self.refuse(place, _EMPTY)
            return None
        try:
            return reader(cell)
        except Unclear as unclear:
            self.refuse(place, unclear.why)
            return None

    def refuse(self, place: int | None, why: str) -> None:
        """Record a problem with a cell, given by its position, or with the whole row."""
        name = shown(self._header[place].strip()) if place is not None else ""
        self.problems.append(RowProblem(self.line, name or None, why))

    def take_problems(self) -> list[RowProblem]:
        """Return the row's problems found since this method was last called."""
        taken, self.problems = self.problems, []
        return taken


def _at(cells: Sequence[Cell], place: int) -> Cell:
    return cells[place] if place < len(cells) else None


def _text(cell: Cell) -> str:
    return read_text(cell, LONGEST_CHARGE_NAME) or ""


def bare_label(label: str) -> str:
    """Normalize a unit's label for comparison, without a word such as "Unit" before it.

    >>> bare_label("Unit 2B"), bare_label("Apt. #3"), bare_label("2b"), bare_label("Unit"), bare_label("Flatiron")
    ('2b', '3', '2b', 'unit', 'flatiron')
    """
    bare = same(label)
    while match := _BEFORE_A_LABEL.match(bare):
        bare = bare[match.end() :]
    return bare
