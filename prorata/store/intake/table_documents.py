"""Documents that are tables of bills: their cells as they were read, and what somebody chose for them."""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import puts, returns, row_values, saves
from prorata.store.schema.document_tables import document_table


class TableRow(NamedTuple):
    """A table. `sheet` is what was read of it, packed; `choices` what somebody chose, and `outcome` what came of it,
    both as JSON; `rows` how many stand below its header.
    """

    account_id: str
    document_id: str
    rows: int
    sheet: bytes
    choices: str | None
    outcome: str | None


_this = and_(document_table.c.account_id == bindparam("account"), document_table.c.document_id == bindparam("document"))
_FIND = returns(TableRow, select(document_table).where(_this))
_KEEP = puts(document_table, "choices")
_SAVE = saves(document_table, only=("rows", "choices", "outcome"))


def find(tx: Tx, account_id: str, document_id: str) -> TableRow | None:
    """A document's table, where it is one."""
    return tx.one(_FIND, account=account_id, document=document_id)


def keep(tx: Tx, row: TableRow) -> None:
    """Keep what was read of a table, in the place of what was read before; what was chosen for it stays."""
    tx.run(_KEEP, **row._asdict())


def save(tx: Tx, row: TableRow) -> None:
    """Write what was chosen for a table, and what came of it."""
    tx.run(_SAVE, **row_values(document_table, row, ("rows", "choices", "outcome")))
