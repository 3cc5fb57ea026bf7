"""Deletion of an account with everything in it."""

from sqlalchemy import bindparam, delete, literal_column, select

from prorata.domain.audit.verbs import Verb
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, returns_one
from prorata.store.schema import batch_tables, bulk_tables, tables
from prorata.store.schema.mail_tables import mail
from prorata.store.schema.tables import event

assert batch_tables.batch.metadata is bulk_tables.bulk.metadata is tables.metadata, "all tables are known"
_DELETE = tuple(
    changes(delete(table).where(table.c.account_id == bindparam("account")))
    for table in reversed(tables.metadata.sorted_tables)
    if "account_id" in table.c
)
_DELETE_ACCOUNT = changes(delete(tables.account).where(tables.account.c.id == bindparam("account")))
_MESSAGES = returns_one(select(mail.c.id).where(mail.c.account_id == bindparam("account")))
_DELETED_PROPERTIES = returns_one(
    select(event.c.record_id).where(
        event.c.account_id == bindparam("account"), event.c.verb == literal_column(f"'{Verb.DELETE_PROPERTY}'")
    )
)


def kept_files(tx: Tx, account_id: str) -> list[str]:
    """List the ids that appear in the names of the account's files on disk.

    They are the ids of the account's messages and of its deleted properties.
    """
    return [*tx.all(_MESSAGES, account=account_id), *tx.all(_DELETED_PROPERTIES, account=account_id)]


def remove(tx: Tx, account_id: str) -> None:
    """Delete an account with all its records, those that refer to others first."""
    for statement in _DELETE:
        tx.run(statement, account=account_id)
    tx.run(_DELETE_ACCOUNT, account=account_id)
