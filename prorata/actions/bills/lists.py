"""The list of bills: filtering, searching, sorting and paging."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.bills import bills as bill_actions
from prorata.actions.limits import LONGEST_SEARCH, MOST_BILLS_COUNTED, MOST_BILLS_COUNTED_WALKING, MOST_ISSUER_PAIRS
from prorata.actions.lists import searches
from prorata.actions.lists.page_cursors import FIRST, Leaf, mark_of, place_of, reach_of
from prorata.domain.limits import MOST_SEARCHED_WORDS
from prorata.domain.search_terms import Word, begins_in, order_of, parts_of, words_of
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, searches as bill_searches
from prorata.store.bills.bills import BillSummary
from prorata.store.bills.orders import BY_PROPERTY, DATE, SORTS
from prorata.store.bills.searches import AMOUNT, FILTERS, GATHERED, MONTH, TEXT, Filters, Sought
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Order, Place
from prorata.store.database.statements import Asked
from prorata.store.properties import search_words

__all__ = ["BY_PROPERTY", "DATE", "FILTERS", "SORTS", "BillList", "Wish", "asking", "page"]

FEW = 5_000
"""The most matching bills that are loaded and sorted.

If more match, the search reads the list in its order until the page is full.
"""
_ALL = 1_000_000_000
"""A limit larger than any account's number of bills."""


class Wish(NamedTuple):
    """The filters, search text and order with which a person requests a list of bills.

    `filters` are keyed by name, such as `property`, `month`, `status`, or `amount` in cents. The filters `waiting` and
    `guessed` select late bills and bills split by guess, whatever their value. A month or an amount in `text` becomes
    a filter, too, unless some bill's number begins with the whole text.
    """

    filters: Filters
    text: str | None = None
    sort: str = DATE
    reverse: bool = False


class BillList(NamedTuple):
    """One page of bills, and the number of matches.

    If `is_more` is set, there are more matches than `total`; the dashboard then shows a number such as "500+".
    `has_more` is set if another page follows. `first` and `last` are cursors of the page's first and last bill,
    for requesting the pages before and after.
    """

    rows: list[BillSummary]
    total: int
    is_more: bool = False
    has_more: bool = False
    first: str = ""
    last: str = ""


class _Way(NamedTuple):
    """The plan by which a search finds the matching bills.

    If one filter matches few bills, `by` is that filter, and the search checks only these bills. If `by` is None,
    the search reads the list in its order. `total` is the number of matches, or a lower bound if `is_more` is set.
    """

    sought: Sought | None
    by: str | None
    total: int
    is_more: bool = False


def page(
    tx: Tx, caller: Caller, wish: Wish, *, limit: int, leaf: Leaf = FIRST, counts_all: bool = False
) -> BillList:  # fmt: skip
    """List one page of the caller's bills; `tx` must show one state of the database.

    A page requested by a cursor (`first` or `last` of another page) takes the same time wherever in the list it
    starts. If `counts_all` is true, all matches are counted, which takes longer the more there are. Raises
    everything that `asking` raises, and `InvalidRequest` for a cursor that does not fit the order.
    """
    _check(wish)
    wish = _read(tx, caller, wish)
    if not wish.filters and not (wish.text and wish.text.strip()) and wish.sort == DATE and not wish.reverse:
        rows, total = bill_actions.page(tx, caller, limit=limit, offset=leaf.offset)
        return BillList(rows, total, has_more=leaf.offset + len(rows) < total)
    way = _counted(tx, caller, wish, counts_all=counts_all)
    is_behind_all = way.total == 0 or (counts_all and leaf.offset >= way.total)
    ids, has_more = ([], False) if is_behind_all else _of_leaf(tx, caller, wish, way, leaf, limit)
    rows = bills.summaries(tx, caller.account_id, ids)
    first, last = (_mark_of(wish.sort, rows[at]) if rows else "" for at in (0, -1))
    return BillList(rows, way.total, way.is_more, has_more, first, last)


