"""Stored disputes.

Each dispute belongs to a tenant's question, and may have files.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sqlalchemy import and_, bindparam, exists, func, literal_column, select, union, update

from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Group
from prorata.store.database.statements import (
    Statement,
    adds,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    row_values,
    saves,
)
from prorata.store.database.walks import Walked
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import charge, dispute, dispute_file, invoice, property_, tenant_question, unit


class DisputeRow(NamedTuple):
    """A dispute about a charge; all amounts are in cents.

    `amount` is the disputed amount. When the dispute was opened, the disputed charge was for `charged`, and all
    invoices together charged `issued` for the bill line behind this charge. `opened_by` is the name of the person
    who opened the dispute on the tenant's behalf, or None if the tenant opened it. `answer_by` is the last day for
    an answer. Once the dispute has ended, `corrected` is the correction of the charge, and `credited` the part of
    the correction that a person credited. `carrier` is the month of the invoice that carries the correction, or
    None if that month does not exist yet. `is_pending` is set while part of the correction or credit is not yet on
    a sent invoice.
    """

    account_id: str
    question_id: str
    invoice_id: str
    charge_id: str
    tenant_id: str | None
    bill_id: str | None
    line: int | None
    corrects_month: str | None
    corrects_tenant: str | None
    charged: int
    issued: int
    amount: int
    answer_by: str
    opened_by: str | None
    state: str
    ended_at: str | None = None
    ended_by: str | None = None
    reason: str | None = None
    corrected: int | None = None
    carrier: str | None = None
    credited: int | None = None
    is_pending: bool | None = None
    updated_at: str = ""


class ListedDispute(NamedTuple):
    """A dispute with its question and its invoice, as lists show it."""

    question_id: str
    invoice_id: str
    charge_id: str
    charged: int
    amount: int
    answer_by: str
    opened_by: str | None
    state: str
    ended_at: str | None
    ended_by: str | None
    reason: str | None
    corrected: int | None
    carrier: str | None
    asked: str
    about: str | None
    asked_at: str
    tenant_id: str | None
    tenant_name: str | None
    reply: str | None
    replied_by: str | None
    answered_at: str | None
    number: str
    month: str
    property_id: str
    unit_id: str
    unit_label: str
    property_name: str
    currency: str
    updated_at: str


class CreditedDispute(NamedTuple):
    """An ended dispute, and the credit in cents that a person added to its invoice."""

    question_id: str
    invoice_id: str
    credited: int


class FileRow(NamedTuple):
    """A file submitted with a dispute.

    `kind` is the file's media type, determined from its content.
    """

    account_id: str
    question_id: str
    number: int
    name: str
    kind: str
    size: int
    content: bytes


class KeptFile(NamedTuple):
    """A file of a dispute without its content, as lists show it."""

    question_id: str
    number: int
    name: str
    kind: str
    size: int


_mine = dispute.c.account_id == bindparam("account")
_this = dispute.c.question_id == bindparam("id")
_its_question = named_by(tenant_question, dispute.c.question_id)
FILTERS = {
    "invoice": dispute.c.invoice_id,
    "property": invoice.c.property_id,
    "state": dispute.c.state,
}
DISPUTES = Walked(
    "disputes", dispute.join(invoice, named_by(invoice, dispute.c.invoice_id)), dispute.c.account_id,
    (Group((dispute.c.question_id,), down=True),), dispute.c.updated_at,
    {name: column == bindparam(name) for name, column in FILTERS.items()},
)  # fmt: skip
_ADD = adds(dispute)
_TOUCH = changes(update(dispute).where(_mine, _this).values(updated_at=bindparam("at")))
_ADD_FILE = adds(dispute_file)
_row = columns_for(DisputeRow, dispute)
_FIND = returns(DisputeRow, select(*_row).where(_mine, _this))
_OPEN_OF_INVOICE = returns(
    DisputeRow,
    select(*_row).where(
        _mine, dispute.c.invoice_id == bindparam("invoice"), dispute.c.state == literal_column("'OPEN'")
    ),
)
_is_corrected = dispute.c.state == literal_column("'CORRECTED'")
_CORRECTED = returns(
    DisputeRow,
    union(
        select(*_row).where(_mine, is_one_of(dispute.c.bill_id, "bills"), _is_corrected),
        select(*_row).where(_mine, is_one_of(dispute.c.invoice_id, "invoices"), _is_corrected),
    ).order_by(literal_column("question_id").desc()),
)
_CREDITED = returns(
    CreditedDispute,
    select(*columns_for(CreditedDispute, dispute)).where(
        _mine, is_one_of(dispute.c.invoice_id, "invoices"), dispute.c.credited < literal_column("0"), _is_corrected
    ),
)
_OF_ITS_END = ("answer_by", "state", "ended_at", "ended_by", "reason", "corrected", "carrier", "credited", "is_pending")
_SAVE_END = saves(dispute, only=_OF_ITS_END)
_is_same_line = and_(
    charge.c.account_id == dispute.c.account_id,
    charge.c.invoice_id == dispute.c.invoice_id,
    charge.c.bill_id == dispute.c.bill_id,
    charge.c.line == dispute.c.line,
    charge.c.corrects_month.is_not_distinct_from(dispute.c.corrects_month),
    charge.c.corrects_tenant.is_not_distinct_from(dispute.c.corrects_tenant),
)
_another = dispute.alias("another")
_its_charge_now = (
    select(charge.c.id)
    .where(
        _is_same_line,
        ~exists().where(
            _another.c.account_id == charge.c.account_id,
            _another.c.invoice_id == charge.c.invoice_id,
            _another.c.charge_id == charge.c.id,
        ),
    )
    .limit(literal_column("1"))
    .scalar_subquery()
)
_FOLLOW = changes(
    update(dispute)
    .where(
        _mine,
        is_one_of(dispute.c.invoice_id, "invoices"),
        ~exists().where(
            charge.c.account_id == dispute.c.account_id,
            charge.c.invoice_id == dispute.c.invoice_id,
            charge.c.id == dispute.c.charge_id,
        ),
    )
    .values(charge_id=func.coalesce(_its_charge_now, dispute.c.charge_id))
)
_joined = (
    dispute.join(tenant_question, _its_question)
    .join(invoice, named_by(invoice, dispute.c.invoice_id))
    .join(unit, named_by(unit, invoice.c.unit_id))
    .join(property_, named_by(property_, invoice.c.property_id))
)
_columns = columns_for(
    ListedDispute, dispute, tenant_question, invoice, property_, unit_label=unit.c.label, property_name=property_.c.name
)
_listed = select(*_columns).select_from(_joined)
_OF_INVOICES = returns(
    ListedDispute,
    _listed.where(_mine, is_one_of(dispute.c.invoice_id, "invoices")).order_by(dispute.c.question_id),
)
_FIND_MANY = returns(ListedDispute, _listed.where(_mine, is_one_of(dispute.c.question_id, "ids")))
_FILES = returns(
    KeptFile,
    select(*columns_for(KeptFile, dispute_file))
    .where(dispute_file.c.account_id == bindparam("account"), is_one_of(dispute_file.c.question_id, "questions"))
    .order_by(dispute_file.c.question_id, dispute_file.c.number),
)
_WHOLE_FILES = returns(
    FileRow,
    select(dispute_file)
    .where(dispute_file.c.account_id == bindparam("account"), is_one_of(dispute_file.c.question_id, "questions"))
    .order_by(dispute_file.c.question_id, dispute_file.c.number),
)
_FILE = returns(
    FileRow,
    select(dispute_file).where(
        dispute_file.c.account_id == bindparam("account"),
        dispute_file.c.question_id == bindparam("id"),
        dispute_file.c.number == bindparam("number"),
    ),
)


@cache
def _page(filters: frozenset[str]) -> Statement[ListedDispute]:
    """Build the statement that finds a page of disputes matching these filters."""
    wanted = [column == bindparam(name) for name, column in FILTERS.items() if name in filters]
    return returns(
        ListedDispute,
        _listed.where(_mine, *wanted)
        .order_by(dispute.c.question_id.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset")),
    )


@cache
def _number(filters: frozenset[str]) -> Statement[int]:
    """Build the statement that counts the disputes matching these filters."""
    wanted = [column == bindparam(name) for name, column in FILTERS.items() if name in filters]
    return returns_one(select(func.count()).select_from(_joined).where(_mine, *wanted))


def add(tx: Tx, row: DisputeRow, files: Sequence[FileRow]) -> None:
    """Add a dispute to a question, and store the files submitted with it."""
    tx.run(_ADD, **row._asdict() | {"updated_at": tx.now})
    for file in files:
        tx.run(_ADD_FILE, **file._asdict())


def touch(tx: Tx, account_id: str, question_id: str) -> None:
    """Record that a dispute, or the question to which it belongs, has just changed."""
    tx.run(_TOUCH, account=account_id, id=question_id, at=tx.now)


def find(tx: Tx, account_id: str, question_id: str) -> DisputeRow | None:
    """Find the dispute that belongs to a question, if there is one."""
    return tx.one(_FIND, account=account_id, id=question_id)


def find_many(tx: Tx, account_id: str, question_ids: list[str]) -> list[ListedDispute]:
    """List the disputes with these ids, their questions and invoices, in no particular order."""
    return tx.all(_FIND_MANY, account=account_id, ids=question_ids) if question_ids else []


def of_invoices(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[ListedDispute]:
    """List the disputes about charges on these invoices, oldest first."""
    return tx.all(_OF_INVOICES, account=account_id, invoices=invoice_ids) if invoice_ids else []


def open_of_invoice(tx: Tx, account_id: str, invoice_id: str) -> list[DisputeRow]:
    """List the open disputes of an invoice, in no particular order."""
    return tx.all(_OPEN_OF_INVOICE, account=account_id, invoice=invoice_id)


def page(tx: Tx, account_id: str, filters: dict[str, str], *, limit: int, offset: int) -> list[ListedDispute]:
    """Return a page of the account's disputes that match the filters, latest first."""
    return tx.all(_page(frozenset(filters)), account=account_id, **filters, limit=limit, offset=offset)


