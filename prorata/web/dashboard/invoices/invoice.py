"""The page of one invoice: its charges and their reasons, its buttons, and its history."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.audit import activity
from prorata.actions.delivery import deliveries, invoice_reviews, reminders
from prorata.actions.delivery.receipts import Paid
from prorata.actions.invoices import invoices, lists as invoice_lists, papers, previews, statements
from prorata.actions.lists import form_tokens
from prorata.actions.months import sending
from prorata.actions.online_payments import payment_links, payments_under_way
from prorata.actions.payments import provider_events
from prorata.actions.printing.roommates import names_beside
from prorata.actions.splitting import explanations
from prorata.domain.accounts.permissions import may
from prorata.domain.delivery.invoice_steps import (
    CANCEL,
    HANDED_OVER,
    MARK_PAID,
    NOT_PAID,
    REMIND,
    REOPEN,
    SEND,
    SEND_AGAIN,
)
from prorata.domain.invoice_states import DRAFT, PAID
from prorata.domain.mail.deliveries import QUEUED
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.printing.rendering import WrittenInvoice, write
from prorata.domain.printing.translations import AMERICAN
from prorata.domain.texts import Text, joined, say
from prorata.ports import Forms
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.web.dashboard.invoices.receipts import with_receipts
from prorata.web.dashboard.invoices.tenant_side import tenant_side
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.forms import agree
from prorata.web.dashboard.kernel.pages import ONCE, Ask, Download, GoTo, Shown, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.dashboard.kernel.translations import OWN, catalog_name, catalog_of
from prorata.web.http.fields import DateText, Number, number, text
from prorata.web.http.limits import LARGEST_MONEY, LONGEST_CHARGE_TEXT, MOST_INVOICE_EVENTS_SHOWN

PDF, JSON = "application/pdf", "application/json"
_PAID_ON, _CREDIT = say("On {day}."), say("Credit of the tenant")
"""The texts that the dashboard shows in place of texts addressed to the tenant."""
_DONE = {
    SEND: say("{number} was marked as sent."),
    MARK_PAID: say("{number} was marked as paid."),
    NOT_PAID: say("{number} is awaiting payment again."),
    REOPEN: say("{number} is a draft again."),
    CANCEL: say("{number} was cancelled."),
    SEND_AGAIN: say("{number} is being sent again."),
    REMIND: say("A reminder of {number} was created. The list of e-mails here shows what becomes of it."),
    HANDED_OVER: say("{number} was marked as handed over."),
}
_WITHDRAWN = say("Its e-mail hadn’t been sent and was withdrawn.")
_SENT_AND_PAID = say("{number} was sent. Payments received cover it, so it is paid.")


class StepForm(Struct, kw_only=True, rename="camel"):
    """The confirmation of an action on an invoice, such as marking it as paid.

    `seen` identifies the question that the person saw, and `paid_on` is the day of the payment. `receipt` means that
    the tenant is sent a receipt for the amount that is recorded as paid.
    """

    seen: Annotated[str, text(64, least=0)] = ""
    receipt: bool = False
    paid_on: DateText | None = None


class ChargeForm(Struct, kw_only=True):
    """A custom charge; a negative amount is a credit."""

    description: Annotated[str, text(LONGEST_CHARGE_TEXT)]
    amount: Annotated[Number, number(-int(LARGEST_MONEY), LARGEST_MONEY, places=2, noun="an amount")]


@page("GET", "/invoices/{invoice}", may="read")
def invoice_page(ask: Ask[Any, None]) -> Shown:
    """Show an invoice with its charges, payments and messages, and buttons for actions."""
    found = invoice_reviews.review(ask.tx, ask.caller, ask.path["invoice"], ask.write, ask.outside.mail_held)
    written = written_for_the_landlord(found.printed, ask.person.locale, ask.write)
    history = activity.page(ask.tx, ask.caller, record=found.row.id, limit=MOST_INVOICE_EVENTS_SHOWN, write=ask.write)
    values = {
        "found": found,
        "row": found.row,
        "written": written,
        "charges": list(zip(found.charges, written.charges, strict=True)),
        "lost": invoice_reviews.lost_with_charge(found.charges),
        "history": history,
        "older": len(history) == MOST_INVOICE_EVENTS_SHOWN,
        "month": ask.write.month(found.printed.month),
        "explained": explanations.is_there(ask.tx, access.invoice(ask.tx, ask.caller, found.row.id)),
    }
    return Shown("invoice.html", values | _others(ask, found.row), {ONCE: new_token()})


def written_for_the_landlord(invoice: PrintedInvoice, locale: str, forms: Forms) -> WrittenInvoice:
    """Write an invoice in the viewer's language, whatever the invoice's own language is."""
    catalog = catalog_of(catalog_name(locale))
    texts = AMERICAN if catalog_name(locale) == OWN else texts_for(locale)
    its_texts = texts._replace(paid_on=catalog.gettext(_PAID_ON.form), credit=catalog.gettext(_CREDIT.form))
    return write(invoice._replace(copy=invoice.copy._replace(locale=locale)), its_texts, forms)


def _others(ask: Ask[Any, Any], row: InvoiceSummary) -> dict[str, Any]:
    """Collect an invoice page's values about the tenant and the online payment.

    They include the state of the tenant's page, and the payment providers' messages that a person must check.
    """
    invoice_id = row.id
    told = provider_events.to_check(ask.tx, ask.caller, invoice_id)
    online = payment_links.online(ask.tx, ask.caller, invoice_id)
    under_way = payments_under_way.of_invoices(ask.tx, ask.caller.account_id, [invoice_id])
    has_statement = statements.has_one(ask.tx, ask.caller, row.tenant_id)
    values = {"told": told, "online": online, "under_way": under_way, "has_statement": has_statement}
    values["lived_in"] = bool(invoice_lists.lived_in_since(ask.tx, ask.caller, [row]))
    return {"tenant": tenant_side(ask, invoice_id), "beside": _beside(ask, row), **values}


def _beside(ask: Ask[Any, Any], row: InvoiceSummary) -> tuple[str, ...]:
    """Return the names of the household's other tenants, who share the invoice."""
    return names_beside(ask.tx, ask.caller.account_id, [row]).get(row.id, ())


