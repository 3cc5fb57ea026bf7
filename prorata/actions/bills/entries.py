"""Entry and editing of bills by hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from prorata.actions.accounts import access, month_rules
from prorata.actions.bills import bills as bill_actions, flags as bill_flags, lines as bill_lines
from prorata.actions.bills.flags import UNDECIDED, Decision, Noted
from prorata.actions.bills.so_far import keeps_months
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, first_day, last_day
from prorata.domain.bills import line_names
from prorata.domain.bills.bills import (
    BilledIn,
    NewBill,
    NewLine,
    difference_of,
    in_order_of,
    together,
    with_difference,
)
from prorata.domain.bills.flags import Flag, shown_as
from prorata.domain.bills.forms import BillForm, FormLine, as_form, read_form
from prorata.domain.limits import LARGEST_AMOUNT
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.domain.utility_names import NOT_BILLED_REASONS, PAYMENT_STATUSES, UTILITY_TYPES
from prorata.errors import InvalidRequest, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, flags as bill_flag_rows, lookups
from prorata.store.bills.bills import BillRow, BillSummary, LineRow
from prorata.store.bills.flags import NamedBill
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months

OWNER = "OWNER"
"""The reason of a line that is not billed because it is the owner's cost."""


class Entered(NamedTuple):
    """The result of a bill entered by hand.

    Either `bill` is the added bill, or `flags` are the bill's flags, each of which a person must first accept or leave
    open. `about` maps ids to the other bills that the flags concern. `problems` are the problems with the person's
    reasons, by form field (`reason1`, `reason2` and so on). If the lines do not sum to the total, `difference` is the
    total minus the lines in cents, and `difference_for` lists its possible purposes: the bill's utility types and the
    unbilled reasons.
    """

    bill: BillSummary | None
    flags: tuple[Flag, ...] = ()
    about: Mapping[str, NamedBill] = {}
    problems: tuple[Problem, ...] = ()
    difference: int = 0
    difference_for: tuple[str, ...] = ()


def enter(
    tx: Tx, caller: Caller, form: BillForm, *, decision: Decision = UNDECIDED
) -> Entered:  # fmt: skip
    """Add one bill, even if it is already stored.

    The bill is checked like the bills of a file. A bill with flags is added only if `decision` was made about exactly
    these flags. Otherwise, the result contains the flags, for a person to accept or leave open. If the decision leaves
    flags open, and the account's setting is to hold flagged bills, the bill is held. Lines that do not sum to the
    total are a flag, and the decision states the purpose of the difference. Raises `InvalidRequest` with every problem
    by field, and `NotFound` if there is no such property.
    """
    locked = access.property_to_change(tx, caller, form.property_id)
    read = _read(form, locked, may_differ=True)
    (flags,) = bill_flags.find(tx, caller, [read], {locked.id: locked})
    if not flags:
        read = _read(form, locked)  # history is not flagged, and its lines sum to the total
    problems = bill_flags.decided(decision, flags)
    if problems is not None:
        problems += tuple(_wrong_difference(read, decision.difference))
    if flags and (problems is None or problems):
        about = bill_flags.named(tx, caller, flags)
        return Entered(None, flags, about, problems or (), difference_of(read), _difference_for(read))
    new = with_difference(read, decision.difference)
    held = [0] if flags and bill_flags.are_held(tx, caller, flags, decision.reasons) else []
    (row,) = bill_actions.add(tx, caller, [new], again=True, held=held).bills
    bill_flags.note(tx, caller, [Noted(row, flags, decision.reasons)])
    return Entered(bill_actions.find(tx, caller, row.id), flags)


def enter_unseen(tx: Tx, caller: Caller, form: BillForm) -> BillSummary:
    """Add one bill as `enter` does, leaving its flags open because nobody was shown them.

    Raises everything that `enter` raises, and `InvalidRequest` if the lines do not sum to the total.
    """
    require_whole(tx, caller, form)
    entered = enter(tx, caller, form)
    if entered.bill is None:
        entered = enter(tx, caller, form, decision=Decision(shown_as(entered.flags), later=True))
    assert entered.bill is not None, "flags that are left open keep no bill out"
    return entered.bill


def require_whole(tx: Tx, caller: Caller, form: BillForm) -> None:
    """Raise `InvalidRequest` for a form whose lines do not sum to its total.

    It is called if there is nobody to ask about the purpose of the difference. Also raises `InvalidRequest` with every
    other problem by field, and `NotFound` if there is no such property.
    """
    _read(form, access.property_to_change(tx, caller, form.property_id))


def _difference_for(bill: NewBill) -> tuple[str, ...]:
    """List the possible purposes of the difference between lines and total, the owner's cost first."""
    return (OWNER, *(reason for reason in NOT_BILLED_REASONS if reason != OWNER), *bill.utility_types)


def _wrong_difference(bill: NewBill, kind: str) -> Iterator[Problem]:
    """Yield the problems with the purpose that a person chose for the difference.

    The difference is the bill's total minus its lines; if it is 0, there are no problems.
    """
    if not difference_of(bill):
        return
    if kind not in _difference_for(bill):
        yield Problem("difference", say("Choose what the difference is for."))
    elif abs(dict(with_difference(bill, kind).amounts)[kind]) > LARGEST_AMOUNT:
        yield Problem("difference", say("The difference is too large. Correct the amounts."))


