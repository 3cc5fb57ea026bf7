"""The kinds of tables that people upload, recognized by their columns."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Literal, NamedTuple

from prorata.domain.bills import columns as bill_columns
from prorata.domain.exports import charge_name_files
from prorata.domain.files.sheets import KnownIn, Row, Sheet
from prorata.domain.months import former_columns
from prorata.domain.payments import columns as payment_columns
from prorata.domain.properties import property_files
from prorata.domain.splitting import rule_files
from prorata.domain.texts import say

TableName = Literal["bills", "units", "charges", "payments", "charge names", "share rules"]
ROWS_AT_ONCE = 5_000
"""The maximum number of rows in one part of a long table."""


class Table(NamedTuple):
    """A kind of table that people upload, with its rules for reading.

    `known_in` counts the columns of this kind that a row names. `a_row` and `columns` are words for messages: the name
    of a row, and the names of the most needed columns. If `may_lack_a_header` is set, a table without a known header is
    read as rows only. If `may_be_foreign` is set, a header with unknown names is accepted, and the rows above it are
    kept. `prose` is the message for text that is not a table, if there is such a message.
    """

    known_in: KnownIn
    a_row: str
    columns: str
    may_lack_a_header: bool = False
    may_be_foreign: bool = False
    prose: str = ""


TABLES: Mapping[TableName, Table] = {
    "bills": Table(
        bill_columns.known_columns,
        say("bill"),
        say("Property, Issuer, Utility, Total, Bill date and others"),
        may_be_foreign=True,
        prose=say(
            "This is text without a table of bills. Send the bill itself as a PDF or a picture, or a table with a "
            "header and a row for each bill."
        ),
    ),
    "units": Table(
        property_files.known_columns, say("unit"), say("Unit, Floor area, Tenant and others"), may_be_foreign=True
    ),
    "payments": Table(
        payment_columns.known_columns,
        say("payment"),
        say("date, amount and description"),
        may_lack_a_header=True,
        may_be_foreign=True,
    ),
    "charges": Table(
        former_columns.known_columns, say("unit"), say("Unit and Amount"), may_lack_a_header=True, may_be_foreign=True
    ),
    "charge names": Table(
        charge_name_files.known_columns,
        say("unit"),
        say("property, unit and what the other program calls them"),
        may_be_foreign=True,
    ),
    "share rules": Table(
        rule_files.known_columns,
        say("share rule"),
        say("Property, Utility and How the bill is divided"),
        may_be_foreign=True,
    ),
}


def parts_of(empty: Sheet, rows: Iterable[Row]) -> Iterator[Sheet]:
    """Split rows into sheets of at most `ROWS_AT_ONCE` rows each.

    There is at least one sheet. `empty` is a sheet without rows, from which everything else is copied.

    >>> [len(part.rows) for part in parts_of(Sheet(("a",), ()), ((line, ("x",)) for line in range(2, 7_002)))]
    [5000, 2000]
    """
    rows = iter(rows)
    yield empty._replace(rows=tuple(islice(rows, ROWS_AT_ONCE)))
    while part := tuple(islice(rows, ROWS_AT_ONCE)):
        yield empty._replace(rows=part)


def gathered(parts: Iterable[Sheet]) -> Sheet:
    """Join the parts of a sheet that was read in parts.

    The rows of all parts are joined. Everything else, such as the list of sheets left unread, is that of the last part.

    >>> gathered(parts_of(Sheet(("a",), ()), [(2, ("x",)), (3, ("y",))]))  # doctest: +ELLIPSIS
    Sheet(header=('a',), rows=((2, ('x',)), (3, ('y',))), header_line=1, unread=(), above=(), about=About(...))
    """
    parts = list(parts)
    return parts[-1]._replace(rows=tuple(row for part in parts for row in part.rows))
