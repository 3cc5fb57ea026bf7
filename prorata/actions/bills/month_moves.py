"""Moving bills to the months that their properties' billing month rules give (docs/decisions.md#billing-month).

Only bills for which no invoice was sent are moved.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, month_rules
from prorata.actions.bills import lines as bill_lines
from prorata.actions.bills.late_bills import Settled
from prorata.actions.limits import MOST_MOVED_BY_RULE
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import BilledIn, month_by_rule
from prorata.domain.bulk.bulk import fingerprint
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, say
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, month_moves as stored_moves, searches as bill_searches
from prorata.store.bills.bills import BillRow, LineRow
from prorata.store.bills.month_moves import Unchosen
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months

_Stored = Mapping[str, tuple[BillRow, list[LineRow]]]


class Moves(NamedTuple):
    """Bills without sent invoices that the billing month rules would now bill in other months.

    `good` are the bills that can be moved now, and `left` are those that can't. `more` is the number of bills to
    be moved by later calls. `seen` is the fingerprint of the moves in `good`.
    """

    good: tuple[Settled, ...]
    left: tuple[Settled, ...]
    more: int
    seen: str


def would_move(tx: Tx, caller: Caller, property_id: str | None = None, write: Forms = PLAIN) -> Moves:
    """Predict what `move_all` would do with the bills of a property; None means all properties.

    Raises `NotFound` if there is no such property.
    """
    of = [access.property_(tx, caller, property_id)] if property_id else properties.all_of(tx, caller.account_id)
    moves, _ = _would_move(tx, caller, of, write)
    return moves


def count_sent(tx: Tx, caller: Caller, property_id: str | None = None) -> int:
    """Count the bills that are not moved because invoices that charge them were sent.

    Only bills whose month was decided by a billing month rule, not by a person, are counted. `property_id` is None for
    all properties.
    """
    of = [property_id] if property_id else [row.id for row in properties.all_of(tx, caller.account_id)]
    return stored_moves.count_sent(tx, caller.account_id, of)


def move_all(
    tx: Tx, caller: Caller, property_id: str | None = None, *, seen: str | None = None, write: Forms = PLAIN
) -> Moves:
    """Move bills without sent invoices to the months that their billing month rules now give.

    At most `MOST_MOVED_BY_RULE` bills are moved at once. A bill stays in its month if a person chose the month, if
    the month is history, or if the bill was charged on an invoice that was sent. A bill that arrived after its
    month was sent is moved. `seen` is the `Moves.seen` that a person confirmed, or None. Raises `NotFound` if
    there is no such property, and `Conflict` if the moves now differ from the confirmed ones.
    """
    first = would_move(tx, caller, property_id)
    locked = properties.lock_many(tx, caller.account_id, sorted({its.bill.property_id for its in first.good}))
    months.lock_many(tx, caller.account_id, [row.id for row in locked])
    moves, stored = _would_move(tx, caller, locked, write)
    if seen is not None and seen != moves.seen:
        raise Conflict(
            say("The bills to be moved have changed since you confirmed them. Review them and confirm again.")
        )
    if moves.good:
        _move(tx, caller, locked, moves.good, stored)
    return moves._replace(left=first.left)


def _would_move(tx: Tx, caller: Caller, of: Sequence[PropertyRow], write: Forms) -> tuple[Moves, _Stored]:
    found = _elsewhere(tx, caller, of, write)
    now = found[:MOST_MOVED_BY_RULE]
    ids = [its.bill.id for its in now]
    sent = stored_moves.sent_with(tx, caller.account_id, [its.bill for its in now])
    stored = {row.id: (row, lines) for row, lines in bill_searches.with_lines(tx, caller.account_id, ids)}
    summaries = {row.id: row for row in bills.summaries(tx, caller.account_id, ids)}
    settled = [
        Settled(
            summaries[its.bill.id], tuple(stored[its.bill.id][1]), its.month, its.problem or _sent(sent, its.bill.id)
        )
        for its in now
    ]
    settled.sort(key=lambda its: (its.bill.property_name, its.bill.property_id, its.lines[0].month, its.bill.id))
    good = tuple(its for its in settled if not its.problem)
    mark = fingerprint((f"{its.bill.id} {its.month}", its.bill.total) for its in good)
    return Moves(good, tuple(its for its in settled if its.problem), len(found) - len(now), mark), stored


def _sent(numbers: Mapping[str, str], bill_id: str) -> Text | str:
    number = numbers.get(bill_id)
    return say("It is on invoice {number}, which has been sent.", number=number) if number else ""


class _Elsewhere(NamedTuple):
    """A bill that its property's billing month rule now bills in another `month`.

    `problem` is the reason why the bill can't be moved to this month, if there is one.
    """

    bill: Unchosen
    month: Month
    problem: Text | str


def _elsewhere(tx: Tx, caller: Caller, of: Sequence[PropertyRow], write: Forms) -> list[_Elsewhere]:
    """List bills without sent invoices that the billing month rules now bill in other months.

    Bills that can be moved come first, then those that can't; both groups are in order of their present months.
    """
    rules, rows = month_rules.read(tx, caller), {row.id: row for row in of}
    closed, found = _closed(tx, caller, list(rows)), []
    for bill in stored_moves.unchosen(tx, caller.account_id, list(rows)):
        its, sent = rows[bill.property_id], closed[bill.property_id]
        start, end, day = map(date.fromisoformat, (bill.service_start, bill.service_end, bill.bill_date))
        meant = month_by_rule(rules.of(its), start, end, day)
        assert meant is not None, "a bill has a date"
        ((month, *_),) = bill_lines.open_instead([BilledIn(meant)], its, sent if rules.goes_on else set())
        starts = its.billing_starts_month or ""
        if month != bill.first_month >= starts:
            found.append(_Elsewhere(bill, month, _why_left(month, starts, sent, write)))
    return sorted(found, key=lambda its: (bool(its.problem), its.bill.first_month, its.bill.id))


def _why_left(month: Month, starts: str, closed: set[str], write: Forms) -> Text | str:
    if month in closed:
        return say("Invoices for {month} have already been sent.", month=write.month(month))
    if month < starts:
        return say("{month} is before the first month to bill.", month=write.month(month))
    return ""


def _closed(tx: Tx, caller: Caller, property_ids: list[str]) -> dict[str, set[str]]:
    closed = {property_id: set[str]() for property_id in property_ids}
    for row in months.without_snapshots(tx, caller.account_id, property_ids):
        if row.is_closed:
            closed[row.property_id].add(row.month)
    return closed


def _move(tx: Tx, caller: Caller, locked: Sequence[PropertyRow], good: Sequence[Settled], stored: _Stored) -> None:
    stored_moves.move(tx, caller.account_id, {its.bill.id: its.month for its in good})
    noted, touched = [], list[LineRow]()
    for its in good:
        (row, before), after = stored[its.bill.id], [line._replace(month=its.month) for line in its.lines]
        as_moved = bill_lines.noted(row._replace(updated_at=tx.now), after)
        noted.append((row.id, bill_lines.noted(row, before), as_moved))
        touched += [] if its.bill.held else [*before, *after]
    audit.record_many(tx, caller, Verb.MOVE_BILL, noted)
    bill_lines.recalculate_touched(tx, caller, locked, touched)
