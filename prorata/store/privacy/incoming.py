"""Search for stored incoming mail whose original bytes may name a tenant."""

from sqlalchemy import bindparam, literal_column, select

from prorata.domain.inbound_mail.inbox_addresses import RECEIVED
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns_one, returns_pairs
from prorata.store.schema.incoming_mail_tables import incoming_content, incoming_mail
from prorata.store.schema.joins import named_by

_KEPT = returns_pairs(
    select(incoming_mail.c.id, incoming_mail.c.size)
    .join(incoming_content, named_by(incoming_mail, incoming_content.c.mail_id))
    .where(incoming_mail.c.account_id == bindparam("account"))
    .order_by(incoming_mail.c.id)
)
_UNREAD = returns_one(
    select(incoming_mail.c.id).where(
        incoming_mail.c.account_id == bindparam("account"), incoming_mail.c.state == literal_column(f"'{RECEIVED}'")
    )
)


def kept(tx: Tx, account_id: str) -> list[tuple[str, int]]:
    """List the messages whose original bytes are still stored, as (id, size)."""
    return tx.all(_KEPT, account=account_id)


def unread(tx: Tx, account_id: str) -> set[str]:
    """Return the ids of the received messages that Prorata has not read yet."""
    return set(tx.all(_UNREAD, account=account_id))