@page("GET", "/invoices/{invoice}/do/{step}", may="write")
def ask_about_step(ask: Ask[None, None]) -> Shown:
    """Ask to confirm an action on an invoice, such as sending it.

    Before a draft is sent, the page also shows the checks of its month. The questions about all other actions are
    for browsers without dialogs.
    """
    row, asked = invoice_reviews.question(
        ask.tx, ask.caller, ask.path["invoice"], ask.path["step"], ask.write, ask.outside.mail_held
    )
    is_new = asked.name == SEND and row.status == DRAFT
    drafts = [(row.property_id, row.month, row.id)]
    look = sending.look_first(ask.tx, ask.caller, drafts, ask.write) if is_new else None
    return Shown("invoice_question.html", {"row": row, "asked": asked, "look": look, "beside": _beside(ask, row)})


@page(
    "POST", "/invoices/{invoice}/do/{step}", may="write", form=StepForm, again=invoice_page, moves=previews.of_invoice
)
def take_step(ask: Ask[None, StepForm]) -> GoTo:
    """Do an action on an invoice, such as sending it."""
    was_queued = access.invoice(ask.tx, ask.caller, ask.path["invoice"]).delivery == QUEUED
    row = invoice_reviews.take(
        ask.tx, ask.caller, ask.path["invoice"], ask.path["step"], ask.write, seen=ask.form.seen or None,
        mail_held=ask.outside.mail_held, paid_on=date.fromisoformat(paid_on) if (paid_on := ask.form.paid_on) else None,
    )  # fmt: skip
    did = _SENT_AND_PAID if (ask.path["step"], row.status) == (SEND, PAID) else _DONE[ask.path["step"]]
    paid = [Paid(row.id)] if ask.path["step"] == MARK_PAID else []
    withdrawn = _WITHDRAWN if paid and was_queued else ""
    said = joined([did.format(number=row.number), withdrawn, no_reminder(ask, row)])
    return GoTo(_at(row.id), with_receipts(ask, said, paid if ask.form.receipt else []))


def no_reminder(ask: Ask[Any, Any], row: InvoiceSummary) -> Text:
    """Say that a paid invoice's waiting reminder is not sent, if there is one."""
    ends = row.status == PAID and reminders.waits(ask.tx, ask.caller, row.id)
    return joined([say("The waiting reminder won’t be sent.")] if ends else [])


