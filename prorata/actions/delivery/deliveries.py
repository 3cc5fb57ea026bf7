"""Delivery of invoices and other messages: loading, sending again, and storing outcomes.

Each message has its own state. An invoice shows the state of its latest message that is not a reminder
(docs/decisions.md#sending).
"""

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery import receipts, written_messages
from prorata.actions.invoices import standing as invoice_standing, tenant_links
from prorata.actions.invoices.invoice_mail import queue
from prorata.actions.invoices.mail_withdrawals import showing, standing, with_the_invoice, withdraw
from prorata.actions.invoices.standing import Change
from prorata.actions.jobs import jobs
from prorata.actions.mail import allowances as mail_allowances
from prorata.actions.mail.allowances import Wait
from prorata.actions.printing import tenant_copies
from prorata.domain.audit.verbs import Verb
from prorata.domain.delivery.receipts import Receipt
from prorata.domain.delivery.reminders import kind_on
from prorata.domain.delivery.tenant_mail import REMINDERS, Kind
from prorata.domain.invoice_states import CLOSING, OVERDUE, SENT as INVOICE_SENT
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.domain.jobs.jobs import happened_in_words
from prorata.domain.mail.deliveries import (
    BOUNCED,
    DELIVERED,
    FAILED,
    HAND_OVER,
    MAIL,
    ON_ITS_WAY,
    QUEUED,
    SENT,
    WITH_THE_INVOICE,
    WITHDRAWN,
    WRITTEN,
    why_by_hand,
)
from prorata.domain.mail.delivery_reports import DeliveryReport, said_after, status_after
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.domain.texts import say
from prorata.errors import Conflict, NotFound
from prorata.ids import is_id
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.properties import units

REMINDING = [kind.value for kind in REMINDERS]
"""The kinds of messages that are reminders, as stored."""
_MAIL_ACTOR = "mail"


class Outgoing(NamedTuple):
    """A message to send about `invoice`; `kind` says, for example, that it is a reminder.

    `message` contains the bytes of a message that was written for an earlier try. If these bytes can be sent
    unchanged, `invoice` and `link` are None. `seen` is the invoice's `updated_at` when it was read. `link` opens
    the tenant's page; it is None if the link was stopped. `rests_on` is a fingerprint of the facts that may change
    before the next try. `received` is the payment that a receipt confirms.
    """

    mail: MailRow
    kind: Kind
    invoice: PrintedInvoice | None
    contact: str
    message: bytes | None
    seen: str
    link: TenantLink | None = None
    rests_on: str | None = None
    own_subject: str = ""
    own_opening: str = ""
    received: Receipt | None = None
    timezone: str = "UTC"


def send_again(tx: Tx, caller: Caller, invoice_id: str) -> InvoiceRow:
    """Send a SENT, PAID or OVERDUE invoice again, to its tenant's current address.

    Raises `NotFound` if there is no such invoice; `Conflict` if the invoice has another status, its message is
    already queued, or there is nobody to send it to.
    """
    _, invoice = access.invoice_to_change(tx, caller, invoice_id)
    if invoice.status not in CLOSING:
        raise Conflict(say("Only an invoice that has been sent can be sent again. Send it first."))
    if invoice.delivery == QUEUED:
        raise Conflict(
            say(
                "This invoice is already waiting to be e-mailed. The list of background tasks shows when "
                "it will be sent."
            )
        )
    account = account_actions.the_account(tx, caller)
    readdressed = invoice._replace(tenant_email=address_now(tx, invoice))
    why = why_by_hand(mail_on=bool(account.mail_on), tenant_id=invoice.tenant_id, address=readdressed.tenant_email)
    if why:
        raise Conflict(why)
    had_it = any(row.state in {SENT, DELIVERED} and not row.is_former
                 for row in mail.of_invoice(tx, account.id, invoice.id))  # fmt: skip
    withdraw(tx, invoice)
    queued = queue(tx, account, readdressed, Kind.AGAIN if had_it else Kind.INVOICE)
    (change,) = invoice_standing.write(tx, caller, [Change(invoice, queued, Verb.SEND_INVOICE_AGAIN)])
    return change.after


def address_now(tx: Tx, invoice: InvoiceRow) -> str | None:
    """Return the tenant's current e-mail address for messages about an invoice; None if unknown."""
    tenant = units.find_tenant_of_past(tx, invoice.account_id, invoice.tenant_id) if invoice.tenant_id else None
    return tenant.mail_address if tenant else invoice.tenant_email


