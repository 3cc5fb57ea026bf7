"""Bills and tables read as in production, from known pages or column names.

A bill is read as the first bill of its issuer.
"""

from collections.abc import Sequence

from prorata.domain.bills.columns import HowRead, fields_named
from prorata.domain.files.sheets import Sheet as Table
from prorata.domain.intake.bill_files import ReadFile, read_bills
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.reading import read_sheet
from prorata.domain.intake.bill_reading.spots import Sheet
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.properties.property_names import KnownProperty


def read_bill(pages: Sequence[Page]) -> Draft:
    """Return the draft that is read from a bill's pages."""
    return read_sheet(Sheet(pages))


def by_names(table: Table) -> HowRead:
    """Return the reading of a table whose column names are known."""
    return HowRead(fields_named(table.header))


def bills_of(table: Table, properties: Sequence[KnownProperty]) -> ReadFile:
    """Return the bills of a table with known column names, and every problem with it."""
    return read_bills(table, properties, by_names(table))