def _of_leaf(tx: Tx, caller: Caller, wish: Wish, way: _Way, leaf: Leaf, limit: int) -> tuple[list[str], bool]:
    """Return the ids of the bills on a page, and True if more bills follow."""
    if leaf.before:
        back = Order(SORTS[wish.sort], reverse=not wish.reverse, limit=limit)
        return _behind(tx, caller, wish, way, back, place_of(SORTS[wish.sort], leaf.before))[::-1], True
    if leaf.after:
        order = Order(SORTS[wish.sort], reverse=wish.reverse, limit=limit + 1)
        ids = _behind(tx, caller, wish, way, order, place_of(SORTS[wish.sort], leaf.after))
        return ids[:limit], len(ids) > limit
    end = leaf.offset + limit
    asked = _first(caller, wish, way, Order(SORTS[wish.sort], reverse=wish.reverse, limit=reach_of(end)))
    ids = tx.all(asked.statement, **asked.values)
    return ids[leaf.offset : end], len(ids) > end


def _first(caller: Caller, wish: Wish, way: _Way, order: Order) -> Asked[str]:
    if way.by is None:
        return bill_searches.first_walked(caller.account_id, wish.filters, way.sought, order)
    return bill_searches.first_gathered(caller.account_id, way.by, wish.filters, way.sought, order)


def _behind(tx: Tx, caller: Caller, wish: Wish, way: _Way, order: Order, place: Place) -> list[str]:
    """Return the ids of the first `order.limit` matches after `place`, in the given order."""
    if way.by is None:
        return bill_searches.walked_behind(tx, caller.account_id, wish.filters, way.sought, order, place)
    asked = bill_searches.first_gathered(caller.account_id, way.by, wish.filters, way.sought, order, place)
    return tx.all(asked.statement, **asked.values)


def _mark_of(sort: str, row: BillSummary) -> str:
    made = {"name_key": order_of(row.property_name), "first_month": row.billing_month}
    return mark_of(SORTS[sort], row._asdict() | made)


def asking(tx: Tx, caller: Caller, wish: Wish, *, most: int) -> Asked[str]:
    """Build the query for the ids of at most `most` matching bills, in order.

    Raises `InvalidRequest` for an unknown order or filter.
    """
    _check(wish)
    wish = _read(tx, caller, wish)
    way = _way(tx, caller, wish)
    return _first(caller, wish, way, Order(SORTS[wish.sort], reverse=wish.reverse, limit=most))


def _check(wish: Wish) -> None:
    if wish.sort not in SORTS:
        raise InvalidRequest(f"sort must be one of {', '.join(SORTS)}.")
    if not wish.filters.keys() <= set(FILTERS) - {TEXT}:
        raise InvalidRequest(
            say("Bills can be filtered only by {names}.", names=", ".join(name for name in FILTERS if name != TEXT))
        )


def _read(tx: Tx, caller: Caller, wish: Wish) -> Wish:
    """Move a month or an amount from the request's search text to its filters."""
    typed = (wish.text or "").strip()[:LONGEST_SEARCH]
    words, month, amount = searches.read(typed)
    if (month is None and amount is None) or (month and wish.filters.get(MONTH, month) != month):
        return wish
    of_number = Sought(beginnings=_beginnings(typed))
    if bill_searches.size(tx, caller.account_id, TEXT, {}, of_number, most=1):
        return wish
    named = {name: value for name, value in ((MONTH, month), (AMOUNT, amount)) if value is not None}
    rest = " ".join(part for word in words for part in word.parts or (word.whole,))
    return wish._replace(filters={**wish.filters, **named}, text=rest or None)


