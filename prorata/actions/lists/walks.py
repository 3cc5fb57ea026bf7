"""The API's lists, read in pages or by cursor, all in the same way."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from prorata.actions.lists import page_cursors
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database import walks
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Place, columns_of
from prorata.store.database.walks import Walked

Row = TypeVar("Row")
START = "start"
"""The cursor of the beginning of a list; an empty cursor means the same."""
_OF_THE_DAY = "today"
_CHARACTERS_OF_A_SEAL = 16
_UNREADABLE = "`after` must be `start`, or the `next` value of a response from this list with the same filters."


class Window(NamedTuple):
    """The request for part of a list: a page, or the records after a cursor.

    By default, the part is a page of `limit` records after the first `offset` records. If `after` is given, it is
    the `limit` records after that cursor. If `since` is given, only records changed at that time or later are
    listed, in the order of their changes.
    """

    limit: int
    offset: int = 0
    after: str | None = None
    since: str | None = None

    @property
    def is_walk(self) -> bool:
        """True if the list is read by cursor instead of in pages."""
        return self.after is not None or self.since is not None


class Listed(NamedTuple, Generic[Row]):
    """A page of a list, or the rows of a list after a cursor.

    For a page, `total` is the number of all records. For rows after a cursor, `next` is the cursor after which the
    list continues; None at the end of the list.
    """

    rows: list[Row]
    total: int | None = None
    next: str | None = None


def listed(
    tx: Tx,
    caller: Caller,
    walked: Walked,
    filters: Mapping[str, Any],
    window: Window,
    *,
    page: Callable[[], tuple[list[Row], int]],
    found: Callable[[list[str]], Sequence[Row]],
    id_of: Callable[[Row], str] = attrgetter("id"),
    usual: Callable[[Place | None, int], walks.Found] | None = None,
) -> Listed[Row]:
    """List a page, or the rows of a list after a cursor, as `window` requests.

    `page` lists the page. For rows after a cursor, `found` loads the rows by their ids, and `usual`, if given,
    finds the ids in the default order; it is called with the cursor's position and a number of rows. Raises
    `InvalidRequest` for a cursor of another list.
    """
    if not window.is_walk:
        return Listed(*page())
    place = _place(walked, caller, filters, window)
    if usual is not None and window.since is None:
        places = usual(place, window.limit)
    else:
        places = _walk(tx, caller, walked, filters, window, place)
    rows = {id_of(row): row for row in found(places.ids)} if places.ids else {}
    following = None if places.last is None else _cursor(walked, caller, filters, window, places.last)
    return Listed([rows[row_id] for row_id in places.ids if row_id in rows], None, following)


def _walk(
    tx: Tx, caller: Caller, walked: Walked, filters: Mapping[str, Any], window: Window, place: Place | None
) -> walks.Found:
    if window.since is None:
        return walks.find(tx, walked, caller.account_id, filters, place=place, limit=window.limit)
    begin = (window.since, *[""] * walked.key)
    return walks.find_changed(tx, walked, caller.account_id, filters, place=place or begin, limit=window.limit)


def _place(walked: Walked, caller: Caller, filters: Mapping[str, Any], window: Window) -> Place | None:
    """Return the position after which a list continues; None for the list's beginning."""
    if window.after in (None, "", START):
        return None
    order = walked.order if window.since is None else walked.by_change
    try:
        seal, *place = page_cursors.texts_of(window.after, 1 + len(columns_of(order)))
    except InvalidRequest:
        place, seal = [], ""
    if not place or seal != _seal(walked, caller, filters, window, place):
        raise InvalidRequest.because([Problem("after", _UNREADABLE)])
    return tuple(place)


def _cursor(walked: Walked, caller: Caller, filters: Mapping[str, Any], window: Window, place: Place) -> str:
    return page_cursors.written([_seal(walked, caller, filters, window, place), *place])


def _seal(walked: Walked, caller: Caller, filters: Mapping[str, Any], window: Window, place: Sequence[Any]) -> str:
    """Compute the seal of a cursor.

    A cursor's seal fits only the list, account and filters that the cursor was made for, and shows if the cursor
    was truncated. It is not a security measure: with a forged cursor, the same list continues from another
    position.
    """
    narrowed = {name: value for name, value in filters.items() if name != _OF_THE_DAY}
    is_of_the_day = _OF_THE_DAY in filters
    facts = [walked.name, caller.account_id, sorted(narrowed.items()), is_of_the_day, window.since, list(place)]
    return sha256(json.dumps(facts).encode()).hexdigest()[:_CHARACTERS_OF_A_SEAL]
