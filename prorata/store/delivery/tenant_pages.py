"""Data of tenants' pages that invoices don't contain: link states, bills and questions."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, exists, func, literal_column, null, or_, select, update

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, columns_for, is_one_of, puts, returns, returns_one
from prorata.store.schema.document_tables import bill_document, document, document_table
from prorata.store.schema.joins import alike, named_by
from prorata.store.schema.tables import bill, dispute, invoice, property_, unit
from prorata.store.schema.tenant_page_tables import shown_bill, tenant_link, tenant_question


class LinkRow(NamedTuple):
    """The state of the secret links to the tenant's page for an invoice.

    Only links of the present `generation` open the page; if `is_stopped` is set, no link does. If the invoice was sent
    and then withdrawn, `was_for` is the id of the tenant to whom it had been sent.
    """

    account_id: str
    invoice_id: str
    generation: int
    is_stopped: bool
    updated_at: str
    was_for: str | None = None


class QuestionRow(NamedTuple):
    """A tenant's question about an invoice.

    `answered_at` is the time at which a person replied, or marked the question as answered. `about` describes the
    charge that the question is about, as the tenant read it; it is None if the question is about the whole invoice.
    """

    account_id: str
    id: str
    invoice_id: str
    asked: str
    asked_at: str
    answered_at: str | None
    tenant_id: str | None
    tenant_name: str | None
    about: str | None = None
    reply: str | None = None
    replied_by: str | None = None


class WaitingQuestion(NamedTuple):
    """An unanswered question or an open dispute, with its invoice.

    A dispute has to be answered by the day `answer_by`; its disputed `amount` is in cents.
    """

    id: str
    invoice_id: str
    asked: str
    asked_at: str
    number: str
    month: str
    tenant_name: str | None
    unit_label: str
    property_name: str
    about: str | None
    answered_at: str | None
    answer_by: str | None
    amount: int | None
    currency: str


class NumberWaiting(NamedTuple):
    """The number of unanswered questions, and the number of open disputes.

    An open dispute counts even if the question to which it belongs was answered.
    """

    questions: int
    disputes: int

    @property
    def all(self) -> int:
        """The number of unanswered questions and of open disputes together."""
        return self.questions + self.disputes


class SourceRow(NamedTuple):
    """A bill that an invoice charges, with its document.

    `document_id` is None if the document also contains other bills, or is neither a PDF nor a photo.
    """

    bill_id: str
    document_id: str | None


class SaidRow(NamedTuple):
    """A document that a bill came from; `draft` is the JSON read from the document.

    `is_shown` is a person's decision on whether tenants may see the document, or None if nobody has decided.
    """

    bill_id: str
    document_id: str
    draft: str | None
    is_shown: bool | None


_this_link = (tenant_link.c.account_id == bindparam("account"), tenant_link.c.invoice_id == bindparam("invoice"))
_FIND_LINK = returns(LinkRow, select(tenant_link).where(*_this_link))
_FIND_LINKS = returns(
    LinkRow,
    select(tenant_link).where(
        tenant_link.c.account_id == bindparam("account"), is_one_of(tenant_link.c.invoice_id, "invoices")
    ),
)
_SAVE_LINK = puts(tenant_link)
_READDRESSED = returns_one(
    select(tenant_link.c.invoice_id)
    .where(tenant_link.c.account_id == bindparam("account"), tenant_link.c.was_for.is_not(None))
    .order_by(tenant_link.c.invoice_id)
)

_ENDINGS = {suffix: f"%.{suffix}" for suffix in ("pdf", "jpg", "jpeg", "jpe", "png")}
"""The patterns of the file names that bills' documents for tenants may have, by extension."""
_other = bill_document.alias("other")
_holds_another_bill = exists().where(
    alike(_other, bill_document, "document_id"),
    _other.c.bill_id != bill_document.c.bill_id,
)
_is_a_table = exists().where(alike(document_table, bill_document, "document_id"))
_of_it_alone = (
    select(func.min(bill_document.c.document_id))
    .join(document, named_by(document, bill_document.c.document_id))
    .where(
        named_by(bill, bill_document.c.bill_id),
        or_(*(func.lower(document.c.name).like(bindparam(ending)) for ending in _ENDINGS)),
        ~_holds_another_bill,
        ~_is_a_table,
    )
    .correlate(bill)
    .scalar_subquery()
)
_SOURCES = returns(
    SourceRow,
    select(*columns_for(SourceRow, bill, bill_id=bill.c.id, document_id=_of_it_alone))
    .where(bill.c.account_id == bindparam("account"), is_one_of(bill.c.id, "bills"))
    .order_by(bill.c.id),
)

