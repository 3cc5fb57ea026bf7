"""Tables that users upload, read as in production but in the process of the test."""

from prorata.actions.intake.bill_imports import BillsFile
from prorata.adapters.files.table_files import in_parts
from prorata.domain.exports.table_kinds import gathered
from prorata.domain.files.sheets import Sheet
from tests.read_bills import by_names


def read_table(data: bytes, kind: str = "bills") -> Sheet:
    """The rows of a file of any kind."""
    return gathered(in_parts(data, kind))


def bills_file(sheet: Sheet) -> BillsFile:
    """The rows of a file of bills whose column names are known."""
    return BillsFile(sheet, by_names(sheet))
