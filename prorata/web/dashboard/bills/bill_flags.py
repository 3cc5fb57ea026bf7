"""Acceptance of several flags at once: those of one bill, or of ticked bills."""

from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from prorata.actions.bills import bills, flag_acceptances, splits as bill_splits
from prorata.actions.bills.flag_acceptances import Accepted
from prorata.actions.invoices import previews
from prorata.domain.texts import joined, say, say_n
from prorata.ports import Forms
from prorata.web.dashboard.bills.bill import bill_page
from prorata.web.dashboard.bills.bills import BillsQuery, bills_page
from prorata.web.dashboard.kernel.pages import Ask, GoTo, page
from prorata.web.http.fields import text

_Reason = Annotated[str, text(1_000, least=0)]


class AllOfBillForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The reason for accepting all of a bill's flags; `shown` identifies the flags shown."""

    shown: Annotated[str, text(64, least=0)] = ""
    reason: _Reason = ""


class ChosenFlagsForm(BillsQuery, kw_only=True):
    """The ticked bills, and the reason for accepting all of their flags.

    Each bill is written `id:mark`; the mark identifies the flags that the page showed.
    """

    chosen: list[str] = msgspec.field(default_factory=list)
    reason: _Reason = ""


@page("POST", "/bills/{bill}/flags", may="write", form=AllOfBillForm, again=bill_page, moves=previews.of_bill)
def accept_flags_of_bill(ask: Ask[None, AllOfBillForm]) -> GoTo:
    """Accept all open flags of a bill with one reason."""
    row = bills.find(ask.tx, ask.caller, ask.path["bill"])
    done = flag_acceptances.accept_shown(ask.tx, ask.caller, {row.id: ask.form.shown}, ask.form.reason)
    if done.left:
        return GoTo(f"/bills/{row.id}", say("The flags have changed in the meantime. Open the bill again."), warns=True)
    after = bills.find(ask.tx, ask.caller, row.id)
    counts = [say("The bill now counts."), bill_splits.outcome(ask.tx, ask.caller, after, ask.write)]
    return GoTo(f"/bills/{row.id}", joined([say("Accepted."), *(counts if done.counting else [])]))


@page("POST", "/bills/flags", may="write", form=ChosenFlagsForm, again=bills_page)
def accept_chosen_flags(ask: Ask[None, Any]) -> GoTo:
    """Accept all open flags of the ticked bills with one reason."""
    shown = dict(choice.partition(":")[::2] for choice in ask.form.chosen)
    done = flag_acceptances.accept_shown(ask.tx, ask.caller, shown, ask.form.reason)
    kept = {"property": ask.form.property, "month": ask.form.month or "", "search": ask.form.search}
    filters = urlencode({"only": "flagged"} | {name: value for name, value in kept.items() if value})
    return GoTo(f"/bills?{filters}", _said(done, ask.write), warns=bool(done.left))


def _said(done: Accepted, write: Forms) -> str:
    kinds = (
        (
            done.bills,
            say_n("The flags on {n} bill were accepted.", "The flags on {n} bills were accepted.", 2),
        ),
        (done.counting, say_n("{n} bill was held and now counts.", "{n} bills were held and now count.", 2)),
        (len(done.left), _FLAGGED_ELSE),
    )
    return joined(sentence.of(number, write.count(number)) for number, sentence in kinds if number)


_FLAGGED_ELSE = say_n(
    "{n} bill now has different flags: review it again.",
    "{n} bills now have different flags: review them again.",
    2,
)