def form_of(tx: Tx, caller: Caller, bill_id: str) -> BillForm:
    """Load a bill into the form for changing it.

    Raises `NotFound` if there is no such bill.
    """
    row = access.bill(tx, caller, bill_id)
    lines = _lines(tx, caller, row)
    parts = _parts(lines)
    country = access.property_(tx, caller, row.property_id).country
    return as_form(bill_lines.as_new(row, lines), parts, guessed=bool(row.guessed), country=country)


def why_kept(tx: Tx, caller: Caller, bill_id: str, write: Forms = PLAIN) -> str | None:
    """Explain what a person must do before the charges of a bill can be changed.

    Return None if the charges can be changed now. Raises `NotFound` if there is no such bill.
    """
    row = access.bill(tx, caller, bill_id)
    return bill_lines.why_kept(tx, caller, bill_lines.stored(tx, caller, row.id).lines, write)


def begun_like(tx: Tx, caller: Caller, bill_id: str, month: str) -> BillForm:
    """Prefill the form of a new bill from a stored bill.

    The form gets the stored bill's property, issuer, account number, utility types and their names, but no amounts.
    `month` is the new bill's billing month; if it is empty, the month will follow from the new bill's dates.
    Raises `NotFound` if there is no such bill.
    """
    before = form_of(tx, caller, bill_id)
    kinds = tuple(FormLine(line.kind, name=line.name) for line in before.lines if line.kind in UTILITY_TYPES)
    return BillForm(
        before.property_id, before.issuer_name, "", "", kinds, billing_month=month, payment_status="UNPAID",
        account_number=before.account_number,
    )  # fmt: skip


def named_as_before(tx: Tx, caller: Caller, form: BillForm) -> BillForm:
    """Give the lines of a form the names from the issuer's last bill there.

    Lines that have a name keep it.
    """
    stored = lookups.last_names(tx, caller.account_id, form.property_id, form.issuer_name)
    names = dict(line_names.from_text(stored))
    return form._replace(lines=tuple(line._replace(name=line.name or names.get(line.kind, "")) for line in form.lines))


def change(
    tx: Tx, caller: Caller, bill_id: str, form: BillForm, write: Forms = PLAIN, *, seen: str | None = None
) -> BillSummary:
    """Change a bill to the form's values, including lines and property, and recalculate.

    `seen` is the bill's `updated_at` that the person saw (`access.require_seen`).

    For a bill that has charged a closed month, only fields that do not affect charges can change: due date,
    status, account and bill number, notes, the names of lines. Raises `Conflict` for any other change of such a bill;
    the message names the months to reopen. Raises `InvalidRequest` with every problem, and `NotFound` if there is no
    such bill or property.
    """
    locked, row, target = _lock(tx, caller, bill_id, form.property_id)
    access.require_seen(row.updated_at, seen)
    before, are_held = bill_lines.stored(tx, caller, row.id)
    kinds = list(dict.fromkeys(map(bill_lines.kind_of, before)))
    new = in_order_of(_read(form, target), row.utility_types.split(";"), kinds)
    new = _for_its_days(tx, caller, new, row, before)
    billed_in = _months(tx, caller, new, row, before, target)
    written, lines = bill_lines.rows_of(tx, caller, new, billed_in, row.fingerprint, row.repetition)
    after = written._replace(id=row.id, created_at=row.created_at, updated_at=row.updated_at, corrected=row.corrected)
    lines = [line._replace(bill_id=row.id) for line in lines]
    if _charging(after, lines) != _charging(row, before):
        bill_lines.refuse_charged(tx, caller, before, write, _fields_changed(new, row, before, lines))
        _save(tx, caller, row, before, after, lines)
        bill_lines.replace(tx, caller, row.id, lines, are_held=are_held)
        bill_lines.recalculate_touched(tx, caller, locked, [] if are_held else [*before, *lines])
    elif after != row:
        _save(tx, caller, row, before, after, before)
    if _compared(after, lines) != _compared(row, before):
        if after.property_id != row.property_id:
            bill_flag_rows.move(tx, caller.account_id, row.id, after.property_id)
        bill_flags.look_at_changed(tx, caller, after, target, same_lines=_parts(before) == _parts(lines))
        bill_flags.look_again(tx, caller, locked, {row.id})
    return bill_actions.find(tx, caller, row.id)


def mark(tx: Tx, caller: Caller, bill_id: str, payment_status: str) -> BillSummary:
    """Set a bill's payment status, and change nothing else.

    The bill is read after it is locked, so other people's changes are kept. Raises `NotFound` if there is no such
    bill, and `InvalidRequest` for an unknown status.
    """
    if payment_status not in PAYMENT_STATUSES:
        raise InvalidRequest(say("The payment status must be one of {names}.", names=", ".join(PAYMENT_STATUSES)))
    _, row = access.bill_to_change(tx, caller, bill_id)
    if row.payment_status != payment_status:
        lines = bill_lines.stored(tx, caller, row.id).lines
        _save(tx, caller, row, lines, row._replace(payment_status=payment_status), lines)
    return bill_actions.find(tx, caller, row.id)