def messages(tx: Tx, caller: Caller, invoice_id: str) -> list[MailRow]:
    """List every message about an invoice, oldest first.

    If a message is queued, its `said` is the reason why the latest try did not send it. Raises `NotFound` if there
    is no such invoice.
    """
    rows = mail.of_invoice(tx, caller.account_id, access.invoice(tx, caller, invoice_id).id)
    if all(row.state != QUEUED for row in rows):
        return rows
    reasons = {
        job.unique_key: happened_in_words(job.last_error)
        for job in stored_jobs.of_subject(tx, caller.account_id, invoice_id)
    }
    return [row._replace(said=reasons.get(row.id)) if row.state == QUEUED else row for row in rows]


def pdf_as_sent(tx: Tx, caller: Caller, invoice_id: str) -> bytes:
    """Return the PDF, byte for byte, of an invoice's latest message that a server accepted.

    If no server accepted a message, return the PDF that was saved in the outbox folder. Raises `NotFound` if there
    is no such invoice, and `Conflict` if no PDF is stored.
    """
    row = access.invoice(tx, caller, invoice_id)
    latest = mail.latest_sent(tx, caller.account_id, row.id, WITH_THE_INVOICE)
    kept = mail.pdf(tx, caller.account_id, latest) if latest else None
    if kept is None:
        raise Conflict(say("This invoice hasn’t been sent by e-mail, so there is no stored PDF of it."))
    return kept


# --- what the worker asks and notes -----------------------------------------------------------------------------------


def outgoing(
    tx: Tx, account_id: str, mail_id: str, stands: Callable[[bytes], bool], *, has_server: bool = False
) -> Outgoing | None:
    """Load a message that is still to be sent.

    `stands` returns True if the bytes written for an earlier try can still be sent; it is called only if the facts in
    the written text still hold for the invoice. `has_server` is false if messages are only saved as files.

    Return None if the message was sent or withdrawn, or there is no reason left to send it: the account no longer
    sends mail, its invoice is gone or no longer sent, or a reminder has nothing left to ask for.
    """
    row = mail.find(tx, account_id, mail_id)
    invoice = invoices.find(tx, account_id, row.invoice_id) if row and row.invoice_id else None
    account = accounts.find(tx, account_id)
    if row is None or invoice is None or account is None or row.state not in ON_ITS_WAY:
        return None
    written = mail.written(tx, account_id, mail_id)
    message = written.message if written else None
    is_so = written_messages.is_so(tx, invoice, written)
    address = row.to_address if is_so else address_now(tx, invoice)
    is_receipt = row.kind == Kind.RECEIPT.value
    received = receipts.of_payment(tx, invoice, _entry_of(row)) if is_receipt else None
    if (
        address is None
        or (is_receipt and received is None)
        or not _is_wanted(tx, account, row, invoice, has_server=has_server)
    ):
        return None
    is_written = is_so and message is not None and stands(message)
    printed = None if is_written else tenant_copies.of_row(tx, Caller(account_id, _MAIL_ACTOR), invoice)
    row = row._replace(to_address=address)
    link = None if is_written else tenant_links.link_for(tx, invoice, address)
    rests_on = written_messages.rests_on(tx, invoice, link)
    return Outgoing(
        row, Kind(row.kind), printed, account.contacts, message, invoice.updated_at, link, rests_on,
        account.mail_subject, account.mail_opening, received, account.timezone,
    )  # fmt: skip


def _is_wanted(tx: Tx, account: AccountRow, row: MailRow, invoice: InvoiceRow, *, has_server: bool) -> bool:
    """True if there is still a reason to send a message.

    A reminder is sent only if its invoice is still unpaid, may have reminders, and has the same invoice date as
    when the reminder was queued. It must also be the invoice's latest queued reminder, and the kind of reminder
    that is due today. Thus, after mail was stopped for some days, only the latest reminder is sent.
    """
    kind = Kind(row.kind)
    if not account.mail_on or kind not in REMINDERS:
        return bool(account.mail_on) and invoice.status in CLOSING
    if not may_be_reminded(invoice, row.to_address, has_server=has_server):
        return False
    is_unpaid = invoice.status in {INVOICE_SENT, OVERDUE}
    in_question = disputed(tx, account.id, [invoice.id]).get(invoice.id, 0)
    owes = is_unpaid and invoice.total - invoice.paid_amount > in_question
    if not owes or invoice.due_date is None or row.occasion.partition(" ")[0] != invoice.invoice_date:
        return False
    said_today = kind_on(date.fromisoformat(invoice.due_date), account_actions.today_in(account, tx))
    return kind is said_today and mail.latest(tx, account.id, invoice.id, REMINDING) == row.id


