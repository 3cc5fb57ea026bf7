"""Words that table cells use instead of names: for sum rows and for vacant units."""

import re
from collections.abc import Iterable, Sequence, Set as AbstractSet
from typing import NamedTuple

from prorata.domain.files.cells import Cell
from prorata.domain.search_terms import folded

_OF_PARTS = r"(?:(?:sub|grand|sous|zwischen|gesamt|end)[\W_]*)?"
_SUM = rf"{_OF_PARTS}(?:totals?|totale|totaux|sums?|summe|suma|somme)|gesamt|insgesamt"
_BEGINS = re.compile(rf"[\W_]*(?:{_SUM})(?![^\W_])")
_WHOLE = re.compile(rf"[\W_]*(?:(?:{_SUM}|general)(?![^\W_])[\W_]*)+")
"""The words for sums in the languages of accounts, as `folded` writes them."""
_UNITS = (
    r"(?:units?|apartments?|apts?|flats?|(?:wohn|miet|nutz)?einheit(?:en)?|wohnung(?:en)?|whg|whgen|we|viviendas?|unidad(?:es)?|"
    r"pisos?|logements?|appartements?|lots?)"
)
_HOW_MANY = re.compile(
    rf"(?:[\W_]*+(?:(?:of|de|von)[\W_]*+)?[0-9](?:[.,']?[0-9])*+(?!\.)[\W_]*+{_UNITS}|[\W_]*+{_UNITS}[\W_]*+[0-9]++)[\W_]*+$"
)
"""A pattern for the number of units in a total row.

Examples are "25 units" and "(25 WE)". It does not match "2. Whg.", the name of a unit.
"""
_UNITS_OR_NUMBER = re.compile(rf"[\W_]*(?:{_UNITS}[\W_]*)?(?:[0-9][0-9.,']*[\W_]*)?")
_OF = re.compile(r"(?:for|of|fur|von|vom|de|del|du|des|para|pour)[\W_]+")
_NOT_WORDS = re.compile(r"[\W_]+")
_VACANT = (
    "vacant|vacancy|unoccupied|unrented|unlet|leerstand|leerstehend|unvermietet|unbewohnt|nicht vermietet|vacio|vacia|"
    "vacante|desocupad[oa]|inoccupee?|vacance|non loue|sans locataire|sin inquilino|no tenant|kein mieter|not rented|"
    "for rent|to let|zu vermieten|a louer|en alquiler"
)
"""Words for vacancy that are never a name, whatever follows them."""
_MAY_BE_A_NAME = "leer|frei|empty|none|na|libre|vide|available"
"""Words for vacancy that may also be a name or a part of a name.

Such a word counts only alone, or before a bracket or words such as "since".
"""
_NOW = r"(?:(?:currently|now|derzeit|aktuell|zurzeit|z[\W_]*zt|actuellement|actualmente)[\W_]+)?"
_OF_A_UNIT = rf"(?:{_UNITS}[\W_]+)?"
_SINCE = r"[\W_]+(?:ab|seit|bis|since|from|until|as of|till|desde|hasta|depuis|jusqu|a partir)(?![^\W_])"
_MORE = rf"[\W_]+(?:{_UNITS}|{_VACANT}|(?:(?:not|make|rent)[\W_]+)?ready|rented|leased)(?![^\W_])"
_PLAINLY = rf"(?:{_VACANT})(?:$|[\W_]*[^\w\s]|{_SINCE}|{_MORE})"
_PERHAPS = rf"(?:{_MAY_BE_A_NAME})(?:[\W_]*$|[\W_]*[(\[]|{_SINCE}|[\W_]+{_UNITS}[\W_]*$)"
_VACANCY = re.compile(rf"[\W_]*{_NOW}{_OF_A_UNIT}(?:{_PLAINLY}|{_PERHAPS})")


class SumRow(NamedTuple):
    """A row that adds up other rows.

    Such a row is not imported.
    """

    line: int
    name: str


def is_sum(cell: Cell) -> bool:
    """True if a cell contains only a word for a sum or a unit count.

    A unit count is a number of units, such as "25 units". Both kinds of cells occur in sum rows.

    >>> [is_sum(text) for text in ("SUMME:", "Sub-total", "Total général", "Subtotal Maple Court", 12)]
    [True, True, True, False, False]
    >>> [is_sum(text) for text in ("25 units", "Total: 25", "Summe 25 Einheiten", "Total (25 units)", "Unit 25", "25")]
    [True, True, True, True, False, False]
    >>> [is_sum(text) for text in ("6 Whg.", "Gesamt (6 Whg.)", "1.200 Mieteinheiten", "Whg. 6", "2. Whg.")]
    [True, True, True, False, False]
    """
    if not isinstance(cell, str):
        return False
    text = folded(cell).strip()
    if _BEGINS.match(text) is None:
        return _says_how_many(text)
    return _UNITS_OR_NUMBER.fullmatch(_WHOLE.sub("", _HOW_MANY.sub("", text), count=1)) is not None


