"""The payments of an invoice: recording, refunding, reversing, and printing receipts."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from msgspec import Struct

from prorata.actions.accounts import accounts
from prorata.actions.delivery import receipts, reminders
from prorata.actions.delivery.receipts import Paid
from prorata.actions.invoices.ledger import Ledger
from prorata.actions.lists import form_tokens
from prorata.actions.payments import payments, provider_events
from prorata.actions.payments.payments import Received
from prorata.domain.delivery.receipts import offered
from prorata.domain.invoices.ledger import PAYMENT, REFUND, TRANSFER, Method
from prorata.domain.invoices.statements import NOTED
from prorata.domain.limits import LONGEST_PAYMENT_NOTE, LONGEST_PAYMENT_REASON, LONGEST_PAYMENT_REFERENCE
from prorata.domain.mail.deliveries import QUEUED
from prorata.domain.online_payments.payment_links import Provider
from prorata.domain.texts import joined, say
from prorata.web.dashboard.invoices.invoice import invoice_page, no_reminder
from prorata.web.dashboard.invoices.receipts import printed_receipt, with_receipts
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.forms import agree
from prorata.web.dashboard.kernel.pages import ONCE, Ask, Download, GoTo, Shown, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.http.fields import DateText, Number, number, text
from prorata.web.http.limits import LARGEST_MONEY

_Kind = Literal["PAYMENT", "REFUND"]
_DONE = {PAYMENT: say("The payment was recorded."), REFUND: say("The refund was recorded.")}


class PaymentQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The kind of entry to record: a payment or a refund."""

    kind: _Kind = PAYMENT


class PaymentForm(Struct, kw_only=True):
    """A payment or refund, as a person typed it."""

    kind: _Kind = PAYMENT
    amount: Annotated[Number, number(0, LARGEST_MONEY, places=2, noun="an amount")]
    date: DateText
    method: Method
    reference: Annotated[str, text(LONGEST_PAYMENT_REFERENCE, least=0)] = ""
    note: Annotated[str, text(LONGEST_PAYMENT_NOTE, least=0)] = ""
    in_place_of_noted: bool = False
    receipt: bool = False


class ToldForm(Struct, kw_only=True):
    """The answer to a question about a payment provider's message.

    `event` is the message's id, and `asked` the question that the person saw. `is_same` means that a person had
    already recorded the payment that the message reports.
    """

    provider: Provider
    event: Annotated[str, text(255)]
    asked: Annotated[str, text(LONGEST_PAYMENT_REASON, least=0)] = ""
    is_same: bool = False


@page("GET", "/invoices/{invoice}/payments/new", may="write", query=PaymentQuery)
def new_payment(ask: Ask[Any, Any]) -> Shown:
    """Show the form for a payment or refund, prefilled with the likely amount.

    The likely amount of a payment is the invoice's balance, less the disputed part.
    """
    ledger = payments.ledger(ask.tx, ask.caller, ask.path["invoice"])
    kind = getattr(ask.query, "kind", PAYMENT)
    today = accounts.today(ask.tx, ask.caller).isoformat()
    disputed = payments.in_dispute(ask.tx, ask.caller, ledger) if kind == PAYMENT else 0
    filled = {"amount": _likely(ask, ledger, kind, disputed), "date": today, "method": TRANSFER, ONCE: new_token()}
    filled["in_place_of_noted"] = "true" if ledger.noted > 0 else ""
    told = kind == PAYMENT and receipts.can_go(ask.tx, ask.caller.account_id, ledger.invoice.id)
    filled["receipt"] = "true" if told else ""
    values = {"row": ledger.invoice, "noted": ledger.noted > 0, "kind": kind, "disputed": disputed}
    values["refundable"] = ledger.refundable
    mail_waits = kind == PAYMENT and ledger.invoice.delivery == QUEUED
    values["reminder_waits"] = kind == PAYMENT and reminders.waits(ask.tx, ask.caller, ledger.invoice.id)
    receipt = offered(ledger.invoice.tenant_name or "", ask.outside.mail_held) if told else ""
    return Shown("payment_form.html", values | {"mail_waits": mail_waits, "receipt": receipt}, filled)