def _entry_of(row: MailRow) -> str | None:
    """Return the id of the entry that a receipt confirms; None if marked as paid."""
    return None if row.occasion == row.id else row.occasion


def may_be_reminded(invoice: InvoiceRow, address: str, *, has_server: bool) -> bool:
    """True if a reminder of an invoice may be sent to an address.

    The invoice itself must have been sent before, and its message to the address must not have bounced.

    An invoice that a person hands over may have e-mailed reminders. An invoice that was only saved in the outbox
    folder may have none once there is a mail server: the tenant may never have seen the invoice.
    """
    came_back = invoice.delivery == BOUNCED and invoice.tenant_email == address
    is_file = has_server and invoice.delivery == WRITTEN
    return invoice.delivery not in ON_ITS_WAY and not came_back and not is_file


def why_it_waits(tx: Tx, account_id: str, mail_id: str) -> Wait | None:
    """Explain why a message may not be sent yet, before loading anything for it.

    Return None if the message may be sent, is not about an invoice, or won't be sent at all. A message whose bytes
    were stored before today's mail quota was used up may be sent, because it was counted when they were stored.
    """
    row, account = mail.find(tx, account_id, mail_id), accounts.find(tx, account_id)
    if row is None or row.invoice_id is None or row.state not in ON_ITS_WAY or account is None or not account.mail_on:
        return None
    wait = mail_allowances.why_none_leaves(tx, account_id) or mail_allowances.why_no_more_today(tx, account_id)
    is_counted = wait is not None and wait.until is not None and mail.message(tx, account_id, mail_id) is not None
    return None if is_counted else wait


def is_on_its_way(tx: Tx, account_id: str, mail_id: str) -> bool:
    """True if a message is still to be sent: it was neither sent nor withdrawn."""
    row = mail.find(tx, account_id, mail_id)
    return row is not None and row.state in ON_ITS_WAY


def keep(tx: Tx, found: Outgoing, *, message: bytes, pdf: bytes) -> bytes | Wait | None:
    """Store a message before its first try, so that each try sends the same bytes.

    If the account has a mail quota, count the message.

    Return the stored bytes, which may be those that another worker has stored meanwhile. Return None if the
    message was withdrawn, or if the invoice or its link has changed since the message's facts were read. If
    today's quota is used up, store nothing and return a `Wait`.
    """
    row = found.mail
    assert row.invoice_id is not None, "it is about an invoice"
    invoice = access.locked_invoice(tx, row.account_id, row.invoice_id)
    now = mail.find(tx, row.account_id, row.id)
    if invoice is None or now is None or now.state not in ON_ITS_WAY or invoice.updated_at != found.seen:
        return None
    kept = mail.message(tx, row.account_id, row.id)
    link = tenant_links.link_for(tx, invoice, row.to_address)
    if (link and link.generation) != (found.link and found.link.generation):
        return None
    if kept is None and (wait := mail_allowances.take(tx, row.account_id)):
        return wait
    if kept is not None and kept == found.message:
        mail.drop_content(tx, row.account_id, row.id)  # it will be rewritten
        kept = None
    if kept is None:
        mail.keep(tx, row.account_id, row.id, message=message, pdf=pdf, rests_on=found.rests_on)
        written_messages.readdress(tx, now, invoice, row.to_address)
    return kept or message


def try_again(tx: Tx, account_id: str, mail_id: str) -> None:
    """Queue a message that failed or came back again when a person asks for it.

    The message is written anew for the tenant's current address. No mailbox has it, so the tenant gets it once.
    """
    row, invoice = _locked(tx, account_id, mail_id)
    if row is not None and (row.state == FAILED or _fails_late(row)):
        mail.drop_content(tx, account_id, mail_id)
        _note(tx, invoice, row._replace(state=QUEUED, sent_at=None))


def note_taken(tx: Tx, account_id: str, mail_id: str, reply: str) -> None:
    """Record that a mail server accepted a message; an earlier delivery report's result stays."""
    row, invoice = _locked(tx, account_id, mail_id)
    if row is None:
        return
    known = row.state in {DELIVERED, BOUNCED}
    state, reply_text = (row.state, row.said) if known else (SENT, reply)
    _note(tx, invoice, row._replace(state=state, said=reply_text, sent_at=row.sent_at or tx.now))
    mail.drop_message(tx, account_id, mail_id)


def note_written(tx: Tx, account_id: str, mail_id: str, where: str) -> None:
    """Record that a message was saved in the outbox folder, and not sent to anybody."""
    row, invoice = _locked(tx, account_id, mail_id)
    if row is None:
        return
    if row.state in ON_ITS_WAY:
        _note(tx, invoice, row._replace(state=WRITTEN, said=where))
    mail.drop_message(tx, account_id, mail_id)


