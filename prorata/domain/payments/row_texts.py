"""The texts of a bank file's cells, and the fingerprints made from them."""

from collections.abc import Sequence
from decimal import Decimal
from hashlib import sha256

from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.search_terms import folded


def said(cell: Cell) -> str:
    """Convert a cell to printable text with single spaces."""
    if cell is None or isinstance(cell, Unclear):
        return ""
    text = f"{cell:f}" if isinstance(cell, Decimal) else str(cell)
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def mark_of_cells(cells: Sequence[Cell]) -> str:
    """Fingerprint a row's cells, whatever the columns mean, ignoring empty cells at the end."""
    texts = [said(cell) for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return mark_of("cells", *texts)


def mark_of(*texts: str) -> str:
    """Compute a fingerprint of texts, ignoring case."""
    return sha256("\x1f".join(folded(text) for text in texts).encode()).hexdigest()
