"""Incoming mail that names a tenant: found, and its original bytes deleted."""

from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header

from sqlalchemy import bindparam, literal_column, select

from prorata.domain.inbound_mail.inbox_addresses import RECEIVED
from prorata.domain.privacy.personal_words import Cutter
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns_one
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.store.schema.incoming_mail_tables import incoming_content, incoming_mail
from prorata.store.schema.joins import named_by

_READ = returns_one(
    select(incoming_mail.c.id)
    .join(incoming_content, named_by(incoming_mail, incoming_content.c.mail_id))
    .where(incoming_mail.c.account_id == bindparam("account"), incoming_mail.c.state != literal_column(f"'{RECEIVED}'"))
    .order_by(incoming_mail.c.id)
)


def drop(tx: Tx, account_id: str, cutter: Cutter) -> int:
    """Delete the bytes of read messages that name a tenant; return their number.

    The messages' outcomes stay, and so do the files that came with them.
    """
    found = [
        mail_id
        for mail_id in tx.all(_READ, account=account_id)
        if any(cutter.finds(text) for text in _texts(stored.content(tx, account_id, mail_id) or b""))
    ]
    stored.clear(tx, account_id, found)
    return len(found)


def _texts(content: bytes) -> Iterator[str]:
    """Yield a message's original bytes, its headers and its text."""
    yield content.decode("latin-1")
    try:
        for part in message_from_bytes(content).walk():
            yield "\n".join(str(make_header(decode_header(str(value)))) for value in part.values())
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                yield payload.decode("utf-8", "replace")
    except (MessageError, ValueError, LookupError, RecursionError):
        return