def note_failed(tx: Tx, account_id: str, mail_id: str, why: str) -> None:
    """Record that a message failed for good; its job shows a person what to do."""
    row, invoice = _locked(tx, account_id, mail_id)
    if row is not None and row.state in ON_ITS_WAY:
        _note(tx, invoice, row._replace(state=FAILED, said=why))


def call_off(tx: Tx, account_id: str, mail_id: str) -> None:
    """Record that a message won't be sent: its job was cancelled, or it's obsolete."""
    row, invoice = _locked(tx, account_id, mail_id)
    if row is not None and row.state in ON_ITS_WAY:
        _note(tx, invoice, row._replace(state=WITHDRAWN))
        mail.drop_message(tx, account_id, mail_id)
        if invoice is not None and row.kind in REMINDING:
            caller = Caller(account_id, _MAIL_ACTOR)
            audit.record(tx, caller, Verb.WITHDRAW_REMINDER, invoice.id, property_id=invoice.property_id)


def note_report(tx: Tx, mail_id: str, report: DeliveryReport) -> None:
    """Store the result that a delivery report (RFC 3464) gives for a message.

    Any report shows that a server has accepted the message, so it is not tried again by itself. If a person has it
    sent again, late reports about the copy that failed don't stop this. Raises `NotFound` if there is no such message.
    """
    account_id = mail.owner_of(tx, mail_id) if is_id(mail_id, "mail") else None
    row, invoice = (None, None) if account_id is None else _locked(tx, account_id, mail_id)
    if account_id is None or row is None:
        raise NotFound("message")
    was = row.state if row.state in {SENT, DELIVERED, BOUNCED} else None
    state, after_report = status_after(was, report), said_after(was, row.said, report)
    if not row.to_address or (state != DELIVERED and _is_to_be_written_again(tx, row)):
        return  # its tenant is erased, or it goes again
    after = row._replace(state=state, said=after_report, sent_at=row.sent_at or tx.now)
    if after != row:  # servers repeat themselves
        _note(tx, invoice, after)
    mail.drop_message(tx, account_id, mail_id)
    if not _fails_late(after):
        stored_jobs.call_off(tx, account_id, MAIL, [row.invoice_id or row.id], [mail_id])
    elif after != row:
        why = say("The e-mail to {address} came back: {why}", address=row.to_address, why=after_report or "")
        jobs.fail(tx, account_id, MAIL, {"mail": mail_id}, row.invoice_id or row.id, mail_id, why)


def _is_to_be_written_again(tx: Tx, row: MailRow) -> bool:
    """True if a message that did not arrive waits to be written anew (`try_again`)."""
    return row.state == QUEUED and row.said is not None and mail.written(tx, row.account_id, row.id) is None


def _fails_late(row: MailRow) -> bool:
    """True if a failed job has to show a person that a message came back.

    An invoice itself shows that its message came back.
    """
    return row.state == BOUNCED and row.kind not in WITH_THE_INVOICE


def _locked(tx: Tx, account_id: str, mail_id: str) -> tuple[MailRow | None, InvoiceRow | None]:
    """Load a message and its invoice, with the invoice's property locked.

    If the message is not about an invoice, it is locked itself. Return None for what no longer exists.
    """
    seen, invoice = mail.find(tx, account_id, mail_id), None
    if seen is not None and seen.invoice_id is not None:
        invoice = access.locked_invoice(tx, account_id, seen.invoice_id)
    elif seen is not None:
        mail.lock(tx, account_id, mail_id)
    return mail.find(tx, account_id, mail_id), invoice


def _note(tx: Tx, invoice: InvoiceRow | None, after: MailRow) -> None:
    """Store a message's outcome, and show the latest message's outcome on its invoice.

    Only messages that contain the invoice count. If the latest of them was withdrawn, the outcome of the one
    before it is shown.
    """
    mail.save(tx, after._replace(updated_at=tx.now))
    rows = with_the_invoice(tx, invoice) if invoice is not None else []
    says = standing(rows)
    if invoice is None or after.id not in {row.id for row in (*rows[-1:], says) if row is not None}:
        return
    shown = showing(invoice, says)
    if says is None and invoice.status in CLOSING:
        shown = shown._replace(delivery=HAND_OVER)
    caller = Caller(invoice.account_id, _MAIL_ACTOR)
    invoice_standing.write(tx, caller, [Change(invoice, shown, Verb.of_mail(after.state))])
