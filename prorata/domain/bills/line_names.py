"""Names that tenants see for the lines of a bill, such as “Heating” for OTHER."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from prorata.domain.files.cell_values import items_of, read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_currencies import without_currency
from prorata.domain.files.column_names import looked_for, parts_of, utility_named
from prorata.domain.files.column_taxes import without_taxes
from prorata.domain.groups import grouped
from prorata.domain.limits import LONGEST_BILL_COLUMN_NAME, LONGEST_LINE_NAME
from prorata.domain.texts import say

_BEFORE_A_NAME = (
    "amount amounts amt bill charge charges cost costs total due for of betrag kosten rechnung summe fur spalte column "
    "importe coste factura de del columna montant cout facture pour colonne"
)
"""The words that may stand before a name in the header of a column of amounts."""
_OTHER_ITSELF = (
    "other others misc miscellaneous various sundry sonstiges sonstige sonstigekosten andere anderes verschiedenes "
    "diverse diverses otro otros otra otras varios varias autre autres divers"
)
"""The words for the type OTHER, which name no service."""
_OF_COMMON_AREAS = "commonelectricity allgemeinstrom hausstrom betriebsstrom electricidadcomun electricitedescommuns"
"""The words that say more than their utility: a tenant has an electricity contract of their own."""
_FORM = say("Enter the names that tenants see, such as OTHER=Heating;ELECTRICITY=Common areas.")


def as_text(names: Iterable[tuple[str, str]]) -> str | None:
    """Write names by utility type as one string for storage; None for no name.

    >>> as_text([("OTHER", "Heating"), ("ELECTRICITY", "Common areas")])
    'OTHER=Heating;ELECTRICITY=Common areas'
    """
    return ";".join(f"{kind}={name}" for kind, name in names) or None


@lru_cache(maxsize=4_096)
def from_text(text: str | None) -> tuple[tuple[str, str], ...]:
    """Parse names that `as_text` wrote."""
    parts = (item.partition("=") for item in text.split(";")) if text else ()
    return tuple((kind, name) for kind, _, name in parts if name)


def read_name(cell: Cell) -> str | None:
    """Read the name of a line; None if the cell or field is empty.

    Raises `Unclear` if it is too long or has a semicolon, which separates names.
    """
    name = read_text(cell, LONGEST_LINE_NAME)
    if name and ";" in name:
        raise Unclear(say("A name can’t contain a semicolon. Use a comma."))
    return name


def read_names(cell: Cell) -> tuple[tuple[str, str], ...]:
    """Read a bill's names of lines by utility type, in the cell's order.

    Raises `Unclear` if a part is for no utility type, or names one twice.

    >>> read_names("Sonstiges=Heizung; power=Common areas")
    (('OTHER', 'Heizung'), ('ELECTRICITY', 'Common areas'))
    """
    names: dict[str, str] = {}
    for item in items_of(cell):
        word, _, written = item.partition("=")
        kind, name = utility_named(word), read_name(written)
        if not kind or not name or kind in names:
            raise Unclear(_FORM)
        names[kind] = name
    return tuple(names.items())


def own_names(cell: str, types: Iterable[str]) -> Mapping[str, str]:
    """Map utility types to names in a cell that say more than the utility.

    These are names of services billed as OTHER, and of electricity for common areas. A cell whose words Prorata does
    not know names a line only if the bill is for OTHER alone.

    >>> own_names("Heiz- und Gartenkosten", ["OTHER"]), own_names("Wasser/Warmwasser", ["WATER", "OTHER"])
    ({'OTHER': 'Heiz- und Gartenkosten'}, {'OTHER': 'Warmwasser'})
    >>> own_names("Allgemeinstrom", ["ELECTRICITY"]), own_names("Sonstiges", ["OTHER"]), own_names("Strom", ["OTHER"])
    ({'ELECTRICITY': 'Allgemeinstrom'}, {}, {})
    >>> own_names("All utilities", ["WATER", "OTHER"]), own_names("Heating;Water", ["OTHER", "WATER"])
    ({}, {'OTHER': 'Heating'})
    """
    types = list(types)
    found: list[tuple[str, str]] = []
    for text in (" ".join(item.split()) for item in cell.split(";")):
        parts = parts_of(text)
        if types == ["OTHER"] and all(utility_named(part) in ("", "OTHER") for part in parts):
            parts = [text]  # “Heiz- und Gartenkosten” is one service
        for part in parts:
            kind = utility_named(part) or ("OTHER" if types == ["OTHER"] else "")
            if kind in types and _says_more(kind, part):
                found.append((kind, part))
    return _joined(found)


def own_names_in_headers(names: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Map utility types to names in headers of amounts that say more.

    `names` are pairs of a utility type and a header, read as `own_names` reads a cell. Currencies, taxes, and words
    such as "amount" before a name, are left out.

    >>> own_names_in_headers([("OTHER", "Heizkosten (EUR)"), ("OTHER", "Betrag für Lift in €"), ("WATER", "Wasser")])
    {'OTHER': 'Heizkosten, Lift'}
    >>> own_names_in_headers([("OTHER", "Amount 3"), ("ELECTRICITY", "Allgemeinstrom")])
    {'ELECTRICITY': 'Allgemeinstrom'}
    """
    found: list[tuple[str, str]] = []
    for kind, header in names:
        words = without_taxes(header[:LONGEST_BILL_COLUMN_NAME].replace(";", ",")).split()
        while words and looked_for(words[0]) in _BEFORE_A_NAME.split():
            del words[0]
        bare = len(words)
        while words and not without_currency(words[-1]).strip("()[]"):
            del words[-1]
        if len(words) < bare and words[-1:] in (["in"], ["en"]):
            del words[-1]  # “in EUR”
        found.append((kind, own_names(" ".join(words), [kind]).get(kind, "")))
    return _joined(found)


def _joined(names: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Join each utility's names, each once.

    A utility without names is left out, and so is one whose names are too long together.
    """
    joined = {kind: ", ".join(dict.fromkeys(filter(None, its))) for kind, its in grouped(names).items()}
    return {kind: name for kind, name in joined.items() if 0 < len(name) <= LONGEST_LINE_NAME}


def _says_more(kind: str, name: str) -> bool:
    if kind == "OTHER":
        return looked_for(name) not in _OTHER_ITSELF.split() and any(map(str.isalpha, name))
    return looked_for(name) in _OF_COMMON_AREAS.split()
