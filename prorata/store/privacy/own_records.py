"""The records of one tenant, found by their ids, for exports and erasures."""

from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    literal_column,
    null,
    or_,
    select,
    union,
    update,
)

from prorata.domain.privacy.personal_words import FORMER_TENANT, PersonalWords
from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, changes, is_one_of, returns_one, returns_pairs
from prorata.store.schema.explanation_tables import invoice_explanation
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail, mail_content
from prorata.store.schema.payment_link_tables import payment_link
from prorata.store.schema.tables import (
    charge,
    charge_name,
    correction,
    dispute,
    dispute_file,
    earlier_invoice,
    exported_invoice,
    invoice,
    payment,
    rule_announcement,
    tenant,
    tenant_link,
    tenant_question,
)

Record = dict[str, Any]


class Own(NamedTuple):
    """The ids of a tenant, and of the tenant's invoices, questions and messages."""

    tenant_id: str
    invoices: list[str]
    questions: list[str]
    messages: list[str]

    @property
    def everything(self) -> list[str]:
        """All of these ids, by which audit log events about the records are found."""
        return [self.tenant_id, *self.invoices, *self.questions, *self.messages]

    def of(self, kind: str) -> list[str]:
        """Return the ids of the records of one kind, such as "invoices" or "tenant"."""
        return [self.tenant_id] if kind == "tenant" else list(getattr(self, kind))


_TENANT, _INVOICES, _QUESTIONS, _MESSAGES = "tenant", "invoices", "questions", "messages"
_HELD: tuple[tuple[str, Table, Column[Any], str], ...] = (
    ("tenant", tenant, tenant.c.id, _TENANT),
    ("invoices", invoice, invoice.c.id, _INVOICES),
    ("earlierInvoices", earlier_invoice, earlier_invoice.c.tenant_id, _TENANT),
    ("charges", charge, charge.c.invoice_id, _INVOICES),
    ("explanations", invoice_explanation, invoice_explanation.c.invoice_id, _INVOICES),
    ("payments", payment, payment.c.invoice_id, _INVOICES),
    ("paymentLinks", payment_link, payment_link.c.tenant_id, _TENANT),
    ("tenantPages", tenant_link, tenant_link.c.invoice_id, _INVOICES),
    ("questions", tenant_question, tenant_question.c.id, _QUESTIONS),
    ("disputes", dispute, dispute.c.question_id, _QUESTIONS),
    ("disputeFiles", dispute_file, dispute_file.c.question_id, _QUESTIONS),
    ("corrections", correction, correction.c.tenant_id, _TENANT),
    ("messages", mail, mail.c.id, _MESSAGES),
    ("messageFiles", mail_content, mail_content.c.mail_id, _MESSAGES),
    ("ruleAnnouncements", rule_announcement, rule_announcement.c.tenant_id, _TENANT),
    ("exportedCharges", exported_invoice, exported_invoice.c.tenant_id, _TENANT),
    ("chargeNames", charge_name, charge_name.c.record_id, _TENANT),
)
"""The parts of an export: each one's name, table, column and ids."""


@cache
def _rows(table: Table, column: Column[Any]) -> Statement[Record]:
    names = [its_column.name for its_column in table.columns]
    rows = select(table).where(table.c.account_id == bindparam("account"), is_one_of(column, "ids"))
    return Statement(
        rows.order_by(*table.primary_key.columns), lambda row: dict(zip(names, row, strict=True))
    )  # fmt: skip


_READ = tuple((name, _rows(table, column), kind) for name, table, column, kind in _HELD)


def _mine(table: Table) -> ColumnElement[bool]:
    return table.c.account_id == bindparam("account")


_INVOICES_OF = returns_one(
    select(invoice.c.id).where(_mine(invoice), invoice.c.tenant_id == bindparam("tenant")).order_by(invoice.c.id)
)
_asked_without_a_name = and_(tenant_question.c.tenant_id.is_(None), is_one_of(tenant_question.c.invoice_id, "invoices"))
_QUESTIONS_OF = returns_one(
    select(tenant_question.c.id)
    .where(_mine(tenant_question), or_(tenant_question.c.tenant_id == bindparam("tenant"), _asked_without_a_name))
    .order_by(tenant_question.c.id)
)
_is_earlier = exists().where(
    _mine(earlier_invoice),
    earlier_invoice.c.tenant_id == bindparam("tenant"),
    earlier_invoice.c.invoice_id == mail.c.invoice_id,
)
_to_the_person = is_one_of(mail.c.to_name, "names")
_MESSAGES_TO = returns_one(
    select(mail.c.id)
    .where(
        _mine(mail),
        or_(
            and_(is_one_of(mail.c.invoice_id, "invoices"), mail.c.is_former.is_(literal_column("false"))),
            and_(_to_the_person, or_(_is_earlier, is_one_of(mail.c.invoice_id, "invoices"))),
            and_(_to_the_person, mail.c.invoice_id.is_(None), is_one_of(mail.c.to_address, "addresses")),
        ),
    )
    .order_by(mail.c.id)
)
_this = tenant.c.id == bindparam("tenant")
_CALLED = returns_pairs(
    union(
        select(tenant.c.name, tenant.c.email).where(_mine(tenant), _this),
        select(null(), tenant.c.forwarding_email).where(_mine(tenant), _this),
        select(null(), tenant.c.forwarding_address).where(_mine(tenant), _this),
        *(
            select(table.c.tenant_name, address).where(_mine(table), table.c.tenant_id == bindparam("tenant"))
            for table, address in (
                (invoice, invoice.c.tenant_email),
                (earlier_invoice, null()),
                (tenant_question, null()),
            )
        ),
    )
)
_OTHERS = returns_pairs(select(tenant.c.name, tenant.c.email).where(_mine(tenant), tenant.c.id != bindparam("tenant")))
_ABOUT = returns_one(select(mail.c.id).where(_mine(mail), is_one_of(mail.c.occasion, "questions")).order_by(mail.c.id))
_UNSENT = returns_one(
    select(mail.c.id).where(_mine(mail), is_one_of(mail.c.id, "ids"), mail.c.state == literal_column("'queued'"))
)


