"""The final invoice of a household that moves out: a preview, and the sending."""

from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.invoices import contents, final_invoices, previews
from prorata.actions.invoices.final_invoices import FinalInvoice
from prorata.domain.countries import in_area_unit
from prorata.domain.mail.deliveries import why_by_hand
from prorata.domain.texts import say
from prorata.domain.utility_names import CHARGE_NAMES
from prorata.errors import Conflict
from prorata.store.invoices.invoices import ChargeRow
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import text


class FinalForm(Struct, kw_only=True):
    """The mark that identifies the final invoice as the person saw it."""

    seen: Annotated[str, text(64, least=0)] = ""


@page("GET", "/tenants/{tenant}/final-invoice", may="write")
def final_invoice_page(ask: Ask[None, None]) -> Shown:
    """Show what the final invoice would contain, or why there is none to send."""
    row = access.tenant(ask.tx, ask.caller, ask.path["tenant"])
    values: dict[str, Any] = {"row": row, "unit": access.unit(ask.tx, ask.caller, row.unit_id), "found": None}
    try:
        found = final_invoices.look(ask.tx, ask.caller, row.id)
    except Conflict as refused:
        why_none = refused.message.replace(" (moveOutDate)", "")  # the API's field name
        return Shown("final_invoice.html", values | {"why_none": why_none})
    charges = [(_name(one), _said(one, found.house.country), one.amount) for one in found.charges]
    return Shown(
        "final_invoice.html",
        values | {"found": found, "charges": charges, "seen": _seen(ask, found)} | _addressee(ask, found),
    )


@page(
    "POST",
    "/tenants/{tenant}/final-invoice",
    may="write",
    form=FinalForm,
    again=final_invoice_page,
    moves=previews.of_tenant,
)
def send_final_invoice(ask: Ask[None, FinalForm]) -> GoTo:
    """Send the final invoice."""
    if ask.form.seen and _seen(ask, final_invoices.look(ask.tx, ask.caller, ask.path["tenant"])) != ask.form.seen:
        raise Conflict(
            say("The contents of the final invoice have changed since you looked. Check them, then continue.")
        )
    sent = final_invoices.send(ask.tx, ask.caller, ask.path["tenant"], settles=True).summary
    return GoTo(
        f"/invoices/{sent.id}",
        say(
            "{number}, the final invoice of {tenant_name}, was sent.", number=sent.number, tenant_name=sent.tenant_name
        ),
    )


def _addressee(ask: Ask[Any, Any], found: FinalInvoice) -> dict[str, Any]:
    its = final_invoices.addressee_of(ask.tx, found)
    address = its.mail_address if its else None
    is_on = bool(account_actions.the_account(ask.tx, ask.caller).mail_on)
    by_hand = why_by_hand(mail_on=is_on, tenant_id=its.id if its else None, address=address)
    return {"addressee": its, "address": address, "by_hand": by_hand}


def _seen(ask: Ask[Any, Any], found: FinalInvoice) -> str:
    account = account_actions.the_account(ask.tx, ask.caller)
    return contents.fingerprint(ask.tx, account, [draft.id for draft in found.drafts], found.number)


def _name(charge: ChargeRow) -> str:
    return charge.description if charge.bill_id is None else CHARGE_NAMES[charge.utility_type or "OTHER"]


def _said(charge: ChargeRow, country: str) -> str:
    return say("Added by hand") if charge.bill_id is None else in_area_unit(charge.description, country)