@page(
    "POST", "/invoices/{invoice}/charges", may="write", form=ChargeForm, again=invoice_page, moves=previews.of_invoice
)  # fmt: skip
def add_charge(ask: Ask[None, ChargeForm]) -> GoTo:
    """Add a custom charge to the invoice."""
    form = ask.form
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        return GoTo(
            _at(ask.path["invoice"]), say("The charge was added. The form was sent twice but counts only once.")
        )
    agree(invoices.find(ask.tx, ask.caller, ask.path["invoice"]).summary.currency, amount=form.amount)
    row = invoices.add_custom_charge(ask.tx, ask.caller, ask.path["invoice"], form.description, _cents(form.amount))
    return GoTo(_at(row.summary.id), say("The credit was added.") if form.amount < 0 else say("The charge was added."))


@page("GET", "/invoices/{invoice}/charges/{charge}/remove", may="write")
def ask_to_remove_charge(ask: Ask[None, None]) -> Shown:
    """Ask to confirm removing a charge, for browsers without dialogs."""
    found = invoice_reviews.review(ask.tx, ask.caller, ask.path["invoice"], ask.write)
    charge = invoices.custom_charge(found.charges, ask.path["charge"])
    title = say(
        "Remove {description} for {amount}?",
        description=charge.description,
        amount=ask.write.money(charge.amount, found.row.currency),
    )
    lost = invoice_reviews.lost_with_charge(found.charges)
    return Shown(
        "confirm.html",
        {"title": title, "lost": lost, "does": say("Remove it"), "back": _at(found.row.id), "moves": True},
    )


@page(
    "POST", "/invoices/{invoice}/charges/{charge}/remove", may="write", again=invoice_page, moves=previews.of_invoice
)  # fmt: skip
def remove_charge(ask: Ask[None, None]) -> GoTo:
    """Remove a custom charge, and delete the invoice if it is then empty."""
    left = invoices.remove_custom_charge(ask.tx, ask.caller, ask.path["invoice"], ask.path["charge"])
    if left is None:
        return GoTo("/invoices", say("The charge was removed, along with the invoice, which contained nothing else."))
    return GoTo(_at(left.summary.id), say("The charge was removed."))


@page("GET", "/invoices/{invoice}/pdf", may="read")
async def invoice_pdf(steps: Steps) -> Download:
    """Show the invoice's PDF."""
    person, invoice_id = steps.person, steps.path["invoice"]
    assert person is not None, "the page is for people who are signed in"
    paper = await steps.read(lambda tx: papers.find(tx, person.caller, invoice_id))
    printed = paper.shown_to(may_write=may(person.role, "write")).at(steps.outside.tenant_links)
    return Download(
        f"{printed.number}.pdf", PDF, await steps.pools.print(lambda: steps.outside.printer(printed)), to_look_at=True
    )


@page("GET", "/invoices/{invoice}/explanation", may="read")
def invoice_explanation(ask: Ask[None, None]) -> Download:
    """Download the explanation of the invoice's charges as data.

    The command `prorata verify` recomputes the charges from this file.
    """
    row: InvoiceSummary = invoices.find(ask.tx, ask.caller, ask.path["invoice"]).summary
    return Download(f"{row.number}.json", JSON, explanations.of_invoice(ask.tx, ask.caller, row.id).encode())


@page("GET", "/invoices/{invoice}/pdf/{earlier}", may="read")
async def earlier_pdf(steps: Steps) -> Download:
    """Show the invoice's PDF as it was sent under an earlier number."""
    person, place = steps.person, steps.path
    assert person is not None, "the page is for people who are signed in"
    paper = await steps.read(lambda tx: papers.under(tx, person.caller, place["invoice"], place["earlier"]))
    printed = paper.shown_to(may_write=may(person.role, "write")).at(steps.outside.tenant_links)
    content = await steps.pools.print(lambda: steps.outside.printer(printed))
    return Download(f"{printed.number}.pdf", PDF, content, to_look_at=True)


@page("GET", "/invoices/{invoice}/pdf-as-sent", may="write")
def invoice_pdf_as_sent(ask: Ask[None, None]) -> Download:
    """Download the PDF that the tenant received, byte for byte.

    The PDF contains the link to the tenant's page, where anybody who has the link can write in the tenant's name.
    Viewers therefore can't download it.
    """
    row: InvoiceSummary = invoices.find(ask.tx, ask.caller, ask.path["invoice"]).summary
    content = deliveries.pdf_as_sent(ask.tx, ask.caller, row.id)
    return Download(f"{row.number} as sent.pdf", PDF, content, to_look_at=True)


def _at(invoice_id: str) -> str:
    return f"/invoices/{invoice_id}"


def _cents(amount: Decimal) -> int:
    return int(amount.scaleb(2))
