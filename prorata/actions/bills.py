"""Bills: added (one by one or by the file), moved to another month, removed; the months they touch are recalculated."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from prorata.actions import access, billing_months
from prorata.actions import accounts as account_actions
from prorata.domain.bills import NewBill, billing_month, fingerprint, lines_of, next_billed
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months import Month
from prorata.domain.problems import Problem
from prorata.errors import Conflict, NotFound
from prorata.ids import is_id
from prorata.store import accounts, audit, bills, properties
from prorata.store import billing_months as months
from prorata.store.audit import Caller
from prorata.store.bills import BillRow, BillSummary, LineRow
from prorata.store.engine import Tx
from prorata.store.properties import PropertyRow

BY_ITSELF = "next open month"
"""The account setting by which a late bill goes to the next open month instead of waiting."""


class Added(NamedTuple):
    """What became of new bills: those that were added, and the places of those that were there already."""

    bills: tuple[BillRow, ...]
    skipped: tuple[int, ...]


def page(tx: Tx, caller: Caller, *, limit: int, offset: int) -> tuple[list[BillSummary], int]:
    """One page of the caller's bills, newest bill date first, and how many there are."""
    total = account_actions.the_account(tx, caller).bill_count
    return bills.page(tx, caller.account_id, limit=limit, offset=offset, total=total), total


def find(tx: Tx, caller: Caller, bill_id: str) -> BillSummary:
    """A bill. Raises `NotFound` (UTILITY_BILL_NOT_FOUND)."""
    row = bills.summary(tx, caller.account_id, bill_id) if is_id(bill_id, "bill") else None
    if row is None:
        raise NotFound("utility bill")
    return row


def add(tx: Tx, caller: Caller, new: Sequence[NewBill], *, again: bool = False) -> Added:
    """Add bills, whose properties are the caller's, and recalculate the months they touch.

    A bill that is there already is skipped, unless a person wants it `again`; two truly identical ones in `new` are two
    bills (decisions section 9).
    """
    ids = sorted({bill.property_id for bill in new})
    locked = properties.lock_many(tx, caller.account_id, ids)
    assert [row.id for row in locked] == ids, "bills are added to the account's own properties"
    fresh, skipped = _without_known(tx, caller, ids, new, again=again)
    closed = closed_months(tx, caller, ids)
    starts = {row.id: row.billing_starts_month for row in locked}
    rows: list[BillRow] = []
    lines: list[LineRow] = []
    for bill, mark, repetition in fresh:
        month = month_for(bill, closed[bill.property_id], starts[bill.property_id])
        row, its_lines = rows_of(tx, caller, bill, month, mark, repetition)
        rows.append(row)
        lines += its_lines
    bills.add_many(tx, rows, lines)
    accounts.count(tx, caller.account_id, bills=len(rows))
    audit.record_many(tx, caller, "add bill", [(row.id, None, row) for row in rows])
    recalculate_touched(tx, caller, locked, lines)
    return Added(tuple(rows), tuple(skipped))


def _without_known(
    tx: Tx, caller: Caller, ids: list[str], new: Sequence[NewBill], *, again: bool
) -> tuple[list[tuple[NewBill, str, int]], list[int]]:
    """The bills that are not there yet, each with its fingerprint and running number; and the places of the others."""
    used: dict[str, set[int]] = defaultdict(set)
    for known in bills.known(tx, caller.account_id, ids):
        used[known.fingerprint].add(known.repetition)
    left = {} if again else {mark: len(numbers) for mark, numbers in used.items()}
    fresh, skipped = [], []
    for place, bill in enumerate(new):
        mark = fingerprint(bill)
        if left.get(mark):
            left[mark] -= 1
            skipped.append(place)
            continue
        repetition = next(number for number in count(1) if number not in used[mark])
        used[mark].add(repetition)
        fresh.append((bill, mark, repetition))
    return fresh, skipped


def closed_months(tx: Tx, caller: Caller, ids: list[str]) -> dict[str, set[str]]:
    """The closed months of each property, when late bills go to the next open month by themselves; else none."""
    closed: dict[str, set[str]] = defaultdict(set)
    if account_actions.the_account(tx, caller).late_bills == BY_ITSELF:
        for month in months.lock_many(tx, caller.account_id, ids):
            if month.is_closed:
                closed[month.property_id].add(month.month)
    return closed


def month_for(bill: NewBill, closed: set[str], starts: str | None) -> Month:
    """The month that a bill's lines belong to; where nobody chose it and it is among the `closed`, the next that is
    not, and that is billed (`starts`: the property's first month to bill).
    """
    month = billing_month(bill)
    return next_billed(month, closed, starts) if bill.billing_month is None and month in closed else month


