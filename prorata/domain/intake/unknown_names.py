"""The texts of a bills file that name no known property or utility type."""

from collections.abc import Callable, Sequence

from prorata.domain.bills.columns import HowRead
from prorata.domain.files.cell_values import read_types
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.sheets import Sheet
from prorata.domain.labels import same
from prorata.domain.properties.property_names import KnownProperty, PropertyFinder


def unknown_names(sheet: Sheet, properties: Sequence[KnownProperty], how: HowRead) -> dict[str, tuple[str, ...]]:
    """List the cell texts of a file that name no known property or utility type.

    The texts are grouped under `property` and `utilityType`, in the order of the file. A person then states which
    property or utility type each text means, for at most `MOST_UNKNOWN_NAMES` texts of each group at once.
    """
    finder = PropertyFinder(properties)
    readers: dict[str, Callable[[Cell], object]] = {"property": finder.find, "utilityType": read_types}
    unknown: dict[str, tuple[str, ...]] = {}
    for field, reader in readers.items():
        if field in how.fields:
            place, meant = how.fields.index(field), how.words.get(field, {})
            texts: dict[str, str] = {}
            for cell in (cells[place] for _, cells in sheet.rows if place < len(cells)):
                if isinstance(cell, str) and cell.strip():
                    texts.setdefault(same(cell), cell.strip())
            unknown[field] = tuple(text for key, text in texts.items() if key not in meant and not _reads(reader, text))
    return unknown


def _reads(reader: Callable[[Cell], object], text: str) -> bool:
    try:
        reader(text)
    except Unclear:
        return False
    return True