def find(tx: Tx, account_id: str, tenant_id: str, words: PersonalWords) -> Own:
    """Find the ids of a tenant's invoices, questions and messages.

    `words` are all names and addresses that the tenant ever had. A message that is not about an invoice belongs to
    the tenant if the name and the address of its recipient are both among them.
    """
    asked = {"account": account_id, "tenant": tenant_id}
    invoices = tx.all(_INVOICES_OF, **asked)
    questions = tx.all(_QUESTIONS_OF, **asked, invoices=invoices)
    messages = tx.all(_MESSAGES_TO, **asked, invoices=invoices, names=[*words.names], addresses=[*words.addresses])
    return Own(tenant_id, invoices, questions, messages)


def called(tx: Tx, account_id: str, tenant_id: str) -> list[tuple[str | None, str | None]]:
    """List a tenant's stored names and addresses, as pairs.

    A pair is a name and an e-mail address, or a forwarding address without a name.
    """
    return tx.all(_CALLED, account=account_id, tenant=tenant_id)


def names_of_others(tx: Tx, account_id: str, tenant_id: str) -> set[str]:
    """Return the names and e-mail addresses of all other tenants of the account."""
    rows = tx.all(_OTHERS, account=account_id, tenant=tenant_id)
    return {text for row in rows for text in row if text}


def messages_about(tx: Tx, account_id: str, own: Own) -> list[str]:
    """List the ids of messages about a tenant's questions.

    Messages to the landlord are included.
    """
    return tx.all(_ABOUT, account=account_id, questions=own.questions) if own.questions else []


def unsent(tx: Tx, account_id: str, own: Own) -> list[str]:
    """List the ids of messages to a tenant that are queued to be sent."""
    return tx.all(_UNSENT, account=account_id, ids=own.messages) if own.messages else []


def read(tx: Tx, account_id: str, own: Own) -> dict[str, list[Record]]:
    """Read all data in a tenant's records, and group it by the kind of record."""
    return {
        name: tx.all(statement, account=account_id, ids=ids) if (ids := own.of(kind)) else []
        for name, statement, kind in _READ
    }


# --- erasing ----------------------------------------------------------------------------------------------------------

_has_a_dispute = exists().where(named_by(tenant_question, dispute.c.question_id))


def _ids(table: Table, column: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _mine(table), is_one_of(table.c[column], "ids")


_former: ColumnElement[str] = literal_column(f"'{FORMER_TENANT}'")
_nothing: ColumnElement[str] = literal_column("''")
_ERASE: tuple[tuple[str, Statement[None]], ...] = (
    (_INVOICES, changes(update(invoice).where(*_ids(invoice, "id")).values(tenant_email=null()))),
    (
        _MESSAGES,
        changes(update(mail).where(*_ids(mail, "id")).values(to_name=_former, to_address=_nothing, said=null())),
    ),
    (
        _MESSAGES,
        changes(update(mail_content).where(*_ids(mail_content, "mail_id")).values(message=null(), rests_on=null())),
    ),
    (_QUESTIONS, changes(delete(tenant_question).where(*_ids(tenant_question, "id"), ~_has_a_dispute))),
    (
        _QUESTIONS,
        changes(
            update(tenant_question)
            .where(*_ids(tenant_question, "id"))
            .values(asked=_nothing, tenant_name=_former, reply=null())
        ),
    ),
    (_QUESTIONS, changes(update(dispute).where(*_ids(dispute, "question_id")).values(reason=null()))),
    (_QUESTIONS, changes(delete(dispute_file).where(*_ids(dispute_file, "question_id")))),
    (
        _TENANT,
        changes(update(rule_announcement).where(*_ids(rule_announcement, "tenant_id")).values(to_name=_former)),
    ),
    (_TENANT, changes(delete(charge_name).where(*_ids(charge_name, "record_id")))),
)
"""The changes that an erasure makes to records of each kind.

They leave the data on which amounts of money and counts depend.
"""


def erase(tx: Tx, account_id: str, own: Own) -> None:
    """Delete the personal data in a tenant's records, except in sent invoices and payments.

    The rest is deleted later (`sent_records.forget`).
    """
    for kind, statement in _ERASE:
        if ids := own.of(kind):
            tx.run(statement, account=account_id, ids=ids)
