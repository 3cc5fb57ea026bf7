"""Currencies in a bills file: in columns, column names, cells and lines above the header.

No amount is converted, or read in a currency other than its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.bills.columns import AMOUNT_FOR, CURRENCY, IN_A_CURRENCY, NOTHING, HowRead, field_named
from prorata.domain.currency_signs import meant_by
from prorata.domain.files.cells import Cell, Priced, Unclear
from prorata.domain.files.column_currencies import agree, is_plain_currency, may_be_in, signs_in, signs_said
from prorata.domain.files.sheets import Sheet, is_blank
from prorata.domain.texts import say

_NO_PLACE_FOR_ONE = (None, NOTHING, "accountNumber", "billNumber", "notes")
"""The meanings of columns in which a lone currency can only be the bill's currency."""
_NAMED_OTHERWISE = say(
    "The name of this column gives a different currency from the property’s, which is {currency}. Amounts are not "
    "converted: enter them in {currency}, and put {currency} or no currency in the name."
)
_ALONE = say(
    "This cell contains only a currency, and not the property’s, which is {currency}. Amounts are not converted: "
    "enter the total in {currency}, and either {currency} or nothing here."
)
_ABOVE = say(
    "Line {line}, above the header, gives a different currency from the property’s, which is {currency}. Amounts are "
    "not converted: enter them in {currency}, and put {currency} in that line. If they are already in {currency}, "
    "say so beside them, or in a column called Currency."
)
_OR_NONE = " If it is no currency, say that nothing is read from this column."
_FIGURES = re.compile(r"[0-9.,'()+\-\s]+")


class CurrencyProblem(NamedTuple):
    """A currency problem in a row: the cell's position and field, and a message."""

    place: int
    field: str
    message: str


class _Above(NamedTuple):
    """A line above the header, and the currencies that it can mean."""

    line: int
    meant: frozenset[str]


class Currencies:
    """The currencies that a bills file names.

    `columns` maps the names of fields to the positions of their columns.
    """

    def __init__(self, sheet: Sheet, columns: Mapping[str, int], how: HowRead) -> None:
        self._money = [(columns[field], field) for field in IN_A_CURRENCY if field in columns]
        self._money += [(place, field) for place, field in enumerate(how.fields) if field and field in AMOUNT_FOR]
        of_utility = self._money[0][0] if self._money else None
        self._header, self._total = sheet.header, columns.get("totalAmountDue", of_utility)
        self._own = [place for place, field in enumerate(how.fields) if field == CURRENCY]
        self._others = [place for place, field in enumerate(how.fields) if field in _NO_PLACE_FOR_ONE]
        self._above = list(_said_above(sheet))
        self._foreign: dict[str, list[_Above]] = {}

    def problems(self, cells: Sequence[Cell], currency: str) -> list[CurrencyProblem]:
        """List the problems of a row's cells that name a currency other than the property's.

        A currency in a column's name counts for each cell of the column. If a line above the header names another
        currency, and no part of the row names the property's currency, the total has the problem.
        """
        problems_found = [
            CurrencyProblem(place, field, _NAMED_OTHERWISE.format(currency=currency))
            for place, field in self._money
            if not may_be_in(self._header[place], currency) and not is_blank(_at(cells, place))
        ]
        problems_found.extend(self._in_columns(cells, currency))
        for place in self._others:
            cell = _at(cells, place)
            if isinstance(cell, str) and is_plain_currency(cell) and not may_be_in(cell, currency):
                problems_found.append(CurrencyProblem(place, CURRENCY, _ALONE.format(currency=currency)))
        return problems_found or list(self._by_lines_above(cells, currency))

    def _in_columns(self, cells: Sequence[Cell], currency: str) -> Iterator[CurrencyProblem]:
        for place in self._own:
            cell = _at(cells, place)
            if is_blank(cell):
                continue
            try:
                agree(cell, currency)
            except Unclear as unclear:
                is_sure = field_named(self._header[place]) == CURRENCY or not isinstance(cell, str)
                hint = "" if is_sure or is_plain_currency(str(cell)) else _OR_NONE
                yield CurrencyProblem(place, CURRENCY, f"{unclear}{hint}")

    def _by_lines_above(self, cells: Sequence[Cell], currency: str) -> Iterator[CurrencyProblem]:
        if currency not in self._foreign:
            self._foreign[currency] = [above for above in self._above if currency not in above.meant]
        foreign, total = self._foreign[currency], self._total
        if not foreign or total is None:
            return
        meanings = [meant for meant in map(meant_by, self._said(cells, total)) if currency in meant]
        for above in foreign:
            if not any(meant.isdisjoint(above.meant) for meant in meanings):
                yield CurrencyProblem(total, "totalAmountDue", _ABOVE.format(currency=currency, line=above.line))
                return

    def _said(self, cells: Sequence[Cell], total: int) -> Iterator[str]:
        """Yield the currencies named in a row's cells or in the total's column name.

        Only the cells of the total and of the currency columns count.
        """
        yield from signs_in(self._header[total])
        for place in (total, *self._own):
            cell = _at(cells, place)
            if isinstance(cell, Priced):
                yield cell.sign
            elif isinstance(cell, str):
                yield from signs_in(_FIGURES.sub(" ", cell))


def _at(cells: Sequence[Cell], place: int) -> Cell:
    return cells[place] if place < len(cells) else None


def _said_above(sheet: Sheet) -> Iterator[_Above]:
    """Yield the currencies that the lines above a table's header name."""
    for line, cells in sheet.above:
        for cell in cells:
            signs = signs_said(cell) if isinstance(cell, str) else [cell.sign] if isinstance(cell, Priced) else []
            yield from (_Above(line, meant) for sign in signs if (meant := meant_by(sign)))
