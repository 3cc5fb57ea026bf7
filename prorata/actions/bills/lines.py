"""A stored bill's row, lines and billing months; a held bill's lines are stored separately."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import cycle
from typing import NamedTuple

from prorata.actions.accounts import month_rules
from prorata.actions.recalculation import recalculation
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, day_of
from prorata.domain.bills import line_names
from prorata.domain.bills.bills import BilledIn, NewBill, in_months, lines_of, months_of, next_billed
from prorata.domain.groups import added_up
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.texts import listed, say
from prorata.domain.usage import as_text, from_text
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller, With
from prorata.store.bills import bills, held_lines, lookups as bill_lookups
from prorata.store.bills.bills import BillRow, LineRow
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months


class StoredLines(NamedTuple):
    """A bill's lines in order; if `are_held` is set, the lines charge nobody."""

    lines: tuple[LineRow, ...]
    are_held: bool


def stored(tx: Tx, caller: Caller, bill_id: str) -> StoredLines:
    """Load a bill's lines, and find out whether the bill is held."""
    counting = sorted(bills.lines(tx, caller.account_id, bill_id), key=lambda line: line.number)
    if counting:
        return StoredLines(tuple(counting), are_held=False)
    return StoredLines(tuple(held_lines.of_bills(tx, caller.account_id, [bill_id])), are_held=True)


def months_of_stored(row: BillRow, lines: Sequence[LineRow]) -> tuple[BilledIn, ...]:
    """Return the months in which a stored bill with these lines is billed."""
    return tuple(
        BilledIn(Month(line.month), line.days, line.of_days) for line in lines[: len(months_of(as_new(row, lines)))]
    )


def replace(tx: Tx, caller: Caller, bill_id: str, lines: Sequence[LineRow], *, are_held: bool) -> None:
    """Replace a bill's stored lines; if `are_held` is set, the new lines charge nobody."""
    if are_held:
        held_lines.replace(tx, caller.account_id, bill_id, lines)
    else:
        bills.replace_lines(tx, caller.account_id, bill_id, lines)


def closed_months(tx: Tx, caller: Caller, ids: list[str]) -> dict[str, set[str]]:
    """Map properties to their closed months, for moving new bills out of these months.

    The result is empty if the account's setting (`LATE_BILLS`) is to ask a person for the month of each late bill.
    """
    closed: dict[str, set[str]] = defaultdict(set)
    if month_rules.read(tx, caller).goes_on:
        for month in months.lock_many(tx, caller.account_id, ids):
            if month.is_closed:
                closed[month.property_id].add(month.month)
    return closed


def months_for(bill: NewBill, of: PropertyRow, rule: str, closed: set[str]) -> tuple[BilledIn, ...]:
    """Return the billing months of a property's bill.

    If a person chose the month, it stays, unless the bill is spread. Any other month that is `closed` is replaced
    by the next month that is open and in which the property is billed. `rule` is the property's billing month rule
    (`MonthRules.of`).
    """
    billed_in = months_of(bill, rule)
    return billed_in if bill.billing_month is not None and not bill.spread else open_instead(billed_in, of, closed)


def open_instead(billed_in: Sequence[BilledIn], of: PropertyRow, closed: set[str]) -> tuple[BilledIn, ...]:
    """Replace each `closed` month by the next open month in which the property is billed."""
    starts = of.billing_starts_month
    return tuple(
        month._replace(month=next_billed(month.month, closed, starts)) if month.month in closed else month
        for month in billed_in
    )


def before_billing(bill: NewBill, billed_in: Sequence[BilledIn], of: PropertyRow) -> int:
    """Sum, in cents, the parts of a bill that fall in months before billing starts.

    These parts charge nobody. Unbilled lines are not included.
    """
    starts = of.billing_starts_month or ""
    parts = (in_months(line.amount, billed_in) for line in lines_of(bill)[0] if not line.not_billed)
    return sum(cents for amounts in parts for its, cents in zip(billed_in, amounts, strict=True) if its.month < starts)


def rows_of(
    tx: Tx, caller: Caller, bill: NewBill, months: Sequence[BilledIn], mark: str, repetition: int
) -> tuple[BillRow, list[LineRow]]:
    """Build the rows of a new bill and its lines before anything is charged.

    Each utility type or unbilled reason of the bill has one line in each of the `months`. `mark` is the bill's
    fingerprint, and `repetition` distinguishes bills with the same fingerprint.
    """
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
        usage=as_text(bill.usages),
        line_names=line_names.as_text(bill.names),
    )
    lines = [
        LineRow(
            account_id=row.account_id,
            bill_id=row.id,
            number=number,
            property_id=row.property_id,
            month=its.month,
            utility_type=part.utility_type,
            not_billed=part.not_billed,
            amount=cents,
            owner_amount=0,
            charged=False,
            days=its.days,
            of_days=its.of_days,
        )
        for number, (part, its, cents) in enumerate(
            ((part, *share) for part in parts for share in zip(months, in_months(part.amount, months), strict=True)),
            start=1,
        )
    ]
    assert sum(line.amount for line in lines) == row.total, "the lines of a bill sum to its total"
    return row, lines


def recalculate_touched(tx: Tx, caller: Caller, locked: Sequence[PropertyRow], lines: Sequence[LineRow]) -> None:
    """Create the missing months of these lines, and recalculate all months of the lines."""
    if not lines:
        return
    starts = {row.id: row.billing_starts_month for row in locked}
    touched = sorted({(line.property_id, line.month) for line in lines})
    recalculation.start(tx, caller, locked, [key for key in touched if (starts[key[0]] or "") <= key[1]])
    with_lines = {property_id for property_id, _ in touched}
    recalculation.recalculate(
        tx, caller, [row for row in locked if row.id in with_lines], sorted({month for _, month in touched})
    )


