"""The correction of a bill that was already charged, with its effect on each tenant."""

from collections.abc import Mapping
from typing import Any

from prorata.actions.accounts import access
from prorata.actions.bills import bills, corrections as bill_corrections, entries as bill_entries
from prorata.actions.delivery import tenant_visible_bills
from prorata.actions.invoices import lists as invoice_lists, previews
from prorata.actions.invoices.lists import Wish
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.forms import as_typed
from prorata.domain.invoice_states import CLOSING
from prorata.domain.money import in_figures
from prorata.domain.texts import listed, say
from prorata.domain.usage import UNITS, Usage, from_text
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.web.dashboard.bills.entries import beside_fields
from prorata.web.dashboard.invoices.invoices import ROWS
from prorata.web.dashboard.kernel.pages import VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.kernel.rendering import query_of

_AMOUNT = "amount"
_NEXT, _REOPEN = "next", "reopen"
"""The form values for handling the difference: next invoices, or sending invoices again."""
_WITHDRAWS = say(
    "You are taken to the sent invoices, where you can set them back to draft and send them again with the correct "
    "amounts."
)


@page("GET", "/bills/{bill}/correct", may="write")
def correct_bill_page(ask: Ask[Any, None]) -> Shown:
    """Show the form in which a person enters the bill's correct amounts."""
    kinds = _kinds(ask)
    form = bill_entries.form_of(ask.tx, ask.caller, ask.path["bill"])
    version = access.bill(ask.tx, ask.caller, ask.path["bill"]).updated_at
    filled = {"totalAmountDue": form.total, "then": _NEXT, VERSION: version} | {
        f"{_AMOUNT}{kind}": cents for kind, cents in kinds.items()
    }
    return _form(ask, kinds)._replace(filled=filled)


@page("POST", "/bills/{bill}/correct", may="write", own_fields=True, again=correct_bill_page, moves=previews.of_bill)
def correct_bill(ask: Ask[None, None]) -> GoTo:
    """Save the correct amounts, and then handle the differences as the person chose.

    Either the differences are put on the next invoices, or the person is redirected to the sent invoices in order to
    send them again, or the sent invoices stay as they are.
    """
    total, amounts, usages = _read(ask, _kinds(ask))
    row = bill_corrections.correct(
        ask.tx, ask.caller, ask.path["bill"], total, amounts, ask.write, usages=usages, seen=ask.seen
    )
    months, then = bill_corrections.months_of(ask.tx, ask.caller, row.id), ask.typed.get("then")
    if then == _NEXT and months:
        placed = bill_corrections.place(ask.tx, ask.caller, row.id)
        named = listed([ask.write.month(Month(month_placed)) for month_placed in placed])
        message = say("Corrected. The differences go on the invoices of {months}.", months=named)
        return GoTo(f"/bills/{row.id}", message if placed else say("Corrected. Sent invoices stay as they are."))
    if then == _REOPEN and months:
        message = say("Corrected. The sent invoices are chosen here: set them back to draft, then send them again.")
        return GoTo(f"/invoices{_sent_of(ask, row.property_id, months[0])}", message, next_step=_WITHDRAWS)
    return GoTo(f"/bills/{row.id}", say("Corrected. Sent invoices stay as they are."))


def _sent_of(ask: Ask[None, None], property_id: str, month: str) -> str:
    """Build the address query that lists a month's invoices with the sent ones ticked.

    If the month's invoices don't fit on one page, the query instead selects all invoices that have the same status
    as the first sent invoice.
    """
    place = {"property": property_id, "month": month}
    found = invoice_lists.page(ask.tx, ask.caller, Wish(place), limit=ROWS)
    sent = [row for row in found.rows if row.status in CLOSING]
    if found.has_more and sent:
        return query_of(place, status=sent[0].status, all="true")
    return query_of(place, ticked=",".join(row.id for row in sent))


def _kinds(ask: Ask[Any, None]) -> dict[str, str]:
    """Return the amount of each bill line as text, by utility type or unbilled reason."""
    return {
        kind: in_figures(cents) for kind, cents in bill_corrections.parts(ask.tx, ask.caller, ask.path["bill"]).items()
    }


def _read(ask: Ask[None, None], kinds: Mapping[str, str]) -> tuple[int, dict[str, int], dict[str, Usage]]:
    typed, of = ask.typed, ask.path["bill"]
    amounts = {kind: typed.get(f"{_AMOUNT}{kind}", "") for kind in kinds}
    used = {
        kind: (typed.get(f"used{kind}", ""), typed.get(f"unit{kind}", ""), typed.get(f"price{kind}", ""))
        for kind in kinds
    }
    with beside_fields(kinds, _field):
        return bill_corrections.read(ask.tx, ask.caller, of, typed.get("totalAmountDue", ""), amounts, used)


def _field(what: str, kind: str) -> str:
    return f"{what}{kind}"


def _form(ask: Ask[Any, None], kinds: Mapping[str, str]) -> Shown:
    bill = bills.find(ask.tx, ask.caller, ask.path["bill"])
    country = access.property_(ask.tx, ask.caller, bill.property_id).country
    usages = dict(from_text(access.bill(ask.tx, ask.caller, bill.id).usage))
    used = {kind: as_typed(usages.get(kind), country) for kind in kinds if kind in UTILITY_TYPES}
    months = bill_corrections.next_months(ask.tx, ask.caller, bill.id)
    values = {
        "bill": bill,
        "kinds_of_bill": list(kinds),
        "used": used,
        "units": UNITS,
        "has_usage": bool(usages),
        "withdraws": _WITHDRAWS,
        "shown": tenant_visible_bills.of_bill(ask.tx, ask.caller, bill.id),
    }
    return Shown("bill_correct.html", values | {"next_months": listed([ask.write.month(Month(one)) for one in months])})
