"""One bill: its lines, how each was divided to the cent, and what can be done with it."""

from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from prorata.actions.bills import (
    bills,
    entries as bill_entries,
    flag_acceptances,
    flags as bill_flags,
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
"""Units of a line on one page."""


class BillQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Which units of a bill's lines are shown: those of this page."""

    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1


class PaymentForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whether the bill was paid to its issuer."""

    status: Literal["PAID", "UNPAID"]


class ShownForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whether tenants may see the PDF of a bill."""

    is_shown: bool = False


class AcceptForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """Why a flag is right; `shown` tells which flag somebody was shown."""

    shown: Annotated[str, text(64, least=0)] = ""
    reason: Annotated[str, text(1_000, least=0)] = ""


@page("GET", "/bills/{bill}", may="read", query=BillQuery)
def bill_page(ask: Ask[Any, Any]) -> Shown:
    """The bill, line by line and unit by unit."""
    split = bill_splits.of_bill(ask.tx, ask.caller, ask.path["bill"], ask.write)
    waits = any(line.state == "waiting" for line in split.lines)
    loss = removal_preview.of_split(ask.tx, ask.caller, split, ask.write)
    values = {
        "split": split,
        "bill": split.bill,
        "row": split.row,
        "lost": joined(loss.says),
        "next_open": bill_entries.next_open_month(ask.tx, ask.caller, split.bill.id) if waits else None,
        "is_fixed": loss.is_refused,
        "page_number": getattr(ask.query, "page", 1),
        "limit": UNITS,
        "usages": _used(split.row.usage, split.currency, ask.write),
    }
    return Shown("bill.html", values | _beside(ask, split.bill.id))


def _used(usage: str | None, currency: str, write: Forms) -> list[tuple[str, str]]:
    """What a bill says was used, by the utilities of which it does."""
    found = []
    for kind, one in from_text(usage):
        used = f"{write.number(Fraction(one.used))}\N{NO-BREAK SPACE}{one.unit}"
        if one.price is not None:
            used = say("{used} at {price} each", used=used, price=write.price(one.price, currency))
        found.append((kind, used))
    return found


def _beside(ask: Ask[Any, Any], bill_id: str) -> dict[str, Any]:
    """What a bill's page shows beside how it was divided: its flags, and where it came from."""
    open_flags = flag_acceptances.open_of(ask.tx, ask.caller, [bill_id]).get(bill_id)
    return {
        "flags": bill_flags.of_bill(ask.tx, ask.caller, bill_id),
        "flags_mark": open_flags.mark if open_flags else "",
        "counted_by": auto_confirmation.counted_by(ask.tx, ask.caller, bill_id),
        "documents": documents.of_bill(ask.tx, ask.caller, bill_id),
        "shown": tenant_visible_bills.of_bill(ask.tx, ask.caller, bill_id),
    }


@page("POST", "/bills/{bill}/payment", may="write", form=PaymentForm)
def mark_bill(ask: Ask[None, PaymentForm]) -> GoTo:
    """Notes whether it was paid."""
    row = bill_entries.mark(ask.tx, ask.caller, ask.path["bill"], ask.form.status)
    return GoTo(f"/bills/{row.id}", say("Marked as paid.") if ask.form.status == "PAID" else say("Marked as not paid."))


@page("POST", "/bills/{bill}/tenants", may="write", form=ShownForm, again=bill_page)
def show_bill_to_tenants(ask: Ask[None, ShownForm]) -> GoTo:
    """Says whether tenants may see the PDF of the bill."""
    tenant_visible_bills.choose(ask.tx, ask.caller, ask.path["bill"], is_shown=ask.form.is_shown)
    said = (
        say("Tenants who pay a part of this bill can see its file.")
        if ask.form.is_shown
        else say("Tenants see it no more.")
    )
    return GoTo(f"/bills/{ask.path['bill']}", said)


@page("POST", "/bills/{bill}/files", may="write", again=bill_page, most_bytes=MOST_ATTACHED_BYTES)
def attach_file(ask: Ask[None, None]) -> GoTo:
    """Attaches a PDF or a picture of the bill, and changes nothing of it."""
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
    """Takes a file off the bill."""
    row = bill_attachments.detach(ask.tx, ask.caller, ask.path["bill"], ask.path["document"])
    return GoTo(f"/bills/{row.id}", say("The file was taken off this bill. It is still kept."))


@page(
    "POST", "/bills/{bill}/flags/{number}", may="write", form=AcceptForm, again=bill_page, moves=previews.of_bill
)  # fmt: skip
def accept_flag(ask: Ask[None, AcceptForm]) -> GoTo:
    """Accepts a flag; a bill that was held counts with the last of them."""
    number = whole(ask.path["number"])
    counts = bill_flags.accept(ask.tx, ask.caller, ask.path["bill"], number, ask.form.reason, ask.form.shown)
    row = bills.find(ask.tx, ask.caller, ask.path["bill"])
    outcome = [say("The bill counts now."), bill_splits.outcome(ask.tx, ask.caller, row, ask.write)] if counts else []
    return GoTo(f"/bills/{row.id}", joined([say("Accepted."), *outcome]))


@page("GET", "/bills/{bill}/delete", may="write")
def ask_to_delete_bill(ask: Ask[None, None]) -> Shown | GoTo:
    """The question, for those whose browser opens no dialog; what can't be deleted is said on its page."""
    split = bill_splits.of_bill(ask.tx, ask.caller, ask.path["bill"], ask.write)
    loss, back = removal_preview.of_split(ask.tx, ask.caller, split, ask.write), f"/bills/{split.bill.id}"
    if loss.is_refused:
        return GoTo(back, joined(loss.says), warns=True)
    title = say("Delete this bill of {issuer_name}?", issuer_name=split.bill.issuer_name)
    question = {"title": title, "lost": joined(loss.says), "does": say("Delete the bill"), "back": back}
    return Shown("confirm.html", question | {"moves": True})


@page("POST", "/bills/{bill}/delete", may="write", again=bill_page, moves=previews.of_bill)
def delete_bill(ask: Ask[None, None]) -> GoTo:
    """Deletes it, and what it charged."""
    row = bills.find(ask.tx, ask.caller, ask.path["bill"])
    bills.remove(ask.tx, ask.caller, row.id, ask.write)
    said = say("The bill of {issuer_name} was deleted.", issuer_name=row.issuer_name)
    if row.held or row.billing_month is None:
        return GoTo("/bills", said)
    if row.last_month != row.billing_month:
        return GoTo("/bills", joined([said, say("Its months were divided anew.")]))
    anew = say("{month} was recalculated.", month=ask.write.month(Month(row.billing_month)))
    return GoTo("/bills", joined([said, anew]))
