"""Outgoing messages: their recipients, outcomes and contents.

A message's bytes are deleted once a mail server has accepted it (`drop_message`). Its record and the invoice's PDF
stay until `actions/privacy/periods.py` deletes them for an erased tenant.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, delete, false, func, literal_column, null, or_, select, true, update

from prorata.domain.bulk.resends import Undelivered
from prorata.domain.mail.deliveries import WRITTEN
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    adds,
    changes,
    columns_for,
    is_among,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail, mail_content
from prorata.store.schema.tables import invoice, tenant, tenant_mail_address


class MailRow(NamedTuple):
    """A message about an invoice, a message with the one-time link `link_id`, or a notice.

    `kind` selects the text. `occasion` identifies the reason for the message, so that only one message is sent for this
    reason. `said` is the last reply of the mail server, or the text of a delivery report. If `is_former` is set, the
    recipient is a former recipient of the message's invoice.
    """

    account_id: str
    id: str
    invoice_id: str | None
    kind: str
    occasion: str
    state: str
    to_name: str | None
    to_address: str
    said: str | None
    created_at: str
    sent_at: str | None
    updated_at: str
    link_id: str | None = None
    invited_by: str | None = None
    is_former: bool = False


class Written(NamedTuple):
    """A message's bytes, and a fingerprint of the facts that the message was written from.

    The bytes are None once a server has accepted the message.
    """

    message: bytes | None
    rests_on: str | None


_mine = mail.c.account_id == bindparam("account")
_of_invoice = mail.c.invoice_id == bindparam("invoice")
_is_of_now = mail.c.is_former.is_(false())
_FIND = returns(MailRow, select(mail).where(_mine, mail.c.id == bindparam("id")))
_CHANGES = ("state", "to_address", "said", "sent_at", "updated_at")
_SAVE = saves(mail, only=_CHANGES)
_LOCK = returns_one(select(mail.c.id).where(_mine, mail.c.id == bindparam("id")).with_for_update())
_WITH_LINK = returns(MailRow, select(mail).where(_mine, mail.c.link_id == bindparam("link")).order_by(mail.c.id))
_WITH_LINKS = returns(MailRow, select(mail).where(_mine, is_one_of(mail.c.link_id, "links")).order_by(mail.c.id))
_OF_INVOICE = returns(MailRow, select(mail).where(_mine, _of_invoice).order_by(mail.c.id))
_OF_INVOICES = returns(
    MailRow, select(mail).where(_mine, is_one_of(mail.c.invoice_id, "invoices")).order_by(mail.c.invoice_id, mail.c.id)
)
_REPLIES = returns(
    MailRow,
    select(mail)
    .where(
        _mine, mail.c.invoice_id.is_(None), is_one_of(mail.c.occasion, "occasions"), mail.c.kind == bindparam("kind")
    )
    .order_by(mail.c.id),
)
_LATEST = returns_one(
    select(mail.c.id)
    .where(_mine, _of_invoice, is_one_of(mail.c.kind, "kinds"), _is_of_now)
    .order_by(mail.c.id.desc())
    .limit(literal_column("1"))
)
_LATEST_SENT = returns_one(
    select(mail.c.id)
    .where(
        _mine,
        _of_invoice,
        is_one_of(mail.c.kind, "kinds"),
        _is_of_now,
        or_(mail.c.sent_at.is_not(None), mail.c.state == bindparam("written")),
    )
    .order_by(mail.c.id.desc())
    .limit(literal_column("1"))
)
_REMINDED = returns_pairs(
    select(mail.c.invoice_id, mail.c.occasion).where(_mine, is_one_of(mail.c.invoice_id, "invoices"))
)
_last = mail.alias("last")
_the_latest = (
    select(func.max(_last.c.id))
    .where(
        named_by(invoice, _last.c.invoice_id),
        is_among(_last.c.kind, "kinds"),
        _last.c.is_former.is_(false()),
        _last.c.state != literal_column("'withdrawn'"),
    )
    .correlate(invoice)
    .scalar_subquery()
)
TELLS_OF_INVOICE = and_(mail.c.account_id == invoice.c.account_id, mail.c.id == _the_latest)
"""The condition that a message determines the delivery state of its invoice.

