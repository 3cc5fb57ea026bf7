"""Bills as a person looks for them: by filters and a search text, in an order, a page at a time."""

from typing import NamedTuple

from prorata.actions import bills as bill_actions
from prorata.actions import searches
from prorata.domain.searching import Word, begins_in, parts_of, words_of
from prorata.errors import InvalidRequest
from prorata.store import bill_searches, search_words
from prorata.store.audit import Caller
from prorata.store.bill_searches import DATE, FILTERS, ISSUER, SORTS, TEXT, TOTAL, Order, Sought
from prorata.store.bills import BillSummary
from prorata.store.engine import Tx
from prorata.store.statements import Asked

__all__ = ["DATE", "FILTERS", "ISSUER", "SORTS", "TOTAL", "BillList", "Wish", "asking", "ids_of", "page"]

MOST_SHOWN = 500
"""Bills that can be leafed through by filters, by a search, or in another order than the usual one."""
FEW = 5_000
"""So many are gathered and sorted; where more fit, the order is walked."""


class Wish(NamedTuple):
    """What a person asks of the list: `filters` by name (`property`, `month`, `status`; `waiting` and `guessed` ask
    for those that are, whatever their value), words, an order.
    """

    filters: dict[str, str]
    text: str | None = None
    sort: str = DATE
    reverse: bool = False


class BillList(NamedTuple):
    """A page of bills, how many fit in all, and how many of them can be leafed through. Where `is_more`, more than
    `total` fit: a page then says "500+".
    """

    rows: list[BillSummary]
    total: int
    is_more: bool
    shown: int


def page(tx: Tx, caller: Caller, wish: Wish, *, limit: int, offset: int) -> BillList:
    """One page of the caller's bills; `tx` shows one state of the database throughout.

    Without filters and a search and in the usual order every page can be leafed to; else the first `MOST_SHOWN`.
    """
    if not wish.filters and not wish.text and wish.sort == DATE and not wish.reverse:
        rows, total = bill_actions.page(tx, caller, limit=limit, offset=offset)
        return BillList(rows, total, is_more=False, shown=total)
    ids = ids_of(tx, caller, wish, most=MOST_SHOWN + 1)
    shown = min(len(ids), MOST_SHOWN)
    rows = bill_searches.summaries(tx, caller.account_id, ids[:shown][offset : offset + limit])
    return BillList(rows, shown, len(ids) > shown, shown)


def ids_of(tx: Tx, caller: Caller, wish: Wish, *, most: int) -> list[str]:
    """The ids of all bills that fit, in their order, `most` of them at the most. Raises as `asking`."""
    asked = asking(tx, caller, wish, most=most)
    return tx.all(asked.statement, **asked.values)


def asking(tx: Tx, caller: Caller, wish: Wish, *, most: int) -> Asked[str]:
    """What finds the ids of all bills that fit, in their order, `most` of them at the most. Raises `InvalidRequest` for
    an order or a filter that is not known.
    """
    if wish.sort not in SORTS:
        raise InvalidRequest(f"sort must be one of {', '.join(SORTS)}.")
    if not wish.filters.keys() <= set(FILTERS) - {TEXT}:
        raise InvalidRequest(f"Bills are filtered by {', '.join(name for name in FILTERS if name != TEXT)}.")
    order = Order(wish.sort, wish.reverse, most)
    sought = _sought(tx, caller, wish.text) if wish.text and wish.text.strip() else None
    for by in FILTERS:
        if by in wish.filters or (by == TEXT and sought is not None):
            number = bill_searches.size(tx, caller.account_id, by, wish.filters, sought, most=FEW + 1)
            if number <= FEW:
                return bill_searches.first_gathered(caller.account_id, by, wish.filters, sought, order)
    return bill_searches.first_walked(caller.account_id, wish.filters, sought, order)


def _sought(tx: Tx, caller: Caller, text: str) -> Sought:
    """The properties and issuers in which all words of a text begin one, and the text as the beginning of a number."""
    typed = text.strip()[: searches.LONGEST_SEARCH]
    words = sorted(parts_of(typed))
    if not words:
        return Sought()
    matched = searches.match(tx, caller, tuple(map(Word, words)), [search_words.PROPERTY, search_words.ADDRESS])
    named = [(name, words_of(name)) for name in bill_searches.issuers(tx, caller.account_id)]
    issuers = [name for name, its in named if all(begins_in(its, word) for word in words)]
    return Sought(sorted(matched.properties), issuers, (typed, typed.upper(), typed.lower()))
