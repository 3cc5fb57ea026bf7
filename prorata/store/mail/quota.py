"""The number of messages that an account has begun to send on each day.

The number is recorded only while the account's mail is limited.
"""

from sqlalchemy import bindparam, delete, func, literal, literal_column, select
from sqlalchemy.dialects.postgresql import insert

from prorata.domain.mail.deliveries import QUEUED
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, returns_one
from prorata.store.schema.mail_tables import mail
from prorata.store.schema.sign_in_tables import mail_day

_TAKE = changes(
    insert(mail_day)
    .values(account_id=bindparam("account_id"), day=bindparam("day"), number=literal(1))
    .on_conflict_do_update(
        index_elements=[mail_day.c.account_id, mail_day.c.day],
        set_={"number": mail_day.c.number + literal(1)},
        where=mail_day.c.number < bindparam("most"),
    )
)
_NUMBER = returns_one(
    select(mail_day.c.number).where(mail_day.c.account_id == bindparam("account"), mail_day.c.day == bindparam("day"))
)
_NUMBER_WAITING = returns_one(
    select(func.count())
    .select_from(mail)
    .where(
        mail.c.account_id == bindparam("account"),
        mail.c.invoice_id.is_not(None),
        mail.c.state == literal_column(f"'{QUEUED}'"),
    )
)
_FORGET = changes(delete(mail_day).where(mail_day.c.account_id == bindparam("account")))


def take(tx: Tx, account_id: str, day: str, most: int) -> bool:
    """Count one more message on this day, unless `most` is reached already.

    Return False if the message was not counted.
    """
    return tx.run(_TAKE, account_id=account_id, day=day, most=most) == 1


def number(tx: Tx, account_id: str, day: str) -> int:
    """Return the number of messages that were counted on this day."""
    return tx.one(_NUMBER, account=account_id, day=day) or 0


def number_waiting(tx: Tx, account_id: str) -> int:
    """Count the account's queued messages about invoices.

    All of these messages are read, so this is only for new accounts, which have few.
    """
    return tx.one(_NUMBER_WAITING, account=account_id) or 0


def forget(tx: Tx, account_id: str) -> None:
    """Delete the counts of an account whose mail is no longer limited."""
    tx.run(_FORGET, account=account_id)