_SAID = returns(
    SaidRow,
    select(*columns_for(SaidRow, bill_document, document, shown_bill))
    .join(document, named_by(document, bill_document.c.document_id))
    .outerjoin(shown_bill, alike(shown_bill, bill_document, "bill_id", "document_id"))
    .where(bill_document.c.account_id == bindparam("account"), is_one_of(bill_document.c.bill_id, "bills"))
    .order_by(bill_document.c.bill_id, bill_document.c.document_id),
)
_SAY = puts(shown_bill)
_mine = tenant_question.c.account_id == bindparam("account")
_waits = tenant_question.c.answered_at.is_(None)
_ADD = adds(tenant_question)
_FIND = returns(QuestionRow, select(tenant_question).where(_mine, tenant_question.c.id == bindparam("id")))
_OF_INVOICES = returns(
    QuestionRow,
    select(tenant_question)
    .where(_mine, is_one_of(tenant_question.c.invoice_id, "invoices"))
    .order_by(tenant_question.c.invoice_id, tenant_question.c.id),
)
_ANSWER = changes(
    update(tenant_question)
    .where(_mine, tenant_question.c.id == bindparam("id"), _waits)
    .values(answered_at=bindparam("at"))
)
_WAIT_AGAIN = changes(
    update(tenant_question)
    .where(_mine, tenant_question.c.id == bindparam("id"), tenant_question.c.reply.is_(None))
    .values(answered_at=null())
)
_REPLY = changes(
    update(tenant_question)
    .where(_mine, tenant_question.c.id == bindparam("id"))
    .values(reply=bindparam("reply"), replied_by=bindparam("by"), answered_at=bindparam("at"))
)
_its_dispute = and_(dispute.c.account_id == tenant_question.c.account_id, dispute.c.question_id == tenant_question.c.id)
_is_open = dispute.c.state == literal_column("'OPEN'")
_my_open = (dispute.c.account_id == bindparam("account"), _is_open)
_unanswered = select(func.count()).select_from(tenant_question).where(_mine, _waits).scalar_subquery()
_open = select(func.count()).select_from(dispute).where(*_my_open).scalar_subquery()
_open_and_unanswered = (
    select(func.count())
    .select_from(dispute.join(tenant_question, _its_dispute))
    .where(*_my_open, _waits)
    .scalar_subquery()
)
_NUMBER = returns(
    NumberWaiting, select((_unanswered - _open_and_unanswered).label("questions"), _open.label("disputes"))
)
_WAITING = returns(
    WaitingQuestion,
    select(
        *columns_for(
            WaitingQuestion,
            tenant_question,
            dispute,
            invoice,
            unit_label=unit.c.label,
            property_name=property_.c.name,
            currency=property_.c.currency,
        )
    )
    .select_from(tenant_question)
    .join(invoice, named_by(invoice, tenant_question.c.invoice_id))
    .join(unit, named_by(unit, invoice.c.unit_id))
    .join(property_, named_by(property_, invoice.c.property_id))
    .outerjoin(dispute, and_(_its_dispute, _is_open))
    .where(_mine, or_(_waits, dispute.c.question_id.is_not(None)), tenant_question.c.id > bindparam("behind"))
    .order_by(tenant_question.c.id)
    .limit(bindparam("limit")),
)


