"""The meanings that people have chosen for the columns of bill files.

They are found by the account and by the file's header line.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, puts, returns
from prorata.store.schema.document_tables import column_mapping


class MappingRow(NamedTuple):
    """The meanings that a person chose for a table's columns, kept for later files.

    `header` is a digest by which files with the same header line are recognized. `names` contains the column names
    in that line, and `mapping` their meanings, both as JSON.
    """

    account_id: str
    header: str
    names: str
    mapping: str
    updated_at: str


_OF_HEADERS = returns(
    MappingRow,
    select(column_mapping)
    .where(column_mapping.c.account_id == bindparam("account"), is_one_of(column_mapping.c.header, "headers"))
    .order_by(column_mapping.c.updated_at.desc(), column_mapping.c.header),
)
_KEEP = puts(column_mapping)


def of_headers(tx: Tx, account_id: str, headers: Sequence[str]) -> list[MappingRow]:
    """List the column meanings chosen for files with one of these headers, latest first."""
    return tx.all(_OF_HEADERS, account=account_id, headers=list(headers))


def keep(tx: Tx, row: MappingRow) -> None:
    """Save the meanings of a header's columns, replacing earlier ones."""
    tx.run(_KEEP, **row._asdict())
