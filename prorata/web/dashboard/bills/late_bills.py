"""Late bills, for which a person chooses the month in which to bill them."""

from msgspec import UNSET, Struct, UnsetType

from prorata.actions.bills import entries as bill_entries, splits as bill_splits
from prorata.actions.invoices import previews
from prorata.domain.billing_calendar import Month
from prorata.domain.texts import joined, say
from prorata.web.dashboard.bills.bill import bill_page
from prorata.web.dashboard.kernel.pages import Ask, GoTo, page
from prorata.web.http.fields import MonthText


class LateForm(Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The month in which to bill a late bill, or the next open month."""

    billing_month: MonthText | UnsetType = UNSET
    next_open: bool = False


@page("POST", "/bills/{bill}/month", may="write", form=LateForm, again=bill_page, moves=previews.of_bill)
def settle_late_bill(ask: Ask[None, LateForm]) -> GoTo:
    """Bill a late bill in the chosen month."""
    month = bill_entries.NEXT_OPEN if ask.form.next_open else ask.form.billing_month or ""
    row = bill_entries.settle_late(ask.tx, ask.caller, ask.path["bill"], month, ask.write)
    sentence = bill_splits.outcome(ask.tx, ask.caller, row, ask.write)
    if row.last_month != row.billing_month:
        return GoTo(f"/bills/{row.id}", joined([say("The part that was waiting has been billed."), sentence]))
    billed_in = ask.write.month(Month(row.billing_month or month))
    return GoTo(f"/bills/{row.id}", joined([say("Billed in {month}.", month=billed_in), sentence]))