The message must be the latest message of the `kinds` that was sent to the invoice's present recipient and was not
withdrawn.
"""
ADDRESS_NOW = case((tenant.c.id.is_not(None), tenant_mail_address), else_=invoice.c.tenant_email)
"""The address to which an invoice is e-mailed now.

This is the address of its tenant, or the invoice's own address if the tenant's record is missing (an outer join).
"""
_UNDELIVERED = returns(
    Undelivered,
    select(
        *columns_for(
            Undelivered,
            invoice,
            mail,
            invoice_id=invoice.c.id,
            address=ADDRESS_NOW,
            sent_to=mail.c.to_address,
        )
    )
    .select_from(invoice)
    .outerjoin(tenant, named_by(tenant, invoice.c.tenant_id))
    .outerjoin(mail, TELLS_OF_INVOICE)
    .where(invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "ids")),
)
_OWNER = returns_one(select(mail.c.account_id).where(mail.c.id == bindparam("id")))

_this_content = (mail_content.c.account_id == bindparam("account"), mail_content.c.mail_id == bindparam("mail"))
_ADD_CONTENT = adds(mail_content)
_MESSAGE = returns_one(select(mail_content.c.message).where(*_this_content))
_WRITTEN = returns(Written, select(mail_content.c.message, mail_content.c.rests_on).where(*_this_content))
_PDF = returns_one(select(mail_content.c.pdf).where(*_this_content))
_SET_FORMER = changes(update(mail).where(_mine, _of_invoice, _is_of_now).values(is_former=true()))
_DROP_MESSAGES = changes(
    update(mail_content)
    .where(mail_content.c.account_id == bindparam("account"), is_one_of(mail_content.c.mail_id, "mails"))
    .values(message=null())
)
_DROP_CONTENT = changes(delete(mail_content).where(*_this_content))


def add_many(tx: Tx, rows: Sequence[MailRow]) -> None:
    """Add messages; each invoice may have only one message for an occasion."""
    tx.add_many("mail", MailRow._fields, rows)


def find(tx: Tx, account_id: str, mail_id: str) -> MailRow | None:
    """Find the account's outgoing message with this id."""
    return tx.one(_FIND, account=account_id, id=mail_id)


def lock(tx: Tx, account_id: str, mail_id: str) -> None:
    """Lock an outgoing message until the transaction ends."""
    tx.one(_LOCK, account=account_id, id=mail_id)


def with_link(tx: Tx, account_id: str, link_id: str) -> list[MailRow]:
    """List all messages with a one-time link, oldest first."""
    return tx.all(_WITH_LINK, account=account_id, link=link_id)


def with_links(tx: Tx, account_id: str, link_ids: list[str]) -> list[MailRow]:
    """List all messages with one of these one-time links, oldest first."""
    return tx.all(_WITH_LINKS, account=account_id, links=link_ids)


def of_invoice(tx: Tx, account_id: str, invoice_id: str) -> list[MailRow]:
    """List all messages about an invoice, oldest first."""
    return tx.all(_OF_INVOICE, account=account_id, invoice=invoice_id)


