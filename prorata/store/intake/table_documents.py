"""Documents that are tables of bills, such as CSV files and workbooks.

The cells are stored as they were read from the file, together with people's choices for reading them.
"""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import puts, returns, row_values, saves
from prorata.store.schema.document_tables import document_table


class TableRow(NamedTuple):
    """A table of bills in a document.

    `sheet` contains the table's cells in compressed form. `choices` contains people's choices for reading the table,
    and `outcome` the outcome of importing it, both as JSON. `rows` is the number of rows below the table's header.
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
    """Find the table of a document, or None if the document is not a table."""
    return tx.one(_FIND, account=account_id, document=document_id)


def keep(tx: Tx, row: TableRow) -> None:
    """Save a table's cells, replacing earlier ones.

    The choices for reading the table are kept.
    """
    tx.run(_KEEP, **row._asdict())


def save(tx: Tx, row: TableRow) -> None:
    """Save the choices for reading a table, its number of rows, and the import's outcome."""
    tx.run(_SAVE, **row_values(document_table, row, ("rows", "choices", "outcome")))
