"""The page of one bill: its lines, their division to the cent, and buttons."""

from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from prorata.actions.accounts import accounts
from prorata.actions.bills import (
    bills,
    entries as bill_entries,
    flag_acceptances,
    flags as bill_flags,
    late_bills,
    removal_preview,
    splits as bill_splits,
)
from prorata.actions.delivery import tenant_visible_bills
from prorata.actions.inbound_mail import auto_confirmation
from prorata.actions.intake import bill_attachments, documents
from prorata.actions.invoices import previews
from prorata.domain.billing_calendar import Month
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say
from prorata.domain.usage import from_text
from prorata.errors import Conflict, InvalidRequest, PayloadTooLarge
from prorata.ports import Forms
from prorata.web.dashboard.kernel.forms import whole
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_ATTACHED_BYTES

UNITS = 50
"""The maximum number of units that the bill's page shows for a line."""


class BillQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The page number in the list of units among which a bill's lines are divided."""

    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1


class PaymentForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """A bill's payment status: whether the issuer has been paid."""

    status: Literal["PAID", "UNPAID"]


class ShownForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The choice of whether tenants may see a bill's PDF."""

    is_shown: bool = False


class AcceptForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The reason for accepting a flag; `shown` identifies the flag that the person saw."""

    shown: Annotated[str, text(64, least=0)] = ""
    reason: Annotated[str, text(1_000, least=0)] = ""


@page("GET", "/bills/{bill}", may="read", query=BillQuery)
def bill_page(ask: Ask[Any, Any]) -> Shown:
    """Show the bill, with the division of each line among the units."""
    split = bill_splits.of_bill(ask.tx, ask.caller, ask.path["bill"], ask.write)
    waits = any(line.state == "waiting" for line in split.lines)
    loss = removal_preview.of_split(ask.tx, ask.caller, split, ask.write)
    values = {
        "split": split,
        "bill": split.bill,
        "row": split.row,
        "lost": joined(loss.says),
        "next_open": late_bills.next_open_month(ask.tx, ask.caller, split.bill.id) if waits else None,
        "is_fixed": loss.is_refused,
        "page_number": getattr(ask.query, "page", 1),
        "limit": UNITS,
        "usages": _used(split.row.usage, split.currency, ask.write),
    }
    return Shown("bill.html", values | _beside(ask, split.bill.id))


def _used(usage: str | None, currency: str, write: Forms) -> list[tuple[str, str]]:
    """Describe the usage of each utility on a bill.

    If the price per unit of measure is known, the description contains it.
    """
    usages = []
    for kind, used_of_kind in from_text(usage):
        used = f"{write.number(Fraction(used_of_kind.used))}\N{NO-BREAK SPACE}{used_of_kind.unit}"
        if used_of_kind.price is not None:
            used = say("{used} at {price} each", used=used, price=write.price(used_of_kind.price, currency))
        usages.append((kind, used))
    return usages


def _beside(ask: Ask[Any, Any], bill_id: str) -> dict[str, Any]:
    """Collect the values for a bill's page that don't concern its division, such as flags."""
    open_flags = flag_acceptances.open_of(ask.tx, ask.caller, [bill_id]).get(bill_id)
    return {
        "flags": bill_flags.of_bill(ask.tx, ask.caller, bill_id),
        "flags_mark": open_flags.mark if open_flags else "",
        "counted_by": auto_confirmation.counted_by(ask.tx, ask.caller, bill_id),
        "documents": documents.of_bill(ask.tx, ask.caller, bill_id),
        "shown": tenant_visible_bills.of_bill(ask.tx, ask.caller, bill_id),
        "shows_bills": accounts.the_account(ask.tx, ask.caller).shows_bills,
    }


@page("POST", "/bills/{bill}/payment", may="write", form=PaymentForm)
def mark_bill(ask: Ask[None, PaymentForm]) -> GoTo:
    """Record whether the bill was paid."""
    row = bill_entries.mark(ask.tx, ask.caller, ask.path["bill"], ask.form.status)
    return GoTo(f"/bills/{row.id}", say("Marked as paid.") if ask.form.status == "PAID" else say("Marked as not paid."))


@page("POST", "/bills/{bill}/tenants", may="write", form=ShownForm, again=bill_page)
def show_bill_to_tenants(ask: Ask[None, ShownForm]) -> GoTo:
    """Choose whether tenants may see the bill's PDF."""
    tenant_visible_bills.choose(ask.tx, ask.caller, ask.path["bill"], is_shown=ask.form.is_shown)
    message = (
        say("Tenants who pay a part of this bill can see its file.")
        if ask.form.is_shown
        else say("Tenants can no longer see this bill’s file.")
    )
    return GoTo(f"/bills/{ask.path['bill']}", message)