def refuse_charged(
    tx: Tx, caller: Caller, lines: Sequence[LineRow], write: Forms = PLAIN, fields: Sequence[str] = ()
) -> None:
    """Raise `Conflict` if the charges of a bill with these lines can't be changed.

    The error shows the reason (`why_kept`) at each of the form's `fields`, which are the changed fields that
    affect charges.
    """
    named = sorted({line.month for line in lines if line.charged})
    if named:
        months.lock_many(tx, caller.account_id, [lines[0].property_id], named)
    reason = why_kept(tx, caller, lines, write)
    if reason is not None:
        raise Conflict(reason, problems=[Problem(field, reason) for field in fields])


def why_kept(tx: Tx, caller: Caller, lines: Sequence[LineRow], write: Forms = PLAIN) -> str | None:
    """Explain what must be done before the charges of a bill with these lines change.

    The charges can't change once the lines have charged a closed month or a sent invoice, or once a sent invoice
    carries a correction of the bill. Return None if the charges can change now.
    """
    named = sorted({line.month for line in lines if line.charged})
    if not named:
        return None
    rows = months.find_many(tx, caller.account_id, [lines[0].property_id], named)
    closed = [write.month(Month(row.month)) for row in rows if row.is_closed]
    if closed:
        return say(
            "This bill was charged in {names}, where invoices have been sent. “Correct this bill” leaves those "
            "invoices as they are. To change the bill here, set them back to draft first.",
            names=listed(closed),
        )
    number = bill_lookups.sent_with(tx, caller.account_id, lines[0].property_id, lines[0].bill_id, named)
    if number is not None:
        return say(
            "This bill was charged on invoice {number}, which has been sent. Set that invoice back to draft first.",
            number=number,
        )
    number = bill_lookups.corrected_with(tx, caller.account_id, lines[0].bill_id)
    if number is not None:
        return say(
            "Invoice {number} includes a correction of this bill. Use “Correct this bill” to change the bill’s "
            "amounts.",
            number=number,
        )
    return None


def in_open_months(row: BillRow, lines: Sequence[LineRow], of: PropertyRow, closed: set[str]) -> list[LineRow]:
    """Move a bill's lines out of `closed` months, as `months_for` does for new bills."""
    its = months_of_stored(row, lines)
    assert len(lines) % len(its) == 0, "each part of a bill has a line in each of its months"
    if row.chosen_month is None or is_spread(lines):
        its = open_instead(its, of, closed)
    return [line._replace(month=new.month) for line, new in zip(lines, cycle(its), strict=False)]


def is_spread(lines: Iterable[LineRow]) -> bool:
    """True if a bill with these lines is spread over its service months."""
    return any(line.days is not None for line in lines)


def kind_of(line: LineRow) -> str:
    """Return a line's utility type or, if it is unbilled, the reason."""
    return line.utility_type or line.not_billed or ""


def amounts_of(lines: Iterable[LineRow]) -> dict[str, int]:
    """Sum a bill's lines over all months, by utility type or unbilled reason, in cents."""
    return dict(added_up((kind_of(line), line.amount) for line in lines))


def noted(row: BillRow, lines: Sequence[LineRow]) -> With:
    """Build a bill's audit log entry: the row, its billing months and its amounts.

    There is an amount for each utility type or unbilled reason, in cents.
    """
    return With(row, {"amounts": amounts_of(lines), "billing_months": sorted({line.month for line in lines})})


def save(
    tx: Tx,
    caller: Caller,
    verb: Verb,
    row: BillRow,
    before: Sequence[LineRow],
    after: BillRow,
    lines: Sequence[LineRow],
) -> None:
    """Store a changed bill's row, and record the change in the audit log.

    The audit log gets the bill's former lines (`before`) and its present ones (`lines`). The calling code stores
    the lines.
    """
    bills.save(tx, after)
    audit.record(tx, caller, verb, row.id, before=noted(row, before), after=noted(after, lines))


def as_new(row: BillRow, lines: Iterable[LineRow] = ()) -> NewBill:
    """Build a bill as it would be entered anew, with the month a person chose.

    If nobody chose a month, the bill has none. The result does not contain the bill's lines; they only determine
    whether the bill is spread over its months.
    """
    return NewBill(
        property_id=row.property_id,
        issuer_name=row.issuer_name,
        utility_types=tuple(row.utility_types.split(";")),
        total=row.total,
        bill_date=date.fromisoformat(row.bill_date),
        due_date=day_of(row.due_date),
        payment_status=row.payment_status,
        notes=row.notes,
        account_number=row.account_number,
        bill_number=row.bill_number,
        service_start=day_of(row.service_start),
        service_end=day_of(row.service_end),
        billing_month=Month(row.chosen_month) if row.chosen_month else None,
        usages=from_text(row.usage),
        names=line_names.from_text(row.line_names),
        spread=is_spread(lines),
    )


def as_billed(row: BillRow, lines: Sequence[LineRow]) -> NewBill:
    """Build a bill as if a person had chosen its present month, unless it's spread."""
    bill = as_new(row, lines)
    if bill.spread or not lines:
        return bill
    return bill._replace(billing_month=Month(max(line.month for line in lines)))
