"""Finding the account's property that a cell of a table names."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from prorata.domain.files.cell_values import read_text
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.limits import LONGEST_PROPERTY_CELL, MOST_PROPERTY_CANDIDATES
from prorata.domain.problems import shown
from prorata.domain.texts import say

_NOT_WORDS = re.compile(r"[\W_]+")


class KnownProperty(NamedTuple):
    """A property that a cell may name; `address` is the address in one line."""

    id: str
    name: str
    address: str
    country: str
    currency: str


class PropertyFinder:
    """A finder of the property that a cell of a table names.

    Each distinct name is looked up only once.
    """

    def __init__(self, properties: Sequence[KnownProperty]) -> None:
        self._properties = properties
        self._ids = {each.id: index for index, each in enumerate(properties)}
        self._names: dict[str, set[int]] = defaultdict(set)
        self._names_with_address: dict[str, set[int]] = defaultdict(set)
        for index, each in enumerate(properties):
            self._names[_folded(each.name)].add(index)
            parts = [part for part in each.address.split(",") if part.strip()]
            for count in range(1, len(parts) + 1):
                self._names_with_address[_words(f"{each.name} {' '.join(parts[:count])}")].add(index)
        self._found: dict[str, KnownProperty | Unclear] = {}
        customs = {(each.country, each.currency) for each in properties}
        self.only_customs = customs.pop() if len(customs) == 1 else None

    def find(self, cell: Cell) -> KnownProperty:
        """Find the one property that a cell names.

        The cell may contain the property's id, its name, or its name followed by its address or by the first parts
        of the address. Raises `Unclear` if the cell names no property, or several.
        """
        text = read_text(cell, LONGEST_PROPERTY_CELL) or ""
        if text in self._ids:
            return self._properties[self._ids[text]]
        name = _folded(text)
        its_property = self._found.get(name)
        if its_property is None:
            its_property = self._found[name] = self._search(name)
        if isinstance(its_property, Unclear):
            raise Unclear(str(its_property))
        return its_property

    def likely(self, text: str) -> KnownProperty | None:
        """Find the one property whose name an unknown text contains or abbreviates.

        The result is None if the text fits no property's name, or several.

        >>> maple = KnownProperty("prop_1", "Maple Court", "12 Main Street", "US", "USD")
        >>> finder = PropertyFinder([maple, maple._replace(id="prop_2", name="Elm")])
        >>> [found.name if (found := finder.likely(text)) else "" for text in ("MAPLE", "Elm (Building 3)", "Oak", "M")]
        ['Maple Court', 'Elm', '', '']
        """
        words = set(_words(text).split())
        named = {each.id: set(_words(each.name).split()) for each in self._properties}
        fits = [each for each in self._properties if words and (words <= named[each.id] or named[each.id] <= words)]
        return fits[0] if len(fits) == 1 else None

    def _search(self, name: str) -> KnownProperty | Unclear:
        indexes = self._names.get(name, set()) | self._names_with_address.get(_words(name), set())
        if not indexes:
            return Unclear(
                say("No property has this id, name, or name with address. Enter one of them as Prorata shows it.")
            )
        if len(indexes) == 1:
            return self._properties[next(iter(indexes))]
        candidates = [self._properties[index] for index in sorted(indexes)[:MOST_PROPERTY_CANDIDATES]]
        labels = [f"{shown(each.name)}, {shown(each.address)}" for each in candidates]
        if len(set(labels)) < len(labels):
            labels = [f"{label} ({each.id})" for label, each in zip(labels, candidates, strict=True)]
        more = len(indexes) - len(candidates)
        listed = "; ".join(labels) + (f"; and {more:,} more" if more else "")
        return Unclear(
            say("Several properties match. Enter the name with its address, or the id: {listed}.", listed=listed)
        )


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _words(name: str) -> str:
    """Normalize a name or address: its words without punctuation, ignoring case."""
    return " ".join(_NOT_WORDS.sub(" ", unicodedata.normalize("NFC", name).casefold()).split())
