"""Cursors in the addresses of the pages of a long list.

A cursor contains a row's values in the columns by which the list is sorted. A page that begins after a cursor
stays the same even if the cursor's row is changed or deleted.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from prorata.actions.limits import LARGEST_CURSOR_AMOUNT
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.database.list_steps import Groups, Place, columns_of

_AMOUNTS = ("total", "billed")


class Leaf(NamedTuple):
    """The choice of which page of a list to show.

    If `after` is given, the page begins after that cursor's row; if `before` is given, it ends before that
    cursor's row. `first` and `last` are the cursors of the shown page's own ends. If no cursor is given, the page
    begins after `offset` rows, which costs more the larger the offset is.
    """

    offset: int = 0
    after: str = ""
    before: str = ""


FIRST = Leaf()
_REACHES = (100, 500, 5_000, 50_000, 500_000)
"""The numbers of rows that may be read to reach a page requested by number.

For a page beyond the last of them, only as many rows as needed are read.
"""


def reach_of(end: int) -> int:
    """Return the number of rows to load for a page that ends with row `end`.

    The number is larger than `end`, so that the rows show if another page follows.
    """
    return next((reach for reach in _REACHES if reach > end), end + 1)


def written(place: Sequence[str | int | None]) -> str:
    """Encode a row's position in a sorted list as a cursor for page addresses."""
    return urlsafe_b64encode(json.dumps(place, ensure_ascii=False).encode()).decode().rstrip("=")


def values_of(mark: str, columns: Sequence[str], may_lack: Sequence[str] = ()) -> list[Any]:
    """Decode a cursor into column values; only columns in `may_lack` may have None.

    Raises `InvalidRequest` for a cursor that does not fit these columns.
    """
    place = _read(mark)
    if not isinstance(place, list) or len(place) != len(columns):
        raise _unreadable()
    for name, value in zip(columns, place, strict=True):
        if not _is_value(name, value) and not (value is None and name in may_lack):
            raise _unreadable()
    return place


def texts_of(mark: str, number: int) -> list[str]:
    """Decode a cursor that consists of this many strings.

    Raises `InvalidRequest` for a cursor with other contents.
    """
    return values_of(mark, [""] * number)


def mark_of(groups: Groups, values: Mapping[str, Any]) -> str:
    """Encode a row's position in a sorted list as a cursor, from its column values."""
    return written([values[name] for name in columns_of(groups)])


def place_of(groups: Groups, mark: str) -> Place:
    """Decode a cursor into a position in a list sorted in this order.

    Raises `InvalidRequest` for a cursor that does not fit this order.
    """
    may_lack = [str(group.columns[0].key) for group in groups if group.may_lack]
    return tuple(values_of(mark, columns_of(groups), may_lack))


def _read(mark: str) -> Any:
    try:
        return json.loads(urlsafe_b64decode(mark + "=" * (-len(mark) % 4)))
    except (ValueError, RecursionError):
        return None


def _unreadable() -> InvalidRequest:
    return InvalidRequest(say("This page’s address isn’t valid. Start from the first page of the list."))


def _is_value(name: str, value: object) -> bool:
    if name in _AMOUNTS:
        return type(value) is int and abs(value) <= LARGEST_CURSOR_AMOUNT
    return isinstance(value, str) and "\0" not in value and value == value.encode(errors="replace").decode()