def _lock(tx: Tx, caller: Caller, bill_id: str, target_id: str) -> tuple[list[PropertyRow], BillRow, PropertyRow]:
    """Lock a bill's current property and the one it is moved to, in id order.

    Return the locked properties, the bill and the property it is moved to.
    """
    bill = access.bill(tx, caller, bill_id)
    locked = properties.lock_many(tx, caller.account_id, sorted({bill.property_id, target_id}))
    again = bills.find(tx, caller.account_id, bill_id)
    by_id = {row.id: row for row in locked}
    if again is None or again.property_id not in by_id:
        raise NotFound("utility bill")
    if target_id not in by_id:
        raise NotFound("property")
    return locked, again, by_id[target_id]


def _read(form: BillForm, of: PropertyRow, *, may_differ: bool = False) -> NewBill:
    bill, problems = read_form(form, of.country, of.currency, may_differ=may_differ)
    if bill is None:
        raise InvalidRequest.because(problems)
    return bill


def _lines(tx: Tx, caller: Caller, row: BillRow) -> Sequence[LineRow]:
    return bill_lines.stored(tx, caller, row.id).lines


def _for_its_days(tx: Tx, caller: Caller, new: NewBill, row: BillRow, before: Sequence[LineRow]) -> NewBill:
    """Keep a late bill's original days when its billing month is changed.

    This applies to a bill without a service period whose billing month was closed when it arrived. If the form's
    values (`new`) bill it in another month, the days of the original month become its service period.
    """
    was = {line.month for line in before}
    if new.service_start or new.service_end or new.billing_month in (None, *was) or len(was) != 1:
        return new
    (month,) = map(Month, was)
    there = months.find_many(tx, caller.account_id, [row.property_id], [month])
    if any(line.charged for line in before) or not any(month_row.is_closed for month_row in there):
        return new
    return new._replace(service_start=first_day(month), service_end=last_day(month))


def _months(
    tx: Tx, caller: Caller, new: NewBill, row: BillRow, before: Sequence[LineRow], target: PropertyRow
) -> tuple[BilledIn, ...]:
    """Return the billing months of a changed bill.

    The months stay unchanged unless a field that decides billing months was changed.
    """
    rule = month_rules.read(tx, caller).of(target)
    if keeps_months(new, bill_lines.as_new(row, before), rule):
        return bill_lines.months_of_stored(row, before)
    closed = bill_lines.closed_months(tx, caller, [target.id])
    return bill_lines.months_for(new, target, rule, closed[target.id])


_OF_BILL = {
    "property_id": "propertyId", "issuer_name": "issuerName", "total": "totalAmountDue", "bill_date": "billDate",
    "service_start": "servicePeriodStart", "service_end": "servicePeriodEnd",
}  # fmt: skip
_OF_MONTH = {"billing_month": "billingMonth", "spread": "spread"}
"""The form fields that only decide the billing month.

The charges of a bill are computed from the other fields.
"""


def _fields_changed(new: NewBill, row: BillRow, before: Sequence[LineRow], after: Sequence[LineRow]) -> list[str]:
    """List the changed form fields that affect what a bill charges."""
    was, moves = bill_lines.as_new(row, before), {line.month for line in before} != {line.month for line in after}
    names = {**_OF_BILL, **_OF_MONTH} if moves else _OF_BILL
    fields = [field for name, field in names.items() if getattr(new, name) != getattr(was, name)]
    parts, parts_before = (
        list(dict.fromkeys((line_row.utility_type, line_row.not_billed) for line_row in lines))
        for lines in (after, before)
    )
    return [*fields, "lines"] if parts != parts_before or not fields else fields


def _charging(row: BillRow, lines: Sequence[LineRow]) -> tuple[object, ...]:
    """List the fields of a bill that decide its charges or are shown with them."""
    parts = [(line.utility_type, line.not_billed, line.amount, line.month, line.days, line.of_days) for line in lines]
    usage_facts = row.service_start, row.service_end, row.usage
    return row.property_id, row.issuer_name, row.total, row.bill_date, usage_facts, bool(row.guessed), parts


def _compared(row: BillRow, lines: Sequence[LineRow]) -> tuple[object, ...]:
    """List the fields of a bill that the checks for flags compare with other bills."""
    numbers = row.account_number, row.bill_number, row.due_date
    return *numbers, *_charging(row, lines)


def _parts(lines: Sequence[LineRow]) -> list[NewLine]:
    """Sum a bill's lines over all months, by utility type or unbilled reason."""
    return together(NewLine(line.utility_type, line.not_billed, line.amount) for line in lines)


def _save(
    tx: Tx, caller: Caller, row: BillRow, before: Sequence[LineRow], after: BillRow, lines: Sequence[LineRow]
) -> None:
    bill_lines.save(tx, caller, Verb.CHANGE_BILL, row, before, after._replace(updated_at=tx.now), lines)
