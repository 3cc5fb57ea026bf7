"""Late bills (their month was closed when they arrived): billing them in an open month.

When a bill is added, `lines.months_for` decides if it waits for a person, or is billed in an open month at once.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.bills import bills as bill_actions, lines as bill_lines
from prorata.actions.limits import MOST_LATE_BILLED
from prorata.domain.billing_calendar import Month, is_in_reach, read_month
from prorata.domain.bills.bills import next_billed
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.texts import Text, say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, searches as bill_searches
from prorata.store.bills.bills import BillSummary, LineRow
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months
from prorata.store.recalculation.billing_months import MonthRow

NEXT_OPEN = "next open"
"""The target of a late bill when no month is given."""
_NOT_WAITING = say("This bill isn’t waiting for an open month: it has already been billed. Nothing was changed.")


class Settled(NamedTuple):
    """A bill that is moved to `month`, or the `problem` that prevents this.

    `lines` are the lines that move to that month, with amounts in cents. These are the waiting lines of a late bill;
    other lines of a spread bill stay in their months.
    """

    bill: BillSummary
    lines: tuple[LineRow, ...]
    month: Month
    problem: Text | str = ""

    @property
    def amount(self) -> int:
        """The amount that moves, in cents."""
        return sum(line.amount for line in self.lines)


def settle(tx: Tx, caller: Caller, bill_id: str, month: str = NEXT_OPEN, write: Forms = PLAIN) -> BillSummary:
    """Bill a late bill in an open month, by default the next one.

    The bill still covers the days of its service period or, if it has none, the days of its original billing
    month.

    Raises `Conflict` if the bill is not waiting, and `InvalidRequest` if `month` is closed or history.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    closed = _closed(months.lock_many(tx, caller.account_id, [locked.id]))[locked.id]
    bill, lines = bill_actions.find(tx, caller, row.id), bill_lines.stored(tx, caller, row.id).lines
    its = _would_settle(bill, lines, locked, closed, month, write)
    if not its.lines:
        raise Conflict(_NOT_WAITING)
    if its.problem:
        raise InvalidRequest.because([Problem("billingMonth", its.problem)])
    _move(tx, caller, its)
    return bill_actions.find(tx, caller, row.id)


def next_open_month(tx: Tx, caller: Caller, bill_id: str) -> Month:
    """Return the month in which `settle` would bill a late bill.

    Raises `NotFound` if there is no such bill.
    """
    bill = bill_actions.find(tx, caller, bill_id)
    of, lines = access.property_(tx, caller, bill.property_id), bill_lines.stored(tx, caller, bill_id).lines
    closed = _closed(months.find_many(tx, caller.account_id, [of.id]))[of.id]
    return _would_settle(bill, lines, of, closed, NEXT_OPEN, PLAIN).month


def would_settle(tx: Tx, caller: Caller, bill_ids: Sequence[str], month: str, write: Forms = PLAIN) -> list[Settled]:
    """List what `settle_many` would do with each bill, sorted by property name and month.

    Bills that are gone are left out. Raises everything that `settle_many` raises.
    """
    ids = sorted(set(bill_ids))
    problems = []
    if not 0 < len(ids) <= MOST_LATE_BILLED:
        problems.append(Problem("chosen", say("Select the bills, at most {most} of them.", most=MOST_LATE_BILLED)))
    if month != NEXT_OPEN and read_month(month) is None:
        problems.append(Problem("into", say("Enter the month as YYYY-MM, such as 2026-03.")))
    if problems:
        raise InvalidRequest.because(problems)
    summaries = bills.summaries(tx, caller.account_id, ids)
    lines = {row.id: its_lines for row, its_lines in bill_searches.with_lines(tx, caller.account_id, ids)}
    of_bills = sorted({summary.property_id for summary in summaries})
    of = {row.id: row for row in properties.find_many(tx, caller.account_id, of_bills)}
    closed = _closed(months.find_many(tx, caller.account_id, of_bills))
    settled = (
        _would_settle(bill, lines.get(bill.id, ()), of[bill.property_id], closed[bill.property_id], month, write)
        for bill in summaries
    )
    return sorted(settled, key=lambda its: (its.bill.property_name, its.bill.property_id, its.month, its.bill.id))


def settle_many(tx: Tx, caller: Caller, bill_ids: Sequence[str], month: str, write: Forms = PLAIN) -> list[Settled]:
    """Bill late bills in `month` or each in its next open month, as `settle` does.

    A bill that can't be billed in the month, or isn't waiting, stays as it is, and the result gives the reason.
    Raises `InvalidRequest` if there is no bill, if there are more than `MOST_LATE_BILLED`, or if `month` is not a
    valid month.
    """
    there = bills.summaries(tx, caller.account_id, sorted(set(bill_ids)))
    locked = properties.lock_many(tx, caller.account_id, sorted({bill.property_id for bill in there}))
    months.lock_many(tx, caller.account_id, [row.id for row in locked])
    settled = would_settle(tx, caller, bill_ids, month, write)
    for its in settled:
        if not its.problem:
            _move(tx, caller, its)
    return settled


def _closed(rows: Iterable[MonthRow]) -> dict[str, set[str]]:
    closed: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.is_closed:
            closed[row.property_id].add(row.month)
    return closed


def _would_settle(
    bill: BillSummary, lines: Sequence[LineRow], of: PropertyRow, closed: set[str], month: str, write: Forms
) -> Settled:
    waits = tuple(line for line in lines if bill.waiting and not line.charged and line.month in closed)
    last = max((line.month for line in waits), default=bill.last_month)
    assert last is not None, "a bill has lines"
    first_open = next_billed(Month(last), closed, of.billing_starts_month)
    if not waits:
        return Settled(bill, (), first_open, _NOT_WAITING)
    if month == NEXT_OPEN:
        return Settled(bill, waits, first_open)
    problem = _problem(month, closed, of, write)
    return Settled(bill, waits, first_open if problem else Month(month), problem)


def _problem(text: str, closed: set[str], of: PropertyRow, write: Forms) -> Text | str:
    month, first = read_month(text), of.billing_starts_month
    if not text:
        return say("Please fill this in.")
    if month is None or not is_in_reach(month):
        return say("Enter the month as YYYY-MM, such as 2026-03.")
    if month in closed:
        return say(
            "Invoices for {month} have already been sent, so this bill would have to wait there too. Choose an open "
            "month.",
            month=write.month(month),
        )
    if first and month < first:
        return say(
            "Billing starts with {month} for this property. Choose that month or a later one.",
            month=write.month(Month(first)),
        )
    return ""


def _move(tx: Tx, caller: Caller, its: Settled) -> None:
    if its.lines[0].days is None:
        bill_actions.move(tx, caller, its.bill.id, its.month, served_in=Month(its.lines[0].month))
    else:
        bill_actions.move_parts(tx, caller, its.bill.id, its.lines, its.month)
