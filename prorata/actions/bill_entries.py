"""Bills by hand: entered one by one, changed in every field, and late ones settled."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions import access
from prorata.actions import bills as bill_actions
from prorata.domain.bill_forms import BillForm, FormLine, as_form, read_form
from prorata.domain.bills import (
    PAYMENT_STATUSES,
    UTILITY_TYPES,
    NewBill,
    NewLine,
    fingerprint,
    in_order_of,
    next_billed,
)
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months import Month, is_in_reach, read_month
from prorata.domain.names import same
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store import audit, bill_lookups, bills, properties
from prorata.store import billing_months as months
from prorata.store.audit import Caller
from prorata.store.bill_lookups import LikeBill
from prorata.store.bills import BillRow, BillSummary, LineRow
from prorata.store.engine import Tx
from prorata.store.properties import PropertyRow

NEXT_OPEN = "next open"
"""Where a late bill goes when no month is named."""


class Alike(NamedTuple):
    """A stored bill that a new one may repeat or replace, and a sentence that says so."""

    bill: LikeBill
    message: str


class Entered(NamedTuple):
    """What became of a bill entered by hand: the bill; or none, and those it looks like, so that a person decides."""

    bill: BillSummary | None
    like: tuple[Alike, ...] = ()


def enter(tx: Tx, caller: Caller, form: BillForm, *, add_anyway: bool = False, write: Forms = PLAIN) -> Entered:
    """Add one bill, checked as a row of a bills file is. One that looks like a stored bill is added only with
    `add_anyway`, and is a bill of its own then. Raises `InvalidRequest` with every problem by field, and `NotFound`.
    """
    locked = access.property_to_change(tx, caller, form.property_id)
    new = _read(form, locked)
    if not add_anyway and (like := _alike(tx, caller, new, locked.currency, write)):
        return Entered(None, like)
    (row,) = bill_actions.add(tx, caller, [new], again=True).bills
    return Entered(bill_actions.find(tx, caller, row.id))


def form_of(tx: Tx, caller: Caller, bill_id: str) -> BillForm:
    """A bill as the form shows it to be changed. Raises `NotFound`."""
    row = access.bill(tx, caller, bill_id)
    parts = [NewLine(line.utility_type, line.not_billed, line.amount) for line in _lines(tx, caller, row)]
    country = access.property_(tx, caller, row.property_id).country
    return as_form(as_new(row), parts, guessed=bool(row.guessed), country=country)


def begun_like(tx: Tx, caller: Caller, bill_id: str, month: str) -> BillForm:
    """A new bill as its form begins, that comes like a stored one: of its issuer, account and kinds, in another `month`
    or, where that is empty, in the one of its date. Raises `NotFound`.
    """
    before = form_of(tx, caller, bill_id)
    kinds = tuple(FormLine(line.kind) for line in before.lines if line.kind in UTILITY_TYPES)
    return BillForm(
        before.property_id, before.issuer_name, "", "", kinds, billing_month=month, payment_status="UNPAID",
        account_number=before.account_number,
    )  # fmt: skip


def change(
    tx: Tx, caller: Caller, bill_id: str, form: BillForm, write: Forms = PLAIN, *, seen: str | None = None
) -> BillSummary:
    """Write a bill as the form has it, lines and property included, and recalculate what that touches. `seen` as
    `access.require_seen` takes it.

    A bill that has charged a closed month can be changed in what it charges nothing by: its due date, status, numbers,
    notes. Else `Conflict`, which says what to reopen. Raises `InvalidRequest` with every problem, and `NotFound`.
    """
    locked, row, target = _lock(tx, caller, bill_id, form.property_id)
    access.require_seen(row.updated_at, seen)
    before = _lines(tx, caller, row)
    kinds = [line.utility_type or line.not_billed or "" for line in before]
    new = in_order_of(_read(form, target), row.utility_types.split(";"), kinds)
    month = _month(tx, caller, new, row, before, target)
    written, lines = bill_actions.rows_of(tx, caller, new, month, row.fingerprint, row.repetition)
    after = written._replace(id=row.id, created_at=row.created_at, updated_at=row.updated_at)
    lines = [line._replace(bill_id=row.id) for line in lines]
    if _charging(after, lines) != _charging(row, before):
        bill_actions.refuse_charged(tx, caller, before, write, _fields_changed(new, row, before, lines))
        _save(tx, caller, row, after)
        bills.replace_lines(tx, caller.account_id, row.id, lines)
        bill_actions.recalculate_touched(tx, caller, locked, [*before, *lines])
    elif after != row:
        _save(tx, caller, row, after)
    return bill_actions.find(tx, caller, row.id)


def settle_late(tx: Tx, caller: Caller, bill_id: str, month: str = NEXT_OPEN, write: Forms = PLAIN) -> BillSummary:
    """Bill a bill that waits for a closed month in an open one: the one named, or the next that is open.

    Raises `Conflict` when the bill does not wait, and `InvalidRequest` for a month that is closed or history.
    """
    locked, row = access.bill_to_change(tx, caller, bill_id)
    if not bill_actions.find(tx, caller, row.id).waiting:
        raise Conflict("This bill does not wait for a month to open: it is billed already. Nothing was changed.")
    closed = {one.month for one in months.lock_many(tx, caller.account_id, [locked.id]) if one.is_closed}
    if month == NEXT_OPEN:
        chosen = next_billed(Month(_lines(tx, caller, row)[0].month), closed, locked.billing_starts_month)
    else:
        chosen = _open_month(month, closed, locked, write)
    bill_actions.move(tx, caller, row.id, chosen)
    return bill_actions.find(tx, caller, row.id)


def next_open_month(tx: Tx, caller: Caller, bill_id: str) -> Month:
    """Where `settle_late` would bill a bill that waits. Raises `NotFound`."""
    row = access.bill(tx, caller, bill_id)
    closed = {one.month for one in months.find_many(tx, caller.account_id, [row.property_id]) if one.is_closed}
    starts = access.property_(tx, caller, row.property_id).billing_starts_month
    return next_billed(Month(_lines(tx, caller, row)[0].month), closed, starts)


def mark(tx: Tx, caller: Caller, bill_id: str, payment_status: str) -> BillSummary:
    """Note whether the bill itself was paid to its issuer, and change nothing else, whatever somebody else changes of
    it meanwhile: it is read once it is locked. Raises `NotFound`, and `InvalidRequest` for a status that is none.
    """
    if payment_status not in PAYMENT_STATUSES:
        raise InvalidRequest(f"The payment status must be one of {', '.join(PAYMENT_STATUSES)}.")
    _, row = access.bill_to_change(tx, caller, bill_id)
    if row.payment_status != payment_status:
        _save(tx, caller, row, row._replace(payment_status=payment_status))
    return bill_actions.find(tx, caller, row.id)


def _open_month(text: str, closed: set[str], locked: PropertyRow, write: Forms) -> Month:
    month, first = read_month(text), locked.billing_starts_month
    if not text:
        message = "Please fill this in."
    elif month is None or not is_in_reach(month):
        message = "Write the month as YYYY-MM, such as 2026-03."
    elif month in closed:
        sent = f"Invoices of {write.month(month)} were sent"
        message = f"{sent}, so this bill would wait there too. Choose a month that is open."
    elif first and month < first:
        message = f"Billing starts with {write.month(Month(first))} here. Choose that month or a later one."
    else:
        return month
    raise InvalidRequest.because([Problem("billingMonth", message)])


def _lock(tx: Tx, caller: Caller, bill_id: str, target_id: str) -> tuple[list[PropertyRow], BillRow, PropertyRow]:
    """The properties that a bill is of and is to be of, locked in the order of their ids; the bill; and the second."""
    found = access.bill(tx, caller, bill_id)
    locked = properties.lock_many(tx, caller.account_id, sorted({found.property_id, target_id}))
    again = bills.find(tx, caller.account_id, bill_id)
    by_id = {row.id: row for row in locked}
    if again is None or again.property_id not in by_id:
        raise NotFound("utility bill")
    if target_id not in by_id:
        raise NotFound("property")
    return locked, again, by_id[target_id]


def _read(form: BillForm, of: PropertyRow) -> NewBill:
    bill, problems = read_form(form, of.country, of.currency)
    if bill is None:
        raise InvalidRequest.because(problems)
    return bill


def _lines(tx: Tx, caller: Caller, row: BillRow) -> list[LineRow]:
    return sorted(bills.lines(tx, caller.account_id, row.id), key=lambda line: line.number)


def _month(tx: Tx, caller: Caller, new: NewBill, row: BillRow, before: Sequence[LineRow], target: PropertyRow) -> Month:
    """Where the changed bill is billed: where it was, as long as nothing that says so is changed."""
    was = as_new(row)
    says = ("property_id", "billing_month", "bill_date", "service_start", "service_end")
    if all(getattr(new, name) == getattr(was, name) for name in says):
        return Month(before[0].month)
    closed = bill_actions.closed_months(tx, caller, [target.id])
    return bill_actions.month_for(new, closed[target.id], target.billing_starts_month)


_OF_BILL = {
    "property_id": "propertyId", "issuer_name": "issuerName", "total": "totalAmountDue", "bill_date": "billDate",
}  # fmt: skip
_OF_MONTH = {"billing_month": "billingMonth", "service_start": "servicePeriodStart", "service_end": "servicePeriodEnd"}
"""What of a bill its charges are computed from, and what only says in which month it is billed; as the form has it."""


def _fields_changed(new: NewBill, row: BillRow, before: Sequence[LineRow], after: Sequence[LineRow]) -> list[str]:
    """The fields of the form by which a changed bill would charge something else."""
    was, moves = as_new(row), {line.month for line in before} != {line.month for line in after}
    names = {**_OF_BILL, **_OF_MONTH} if moves else _OF_BILL
    fields = [field for name, field in names.items() if getattr(new, name) != getattr(was, name)]
    parts, parts_before = ([(one.utility_type, one.not_billed) for one in lines] for lines in (after, before))
    return [*fields, "lines"] if parts != parts_before or not fields else fields


def _charging(row: BillRow, lines: Sequence[LineRow]) -> tuple[object, ...]:
    """What of a bill its charges are computed from, or say."""
    parts = [(line.utility_type, line.not_billed, line.amount, line.month) for line in lines]
    return row.property_id, row.issuer_name, row.total, row.bill_date, bool(row.guessed), parts


def _save(tx: Tx, caller: Caller, row: BillRow, after: BillRow) -> None:
    after = after._replace(updated_at=tx.now)
    bills.save(tx, after)
    audit.record(tx, caller, "change bill", row.id, before=row, after=after)


def as_new(row: BillRow) -> NewBill:
    """A stored bill as it would be entered, without its lines; its month only where a person has chosen it."""
    return NewBill(
        property_id=row.property_id,
        issuer_name=row.issuer_name,
        utility_types=tuple(row.utility_types.split(";")),
        total=row.total,
        bill_date=date.fromisoformat(row.bill_date),
        due_date=_day(row.due_date),
        payment_status=row.payment_status,
        notes=row.notes,
        account_number=row.account_number,
        bill_number=row.bill_number,
        service_start=_day(row.service_start),
        service_end=_day(row.service_end),
        billing_month=Month(row.chosen_month) if row.chosen_month else None,
    )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _alike(tx: Tx, caller: Caller, new: NewBill, currency: str, write: Forms) -> tuple[Alike, ...]:
    """The stored bills that a new one looks like: of the same issuer, with its number, or with its day and total."""
    mark, day = fingerprint(new), new.bill_date.isoformat()
    found = bill_lookups.like(tx, caller.account_id, new.property_id, mark=mark, day=day, number=new.bill_number)
    alike = []
    for row in found:
        total, of_day = write.money(row.total, currency), write.day(date.fromisoformat(row.bill_date))
        numbered = bool(new.bill_number) and same(row.bill_number or "") == same(new.bill_number or "")
        its_own = same(row.issuer_name) == same(new.issuer_name)
        repeats = its_own and row.total == new.total and (numbered or row.bill_date == day)
        if row.fingerprint == mark or repeats:
            said = f"This looks like the bill of {of_day} over {total} that is there already. Add it anyway?"
        elif its_own and numbered:
            said = (
                f"A bill with this number is there already, of {of_day} over {total}. "
                "If this one replaces it, remove that one first; else add it anyway."
            )
        else:
            continue
        alike.append(Alike(row, said))
    return tuple(alike)
