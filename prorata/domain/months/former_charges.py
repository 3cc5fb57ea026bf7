"""What the old way charged, as a spreadsheet of units and amounts: its rows become amounts by unit, and problems."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from prorata.domain.countries import COUNTRIES, Country
from prorata.domain.files.cell_values import read_amount, read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_CHARGE_NAME
from prorata.domain.problems import shown
from prorata.domain.texts import say

T = TypeVar("T")
_NOT_WORDS = re.compile(r"[\W_]+")
_UNIT = frozenset(
    (
        *("unit", "label", "unitlabel", "unitname", "unitnumber", "unitno", "apartment", "apt", "flat", "number", "id"),
        *("unitid", "wohnung", "whg", "einheit", "vivienda", "unidad", "piso", "logement", "appartement"),
    )
)
_AMOUNT = frozenset(
    (
        *(
            "amount",
            "total",
            "charge",
            "charged",
            "totalcharge",
            "billed",
            "due",
            "amountdue",
            "invoice",
            "sum",
            "cost",
        ),
        *("betrag", "summe", "importe", "cantidad", "montant"),
    )
)
_HEADER = ("Unit", "Amount")
_BEFORE_A_LABEL = re.compile(
    r"(?:(?:unit|apartment|apt|flat|suite|ste|number|no|wohnung|whg|nr|appartement|appt|piso|depto)\b[\s.:-]*|#\s*)(?=\w|#)"
)
_NOTHING_BELOW = say("There are no amounts below the header. Add a row for each unit, with what it was charged.")


class TheirCharge(NamedTuple):
    """What the old way charged a unit, which a label or an id names; in cents, from the lines that stand for it."""

    line: int
    unit: str
    amount: int


class ReadCharges(NamedTuple):
    """What was charged, a row for each unit in the order of the file, and every problem with it."""

    charges: tuple[TheirCharge, ...]
    problems: tuple[RowProblem, ...]


def read_charges(sheet: Sheet, *, country: str, currency: str) -> ReadCharges:
    """The charges of a file for a property of this country and currency. Several rows of a unit are added up; blank
    rows are passed over, and so are columns that are neither the unit nor the amount. Two columns need no header.

    >>> rows = ((2, ("1A", "Ann", "$80.10")), (3, ("1a", "Ann", "5")), (4, ("2", "Bo", "")))
    >>> sheet = Sheet(("Apt", "Tenant", "Amount"), rows)
    >>> read_charges(sheet, country="US", currency="USD").charges
    (TheirCharge(line=2, unit='1A', amount=8510),)
    >>> read_charges(sheet, country="US", currency="USD").problems[0].message
    'This cell is empty. Write what the unit was charged, 0 for nothing.'
    """
    sheet = _with_header(sheet)
    places, problems = _columns(sheet)
    if problems:
        return ReadCharges((), tuple(problems))
    amount = partial(_amount, country=COUNTRIES[country], currency=currency)
    found: dict[str, TheirCharge] = {}
    for line, cells in sheet.rows:
        if all(map(is_blank, cells)):
            continue
        unit, its = (cells[place] if place < len(cells) else None for place in places)
        wrong: list[RowProblem] = []
        name = _value(_name, unit, RowProblem(line, _named(sheet, places[0]), ""), wrong)
        cents = _value(amount, its, RowProblem(line, _named(sheet, places[1]), ""), wrong)
        problems += wrong
        if name is not None and cents is not None:
            above = found.get(same(name))
            found[same(name)] = above._replace(amount=above.amount + cents) if above else TheirCharge(line, name, cents)
    if not found and not problems:
        problems.append(RowProblem(sheet.header_line, None, _NOTHING_BELOW))
    return ReadCharges(tuple(found.values()), tuple(problems))


def known_columns(cells: Sequence[Cell]) -> int:
    """How many of the two columns a row of cells names.

    >>> [known_columns(row) for row in (("Apt.", "Tenant", "Amount due"), ("1A", "80.10"), ("Whg.", "Betrag"))]
    [2, 0, 2]
    """
    names = {_NOT_WORDS.sub("", cell.casefold()) for cell in cells if isinstance(cell, str)}
    return len([known for known in (_UNIT, _AMOUNT) if names & known])


def bare_label(label: str) -> str:
    """A unit's label without the word that stands before it in many spreadsheets, as labels are compared.

    >>> bare_label("Unit 2B"), bare_label("Apt. #3"), bare_label("2b"), bare_label("Unit"), bare_label("Flatiron")
    ('2b', '3', '2b', 'unit', 'flatiron')
    """
    bare = same(label)
    while found := _BEFORE_A_LABEL.match(bare):
        bare = bare[found.end() :]
    return bare


def _with_header(sheet: Sheet) -> Sheet:
    """The sheet with the names of its two columns, where it has no header.

    >>> sheet = Sheet(("1", "2"), ((1, ("1A", "80.10")), (2, ("2", "5"))), 0)
    >>> [charge.amount for charge in read_charges(sheet, country="US", currency="USD").charges]
    [8010, 500]
    """
    return sheet._replace(header=_HEADER) if sheet.header_line == 0 and len(sheet.header) == len(_HEADER) else sheet


def _value(reader: Callable[[Cell], T], cell: Cell, at: RowProblem, problems: list[RowProblem]) -> T | None:
    """What the reader makes of a cell; None, and a problem, where it is unclear."""
    try:
        return reader(cell)
    except Unclear as unclear:
        problems.append(at._replace(message=str(unclear)))
        return None


def _name(cell: Cell) -> str:
    name = read_text(cell, LONGEST_CHARGE_NAME)
    if name is None:
        raise Unclear(say("This row names no unit. Write the label of the unit, or remove the row."))
    return name


def _amount(cell: Cell, country: Country, currency: str) -> int:
    if is_blank(cell):
        raise Unclear(say("This cell is empty. Write what the unit was charged, 0 for nothing."))
    return read_amount(cell, country, currency)


def _columns(sheet: Sheet) -> tuple[tuple[int, int], list[RowProblem]]:
    """Where the unit and the amount stand."""
    names = [_NOT_WORDS.sub("", name.casefold()) for name in sheet.header]
    places, problems = [], []
    for what, known, example in (("unit", _UNIT, "Unit"), ("amount", _AMOUNT, "Amount")):
        found = [place for place, name in enumerate(names) if name in known]
        places.append(found[0] if found else 0)
        if not found:
            message = say("No column holds the {what}. Name it “{example}” in the header.", what=what, example=example)
            problems.append(RowProblem(sheet.header_line, None, message))
        elif len(found) > 1:
            both = " and ".join(f"“{_named(sheet, place)}”" for place in found)
            problems.append(
                RowProblem(
                    sheet.header_line,
                    None,
                    say("{both} could both be the {what}. Keep one of them.", both=both, what=what),
                )
            )
    return (places[0], places[1]), problems


def _named(sheet: Sheet, place: int) -> str:
    return shown(sheet.header[place].strip())
