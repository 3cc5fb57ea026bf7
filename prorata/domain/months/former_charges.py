"""What the old way charged, as a spreadsheet of units and amounts: its rows become amounts by unit, and problems."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import read_amount, read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.row_words import begins_as_sum, is_dash, says_vacant
from prorata.domain.files.sheets import RowProblem, is_blank
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_CHARGE_NAME
from prorata.domain.months.former_columns import AMOUNT, UNIT, Understood
from prorata.domain.problems import shown
from prorata.domain.texts import say

T = TypeVar("T")
_BEFORE_A_LABEL = re.compile(
    r"(?:(?:unit|apartment|apt|flat|suite|ste|number|no|wohnung|whg|nr|appartement|appt|piso|depto)\b[\s.:-]*|#\s*)(?=\w|#)"
)
_NOTHING_BELOW = say("There are no amounts below the header. Add a row for each unit, with what it was charged.")


class TheirCharge(NamedTuple):
    """What the old way charged a unit, which a label or an id names; in cents, from the lines that stand for it."""

    line: int
    unit: str
    amount: int


class SumRow(NamedTuple):
    """A row that sums up the units above it, as it is called, and was left out: what it says, in cents, and what the
    rows above come to; None where it says no amount.
    """

    line: int
    name: str
    says: int | None
    above: int


class ReadCharges(NamedTuple):
    """What was charged, a row for each unit in the order of the file, every problem with it, and the rows of sums."""

    charges: tuple[TheirCharge, ...]
    problems: tuple[RowProblem, ...]
    sums: tuple[SumRow, ...] = ()


def read_charges(found: Understood, *, country: str, currency: str) -> ReadCharges:
    """The charges of a file for a property of this country and currency. Several rows of a unit are added up, and so
    are several columns of amounts; blank rows are passed over, sums left out, and a vacant unit was charged nothing.

    >>> rows = ((2, ("1A", "Ann", "$80.10")), (3, ("1a", "Ann", "5")), (4, ("2", "Bo", "")), (5, ("3", "vacant", "")),
    ...         (6, ("Total", "", "85.10")))
    >>> from prorata.domain.files.sheets import Sheet
    >>> from prorata.domain.months.former_columns import understood
    >>> found = understood(Sheet(("Apt", "Tenant", "Amount"), rows), None, country="US", currency="USD")
    >>> read = read_charges(found, country="US", currency="USD")
    >>> read.charges
    (TheirCharge(line=2, unit='1A', amount=8510), TheirCharge(line=5, unit='3', amount=0))
    >>> read.problems[0].message
    'This cell is empty. Write what the unit was charged, 0 for nothing.'
    >>> read.sums
    (SumRow(line=6, name='Total', says=8510, above=8510),)
    """
    reading = _Reading(found, country, currency)
    for line, cells in found.sheet.rows:
        if not all(map(is_blank, cells)):
            reading.read(line, cells)
    problems = reading.problems
    if not reading.charges and not problems:
        problems.append(RowProblem(found.sheet.header_line, None, _NOTHING_BELOW))
    return ReadCharges(tuple(reading.charges.values()), tuple(problems), tuple(reading.sums))


class _Reading:
    """Rows that are read one after the other."""

    def __init__(self, found: Understood, country: str, currency: str) -> None:
        self.sheet = found.sheet
        self.unit = found.fields.index(UNIT)
        self.amounts = [place for place, field in enumerate(found.fields) if field == AMOUNT]
        self.amount = partial(read_amount, country=COUNTRIES[country], currency=currency, decimal=found.decimal)
        self.charges: dict[str, TheirCharge] = {}
        self.problems: list[RowProblem] = []
        self.sums: list[SumRow] = []
        self.group = self.whole = 0

    def read(self, line: int, cells: Sequence[Cell]) -> None:
        """Read one row into the charges, the sums, or the problems."""
        wrong: list[RowProblem] = []
        cents = self._cents(line, cells, wrong)
        sums_up = self._sums_up(cells, cents if not wrong else None)
        if sums_up is not None:
            says = cents if not wrong else None
            above = self.whole if says == self.whole or not self.group else self.group
            self.sums.append(SumRow(line, sums_up, says, above))
            self.group = 0
            return
        named: list[RowProblem] = []
        name = self._value(_name, _at(cells, self.unit), line, self.unit, named)
        self.problems += [*named, *wrong]
        if name is None or wrong:
            return
        self.group, self.whole = self.group + cents, self.whole + cents
        above_it = self.charges.get(same(name))
        amount = cents + (above_it.amount if above_it else 0)
        self.charges[same(name)] = (above_it or TheirCharge(line, name, 0))._replace(amount=amount)

    def _cents(self, line: int, cells: Sequence[Cell], wrong: list[RowProblem]) -> int:
        """What the amounts of a row come to; a row without any is a problem, unless nobody lived there."""
        given = [place for place in self.amounts if not is_blank(_at(cells, place))]
        plain = [place for place in given if not says_vacant(_at(cells, place))]
        if not given and not any(says_vacant(cell) and not is_dash(cell) for cell in cells):
            says = say("This cell is empty. Write what the unit was charged, 0 for nothing.")
            wrong.append(RowProblem(line, self._named(self.amounts[0]), says))
        found = [self._value(self.amount, _at(cells, place), line, place, wrong) for place in plain]
        return sum(one for one in found if one is not None)

    def _sums_up(self, cells: Sequence[Cell], cents: int | None) -> str | None:
        """What a row is called that sums up others: by its unit's name, or, where that is empty, by another text or by
        its amount.
        """
        unit = _at(cells, self.unit)
        texts = [unit] if not is_blank(unit) else [cell for cell in cells if isinstance(cell, str)]
        word = next((str(cell).strip() for cell in texts if begins_as_sum(cell)), None)
        if word is not None:
            return shown(word)
        is_sum = is_blank(unit) and len(self.charges) > 1 and cents in (self.group or self.whole, self.whole)
        return "" if is_sum else None

    def _value(
        self, reader: Callable[[Cell], T], cell: Cell, line: int, place: int, problems: list[RowProblem]
    ) -> T | None:
        """What the reader makes of a cell; None, and a problem, where it is unclear."""
        try:
            return reader(cell)
        except Unclear as unclear:
            problems.append(RowProblem(line, self._named(place), str(unclear)))
            return None

    def _named(self, place: int) -> str | None:
        return shown(self.sheet.header[place].strip()) or None


def _at(cells: Sequence[Cell], place: int) -> Cell:
    return cells[place] if place < len(cells) else None


def _name(cell: Cell) -> str:
    name = read_text(cell, LONGEST_CHARGE_NAME)
    if name is None:
        raise Unclear(say("This row names no unit. Write the label of the unit, or remove the row."))
    return name


def bare_label(label: str) -> str:
    """A unit's label without the word that stands before it in many spreadsheets, as labels are compared.

    >>> bare_label("Unit 2B"), bare_label("Apt. #3"), bare_label("2b"), bare_label("Unit"), bare_label("Flatiron")
    ('2b', '3', '2b', 'unit', 'flatiron')
    """
    bare = same(label)
    while found := _BEFORE_A_LABEL.match(bare):
        bare = bare[found.end() :]
    return bare