def of_invoices(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[MailRow]:
    """List all messages about these invoices, sorted by invoice, oldest first."""
    return tx.all(_OF_INVOICES, account=account_id, invoices=invoice_ids)


def about(tx: Tx, account_id: str, kind: str, occasions: list[str]) -> list[MailRow]:
    """List the messages of one kind that are about these records, oldest first.

    The records are not invoices; their ids are the `occasions` of the messages.
    """
    return tx.all(_REPLIES, account=account_id, kind=kind, occasions=occasions) if occasions else []


def set_former(tx: Tx, account_id: str, invoice_id: str) -> None:
    """Mark all existing messages about an invoice as messages to a former recipient."""
    tx.run(_SET_FORMER, account=account_id, invoice=invoice_id)


def latest(tx: Tx, account_id: str, invoice_id: str, kinds: list[str]) -> str | None:
    """Find the id of the latest message of these kinds to an invoice's current recipient."""
    return tx.one(_LATEST, account=account_id, invoice=invoice_id, kinds=kinds)


def latest_sent(tx: Tx, account_id: str, invoice_id: str, kinds: list[str]) -> str | None:
    """Find the id of the latest accepted message of these kinds.

    Only messages about this invoice to its current recipient count. A message counts as accepted if a mail server has
    accepted it, or if it was written to the outbox folder.
    """
    return tx.one(_LATEST_SENT, account=account_id, invoice=invoice_id, kinds=kinds, written=WRITTEN)


def occasions(tx: Tx, account_id: str, invoice_ids: list[str]) -> list[tuple[str, str]]:
    """List all messages about these invoices, each as (invoice id, occasion)."""
    return tx.all(_REMINDED, account=account_id, invoices=invoice_ids)


def undelivered(tx: Tx, account_id: str, invoice_ids: list[str], kinds: list[str]) -> list[Undelivered]:
    """List these invoices in the ids' order, each with its latest message's outcome.

    Only messages of these `kinds` that were not withdrawn count. Invoices without such a message are left out.
    """
    rows = {row.invoice_id: row for row in tx.all(_UNDELIVERED, account=account_id, ids=invoice_ids, kinds=kinds)}
    return [rows[invoice_id] for invoice_id in invoice_ids if invoice_id in rows]


def owner_of(tx: Tx, mail_id: str) -> str | None:
    """Find the account of a message; delivery reports name messages by their ids only."""
    return tx.one(_OWNER, id=mail_id)


def save(tx: Tx, row: MailRow) -> None:
    """Save the state and the outcome of an outgoing message."""
    save_many(tx, [row])


def save_many(tx: Tx, rows: Sequence[MailRow]) -> None:
    """Save the states and the outcomes of outgoing messages."""
    tx.run_many(_SAVE, [row_values(mail, row, _CHANGES) for row in rows])


def keep(
    tx: Tx, account_id: str, mail_id: str, *, message: bytes, pdf: bytes, rests_on: str | None = None
) -> None:  # fmt: skip
    """Save the content of a written message: its bytes and its PDF.

    The bytes are kept until a server has accepted them, and the PDF after that, too. `rests_on` is the fingerprint
    of the facts in the message that may change until it is accepted. If these facts change, the message is written
    again.
    """
    tx.run(_ADD_CONTENT, account_id=account_id, mail_id=mail_id, message=message, pdf=pdf, rests_on=rests_on)


def written(tx: Tx, account_id: str, mail_id: str) -> Written | None:
    """Find the bytes of a written message, and the fingerprint of its facts."""
    return tx.one(_WRITTEN, account=account_id, mail=mail_id)


def message(tx: Tx, account_id: str, mail_id: str) -> bytes | None:
    """Find the bytes of a written message that no server has accepted yet."""
    return tx.one(_MESSAGE, account=account_id, mail=mail_id)


def pdf(tx: Tx, account_id: str, mail_id: str) -> bytes | None:
    """Find the PDF that was attached to an outgoing message."""
    return tx.one(_PDF, account=account_id, mail=mail_id)


def drop_message(tx: Tx, account_id: str, mail_id: str) -> None:
    """Delete the bytes of an accepted message, but keep its PDF."""
    drop_messages(tx, account_id, [mail_id])


def drop_messages(tx: Tx, account_id: str, mail_ids: list[str]) -> None:
    """Delete the bytes of messages that no server needs any more, but keep their PDFs."""
    tx.run(_DROP_MESSAGES, account=account_id, mails=mail_ids)


def drop_content(tx: Tx, account_id: str, mail_id: str) -> None:
    """Delete the content of a message that was never accepted and will be written again."""
    tx.run(_DROP_CONTENT, account=account_id, mail=mail_id)
