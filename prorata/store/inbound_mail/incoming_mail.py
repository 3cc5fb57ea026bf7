"""Received mail: the original messages, their outcomes, and their documents."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, exists, func, literal_column, null, select, update

from prorata.domain.intake.documents import DRAFT, READING, UNREADABLE
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    adds,
    adds_if_new,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.schema.document_tables import bill_document, document, document_table
from prorata.store.schema.incoming_mail_tables import incoming_content, incoming_document, incoming_mail
from prorata.store.schema.joins import alike, named_by


class IncomingMailRow(NamedTuple):
    """A received message; store/schema/incoming_mail_tables.py describes the fields."""

    account_id: str
    id: str
    digest: str
    size: int
    way: str
    state: str
    envelope_from: str
    about: str | None
    accepted_by: str | None
    sender: str | None
    subject: str | None
    message_id: str | None
    likeness: str | None
    authentic: bool | None
    said: str | None
    left_out: str | None
    brings: str | None
    answered_at: str | None
    created_at: str
    updated_at: str


class BroughtDocument(NamedTuple):
    """A document that came with a message.

    `counted_at` is the time at which the document became a bill automatically. `bill_id` is the bill that it
    became, automatically or not. `is_table` is set if the document was read as a table. `asks` is `PASSWORD` if the
    document could not be read without a password.
    """

    mail_id: str
    id: str
    name: str
    state: str
    draft: str | None
    counted_at: str | None
    bill_id: str | None
    is_table: bool
    asks: str | None


class BroughtBy(NamedTuple):
    """A message with which a document came: its id, sender and subject."""

    id: str
    sender: str | None
    subject: str | None


_CHANGES = (
    *("state", "accepted_by", "sender", "subject", "message_id", "likeness", "authentic", "said", "left_out"),
    *("brings", "answered_at", "updated_at"),
)
_mine = incoming_mail.c.account_id == bindparam("account")
_this = and_(_mine, incoming_mail.c.id == bindparam("id"))
_FIND = returns(IncomingMailRow, select(incoming_mail).where(_this))
_LOCK = returns(IncomingMailRow, select(incoming_mail).where(_this).with_for_update())
_ADD = adds_if_new(incoming_mail, "account_id", "digest")
_ADD_CONTENT = adds(incoming_content)
_SAVE = saves(incoming_mail, only=_CHANGES)
_CONTENT = returns_one(
    select(incoming_content.c.content).where(
        incoming_content.c.account_id == bindparam("account"), incoming_content.c.mail_id == bindparam("id")
    )
)
_listed = select(incoming_mail).where(_mine, is_one_of(incoming_mail.c.state, "states")).limit(bindparam("limit"))
_NEWEST = returns(
    IncomingMailRow, _listed.where(incoming_mail.c.id < bindparam("before")).order_by(incoming_mail.c.id.desc())
)
_OLDEST = returns(IncomingMailRow, _listed.where(incoming_mail.c.id > bindparam("after")).order_by(incoming_mail.c.id))
_COUNTS = returns_pairs(
    select(incoming_mail.c.state, func.count())
    .where(_mine, is_one_of(incoming_mail.c.state, "states"))
    .group_by(incoming_mail.c.state)
)
_MAY_BRING = returns_one(
    select(func.count())
    .select_from(incoming_mail)
    .where(
        _mine,
        is_one_of(incoming_mail.c.state, "states"),
        incoming_mail.c.about.is_(None),
    )
)
_LIKE = returns(
    IncomingMailRow,
    select(incoming_mail)
    .where(_mine, incoming_mail.c.likeness == bindparam("likeness"), incoming_mail.c.id != bindparam("id"))
    .order_by(incoming_mail.c.id)
    .limit(bindparam("limit")),
)
_waits = exists(
    select(literal_column("1"))
    .select_from(incoming_document.join(document, named_by(document, incoming_document.c.document_id)))
    .where(
        named_by(incoming_mail, incoming_document.c.mail_id),
        is_one_of(document.c.state, "open"),
    )
)
_OLD = returns_one(
    select(incoming_mail.c.id)
    .join(incoming_content, named_by(incoming_mail, incoming_content.c.mail_id))
    .where(
        _mine,
        is_one_of(incoming_mail.c.state, "states"),
        incoming_mail.c.updated_at < bindparam("before"),
        ~_waits,
    )
    .order_by(incoming_mail.c.id)
    .limit(bindparam("limit"))
)
_CLEAR = changes(
    delete(incoming_content).where(
        incoming_content.c.account_id == bindparam("account"), is_one_of(incoming_content.c.mail_id, "mails")
    )
)
_KEPT = returns_one(
    select(incoming_content.c.mail_id).where(
        incoming_content.c.account_id == bindparam("account"), is_one_of(incoming_content.c.mail_id, "mails")
    )
)
_ANSWERED = returns_one(
    select(func.count()).select_from(incoming_mail).where(_mine, incoming_mail.c.answered_at > bindparam("since"))
)
_LINK = adds_if_new(incoming_document)
_BILL_OF = (
    select(func.min(bill_document.c.bill_id)).where(named_by(document, bill_document.c.document_id)).scalar_subquery()
)
_IS_TABLE = exists().where(named_by(document, document_table.c.document_id))
_BROUGHT = returns(
    BroughtDocument,
    select(*columns_for(BroughtDocument, document, incoming_document, bill_id=_BILL_OF, is_table=_IS_TABLE))
    .join(document, named_by(document, incoming_document.c.document_id))
    .where(incoming_document.c.account_id == bindparam("account"), is_one_of(incoming_document.c.mail_id, "mails"))
    .order_by(incoming_document.c.mail_id, document.c.id),
)
_bringing = (
    select(*columns_for(BroughtBy, incoming_mail))
    .join(incoming_document, named_by(incoming_mail, incoming_document.c.mail_id))
    .order_by(incoming_mail.c.id)
)
"""The query for the messages that brought documents, by id."""
_BROUGHT_BY = returns(
    BroughtBy,
    _bringing.where(
        _mine,
        incoming_document.c.account_id == bindparam("account"),
        incoming_document.c.document_id == bindparam("id"),
    ).limit(bindparam("limit")),
)
_NOTE_COUNTED = changes(
    update(incoming_document)
    .where(
        incoming_document.c.account_id == bindparam("account"),
        incoming_document.c.mail_id == bindparam("mail"),
        incoming_document.c.document_id == bindparam("document"),
    )
    .values(counted_at=bindparam("moment"))
)
_FORGET_COUNTED = changes(
    update(incoming_document)
    .where(
        incoming_document.c.account_id == bindparam("account"),
        incoming_document.c.document_id == bindparam("document"),
    )
    .values(counted_at=null())
)
_COUNTED_BY = returns(
    BroughtBy,
    _bringing.join(bill_document, alike(bill_document, incoming_document, "document_id")).where(
        _mine, bill_document.c.bill_id == bindparam("bill"), incoming_document.c.counted_at.is_not(None)
    ),
)


def find(tx: Tx, account_id: str, mail_id: str) -> IncomingMailRow | None:
    """Find the message with this id that an account has received."""
    return tx.one(_FIND, account=account_id, id=mail_id)


def lock(tx: Tx, account_id: str, mail_id: str) -> IncomingMailRow | None:
    """Find and lock the message with this id that an account has received."""
    return tx.one(_LOCK, account=account_id, id=mail_id)


def add(tx: Tx, row: IncomingMailRow, content: bytes) -> bool:
    """Add a message and its original bytes; return False if the account already has it."""
    is_new = tx.run(_ADD, **row._asdict()) == 1
    if is_new:
        tx.run(_ADD_CONTENT, account_id=row.account_id, mail_id=row.id, content=content)
    return is_new


def save(tx: Tx, row: IncomingMailRow) -> None:
    """Save the state and the outcome of a received message."""
    tx.run(_SAVE, **row_values(incoming_mail, row, _CHANGES))


def content(tx: Tx, account_id: str, mail_id: str) -> bytes | None:
    """Find the original bytes of a received message, if they are still stored."""
    stored = tx.one(_CONTENT, account=account_id, id=mail_id)
    return None if stored is None else bytes(stored)


def kept(tx: Tx, account_id: str, mail_ids: Sequence[str]) -> set[str]:
    """Return which of these ids belong to messages whose original bytes are still stored."""
    return set(tx.all(_KEPT, account=account_id, mails=list(mail_ids))) if mail_ids else set()


def old(tx: Tx, account_id: str, states: Sequence[str], *, before: str, limit: int) -> list[str]:
    """List up to `limit` messages in `states` whose original bytes are stored, oldest first.

    Only messages that were last changed before the timestamp `before` are listed, and only if none of their
    documents waits for a person.
    """
    values = {"states": list(states), "before": before, "limit": limit}
    return tx.all(_OLD, account=account_id, open=[READING, DRAFT, UNREADABLE], **values)


def clear(tx: Tx, account_id: str, mail_ids: Sequence[str]) -> None:
    """Delete the original bytes of these messages, but keep their outcomes."""
    tx.run(_CLEAR, account=account_id, mails=list(mail_ids))


def page(tx: Tx, account_id: str, states: Sequence[str], *, before: str, limit: int) -> list[IncomingMailRow]:
    """List messages in `states` with lower ids than `before`, newest first."""
    return tx.all(_NEWEST, account=account_id, states=list(states), before=before, limit=limit)


def oldest(tx: Tx, account_id: str, states: Sequence[str], *, after: str, limit: int) -> list[IncomingMailRow]:
    """List messages in `states` with higher ids than `after`, oldest first."""
    return tx.all(_OLDEST, account=account_id, states=list(states), after=after, limit=limit)


def counts(tx: Tx, account_id: str, states: Sequence[str]) -> dict[str, int]:
    """Count the received messages in each of the given states."""
    return dict(tx.all(_COUNTS, account=account_id, states=list(states)))


def number_that_may_bring(tx: Tx, account_id: str, states: Sequence[str]) -> int:
    """Count the messages in the given states that may contain bills.

    Delivery reports are left out.
    """
    return int(tx.one(_MAY_BRING, account=account_id, states=list(states)) or 0)


def like(tx: Tx, row: IncomingMailRow, limit: int) -> list[IncomingMailRow]:
    """List other received messages with the same content, oldest first."""
    return tx.all(_LIKE, account=row.account_id, likeness=row.likeness, id=row.id, limit=limit)


def number_answered(tx: Tx, account_id: str, since: str) -> int:
    """Count the incoming messages to which Prorata has replied since a time."""
    return int(tx.one(_ANSWERED, account=account_id, since=since) or 0)


def link(tx: Tx, account_id: str, mail_id: str, document_id: str) -> None:
    """Record that a document came with a message."""
    tx.run(_LINK, account_id=account_id, mail_id=mail_id, document_id=document_id, counted_at=None)


def note_counted(tx: Tx, account_id: str, mail_id: str, document_id: str) -> None:
    """Record that a document became a bill automatically."""
    tx.run(_NOTE_COUNTED, account=account_id, mail=mail_id, document=document_id, moment=tx.now)


def forget_counted(tx: Tx, account_id: str, document_id: str) -> None:
    """Record that a document no longer counts as automatically made into a bill.

    The caller does so when a person returns the document to the inbox.
    """
    tx.run(_FORGET_COUNTED, account=account_id, document=document_id)


def counted_by(tx: Tx, account_id: str, bill_id: str) -> BroughtBy | None:
    """Find the message whose document became this bill automatically; None for other bills."""
    return tx.one(_COUNTED_BY, account=account_id, bill=bill_id)


def brought(tx: Tx, account_id: str, mail_ids: Sequence[str]) -> list[BroughtDocument]:
    """List the documents that came with these messages, message by message."""
    return tx.all(_BROUGHT, account=account_id, mails=list(mail_ids)) if mail_ids else []


def brought_by(tx: Tx, account_id: str, document_id: str) -> BroughtBy | None:
    """Find the first message with which a document came."""
    return tx.one(_BROUGHT_BY, account=account_id, id=document_id, limit=1)
