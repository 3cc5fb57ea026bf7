"""Tables as CSV, XLSX, ODS or XLS, recognized by content and parsed into a Sheet."""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import cast

from prorata.adapters.files.csv_tables import parts_of_csv
from prorata.adapters.files.file_process import LIMITS, FileProcess, Limits
from prorata.adapters.limits import MOST_TABLE_BYTES
from prorata.domain.exports.table_kinds import TABLES, TableName, gathered
from prorata.domain.files.cells import Priced, Unclear
from prorata.domain.files.file_kinds import format_of
from prorata.domain.files.sheets import About, Sheet
from prorata.domain.texts import Count, say
from prorata.errors import InvalidRequest

_WORKBOOKS = (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0")
"""The first bytes of XLSX and ODS workbooks, and of old or password-protected workbooks."""

TOO_LARGE = say(
    "The file is larger than {megabytes} MB. Split it into smaller files.", megabytes=MOST_TABLE_BYTES // 1024 // 1024
)

FOR_BROWSERS = LIMITS._replace(answer=16 * 1024 * 1024)
"""The limits for reading a file that a browser uploaded.

They are low, because the rows that are read stay in the memory of the web process.
"""


def in_parts(data: bytes, kind: str) -> Iterator[Sheet]:
    """Yield the rows of a file or workbook sheet in parts, each with the header.

    `kind` names the table, such as `bills`; in `bills:2`, the number chooses the second sheet of a workbook. Raises
    `InvalidRequest` if the file is not acceptable.
    """
    name, _, wanted = kind.partition(":")
    table = TABLES[cast("TableName", name)]
    if not data:
        raise InvalidRequest(
            say("The file is empty. Send one with a header and a row for each {row}.", row=table.a_row)
        )
    if (other := format_of(data)) is not None:
        raise InvalidRequest(other)
    if data.startswith(_WORKBOOKS):
        from prorata.adapters.files.workbook_tables import parts_of_workbook  # noqa: PLC0415 - 1 MB that no server needs

        return parts_of_workbook(data, table, int(wanted or 0))
    if wanted:
        raise InvalidRequest(say("This file is not a workbook, so it has no sheets to choose from."))
    return parts_of_csv(data, table)


TOO_LONG = say(
    "The table has more than {most} rows. Split it, for example by property or by year, and upload the parts; or ask "
    "whoever runs Prorata to import it whole, with prorata bills import."
)


class TableProcess:
    """A reader of tables, each in a separate, short-lived process.

    A table of bills may have at most `most_bills` rows, if that is given.
    """

    def __init__(self, limits: Limits = LIMITS, most_bills: int | None = None) -> None:
        self._most_bills = most_bills
        self._read = FileProcess(__name__, (Sheet, About, Unclear, Priced, Decimal, date), limits)

    def __call__(self, kind: TableName, data: bytes, sheet: int = 0) -> Sheet:
        """Read the rows of a file.

        Raises `InvalidRequest` if the file is not acceptable, and `Unavailable` if no process can be started.
        """
        if len(data) > MOST_TABLE_BYTES:
            raise InvalidRequest(TOO_LARGE)
        parts = self._read(f"{kind}:{sheet}" if sheet else kind, data)
        return gathered(_at_most(self._most_bills, parts) if kind == "bills" and self._most_bills else parts)


def _at_most(most: int, parts: Iterable[Sheet]) -> Iterator[Sheet]:
    rows = 0
    for part in parts:
        rows += len(part.rows)
        if rows > most:
            raise InvalidRequest(TOO_LONG.format(most=Count(most)))
        yield part