def _says_how_many(text: str) -> bool:
    """True if the text is a number of units, such as "25 units".

    "Unit 25" does not count, because it is the name of a unit.
    """
    return (text[:1].isdigit() or ":" in text) and _HOW_MANY.fullmatch(text) is not None


def is_sum_of(cell: Cell, names: AbstractSet[str]) -> bool:
    """True if a cell is a word for a sum, possibly with one of `names`.

    >>> names = {folded_name("Maple Court")}
    >>> [is_sum_of(text, names) for text in ("Sum", "Subtotal MAPLE COURT:", "Total for Maple Court", "Total Plaza")]
    [True, True, True, False]
    >>> is_sum_of("Total Maple Court (25 units)", names)
    True
    """
    if not isinstance(cell, str) or not begins_as_sum(cell):
        return False
    rest = _WHOLE.sub("", _HOW_MANY.sub("", folded(cell)), count=1)
    return is_sum(cell) or not names.isdisjoint({folded_name(rest), folded_name(_OF.sub("", rest, count=1))})


def folded_name(name: str) -> str:
    """Reduce a name to its letters and digits, for comparison with other names."""
    return _NOT_WORDS.sub("", folded(name))


def begins_as_sum(cell: Cell) -> bool:
    """True if a cell begins with a word for a sum, or counts units.

    >>> [begins_as_sum(text) for text in ("Summe Haus 3", "Sub-total", "Summer Lane 3", "Gesamtschule", "25 units")]
    [True, True, False, False, True]
    """
    if not isinstance(cell, str):
        return False
    text = folded(cell).strip()
    return _BEGINS.match(text) is not None or _says_how_many(text)


def sum_name(cells: Iterable[Cell]) -> str:
    """Return the name of a sum row, or "".

    The name is the first cell that begins with a word for a sum or is a number of units.

    >>> [sum_name(cells) for cells in ((None, "20 units", "Total Mill House "), ("Maple Court", "25 units"), ("1A",))]
    ['Total Mill House', '25 units', '']
    """
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and begins_as_sum(cell)]
    return next((text for text in texts if _BEGINS.match(folded(text))), next(iter(texts), ""))


def is_sum_without(cells: Sequence[Cell], place: int) -> bool:
    """True if a row is a sum row without a date or month.

    The cell at position `place` is the one for a day or month. The row is a sum row if this cell begins with a word
    for a sum. If this cell is empty, the row's first text must begin with such a word.

    >>> rows = ("Total", None, "9"), ("", "Total", "9"), ("Total Energies", "3/4/2026", "9")
    >>> [is_sum_without(row, 1) for row in rows]
    [True, True, False]
    """
    first = next((cell for cell in cells if cell is not None and str(cell).strip()), None)
    its_cell = cells[place] if place < len(cells) else None
    return begins_as_sum(its_cell) or (begins_as_sum(first) and (its_cell is None or not str(its_cell).strip()))


def is_dash(cell: Cell) -> bool:
    """True if a cell contains only a dash, which means "nothing"."""
    return isinstance(cell, str) and bool(cell.strip()) and not cell.strip().strip("-–—‐‑−")


def says_vacant(cell: Cell) -> bool:
    """True if a cell states that a unit is vacant, possibly with details.

    >>> [says_vacant(text) for text in ("LEERSTAND", "n/a", "Vacío", "- vacant unit -", "—", "Ann Leer", "")]
    [True, True, True, True, True, False, False]
    >>> [says_vacant(text) for text in ("VACANT - ready", "vacant (renovation)", "Leerstand ab 1.5.", "frei ab 1.5.")]
    [True, True, True, True]
    >>> [says_vacant(text) for text in ("Frei, Anna", "Vacante Lopez", "Libre Mueller")]
    [False, False, False]
    """
    return is_dash(cell) or (isinstance(cell, str) and _VACANCY.match(_plain(cell)) is not None)


def _plain(text: str) -> str:
    """Normalize text in order to find words for vacancy in it.

    For example, `n/a` becomes one word.

    >>> _plain(" N/A "), _plain("n.a.")
    ('na', 'na')
    """
    words = folded(text).strip()
    return "na" if folded_name(words) == "na" else words