def find_link(tx: Tx, account_id: str, invoice_id: str) -> LinkRow | None:
    """Find the state of the links to the tenant's page for an invoice.

    Return None if nobody ever stopped or renewed these links.
    """
    return tx.one(_FIND_LINK, account=account_id, invoice=invoice_id)


def find_links(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[LinkRow]:
    """Find the states of the links to the tenants' pages for these invoices.

    Invoices whose links nobody ever stopped or renewed are left out.
    """
    return tx.all(_FIND_LINKS, account=account_id, invoices=invoice_ids)


def save_link(tx: Tx, row: LinkRow) -> None:
    """Save the state of the links to the tenant's page for an invoice."""
    tx.run(_SAVE_LINK, **row._asdict())


def readdressed(tx: Tx, account_id: str) -> list[str]:
    """List the ids of the account's invoices that were sent to another tenant earlier."""
    return tx.all(_READDRESSED, account=account_id)


def sources(tx: Tx, account_id: str, bill_ids: list[str]) -> list[SourceRow]:
    """List these bills with their documents, in the order of the bills' ids.

    A document is included only if it is a PDF or a photo and no other bill came from it. A table is never included,
    because it may contain bills of other properties.
    """
    return tx.all(_SOURCES, account=account_id, bills=bill_ids, **_ENDINGS) if bill_ids else []


def said_of(tx: Tx, account_id: str, bill_ids: list[str]) -> list[SaidRow]:
    """List the documents that these bills came from, and whether tenants may see them."""
    return tx.all(_SAID, account=account_id, bills=bill_ids) if bill_ids else []


def say(tx: Tx, account_id: str, bill_id: str, document_id: str, *, is_shown: bool) -> None:
    """Save a person's decision on whether tenants may see a bill's document."""
    tx.run(_SAY, account_id=account_id, bill_id=bill_id, document_id=document_id, is_shown=is_shown)


def add_question(tx: Tx, row: QuestionRow) -> None:
    """Add a tenant's question about an invoice."""
    tx.run(_ADD, **row._asdict())


def find_question(tx: Tx, account_id: str, question_id: str) -> QuestionRow | None:
    """Find the question with this id that a tenant of the account asked."""
    return tx.one(_FIND, account=account_id, id=question_id)


def questions_of(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[QuestionRow]:
    """List the questions about these invoices, sorted by invoice, oldest first."""
    return tx.all(_OF_INVOICES, account=account_id, invoices=invoice_ids) if invoice_ids else []


def answer_question(tx: Tx, account_id: str, question_id: str) -> bool:
    """Record that a question was answered; return False if it already was."""
    return tx.run(_ANSWER, account=account_id, id=question_id, at=tx.now) == 1


def wait_again(tx: Tx, account_id: str, question_id: str) -> None:
    """Mark a question as unanswered again, unless it has a written reply."""
    tx.run(_WAIT_AGAIN, account=account_id, id=question_id)


def reply(tx: Tx, account_id: str, question_id: str, text: str, by: str) -> None:
    """Store the reply to a question, which answers it."""
    tx.run(_REPLY, account=account_id, id=question_id, reply=text, by=by, at=tx.now)


def number_waiting(tx: Tx, account_id: str) -> NumberWaiting:
    """Count the unanswered questions and the open disputes."""
    return tx.one(_NUMBER, account=account_id) or NumberWaiting(0, 0)


def waiting(tx: Tx, account_id: str, *, behind: str = "", limit: int) -> list[WaitingQuestion]:
    """List unanswered questions and open disputes, oldest first.

    Only those that were asked after the question with the id `behind` are listed.
    """
    return tx.all(_WAITING, account=account_id, behind=behind, limit=limit)
