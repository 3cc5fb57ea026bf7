"""The final invoice of a household that moves out: previewing and sending it."""

from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery import send_schedule
from prorata.actions.invoices import contents, final_invoices, previews, roommates
from prorata.actions.invoices.final_invoices import FinalInvoice
from prorata.actions.months import checks
from prorata.actions.printing import printed_invoices
from prorata.domain.delivery.invoice_steps import SAVE, mails
from prorata.domain.mail.deliveries import why_by_hand
from prorata.domain.months.findings import Finding
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.properties.units import TenantRow
from prorata.web.dashboard.invoices.invoice import written_for_the_landlord
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import text


class FinalForm(Struct, kw_only=True):
    """The mark that identifies the final invoice as the person saw it."""

    seen: Annotated[str, text(64, least=0)] = ""


@page("GET", "/tenants/{tenant}/final-invoice", may="write")
def final_invoice_page(ask: Ask[None, None]) -> Shown:
    """Show what the final invoice would contain, or why there is none to send."""
    row = access.tenant(ask.tx, ask.caller, ask.path["tenant"])
    values: dict[str, Any] = {
        "row": row, "unit": access.unit(ask.tx, ask.caller, row.unit_id), "found": None,
        "property": access.property_(ask.tx, ask.caller, row.property_id), "missing": _missing(ask, row),
    }  # fmt: skip
    try:
        found = final_invoices.look(ask.tx, ask.caller, row.id)
    except Conflict as refused:
        drafts = roommates.drafts_of(ask.tx, ask.caller, row, values["unit"])
        return Shown("final_invoice.html", values | {"drafts": drafts, "why_none": refused.message})
    printed = printed_invoices.of_rows(ask.tx, ask.caller, found.drafts)
    written = [written_for_the_landlord(one, ask.person.locale, ask.write) for one in printed]
    values |= {"found": found, "drafts": written, "seen": _seen(ask, found)} | _addressee(ask, found)
    return Shown("final_invoice.html", values)


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
    access.tenant_to_change(ask.tx, ask.caller, ask.path["tenant"])  # nothing changes between the look and the sending
    if ask.form.seen and _seen(ask, final_invoices.look(ask.tx, ask.caller, ask.path["tenant"])) != ask.form.seen:
        raise Conflict(
            say("The contents of the final invoice have changed since you looked. Check them, then continue.")
        )
    sent = final_invoices.send(ask.tx, ask.caller, ask.path["tenant"], settles=True).summary
    return GoTo(
        f"/invoices/{sent.id}",
        say(
            "{number}, the final invoice of {tenant_name}, was marked as sent.",
            number=sent.number,
            tenant_name=sent.tenant_name,
        ),
    )


def _missing(ask: Ask[Any, Any], row: TenantRow) -> list[Finding]:
    """List the usual bills that are missing in a tenant's last month."""
    if row.move_out is None:
        return []
    late_bills = account_actions.the_account(ask.tx, ask.caller).late_bills
    checked = checks.of_months(ask.tx, ask.caller, [(row.property_id, row.move_out[:7])], late_bills, ask.write)
    return [finding for one in checked.values() for finding in one.findings if finding.kind == "missingBill"]


def _addressee(ask: Ask[Any, Any], found: FinalInvoice) -> dict[str, Any]:
    its = final_invoices.addressee_of(ask.tx, found)
    address = its.mail_address if its else None
    account = account_actions.the_account(ask.tx, ask.caller)
    by_hand = why_by_hand(mail_on=bool(account.mail_on), tenant_id=its.id if its else None, address=address)
    leaves = send_schedule.of_account(ask.tx, account, ask.outside.mail_held)
    goes = mails(its.name if its else None, address, leaves, ask.write)
    does = SAVE if leaves.is_saved and not by_hand else say("Send the final invoice")
    return {"addressee": its, "address": address, "by_hand": by_hand, "goes": goes, "does": does}


def _seen(ask: Ask[Any, Any], found: FinalInvoice) -> str:
    account = account_actions.the_account(ask.tx, ask.caller)
    return contents.fingerprint(ask.tx, account, [draft.id for draft in found.drafts], found.number)
