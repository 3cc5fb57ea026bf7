"""Properties as a person looks for them, and who lives where: by a search text, in an order, a page at a time."""

from collections import Counter
from typing import NamedTuple

from prorata.actions import searches
from prorata.domain.names import natural_order
from prorata.errors import InvalidRequest
from prorata.store import properties, units
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.properties import PropertyRow
from prorata.store.search_words import ADDRESS, PROPERTY

NAME, CREATED, UNITS = "name", "created", "units"
SORTS = (NAME, CREATED, UNITS)


class ListedProperty(NamedTuple):
    """A property and how many units it has, deactivated ones included."""

    row: PropertyRow
    units: int


def page(
    tx: Tx, caller: Caller, *, text: str | None = None, sort: str = NAME, reverse: bool = False, limit: int, offset: int
) -> tuple[list[ListedProperty], int]:
    """One page of the caller's properties, found by name or address, and how many are found. Raises `InvalidRequest`
    for an order that is not known.
    """
    if sort not in SORTS:
        raise InvalidRequest(f"sort must be one of {', '.join(SORTS)}.")
    rows = properties.all_of(tx, caller.account_id)
    if text and text.strip():
        words, _ = searches.read(text)
        found = searches.match(tx, caller, words, [PROPERTY, ADDRESS]).properties
        rows = [row for row in rows if row.id in found]
    numbers = _units_of(tx, caller, [row.id for row in rows]) if sort == UNITS else Counter[str]()
    if sort != CREATED:
        rows.sort(key=lambda row: (numbers[row.id], natural_order(row.name)))
    if reverse:
        rows.reverse()
    shown = rows[offset : offset + limit]
    numbers = numbers or _units_of(tx, caller, [row.id for row in shown])
    return [ListedProperty(row, numbers[row.id]) for row in shown], len(rows)


def _units_of(tx: Tx, caller: Caller, property_ids: list[str]) -> Counter[str]:
    return Counter(row.property_id for row in units.of_properties(tx, caller.account_id, property_ids))
