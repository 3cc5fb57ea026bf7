"""Bills with all that belongs to them: lines and flags, read for many bills at once."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.bills import bills as bill_actions, lists as bill_lists
from prorata.actions.bills.lists import Wish
from prorata.actions.delivery import tenant_visible_bills
from prorata.actions.lists.page_cursors import Leaf
from prorata.domain.groups import grouped
from prorata.store.audit.audit import Caller
from prorata.store.bills import flags, searches
from prorata.store.bills.bills import BillRow, BillSummary, LineRow
from prorata.store.bills.flags import FlagRow
from prorata.store.database.engine import Tx


class WholeBill(NamedTuple):
    """A bill with its lines, held or not, and its flags, those that are open first."""

    summary: BillSummary
    row: BillRow
    lines: Sequence[LineRow]
    flags: Sequence[FlagRow]
    tenants_see_it: bool | None
    """Whether tenants may see its file; None where they are shown none of the account's, or it has none of its own."""


def page(tx: Tx, caller: Caller, wish: Wish, *, limit: int, offset: int) -> tuple[list[WholeBill], int]:
    """One page of the caller's bills as they are looked for, and how many there are. Raises as `bill_lists.page`."""
    found = bill_lists.page(tx, caller, wish, limit=limit, leaf=Leaf(offset), counts_all=True)
    return _whole(tx, caller, found.rows), found.total


def find(tx: Tx, caller: Caller, bill_id: str) -> WholeBill:
    """A bill. Raises `NotFound` (UTILITY_BILL_NOT_FOUND)."""
    (found,) = _whole(tx, caller, [bill_actions.find(tx, caller, bill_id)])
    return found


def _whole(tx: Tx, caller: Caller, summaries: Sequence[BillSummary]) -> list[WholeBill]:
    ids = [one.id for one in summaries]
    if not ids:
        return []
    rows = {row.id: (row, lines) for row, lines in searches.with_lines(tx, caller.account_id, ids)}
    seen = tenant_visible_bills.of_bills(tx, caller, ids)
    by_bill = grouped((row.bill_id, row) for row in flags.of_bills(tx, caller.account_id, ids))
    assert rows.keys() == set(ids), "bills are read in one state of the database"
    found = []
    for one in summaries:
        its_flags = sorted(by_bill.get(one.id, ()), key=lambda row: (row.accepted_at or "", row.number))
        found.append(WholeBill(one, *rows[one.id], its_flags, seen[one.id].is_shown if one.id in seen else None))
    return found