def number(tx: Tx, account_id: str, filters: dict[str, str]) -> int:
    """Count the disputes that match the filters."""
    return tx.one(_number(frozenset(filters)), account=account_id, **filters) or 0


def save_ends(tx: Tx, rows: Sequence[DisputeRow]) -> None:
    """Save the outcomes of disputes that have ended, or clear those of reopened disputes."""
    tx.run_many(_SAVE_END, [row_values(dispute, row, _OF_ITS_END) for row in rows])


def corrected(tx: Tx, account_id: str, bill_ids: list[str], invoice_ids: list[str]) -> list[DisputeRow]:
    """List the disputes that ended with a correction, latest first.

    Only disputes about a bill in `bill_ids`, or about a charge on an invoice in `invoice_ids`, are listed.
    """
    return tx.all(_CORRECTED, account=account_id, bills=bill_ids, invoices=invoice_ids)


def credited(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[CreditedDispute]:
    """List the disputes about these invoices that ended with a credit added by a person.

    Each is listed with the credit.
    """
    return tx.all(_CREDITED, account=account_id, invoices=invoice_ids) if invoice_ids else []


def follow_charges(tx: Tx, account_id: str, invoice_ids: list[str]) -> None:
    """Move disputes about deleted charges to the present charges for the same bill lines.

    Only disputes about charges on these invoices are moved. If there is no present charge for the bill line, the
    dispute stays unchanged.
    """
    if invoice_ids:
        tx.run(_FOLLOW, account=account_id, invoices=invoice_ids)


def files_of(tx: Tx, account_id: str, question_ids: list[str]) -> list[KeptFile]:
    """List the files of these disputes, without their contents."""
    return tx.all(_FILES, account=account_id, questions=question_ids) if question_ids else []


def whole_files_of(tx: Tx, account_id: str, question_ids: list[str]) -> list[FileRow]:
    """List the files of these disputes, with their contents."""
    return tx.all(_WHOLE_FILES, account=account_id, questions=question_ids) if question_ids else []


def file(tx: Tx, account_id: str, question_id: str, number: int) -> FileRow | None:
    """Find the file with this number that was submitted with a dispute."""
    return tx.one(_FILE, account=account_id, id=question_id, number=number)