def rows_of(
    tx: Tx, caller: Caller, bill: NewBill, month: Month, mark: str, repetition: int
) -> tuple[BillRow, list[LineRow]]:
    """A new bill and its lines as they are stored, before anything of them is charged."""
    parts, guessed = lines_of(bill)
    row = BillRow(
        account_id=caller.account_id,
        id=tx.new_id("bill"),
        property_id=bill.property_id,
        issuer_name=bill.issuer_name,
        utility_types=";".join(bill.utility_types),
        total=bill.total,
        bill_date=bill.bill_date.isoformat(),
        due_date=bill.due_date.isoformat() if bill.due_date else None,
        payment_status=bill.payment_status,
        notes=bill.notes,
        account_number=bill.account_number,
        bill_number=bill.bill_number,
        service_start=bill.service_start.isoformat() if bill.service_start else None,
        service_end=bill.service_end.isoformat() if bill.service_end else None,
        chosen_month=bill.billing_month,
        guessed=guessed,
        fingerprint=mark,
        repetition=repetition,
        created_at=tx.now,
        updated_at=tx.now,
    )
    lines = [
        LineRow(
            account_id=row.account_id,
            bill_id=row.id,
            number=number,
            property_id=row.property_id,
            month=month,
            utility_type=part.utility_type,
            not_billed=part.not_billed,
            amount=part.amount,
            owner_amount=0,
            charged=False,
        )
        for number, part in enumerate(parts, start=1)
    ]
    assert sum(line.amount for line in lines) == row.total, "the lines of a bill sum to its total"
    return row, lines


def recalculate_touched(tx: Tx, caller: Caller, locked: Sequence[PropertyRow], lines: Sequence[LineRow]) -> None:
    """Start the months that `lines` are the first of, and recalculate those they touch."""
    starts = {row.id: row.billing_starts_month for row in locked}
    touched = sorted({(line.property_id, line.month) for line in lines})
    billing_months.start(tx, caller, locked, [key for key in touched if (starts[key[0]] or "") <= key[1]])
    with_lines = {property_id for property_id, _ in touched}
    billing_months.recalculate(
        tx, caller, [row for row in locked if row.id in with_lines], sorted({month for _, month in touched})
    )


def move(tx: Tx, caller: Caller, bill_id: str, month: Month) -> BillRow:
    """Bill a bill's lines in another month, as a person chose. Raises `Conflict` once it has charged a closed one."""
    locked, row = access.bill_to_change(tx, caller, bill_id)
    before = bills.lines(tx, caller.account_id, row.id)
    refuse_charged(tx, caller, before)
    after = row._replace(chosen_month=month, updated_at=tx.now)
    lines = [line._replace(month=month, charged=False, owner_amount=0) for line in before]
    bills.save(tx, after)
    bills.replace_lines(tx, caller.account_id, row.id, lines)
    audit.record(tx, caller, "move bill", row.id, before=row, after=after)
    recalculate_touched(tx, caller, [locked], [*before, *lines])
    return after


def remove(tx: Tx, caller: Caller, bill_id: str, write: Forms = PLAIN) -> None:
    """Remove a bill and what it charged. Raises `Conflict` once it has charged a closed month."""
    locked, row = access.bill_to_change(tx, caller, bill_id)
    lines = bills.lines(tx, caller.account_id, row.id)
    refuse_charged(tx, caller, lines, write)
    bills.remove(tx, caller.account_id, row.id)
    accounts.count(tx, caller.account_id, bills=-1)
    audit.record(tx, caller, "remove bill", row.id, before=row)
    recalculate_touched(tx, caller, [locked], lines)


def refuse_charged(
    tx: Tx, caller: Caller, lines: Sequence[LineRow], write: Forms = PLAIN, fields: Sequence[str] = ()
) -> None:
    """Raises `Conflict`, which says what to reopen, when one of these lines has charged a closed month; beside the
    `fields` of a form by which it would charge something else.
    """
    named = sorted({line.month for line in lines if line.charged})
    rows = months.lock_many(tx, caller.account_id, [lines[0].property_id], named)
    closed = [write.month(Month(row.month)) for row in rows if row.is_closed]
    if closed:
        said = (
            f"This bill has charged {' and '.join(closed)}, where invoices were sent. "
            "Set those invoices back to draft first; then it can be changed."
        )
        raise Conflict(said, problems=[Problem(field, said) for field in fields])