@page("POST", "/bills/{bill}/files", may="write", again=bill_page, most_bytes=MOST_ATTACHED_BYTES)
def attach_file(ask: Ask[None, None]) -> GoTo:
    """Attach a PDF or picture to the bill; the bill's values don't change."""
    file = ask.files.get("file")
    if file is None or not file.name:
        raise InvalidRequest.because([Problem("file", say("Choose a file first."))])
    try:
        row = bill_attachments.attach(ask.tx, ask.caller, ask.path["bill"], file.name, file.content)
    except (Conflict, InvalidRequest, PayloadTooLarge) as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None
    return GoTo(f"/bills/{ask.path['bill']}", say("{name} is attached to this bill.", name=row.name))


@page("POST", "/bills/{bill}/files/{document}/remove", may="write")
def detach_file(ask: Ask[None, None]) -> GoTo:
    """Detach a file from the bill."""
    row = bill_attachments.detach(ask.tx, ask.caller, ask.path["bill"], ask.path["document"])
    return GoTo(f"/bills/{row.id}", say("The file was removed from this bill. It is still stored."))


@page(
    "POST", "/bills/{bill}/flags/{number}", may="write", form=AcceptForm, again=bill_page, moves=previews.of_bill
)  # fmt: skip
def accept_flag(ask: Ask[None, AcceptForm]) -> GoTo:
    """Accept a flag; once all flags are accepted, a held bill is charged to tenants."""
    number = whole(ask.path["number"])
    counts = bill_flags.accept(ask.tx, ask.caller, ask.path["bill"], number, ask.form.reason, ask.form.shown)
    row = bills.find(ask.tx, ask.caller, ask.path["bill"])
    outcome = [say("The bill now counts."), bill_splits.outcome(ask.tx, ask.caller, row, ask.write)] if counts else []
    return GoTo(f"/bills/{row.id}", joined([say("Accepted."), *outcome]))


@page("GET", "/bills/{bill}/delete", may="write")
def ask_to_delete_bill(ask: Ask[None, None]) -> Shown | GoTo:
    """Ask to confirm deleting a bill, for browsers without dialogs.

    If the bill can't be deleted, return to its page with a message that states the reason.
    """
    split = bill_splits.of_bill(ask.tx, ask.caller, ask.path["bill"], ask.write)
    loss, back = removal_preview.of_split(ask.tx, ask.caller, split, ask.write), f"/bills/{split.bill.id}"
    if loss.is_refused:
        return GoTo(back, joined(loss.says), warns=True)
    title = say("Delete this bill from {issuer_name}?", issuer_name=split.bill.issuer_name)
    question = {"title": title, "lost": joined(loss.says), "does": say("Delete the bill"), "back": back}
    return Shown("confirm.html", question | {"moves": True})


@page("POST", "/bills/{bill}/delete", may="write", again=bill_page, moves=previews.of_bill)
def delete_bill(ask: Ask[None, None]) -> GoTo:
    """Delete the bill and its charges."""
    row = bills.find(ask.tx, ask.caller, ask.path["bill"])
    bills.remove(ask.tx, ask.caller, row.id, ask.write)
    message = say("The bill from {issuer_name} was deleted.", issuer_name=row.issuer_name)
    if row.held or row.billing_month is None:
        return GoTo("/bills", message)
    if row.last_month != row.billing_month:
        return GoTo("/bills", joined([message, say("Its months were recalculated.")]))
    anew = say("{month} was recalculated.", month=ask.write.month(Month(row.billing_month)))
    return GoTo("/bills", joined([message, anew]))
