"""A bill being entered: the sum of its amounts so far, and its billing month."""

from typing import Literal, NamedTuple

from prorata.actions.accounts import access, month_rules
from prorata.actions.accounts.month_rules import MonthRules
from prorata.actions.bills import lines as bill_lines
from prorata.domain.accounts.settings import BY_DATE, BY_END
from prorata.domain.billing_calendar import Month, tied_months
from prorata.domain.bills.bills import BilledIn, NewBill, months_of
from prorata.domain.bills.forms import BillForm, SoFar, read_form, read_so_far
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months

_SAY_WHEN = ("property_id", "billing_month", "service_start", "service_end", "spread")
"""The fields, in addition to the bill's date, that decide its billing month."""
Becomes = Literal["chosen", "service", "tie", "end", "date", "spread", "kept", "waits", "moved", "history"]
"""The reason for a bill's billing month, or what happens to the bill instead.

Reasons: a person chose the month ("chosen"); it contains most service days ("service"), or as many as an earlier
month ("tie"); the service ends in it ("end"); it is the month of the bill's date ("date"); the bill is spread from it
on ("spread"); or no field that decides the month was changed ("kept"). Otherwise, the bill waits because the month is
closed ("waits"), is billed in the next open month ("moved"), or is history ("history").
"""


def keeps_months(new: NewBill, was: NewBill, rule: str) -> bool:
    """True if a bill's billing months stay, because no field that decides them changes.

    The bill's date decides the billing month only under the rule `BY_DATE`, or if the bill has no service period.
    """
    if any(getattr(new, name) != getattr(was, name) for name in _SAY_WHEN):
        return False
    return new.bill_date == was.bill_date or (rule != BY_DATE and new.service_start is not None)


class WouldBe(NamedTuple):
    """The billing month of a bill being entered, and the reason for this month.

    `last` is the last month of a spread bill. `billed_in` are its months. If the form is complete, `before` is the
    amount in cents of the bill's parts in months before billing starts, which charge nobody, and `before_until` is the
    last of these months. If `becomes` is "moved", `month` replaces the originally decided month `meant`, because
    invoices of that month were already sent.
    """

    month: Month
    last: Month
    meant: Month
    becomes: Becomes
    billed_in: tuple[BilledIn, ...]
    before: int = 0
    before_until: Month | None = None


class ReadSoFar(NamedTuple):
    """An incomplete bill form as read, and the billing month if it has a date."""

    read: SoFar
    would_be: WouldBe | None


def so_far(tx: Tx, caller: Caller, form: BillForm, bill_id: str | None = None) -> ReadSoFar:
    """Read an incomplete form of a new or stored bill, and predict its billing month.

    `bill_id` is the stored bill's id. Raises `NotFound` if there is no such bill.
    """
    of = access.property_(tx, caller, form.property_id)
    read = read_so_far(form, of.country, of.currency)
    if read.bill is None:
        return ReadSoFar(read, None)
    rules = month_rules.read(tx, caller)
    said = _stays(tx, caller, read.bill, rules.of(of), bill_id) or _would_be(tx, caller, of, rules, read.bill)
    whole = read_form(form, of.country, of.currency).bill if read.bill.spread else None
    return ReadSoFar(read, _with_what_is_before(said, whole, of) if whole else said)


def _with_what_is_before(said: WouldBe, whole: NewBill, of: PropertyRow) -> WouldBe:
    starts = of.billing_starts_month or ""
    until = max((its.month for its in said.billed_in if its.month < starts), default=None)
    return said._replace(before=bill_lines.before_billing(whole, said.billed_in, of), before_until=until)


def _stays(tx: Tx, caller: Caller, bill: NewBill, rule: str, bill_id: str | None) -> WouldBe | None:
    """Return a stored bill's billing months, unless a field that decides them was changed."""
    if bill_id is None:
        return None
    row, lines = access.bill(tx, caller, bill_id), bill_lines.stored(tx, caller, bill_id).lines
    if not keeps_months(bill, bill_lines.as_new(row, lines), rule):
        return None
    billed_in = bill_lines.months_of_stored(row, lines)
    named = sorted(its.month for its in billed_in)
    return WouldBe(named[0], named[-1], named[0], "spread" if bill.spread else "kept", billed_in)


def _would_be(tx: Tx, caller: Caller, of: PropertyRow, rules: MonthRules, bill: NewBill) -> WouldBe:
    rows = months.find_many(tx, caller.account_id, [of.id])
    closed = {row.month for row in rows if row.is_closed}
    rule, passed_over = rules.of(of), closed if rules.goes_on else set[str]()
    meant = months_of(bill, rule)[0].month
    billed_in = bill_lines.months_for(bill, of, rule, passed_over)
    named = sorted(its.month for its in billed_in)
    becomes = _becomes(bill, named[0], meant, closed, of.billing_starts_month or "") or _reason(bill, rule)
    return WouldBe(named[0], named[-1], meant, becomes, billed_in)


def _becomes(bill: NewBill, month: Month, meant: Month, closed: set[str], starts: str) -> Becomes | None:
    if bill.spread:
        return "spread"
    if month != meant:
        return "moved"
    if month in closed:
        return "waits"
    if month < starts:
        return "history"
    return "chosen" if bill.billing_month else None


def _reason(bill: NewBill, rule: str) -> Becomes:
    if rule == BY_DATE or bill.service_start is None or bill.service_end is None:
        return "date"
    if rule == BY_END:
        return "end"
    return "tie" if tied_months(bill.service_start, bill.service_end) else "service"
