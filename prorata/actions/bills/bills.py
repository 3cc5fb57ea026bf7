"""Bills: adding them singly or from a file, moving them between months, and removing them.

Each change recalculates the affected months.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import count
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions, month_rules
from prorata.actions.bills import flags as bill_flags, lines as bill_lines
from prorata.actions.lists import walks
from prorata.actions.lists.walks import Listed, Window
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, first_day, last_day
from prorata.domain.bills.bills import NewBill, fingerprint
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.store.accounts import accounts
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller, With
from prorata.store.bills import bills, held_lines
from prorata.store.bills.bills import BillRow, BillSummary, LineRow
from prorata.store.bills.orders import BILLS
from prorata.store.database.engine import Tx
from prorata.store.properties import properties


class Added(NamedTuple):
    """The result of adding bills: the added bills, and the indexes of the skipped ones.

    A bill is skipped if it is already stored. The index of a bill is its position among the bills to add.
    """

    bills: tuple[BillRow, ...]
    skipped: tuple[int, ...]


def page(tx: Tx, caller: Caller, *, limit: int, offset: int) -> tuple[list[BillSummary], int]:
    """List one page of the caller's bills, newest bill date first, and count all."""
    total = account_actions.the_account(tx, caller).bill_count
    return bills.page(tx, caller.account_id, limit=limit, offset=offset, total=total), total


def listed(tx: Tx, caller: Caller, window: Window) -> Listed[BillSummary]:
    """List the caller's bills that a window selects, newest bill date first."""
    return walks.listed(
        tx, caller, BILLS, {}, window,
        page=lambda: page(tx, caller, limit=window.limit, offset=window.offset),
        found=lambda ids: bills.summaries(tx, caller.account_id, ids),
    )  # fmt: skip


def find(tx: Tx, caller: Caller, bill_id: str) -> BillSummary:
    """Find a bill of the caller.

    Raises `NotFound` (UTILITY_BILL_NOT_FOUND).
    """
    return access.the_one(bills.summary, tx, caller, bill_id, "bill", "utility bill")


def add(
    tx: Tx, caller: Caller, new: Sequence[NewBill], *, again: bool = False, held: Collection[int] = (),
) -> Added:  # fmt: skip
    """Add bills for the caller's properties, and recalculate the affected months.

    `held` contains indexes of bills in `new` that charge nobody until their flags are accepted; the calling code
    stores those flags (`flags.note`). If the added bills give stored bills new flags, these are written in the
    caller's language.

    A bill that is already stored is skipped unless `again` is set. Two identical bills in `new` are two bills
    (docs/decisions.md#importing-a-file-twice).
    """
    ids = sorted({bill.property_id for bill in new})
    locked = properties.lock_many(tx, caller.account_id, ids)
    assert [row.id for row in locked] == ids, "bills are added to the account's own properties"
    fresh, skipped = _without_known(tx, caller, ids, new, again=again)
    closed = bill_lines.closed_months(tx, caller, ids)
    of, rules = {row.id: row for row in locked}, month_rules.read(tx, caller)
    rows, counting, kept_apart, noted = list[BillRow](), list[LineRow](), list[LineRow](), list[With]()
    for place, bill, mark, repetition in fresh:
        its = of[bill.property_id]
        billed_in = bill_lines.months_for(bill, its, rules.of(its), closed[its.id])
        row, its_lines = bill_lines.rows_of(tx, caller, bill, billed_in, mark, repetition)
        rows.append(row)
        noted.append(bill_lines.noted(row, its_lines))
        (kept_apart if place in held else counting).extend(its_lines)
    bills.add_many(tx, rows, counting)
    held_lines.add_many(tx, kept_apart)
    accounts.count(tx, caller.account_id, bills=len(rows))
    audit.record_many(tx, caller, Verb.ADD_BILL, [(with_bill.row.id, None, with_bill) for with_bill in noted])
    bill_lines.recalculate_touched(tx, caller, locked, counting)
    bill_flags.look_again(tx, caller, locked, {row.id for row in rows})
    return Added(tuple(rows), tuple(skipped))


def _without_known(
    tx: Tx, caller: Caller, ids: list[str], new: Sequence[NewBill], *, again: bool
) -> tuple[list[tuple[int, NewBill, str, int]], list[int]]:
    """Separate new bills from those already stored.

    The first list contains each new bill with its index, its fingerprint, and a number that distinguishes bills
    with the same fingerprint. The second list contains the indexes of bills that are already stored. If `again` is
    true, all bills count as new.
    """
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
        fresh.append((place, bill, mark, repetition))
    return fresh, skipped


def move(tx: Tx, caller: Caller, bill_id: str, month: Month, *, served_in: Month | None = None) -> BillRow:
    """Move a bill's lines to another billing month that a person chose.

    If the bill has no service period and `served_in` is given, the days of that month become its service period.
    Raises `Conflict` once the bill has charged a closed month.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    before, are_held = bill_lines.stored(tx, caller, row.id)
    bill_lines.refuse_charged(tx, caller, before)
    after = row._replace(chosen_month=month, updated_at=tx.now)
    if served_in is not None and row.service_start is None and row.service_end is None:
        days = first_day(served_in).isoformat(), last_day(served_in).isoformat()
        after = after._replace(service_start=days[0], service_end=days[1])
    lines = [line._replace(month=month, charged=False, owner_amount=0) for line in before]
    bill_lines.save(tx, caller, Verb.MOVE_BILL, row, before, after, lines)
    bill_lines.replace(tx, caller, row.id, lines, are_held=are_held)
    bill_lines.recalculate_touched(tx, caller, [locked], [] if are_held else [*before, *lines])
    return after


def move_parts(tx: Tx, caller: Caller, bill_id: str, parts: Sequence[LineRow], month: Month) -> None:
    """Move bill lines to another billing month, if nobody has been charged yet."""
    locked, row = access.bill_to_change(tx, caller, bill_id)
    assert not any(line.charged for line in parts), "what is charged stays where it is"
    after, before = row._replace(updated_at=tx.now), bill_lines.stored(tx, caller, row.id).lines
    moved = [line._replace(month=month) for line in parts]
    left = [line for line in before if line not in parts]
    bill_lines.save(tx, caller, Verb.MOVE_BILL, row, before, after, [*left, *moved])
    bills.move_lines(tx, caller.account_id, parts, month)
    bill_lines.recalculate_touched(tx, caller, [locked], [*parts, *moved])


def remove(tx: Tx, caller: Caller, bill_id: str, write: Forms = PLAIN) -> None:
    """Remove a bill and its charges.

    Raises `Conflict` once the bill has charged a closed month.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    lines, are_held = bill_lines.stored(tx, caller, row.id)
    bill_lines.refuse_charged(tx, caller, lines, write)
    bills.remove(tx, caller.account_id, row.id)
    accounts.count(tx, caller.account_id, bills=-1)
    audit.record(tx, caller, Verb.REMOVE_BILL, row.id, before=bill_lines.noted(row, lines))
    bill_lines.recalculate_touched(tx, caller, [locked], [] if are_held else lines)
    bill_flags.look_again(tx, caller, [locked])
