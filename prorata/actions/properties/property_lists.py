"""The list of properties: searching by beginnings of words, sorting and paging."""

from typing import Literal, NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.lists import searches
from prorata.domain.search_terms import order_of
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyCounts, PropertyKey, PropertyRow
from prorata.store.properties.search_words import ADDRESS, PROPERTY

Sort = Literal["name", "-name", "city", "-city", "added", "-added"]
"""The orders of a list of properties; a dash means descending.

Names are in natural order, 2 before 10, regardless of case, accents and apostrophes.
"""


class ListedProperty(NamedTuple):
    """A listed property, with the numbers of active units and of invoices by status."""

    row: PropertyRow
    counts: PropertyCounts


class FoundProperties(NamedTuple):
    """One page of matching properties; `total` counts the matches, `of_all` all properties."""

    rows: list[ListedProperty]
    total: int
    of_all: int


def page(tx: Tx, caller: Caller, wanted: str = "", *, sort: Sort = "name", limit: int, offset: int) -> FoundProperties:
    """List one page of the account's properties.

    Each word of `wanted` is the beginning of a word of the name, address or short form (the code in invoice numbers).
    Case and accents make no difference.
    """
    account = accounts.the_account(tx, caller)
    keys = properties.keys(tx, account.id)
    if wanted.strip():
        property_ids = searches.match(tx, caller, searches.read(wanted).words, [PROPERTY, ADDRESS]).properties
        keys = [key for key in keys if key.id in property_ids]
    ids = [key.id for key in _in_order(keys, sort)[offset : offset + limit]]
    rows = {row.id: row for row in properties.find_many(tx, account.id, ids)}
    today = accounts.today_in(account, tx).isoformat()
    counts = {count.property_id: count for count in properties.counts(tx, account.id, ids, today)}
    listed = [ListedProperty(rows[property_id], counts[property_id]) for property_id in ids]
    return FoundProperties(listed, len(keys), account.property_count)


def _in_order(keys: list[PropertyKey], sort: Sort) -> list[PropertyKey]:
    """Sort properties as requested; without a known order, keep their order of creation."""
    by = sort.removeprefix("-")
    if by == "name":
        keys = sorted(keys, key=lambda key: order_of(key.name))
    elif by == "city":
        keys = sorted(keys, key=lambda key: (order_of(key.city), order_of(key.name)))
    return keys[::-1] if sort.startswith("-") else keys