def _likely(ask: Ask[Any, Any], its_ledger: Ledger, kind: str, disputed: int) -> str:
    """Return the likely amount of a payment or refund, as text for the form.

    Return an empty string if there is nothing to pay or refund.
    """
    owed = its_ledger.position.owed
    cents = its_ledger.proposed_refund if kind == REFUND else owed - disputed if owed else its_ledger.noted
    return ask.write.typed(Decimal(cents).scaleb(-2), 2) if cents > 0 else ""


@page("POST", "/invoices/{invoice}/payments", may="write", form=PaymentForm, again=new_payment)
def record_payment(ask: Ask[None, PaymentForm]) -> GoTo:
    """Record the payment or refund."""
    form, invoice_id = ask.form, ask.path["invoice"]
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        return GoTo(
            f"/invoices/{invoice_id}", joined([_DONE[form.kind], say("The form was sent twice but counts only once.")])
        )
    agree(payments.ledger(ask.tx, ask.caller, invoice_id).invoice.currency, amount=form.amount)
    paid = Paid(invoice_id, payments.receive(ask.tx, ask.caller, invoice_id, _received(form)))
    row = payments.ledger(ask.tx, ask.caller, invoice_id).invoice
    said = joined([_DONE[form.kind], no_reminder(ask, row)])
    return GoTo(f"/invoices/{invoice_id}", with_receipts(ask, said, [paid] * (form.receipt and form.kind == PAYMENT)))


def _received(form: PaymentForm) -> Received:
    return Received(
        int(form.amount.scaleb(2)),
        date.fromisoformat(form.date),
        form.method,
        form.kind,
        form.note,
        form.reference,
        in_place_of_noted=form.in_place_of_noted,
    )


@page("GET", "/invoices/{invoice}/payments/{payment}/receipt", may="read")
async def print_receipt(steps: Steps) -> Download:
    """Show the receipt of a payment as PDF.

    If the address has `noted` in place of a payment's id, the receipt is for the amount that was recorded when the
    invoice was set to PAID.
    """
    invoice_id, payment = steps.path["invoice"], steps.path["payment"]
    entry_id = None if payment == NOTED else payment
    mail = await steps.read(lambda tx: receipts.on_paper(tx, steps.caller, invoice_id, entry_id))
    return await printed_receipt(steps, mail)


_TAKE_BACK = {
    PAYMENT: say("Reverse the payment of {amount} on {day}?"),
    REFUND: say("Reverse the refund of {amount} on {day}?"),
}


@page("GET", "/invoices/{invoice}/payments/{payment}/take-back", may="write")
def ask_to_take_back_payment(ask: Ask[None, None]) -> Shown:
    """Ask to confirm reversing an entry of an invoice's ledger, and describe the effect."""
    ledger, row = payments.find(ask.tx, ask.caller, ask.path["invoice"], ask.path["payment"])
    amount = ask.write.money(row.amount, ledger.invoice.currency)
    title = _TAKE_BACK[row.kind].format(amount=amount, day=ask.write.day(date.fromisoformat(row.day)))
    lost = joined([payments.lost_with(ledger, row), say("It stays in the list, marked as reversed.")])
    back = f"/invoices/{ledger.invoice.id}"
    return Shown("confirm.html", {"title": title, "lost": lost, "does": say("Take it back"), "back": back})


@page("POST", "/invoices/{invoice}/payments/{payment}/take-back", may="write", again=invoice_page)
def take_back_payment(ask: Ask[None, None]) -> GoTo:
    """Reverse an entry of an invoice's ledger."""
    payments.take_back(ask.tx, ask.caller, ask.path["invoice"], ask.path["payment"])
    return GoTo(f"/invoices/{ask.path['invoice']}", say("The entry was reversed."))


@page("POST", "/invoices/{invoice}/payments/told", may="write", form=ToldForm, again=invoice_page)
def settle_told(ask: Ask[None, ToldForm]) -> GoTo:
    """Record a person's answer to the question about a payment provider's message."""
    form, invoice_id = ask.form, ask.path["invoice"]
    provider_events.checked(
        ask.tx, ask.caller, form.provider, form.event, of_invoice=invoice_id, is_same=form.is_same, asked=form.asked
    )
    message = (
        say("The payment counts only once.") if form.is_same else say("Noted. You won’t be asked about this again.")
    )
    return GoTo(f"/invoices/{invoice_id}", message)
