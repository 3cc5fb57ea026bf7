"""The e-mails about the invoices of bulk changes, counted by state."""

from sqlalchemy import and_, bindparam, case, exists, func, literal_column, select

from prorata.domain.bulk.bulk import CHANGED
from prorata.domain.bulk.mail_outcomes import HAD
from prorata.domain.invoice_states import CLOSING
from prorata.domain.mail.deliveries import HAS_LEFT, MAIL, QUEUED, WITH_THE_INVOICE, WITHDRAWN
from prorata.store.bulk.bulk import HAS_OUTCOME, MY_ITEM, BulkRow
from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns_one, returns_pairs
from prorata.store.schema import job_tables
from prorata.store.schema.bulk_tables import bulk, bulk_item
from prorata.store.schema.job_tables import job
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail
from prorata.store.schema.tables import invoice

_DELIVERIES = returns_pairs(
    select(invoice.c.delivery, func.count())
    .select_from(bulk_item)
    .join(invoice, named_by(invoice, bulk_item.c.invoice_id))
    .where(
        MY_ITEM,
        HAS_OUTCOME,
        is_one_of(bulk_item.c.status, "statuses"),
        invoice.c.status == bulk_item.c.status,
        invoice.c.delivery.is_not(None),
    )
    .group_by(invoice.c.delivery)
)
_was_mailed = exists().where(
    named_by(invoice, mail.c.invoice_id),
    is_one_of(mail.c.kind, "kinds"),
    mail.c.created_at >= bindparam("since"),
)
_delivery = case(
    (and_(is_one_of(invoice.c.delivery, "left"), ~_was_mailed), literal_column(f"'{HAD}'")),
    else_=func.coalesce(invoice.c.delivery, literal_column(f"'{WITHDRAWN}'")),
)
_SENT_MAIL = returns_pairs(
    select(_delivery.label("delivery"), func.count())
    .select_from(bulk_item)
    .join(invoice, named_by(invoice, bulk_item.c.invoice_id))
    .where(MY_ITEM, HAS_OUTCOME, is_one_of(invoice.c.status, "statuses"))
    .group_by(literal_column("1"))
)
_its_mail = and_(
    bulk_item.c.account_id == bulk.c.account_id,
    bulk_item.c.bulk_id == bulk.c.id,
    HAS_OUTCOME,
    mail.c.account_id == bulk_item.c.account_id,
    mail.c.invoice_id == bulk_item.c.invoice_id,
    is_one_of(mail.c.kind, "kinds"),
    mail.c.created_at.between(bulk.c.created_at, bulk.c.ended_at),
)
_TOLD = returns_pairs(
    select(mail.c.state, func.count())
    .where(bulk.c.account_id == bindparam("account"), bulk.c.id == bindparam("bulk"), _its_mail)
    .group_by(mail.c.state)
)
_queued_by_undone = exists().where(
    bulk.c.account_id == mail.c.account_id,
    bulk.c.is_undone.is_(True),
    bulk.c.verb == bindparam("verb"),
    mail.c.created_at.between(bulk.c.created_at, bulk.c.ended_at),
)
_OF_UNDONE = returns_one(
    select(func.max(mail.c.id))
    .where(
        mail.c.account_id == bindparam("account"),
        is_one_of(mail.c.invoice_id, "invoices"),
        is_one_of(mail.c.kind, "kinds"),
        mail.c.state == bindparam("state"),
        _queued_by_undone,
    )
    .group_by(mail.c.invoice_id)
)
_its_job = and_(
    job.c.account_id == mail.c.account_id, job.c.subject == mail.c.invoice_id, job.c.unique_key == mail.c.id
)
_MAIL_DUE = returns_one(
    select(func.min(job.c.due_at))
    .select_from(bulk_item)
    .join(mail, and_(mail.c.account_id == bulk_item.c.account_id, mail.c.invoice_id == bulk_item.c.invoice_id))
    .join(job, _its_job)
    .where(
        MY_ITEM,
        HAS_OUTCOME,
        is_one_of(mail.c.kind, "kinds"),
        mail.c.created_at >= bindparam("since"),
        job_tables.WAITING,
        job.c.kind == literal_column(f"'{MAIL}'"),
    )
)
_WITH_QUEUED = returns_one(
    select(bulk.c.id).where(
        bulk.c.account_id == bindparam("account"),
        is_one_of(bulk.c.id, "bulks"),
        exists().where(_its_mail, mail.c.state == bindparam("state")),
    )
)


def deliveries(tx: Tx, account_id: str, bulk_id: str, statuses: list[str]) -> dict[str, int]:
    """Count, by delivery state, the invoices to which a bulk change gave one of `statuses`.

    Invoices whose status has changed since then are left out.
    """
    return dict(tx.all(_DELIVERIES, account=account_id, bulk=bulk_id, outcome=CHANGED, statuses=statuses))


def sent_mail(tx: Tx, row: BulkRow) -> dict[str, int]:
    """Count, by delivery state, the invoices that a bulk change has sent.

    Only invoices that are still SENT, PAID or OVERDUE count. An invoice whose message was withdrawn counts as
    `WITHDRAWN`, and an invoice that its tenant had already received counts as `HAD`.
    """
    mails = {"left": list(HAS_LEFT), "kinds": WITH_THE_INVOICE, "since": row.created_at}
    its = {"account": row.account_id, "bulk": row.id, "outcome": CHANGED, "statuses": sorted(CLOSING)}
    return dict(tx.all(_SENT_MAIL, **its, **mails))


def told(tx: Tx, row: BulkRow, kinds: list[str]) -> dict[str, int]:
    """Count, by state, the messages of these `kinds` that an ended bulk change has queued."""
    return dict(tx.all(_TOLD, account=row.account_id, bulk=row.id, outcome=CHANGED, kinds=kinds))


def mail_due(tx: Tx, row: BulkRow, kinds: list[str]) -> str | None:
    """Return the time at which the next message about a changed invoice is due.

    Only messages of these `kinds` count that are not older than the bulk change. Return None if none of them waits.
    """
    its = {"account": row.account_id, "bulk": row.id, "outcome": CHANGED}
    return tx.one(_MAIL_DUE, kinds=kinds, since=row.created_at, **its)


def with_queued(tx: Tx, account_id: str, bulk_ids: list[str], kinds: list[str]) -> set[str]:
    """Return the ids of ended bulk changes with waiting messages that they queued.

    Only messages of these `kinds` count.
    """
    its = {"account": account_id, "outcome": CHANGED, "state": QUEUED}
    return set(tx.all(_WITH_QUEUED, bulks=bulk_ids, kinds=kinds, **its))


def queued_by_undone(tx: Tx, account_id: str, verb: str, invoice_ids: list[str], kinds: list[str]) -> set[str]:
    """Return each invoice's latest waiting message from the time in which undone bulk changes ran.

    Only messages of these `kinds` count, and only bulk changes with the action `verb`. Older messages wait for an
    undo that was stopped.
    """
    its = {"account": account_id, "state": QUEUED}
    return set(tx.all(_OF_UNDONE, verb=verb, invoices=invoice_ids, kinds=kinds, **its))