def _way(tx: Tx, caller: Caller, wish: Wish) -> _Way:
    """Choose the plan by which the search finds the matching bills.

    The result's `total` is the number of bills that match the filter by which they are found. If no filter matches
    few enough bills, it is the number for the last filter that was tried. Some bills may be counted twice.
    """
    search = sought(tx, caller, wish.text) if wish.text and wish.text.strip() else None
    named = [by for by in GATHERED if by in wish.filters or (by == TEXT and search is not None)]
    most, number = (MOST_BILLS_COUNTED if len(named) == 1 else FEW), 0
    for by in named:
        number = bill_searches.size(tx, caller.account_id, by, wish.filters, search, most=most + 1)
        if number <= FEW:
            return _Way(search, by, number)
    return _Way(search, None, number, is_more=number > most)


def _counted(tx: Tx, caller: Caller, wish: Wish, *, counts_all: bool) -> _Way:
    """Choose the plan by which the search finds the matching bills, and count the matches.

    If `counts_all` is true, every match is counted; otherwise counting may stop early (`is_more`).
    """
    way, account_id = _way(tx, caller, wish), caller.account_id
    named = [*wish.filters, *([TEXT] if way.sought is not None else [])]
    if not named:
        return way._replace(total=account_actions.the_account(tx, caller).bill_count)
    if way.by is not None or (len(named) == 1 and named[0] in GATHERED and (counts_all or not way.is_more)):
        by = way.by or named[0]
        total = bill_searches.number_gathered(tx, account_id, by, wish.filters, way.sought)
        return way._replace(total=total, is_more=False)
    most = _ALL if counts_all else MOST_BILLS_COUNTED_WALKING
    number = bill_searches.number_walked(tx, account_id, wish.filters, way.sought, most=most + 1)
    return way._replace(total=min(number, most), is_more=number > most)


def sought(tx: Tx, caller: Caller, text: str) -> Sought:
    """Find the properties, issuers and bill numbers that match a search text.

    A bill matches if each word of the text is the beginning of a word of the bill's property, address or issuer,
    or if the complete text is the beginning of the bill's number or account number.
    """
    typed, words, its_issuers = _words_and_issuers(tx, caller, text)
    if not words:
        return Sought()
    kinds = [search_words.PROPERTY, search_words.ADDRESS]
    its_properties = [searches.match(tx, caller, (Word(word),), kinds).properties for word in words]
    return Sought(
        sorted(frozenset.intersection(*its_properties)),
        sorted(set.intersection(*its_issuers)),
        _beginnings(typed),
        list(islice(_both(its_properties, its_issuers), MOST_ISSUER_PAIRS)),
    )


def sought_by_issuer(tx: Tx, caller: Caller, text: str) -> Sought:
    """Find the issuers and bill numbers that match a search text, ignoring properties."""
    typed, words, its_issuers = _words_and_issuers(tx, caller, text)
    return Sought((), sorted(set.intersection(*its_issuers)), _beginnings(typed)) if words else Sought()


def _words_and_issuers(tx: Tx, caller: Caller, text: str) -> tuple[str, list[str], list[set[str]]]:
    """Normalize a search text; return its words, and the issuers that match each word."""
    typed = text.strip()[:LONGEST_SEARCH]
    words = sorted(parts_of(typed))[:MOST_SEARCHED_WORDS]
    named = [(name, words_of(name)) for name in (bill_searches.issuers(tx, caller.account_id) if words else ())]
    return typed, words, [{name for name, its in named if begins_in(its, word)} for word in words]


def _both(its_properties: Sequence[frozenset[str]], its_issuers: Sequence[set[str]]) -> Iterator[str]:
    """Yield pairs of a property that matches some words and an issuer matching the others."""
    every = range(len(its_properties))
    for of_property in chain.from_iterable(combinations(every, number) for number in every if number):
        there = frozenset.intersection(*(its_properties[at] for at in of_property))
        issuers = set.intersection(*(its_issuers[at] for at in every if at not in of_property))
        yield from (
            bill_searches.of_both(property_id, issuer) for property_id in sorted(there) for issuer in sorted(issuers)
        )


def _beginnings(typed: str) -> tuple[str, str, str]:
    return typed, typed.upper(), typed.lower()
