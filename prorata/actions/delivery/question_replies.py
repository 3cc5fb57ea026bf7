"""Replies to tenants' questions: storing them, showing them to the tenant and e-mailing them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.delivery import dispute_mail
from prorata.actions.invoices import tenant_links
from prorata.actions.mail import queue as mail_queue
from prorata.actions.mail.tenant_addresses import address_of
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.disputes import ENDED, OPEN
from prorata.domain.delivery.question_mail import OUTCOME, REPLY, Reply
from prorata.domain.delivery.questions import as_asked
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.mail.deliveries import ON_ITS_WAY
from prorata.domain.mail_addresses import reply_address
from prorata.domain.printing.printed_invoices import from_json
from prorata.domain.problems import Problem
from prorata.domain.texts import Count, say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, tenant_pages as stored
from prorata.store.delivery.tenant_pages import QuestionRow
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.webhooks import event_outbox

_BELOW = "\n\n"
"""The separator between the replies to a dispute."""


class Replied(NamedTuple):
    """A reply as stored in the audit log and shown among its invoice's events."""

    property_id: str
    reply: str


class OutgoingReply(NamedTuple):
    """An e-mail to send with a reply or the end of a dispute.

    `message` contains the e-mail's bytes once they are written. `link` opens the tenant's page; it is None if the
    link was stopped.
    """

    mail: MailRow
    reply: Reply
    link: TenantLink | None
    message: bytes | None


def reply(tx: Tx, caller: Caller, question_id: str, text: str, by: str) -> bool:
    """Store the reply to a question, and queue its e-mail.

    Storing the same reply again does nothing. A further reply to an open dispute is added to the earlier ones. `by` is
    the replier's name. Return True if the reply is e-mailed. Raises `NotFound` if there is no such question, and
    `InvalidRequest` if the reply is empty or too long. Raises `Conflict` if an ordinary question already has a
    different reply, or if a dispute has ended.
    """
    row = access.the_one(stored.find_question, tx, caller, question_id, "ask", "question")
    reply_text = as_asked(text)
    if not reply_text or len(reply_text) > LONGEST_QUESTION:
        wrong = (
            say("Enter at most {most} characters.", most=Count(LONGEST_QUESTION))
            if reply_text
            else say("Write a reply.")
        )
        raise InvalidRequest.because([Problem("reply", wrong)])
    _, invoice = access.invoice_to_change(tx, caller, row.invoice_id)
    dispute = disputes.find(tx, caller.account_id, row.id)
    if dispute and dispute.state != OPEN:
        raise Conflict(ENDED)
    account = account_actions.the_account(tx, caller)
    address = address_of(tx, invoice, row.tenant_id) if account.mail_on else None
    before = (stored.find_question(tx, caller.account_id, row.id) or row).reply  # it is now locked with its invoice
    if before is not None:
        if before == reply_text or before.endswith(_BELOW + reply_text):
            return address is not None
        if dispute is None:
            raise Conflict(say("Someone has already replied to this question. Check the invoice again."))
    stored.reply(tx, caller.account_id, row.id, reply_text if before is None else f"{before}{_BELOW}{reply_text}", by)
    verb = Verb.ANSWER_DISPUTE if dispute else Verb.REPLY_TO_QUESTION
    audit.record(tx, caller, verb, invoice.id, after=Replied(invoice.property_id, reply_text))
    if dispute:
        event_outbox.note_dispute(tx, caller.account_id, "dispute.answered", row.id, invoice.property_id)
    if address is not None:
        mail_queue.queue(tx, caller.account_id, REPLY, str(address), occasion=row.id, to_name=row.tenant_name)
    return address is not None


def mailed(tx: Tx, caller: Caller, questions: Sequence[QuestionRow]) -> Mapping[str, MailRow]:
    """Map the ids of questions to the e-mails that contain their replies."""
    messages = mail.about(tx, caller.account_id, REPLY, [question.id for question in questions if question.reply])
    return {row.occasion: row for row in messages}


def outgoing(tx: Tx, account_id: str, mail_id: str, stands: Callable[[bytes], bool]) -> OutgoingReply | None:
    """Load an unsent message with a reply or the end of a dispute.

    `stands` is a function that returns True if the bytes written for an earlier try can still be sent; otherwise,
    the result contains no bytes. Return None for any other message, for one that was sent or withdrawn, and if the
    question is gone.
    """
    row, account = mail.find(tx, account_id, mail_id), accounts.find(tx, account_id)
    if row is None or account is None or row.kind not in (REPLY, OUTCOME) or row.state not in ON_ITS_WAY:
        return None
    asked = stored.find_question(tx, account_id, row.occasion)
    invoice = invoices.find(tx, account_id, asked.invoice_id) if asked else None
    if asked is None or invoice is None or not account.mail_on or (row.kind == REPLY and asked.reply is None):
        return None
    message = mail.message(tx, account_id, mail_id)
    link = tenant_links.link_to(tx, invoice)
    if asked.tenant_id != invoice.tenant_id or link != tenant_links.link_for(tx, invoice, row.to_address):
        link = None  # a message with the invoice has a newer one
    reply = _reply(tx, account, row, asked, invoice)
    return OutgoingReply(row, reply, link, message if message is not None and stands(message) else None)


def _reply(tx: Tx, account: AccountRow, row: MailRow, asked: QuestionRow, invoice: InvoiceRow) -> Reply:
    copy = from_json(invoice.printed, account.locale) if invoice.printed else None
    summary = invoices.summary(tx, account.id, invoice.id)
    assert summary is not None, "an invoice has its unit and property"
    has_ended = row.kind == OUTCOME
    dispute = dispute_mail.in_dispute(tx, asked, summary.currency, ended=invoice if has_ended else None)
    return Reply(
        token=row.id,
        locale=copy.locale if copy else account.locale,
        to=row.to_address,
        to_name=row.to_name,
        at=tx.moment,
        biller=copy.biller.name if copy else account.name,
        reply_to=reply_address(account.contact),
        contact=", ".join(account.contacts.splitlines()),
        number=invoice.number,
        month=Month(invoice.month),
        asked=asked.asked,
        about=asked.about or "",
        reply=(dispute.reason if dispute else "") if has_ended else asked.reply or "",
        dispute=dispute,
    )
