"""Statistics that make SQLite's query planner use the indexes.

By default, SQLite assumes that an account has ten rows in each table and reads all of them, although an index
on account and property finds the few that are needed: with 100,000 invoices a page took 68 ms, and each
recalculation read all of the account's charges. The statistics written here describe a large account. They are
the same in every database, so that plans stay as tested.
(https://sqlite.org/optoverview.html#manual_control_of_query_plans_using_sqlite_stat_tables)
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from prorata.store.schema.tables import metadata

_ROWS = 1_000_000
_ROWS_OF_FEW = 1_000
"""The assumed number of rows of an index that contains only rows that need action.

An example is the index of the overdue invoices, or of the failed jobs.
"""
_WITH_HISTORY = {"ix_bill_line_uncharged"}
"""The partial indexes that may contain many rows.

They contain bill lines of history, which are never charged.
"""
_DIFFERENT = {
    "account_id": 1,
    "property_id": 1_000,
    "scope": 1_000,
    "month": 100,
    "bill_date": 1_000,
    "status": 5,
    "word": 100_000,
    "kind": 10,
    "split_method_id": 10,
    "utility_type": 7,
    "sequence": 1,
    "repetition": 1,
    "unit_id": 50_000,
    "bill_id": 500_000,
    "invoice_id": 300_000,
}
"""The number of distinct values of each column in a large account.

Every other column has as many distinct values as rows.
"""


def tell_sqlite(connection: Connection) -> None:
    """Write statistics for every index into the database, for connections that are opened later."""
    connection.exec_driver_sql("ANALYZE account")  # creates the table of the figures
    connection.exec_driver_sql("DELETE FROM sqlite_stat1")
    for table in metadata.tables:
        for _, index, unique, origin, partial in connection.exec_driver_sql(f"PRAGMA index_list({table})").fetchall():
            columns = [row[2] for row in connection.exec_driver_sql(f"PRAGMA index_info({index})").fetchall()]
            named = table if origin == "pk" else index
            rows = _ROWS_OF_FEW if partial and index not in _WITH_HISTORY else _ROWS
            connection.exec_driver_sql(
                "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
                (table, named, _figures(columns, unique=bool(unique), rows=rows)),
            )


def _figures(columns: Sequence[str], *, unique: bool, rows: int = _ROWS) -> str:
    """Format an index's statistics as the text that SQLite expects.

    The text contains the number of rows, and then, for the first column, the first two and so on, the number of rows
    with equal values in them. The last number is 1 if the index is `unique`.

    >>> _figures(["account_id", "property_id", "id"], unique=True)
    '1000000 1000000 1000 1'
    """
    figures = [rows]
    for column in columns:
        rows = max(1, rows // _DIFFERENT.get(column, _ROWS))
        figures.append(rows)
    if unique:
        figures[-1] = 1
    return " ".join(map(str, figures))
