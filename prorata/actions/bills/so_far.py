"""A bill being typed: the sum of its amounts and its billing month so far."""

from typing import Literal, NamedTuple

from prorata.actions.accounts import access, accounts
from prorata.actions.bills import lines as bill_lines
from prorata.domain.accounts.settings import BY_ITSELF
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import NewBill, months_of
from prorata.domain.bills.forms import BillForm, SoFar, read_so_far
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months

SAY_WHEN = ("property_id", "billing_month", "bill_date", "service_start", "service_end", "spread")
"""The fields that decide a bill's billing month."""
Becomes = Literal["chosen", "service", "date", "spread", "kept", "waits", "moved", "history"]
"""The reason for a bill's month, or another outcome.

The reason is that a person chose it; it contains most service days; it is the month of the bill's date; the bill is
spread from it on; or no field that decides it was changed. As another outcome, the bill waits for the month, comes
after it, or is history.
"""


class WouldBe(NamedTuple):
    """The billing month of a bill that is being entered, and what becomes of it.

    `last` is the last month of a spread bill. If `becomes` is "moved", `month` replaces the intended month `meant`,
    because invoices of that month were already sent.
    """

    month: Month
    last: Month
    meant: Month
    becomes: Becomes


class ReadSoFar(NamedTuple):
    """The form as read so far, and its billing month; None without a date."""

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
    return ReadSoFar(read, _stays(tx, caller, read.bill, bill_id) or _would_be(tx, caller, of, read.bill))


def _stays(tx: Tx, caller: Caller, bill: NewBill, bill_id: str | None) -> WouldBe | None:
    """Return a stored bill's months as long as no field that decides them is changed."""
    if bill_id is None:
        return None
    lines = bill_lines.stored(tx, caller, bill_id).lines
    was = bill_lines.as_new(access.bill(tx, caller, bill_id), lines)
    if any(getattr(bill, name) != getattr(was, name) for name in SAY_WHEN):
        return None
    named = sorted(Month(line.month) for line in lines)
    return WouldBe(named[0], named[-1], named[0], "spread" if bill.spread else "kept")


def _would_be(tx: Tx, caller: Caller, of: PropertyRow, bill: NewBill) -> WouldBe:
    rows = months.find_many(tx, caller.account_id, [of.id])
    closed = {row.month for row in rows if row.is_closed}
    goes_on = closed if accounts.the_account(tx, caller).late_bills == BY_ITSELF else set()
    meant = months_of(bill)[0].month
    named = sorted(month.month for month in bill_lines.months_for(bill, goes_on, of.billing_starts_month))
    return WouldBe(named[0], named[-1], meant, _becomes(bill, named[0], meant, closed, of.billing_starts_month or ""))


def _becomes(bill: NewBill, month: Month, meant: Month, closed: set[str], starts: str) -> Becomes:
    if bill.spread:
        return "spread"
    if month != meant:
        return "moved"
    if month in closed:
        return "waits"
    if month < starts:
        return "history"
    if bill.billing_month:
        return "chosen"
    return "service" if bill.service_start else "date"
