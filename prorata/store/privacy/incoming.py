"""Incoming mail that names a tenant: finding it, and deleting its original bytes."""

from collections.abc import Callable, Sequence

from sqlalchemy import bindparam, literal_column, select

from prorata.domain.inbound_mail.inbox_addresses import RECEIVED
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns_one, returns_pairs
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.store.limits import MOST_BYTES_SEARCHED_AT_ONCE
from prorata.store.schema.incoming_mail_tables import incoming_content, incoming_mail
from prorata.store.schema.joins import named_by

_READ = returns_pairs(
    select(incoming_mail.c.id, incoming_mail.c.size)
    .join(incoming_content, named_by(incoming_mail, incoming_content.c.mail_id))
    .where(incoming_mail.c.account_id == bindparam("account"), incoming_mail.c.state != literal_column(f"'{RECEIVED}'"))
    .order_by(incoming_mail.c.id)
)


_UNREAD = returns_one(
    select(incoming_mail.c.id)
    .where(incoming_mail.c.account_id == bindparam("account"), incoming_mail.c.state == literal_column(f"'{RECEIVED}'"))
    .limit(literal_column("1"))
)


def is_unread(tx: Tx, account_id: str) -> bool:
    """True if a message is still to be read."""
    return tx.one(_UNREAD, account=account_id) is not None


def drop(tx: Tx, account_id: str, naming: Callable[[Sequence[bytes]], Sequence[bool]]) -> int:
    """Delete the bytes of read messages that name a tenant; return their number.

    The messages' outcomes stay, and so do the files that came with them. `naming` tells which do.
    """
    number, sizes, some = 0, 0, list[str]()
    rows = tx.all(_READ, account=account_id)
    for at, (mail_id, size) in enumerate(rows, 1):
        some.append(mail_id)
        sizes += size
        if sizes >= MOST_BYTES_SEARCHED_AT_ONCE or at == len(rows):
            contents = [stored.content(tx, account_id, one) or b"" for one in some]
            found = [one for one, names in zip(some, naming(contents), strict=True) if names]
            stored.clear(tx, account_id, found)
            number, sizes, some = number + len(found), 0, []
    return number
