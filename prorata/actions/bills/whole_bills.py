"""Bills with their lines and flags, loaded for many bills at once."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.bills import bills as bill_actions, lists as bill_lists
from prorata.actions.bills.lists import Wish
from prorata.actions.delivery import tenant_visible_bills
from prorata.actions.lists import walks
from prorata.actions.lists.page_cursors import Leaf, written
from prorata.actions.lists.walks import Listed, Window
from prorata.domain.groups import grouped
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, flags, searches
from prorata.store.bills.bills import BillRow, BillSummary, LineRow
from prorata.store.bills.flags import FlagRow
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Place
from prorata.store.database.walks import Found

_REACHES = (100, 1_000)
"""The limits to which a requested number of bills is rounded up.

They are few, so that the database sees few different SQL statements.
"""


class WholeBill(NamedTuple):
    """A bill with its lines (charged, or held back) and its flags, open ones first."""

    summary: BillSummary
    row: BillRow
    lines: Sequence[LineRow]
    flags: Sequence[FlagRow]
    tenants_see_it: bool | None
    """True if tenants may see the bill's file.

    It is None if the account shows tenants no files, or if the bill has no file of its own.
    """


def page(tx: Tx, caller: Caller, wish: Wish, *, limit: int, offset: int) -> tuple[list[WholeBill], int]:
    """List one page of the matching bills, with the number of matches.

    Raises everything that `bill_lists.page` raises.
    """
    bill_list = bill_lists.page(tx, caller, wish, limit=limit, leaf=Leaf(offset), counts_all=True)
    return _whole(tx, caller, bill_list.rows), bill_list.total


def listed(tx: Tx, caller: Caller, wish: Wish, window: Window) -> Listed[WholeBill]:
    """List the matching bills that a window selects, newest bill date first.

    Raises everything that `bill_lists.page` raises, and `InvalidRequest` for search words in a window of recently
    changed bills (`updatedAfter`).
    """
    text = (wish.text or "").strip()
    if text and window.since is not None:
        raise InvalidRequest.because([Problem("q", "`q` can't be combined with `updatedAfter`.")])

    def behind(place: Place | None, limit: int) -> Found:
        leaf = Leaf(after=written(place)) if place else Leaf()
        bill_list = bill_lists.page(
            tx, caller, wish, limit=next(reach for reach in _REACHES if reach >= limit), leaf=leaf
        )
        rows = bill_list.rows[:limit]
        is_more = bill_list.has_more or len(bill_list.rows) > limit
        return Found([row.id for row in rows], (rows[-1].bill_date, rows[-1].id) if rows and is_more else None)

    return walks.listed(
        tx, caller, searches.BILLS_SOUGHT, {**wish.filters, **({searches.TEXT: text} if text else {})}, window,
        page=lambda: page(tx, caller, wish, limit=window.limit, offset=window.offset),
        found=lambda ids: _whole(tx, caller, bills.summaries(tx, caller.account_id, ids)),
        id_of=lambda whole_bill: whole_bill.summary.id,
        usual=behind if text or wish.filters else None,
    )  # fmt: skip


def find(tx: Tx, caller: Caller, bill_id: str) -> WholeBill:
    """Find a bill of the caller.

    Raises `NotFound` (UTILITY_BILL_NOT_FOUND).
    """
    (whole_bill,) = _whole(tx, caller, [bill_actions.find(tx, caller, bill_id)])
    return whole_bill


def _whole(tx: Tx, caller: Caller, summaries: Sequence[BillSummary]) -> list[WholeBill]:
    ids = [summary.id for summary in summaries]
    if not ids:
        return []
    rows = {row.id: (row, lines) for row, lines in searches.with_lines(tx, caller.account_id, ids)}
    seen = tenant_visible_bills.of_bills(tx, caller, ids)
    by_bill = grouped((row.bill_id, row) for row in flags.of_bills(tx, caller.account_id, ids))
    assert rows.keys() == set(ids), "bills are read in one state of the database"
    whole_bills = []
    for summary in summaries:
        its_flags = sorted(by_bill.get(summary.id, ()), key=lambda row: (row.accepted_at or "", row.number))
        whole_bills.append(
            WholeBill(summary, *rows[summary.id], its_flags, seen[summary.id].is_shown if summary.id in seen else None)
        )
    return whole_bills
