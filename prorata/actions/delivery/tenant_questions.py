"""Tenants' questions about invoices: storing, e-mailing to the account, and recording the answer."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.delivery import dispute_mail, tenant_pages
from prorata.actions.delivery.tenant_pages import TENANT, TenantPage
from prorata.actions.mail import allowances as mail_allowances, queue as mail_queue
from prorata.actions.mail.allowances import Wait
from prorata.actions.mail.tenant_addresses import address_of
from prorata.domain.accounts.permissions import OWNER
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.question_mail import QUESTION, Question
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.domain.limits import MOST_QUESTIONS_LISTED
from prorata.domain.mail.deliveries import ON_ITS_WAY
from prorata.domain.mail_addresses import reply_address
from prorata.domain.printing.printed_invoices import from_json
from prorata.errors import NotFound
from prorata.ids import is_id
from prorata.store.accounts import accounts, members
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes, tenant_pages as stored
from prorata.store.delivery.tenant_pages import NumberWaiting, QuestionRow, WaitingQuestion
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.webhooks import event_outbox


class Asked(NamedTuple):
    """A question as stored in the audit log and shown among its invoice's events."""

    property_id: str
    question: str


class OutgoingQuestion(NamedTuple):
    """An e-mail to send to the account with a tenant's question.

    `message` contains the e-mail's bytes once they are written.
    """

    mail: MailRow
    invoice_id: str
    question: Question
    message: bytes | None


def ask(tx: Tx, link: TenantLink | None, text: str, about: str | None = None) -> None:
    """Store a tenant's question, perhaps `about` a charge, and e-mail it to the account.

    Submitting the same question again before it is answered has no effect, because a form may be submitted twice.
    Raises `NotFound` if the link is not valid.
    """
    page = tenant_pages.look(tx, link)
    if not isinstance(page, TenantPage):
        raise NotFound("page")
    caller = Caller(page.row.account_id, TENANT)
    _, invoice = access.invoice_to_change(tx, caller, page.row.id)
    before = stored.questions_of(tx, caller.account_id, [invoice.id])
    asks = (text, about, None, invoice.tenant_id)
    if any((question.asked, question.about, question.answered_at, question.tenant_id) == asks for question in before):
        return
    row = QuestionRow(
        caller.account_id,
        tx.new_id("ask"),
        invoice.id,
        text,
        tx.now,
        None,
        invoice.tenant_id,
        invoice.tenant_name,
        about,
    )
    stored.add_question(tx, row)
    audit.record(tx, caller, Verb.ASK_ABOUT_INVOICE, invoice.id, after=Asked(invoice.property_id, text))
    tell(tx, row)


def tell(tx: Tx, row: QuestionRow) -> None:
    """E-mail a question or dispute to the account, if the account's address is known.

    The message waits until the account may e-mail others, because a person who opens an account can enter anybody's
    address.
    """
    account = accounts.find(tx, row.account_id)
    to = _mailbox_of(tx, account) if account else None
    if to is not None:
        mail_queue.queue(tx, row.account_id, QUESTION, to, occasion=row.id)


def keep(tx: Tx, row: MailRow, message: bytes) -> bytes | Wait | None:
    """Store a written message and count it against the quota, as `mail_queue.keep` does.

    Return a `Wait` if no mail may be sent yet, or today's quota is used up; nothing is then stored, and the job
    tries again later.
    """
    mail.lock(tx, row.account_id, row.id)
    if mail.message(tx, row.account_id, row.id) is None:
        wait = mail_allowances.why_none_leaves(tx, row.account_id) or mail_allowances.take(tx, row.account_id)
        if wait:
            return wait
    return mail_queue.keep(tx, row, message)


def _mailbox_of(tx: Tx, account: AccountRow) -> str | None:
    """Find the e-mail address to which an account's questions are sent.

    This is the account's contact if that is an e-mail address, otherwise the address of the first owner whose
    address is confirmed.
    """
    if contact := reply_address(account.contact):
        return str(contact)
    owners = (
        member.email
        for member in members.all_of(tx, account.id)
        if member.role == OWNER and member.verified_at is not None
    )
    return next(owners, None)


def answer(tx: Tx, caller: Caller, question_id: str) -> QuestionRow:
    """Record that a question was answered; if it was answered before, do nothing.

    Raises `NotFound` if there is no such question.
    """
    row = access.the_one(stored.find_question, tx, caller, question_id, "ask", "question")
    if stored.answer_question(tx, caller.account_id, row.id):
        audit.record(tx, caller, Verb.ANSWER_QUESTION, row.invoice_id)
        if disputes.find(tx, caller.account_id, row.id):
            invoice = access.invoice(tx, caller, row.invoice_id)
            event_outbox.note_dispute(tx, caller.account_id, "dispute.answered", row.id, invoice.property_id)
    return row


def number_waiting(tx: Tx, caller: Caller) -> NumberWaiting:
    """Count the tenants' unanswered questions and the open disputes."""
    return stored.number_waiting(tx, caller.account_id)


def waiting(
    tx: Tx, caller: Caller, behind: str = "", *, limit: int = MOST_QUESTIONS_LISTED
) -> Sequence[WaitingQuestion]:
    """List the tenants' unanswered questions and open disputes, oldest first.

    If `behind` is the id of a question, list only the questions after that one.
    """
    return stored.waiting(tx, caller.account_id, behind=behind if is_id(behind, "ask") else "", limit=limit)


def outgoing(tx: Tx, account_id: str, mail_id: str, stands: Callable[[bytes], bool]) -> OutgoingQuestion | None:
    """Load an unsent e-mail to the account with a tenant's question.

    `stands` is a function that returns True if the bytes written for an earlier try can still be sent; otherwise,
    the result contains no bytes. Return None for any other message, for one that was sent or withdrawn, and if the
    question is gone.
    """
    row, account = mail.find(tx, account_id, mail_id), accounts.find(tx, account_id)
    if row is None or account is None or row.kind != QUESTION or row.state not in ON_ITS_WAY:
        return None
    asked = stored.find_question(tx, account_id, row.occasion)
    invoice = invoices.find(tx, account_id, asked.invoice_id) if asked else None
    if asked is None or invoice is None:
        return None
    message = mail.message(tx, account_id, mail_id)
    question = _question(tx, account, row, asked, invoice)
    return OutgoingQuestion(row, invoice.id, question, message if message is not None and stands(message) else None)


def _question(tx: Tx, account: AccountRow, row: MailRow, asked: QuestionRow, invoice: InvoiceRow) -> Question:
    summary = invoices.summary(tx, account.id, invoice.id)
    assert summary is not None, "an invoice has its unit and property"
    place = from_json(invoice.printed, account.locale) if invoice.printed else None
    return Question(
        token=row.id,
        locale=account.locale,
        to=row.to_address,
        at=tx.moment,
        reply_to=address_of(tx, invoice, asked.tenant_id),
        tenant_name=asked.tenant_name or "",
        number=invoice.number,
        month=Month(invoice.month),
        property_name=place.place.name if place else summary.property_name,
        unit_label=place.unit_label if place else summary.unit_label,
        asked=asked.asked,
        about=asked.about or "",
        dispute=dispute_mail.in_dispute(tx, asked, summary.currency),
    )
