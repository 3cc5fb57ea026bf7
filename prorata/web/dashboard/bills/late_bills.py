"""Late bills, which a person bills singly or together in a chosen month."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.bills import late_bills, splits as bill_splits
from prorata.actions.bills.late_bills import Settled
from prorata.actions.invoices import previews
from prorata.domain.billing_calendar import Month
from prorata.domain.groups import grouped
from prorata.domain.texts import joined, say
from prorata.web.dashboard.bills.bill import bill_page
from prorata.web.dashboard.bills.bills import BillsQuery, bills_page, parameters_of
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import MonthText


class ChosenLateForm(BillsQuery, kw_only=True):
    """The ticked late bills, and the month in which they are to be billed.

    If there is no month `into`, each bill is billed in the next open month of its property. `is_sure` means that the
    person has confirmed the months.
    """

    chosen: list[str] = msgspec.field(default_factory=list)
    into: MonthText | UnsetType = UNSET
    is_sure: bool = False


class LateForm(Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The month in which to bill one late bill.

    If `next_open` is set, the bill is billed in the next open month instead.
    """

    billing_month: MonthText | UnsetType = UNSET
    next_open: bool = False


@page("POST", "/bills/{bill}/month", may="write", form=LateForm, again=bill_page, moves=previews.of_bill)
def settle_late_bill(ask: Ask[None, LateForm]) -> GoTo:
    """Bill a late bill in the chosen month."""
    month = late_bills.NEXT_OPEN if ask.form.next_open else ask.form.billing_month or ""
    row = late_bills.settle(ask.tx, ask.caller, ask.path["bill"], month, ask.write)
    sentence = bill_splits.outcome(ask.tx, ask.caller, row, ask.write)
    if row.last_month != row.billing_month:
        return GoTo(f"/bills/{row.id}", joined([say("The part that was waiting has been billed."), sentence]))
    billed_in = ask.write.month(Month(row.billing_month or month))
    return GoTo(f"/bills/{row.id}", joined([say("Billed in {month}.", month=billed_in), sentence]))


@page("POST", "/bills/late", may="write", form=ChosenLateForm, again=bills_page)
def settle_late_bills(ask: Ask[None, Any]) -> Shown:
    """Bill the ticked late bills, once a person has confirmed their months.

    Before that, show the month in which each bill would be billed. Afterwards, show the result for each bill.
    """
    form: ChosenLateForm = ask.form
    does = late_bills.settle_many if form.is_sure else late_bills.would_settle
    settled = does(ask.tx, ask.caller, form.chosen, form.into or late_bills.NEXT_OPEN, ask.write)
    good = [its for its in settled if not its.problem]
    values = {
        "good": good, "left": [its for its in settled if its.problem], "sums": _sums(good), "is_done": form.is_sure,
        "into": form.into or "", "back": f"/bills?only=waiting&property={form.property}", "kept": parameters_of(form),
    }  # fmt: skip
    return Shown("late_bills.html", values)


def _sums(settled: Sequence[Settled]) -> list[tuple[Month, str, int, int]]:
    """Sum the late bills by the month in which they are billed, and by currency.

    Each sum is a tuple of the month, the currency, the number of bills, and their total in cents.
    """
    of_months = grouped(((its.month, its.bill.currency), its.amount) for its in settled)
    return [(*key, len(amounts), sum(amounts)) for key, amounts in sorted(of_months.items())]
