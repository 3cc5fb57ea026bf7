"""What cells of tables say in place of a name: that a row adds up others, or that nobody lives in a unit."""

import re
from collections.abc import Collection, Set as AbstractSet
from typing import NamedTuple

from prorata.domain.files.cells import Cell
from prorata.domain.files.sheets import Sheet
from prorata.domain.search_terms import folded

_OF_PARTS = r"(?:(?:sub|grand|sous|zwischen|gesamt|end)[\W_]*)?"
_SUM = rf"{_OF_PARTS}(?:totals?|totale|totaux|sums?|summe|suma|somme)|gesamt|insgesamt"
_BEGINS = re.compile(rf"[\W_]*(?:{_SUM})(?![^\W_])")
_WHOLE = re.compile(rf"[\W_]*(?:(?:{_SUM}|general)(?![^\W_])[\W_]*)+")
"""Words of sums in the languages of accounts, as `folded` writes them."""
_OF = re.compile(r"(?:for|of|fur|von|vom|de|del|du|des|para|pour)[\W_]+")
_NOT_WORDS = re.compile(r"[\W_]+")
_VACANT = {
    "leerstand", "leer", "leerstehend", "unvermietet", "unbewohnt", "frei", "vacant", "vacantunit", "empty", "none",
    "unoccupied", "na", "libre", "vacio", "vacia", "vacante", "desocupado", "desocupada", "inoccupe", "inoccupee",
    "vide", "vacance",
}  # fmt: skip


class SumRow(NamedTuple):
    """A row that adds up others, and is passed over."""

    line: int
    name: str


def without(sheet: Sheet, sums: Collection[SumRow]) -> Sheet:
    """A sheet without its rows of sums."""
    lines = {one.line for one in sums}
    return sheet._replace(rows=tuple(row for row in sheet.rows if row[0] not in lines)) if lines else sheet


def is_sum(cell: Cell) -> bool:
    """Whether a cell says that its row adds up others, and nothing else.

    >>> [is_sum(text) for text in ("SUMME:", "Sub-total", "Total général", "Subtotal Maple Court", 12)]
    [True, True, True, False, False]
    """
    return isinstance(cell, str) and _WHOLE.fullmatch(folded(cell)) is not None


def is_sum_of(cell: Cell, names: AbstractSet[str]) -> bool:
    """Whether a cell is a word for a sum, followed by nothing or by one of these names, as `folded_name` has them.

    >>> names = {folded_name("Maple Court")}
    >>> [is_sum_of(text, names) for text in ("Sum", "Subtotal MAPLE COURT:", "Total for Maple Court", "Total Plaza")]
    [True, True, True, False]
    """
    if not isinstance(cell, str) or not begins_as_sum(cell):
        return False
    rest = _WHOLE.sub("", folded(cell), count=1)
    return is_sum(cell) or not names.isdisjoint({folded_name(rest), folded_name(_OF.sub("", rest, count=1))})


def folded_name(name: str) -> str:
    """A name by its letters and digits alone."""
    return _NOT_WORDS.sub("", folded(name))


def begins_as_sum(cell: Cell) -> bool:
    """Whether a cell begins with a word for a sum, be it followed by what is added up.

    >>> [begins_as_sum(text) for text in ("Summe Haus 3", "Sub-total", "Summer Lane 3", "Gesamtschule")]
    [True, True, False, False]
    """
    return isinstance(cell, str) and _BEGINS.match(folded(cell)) is not None


def says_vacant(cell: Cell) -> bool:
    """Whether a cell says that nobody lives there.

    >>> [says_vacant(text) for text in ("LEERSTAND", "n/a", "Vacío", "- vacant unit -", "Ann Leer", "")]
    [True, True, True, True, False, False]
    """
    return isinstance(cell, str) and folded_name(cell) in _VACANT
