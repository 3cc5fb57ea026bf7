"""Fast ways to make properties, units and a bills file to import."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

from prorata.actions.accounts import accounts
from prorata.actions.properties import properties, unit_imports
from prorata.actions.properties.properties import NewProperty
from prorata.domain.properties.unit_files import FileTenant, FileUnit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.wiring.surroundings import utc_now
from tests.landlord import opened

HEADER = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate", "billNumber")
KINDS = ("WATER", "GAS", "ELECTRICITY", "SEWER", "GARBAGE")


@contextmanager
def database_at(url: str) -> Iterator[Database]:
    """The open database, with the system's clock as in the command."""
    with opened(url, utc_now) as database:
        yield database


def seed(url: str, email: str, *, number: int, units: int) -> None:
    """Give an account some properties with units.

    The properties are named House 0, House 1 and so on. Each has the same number of units, with a tenant in each.
    """
    file_units = tuple(
        FileUnit(2, str(at), None, 2, None, None, (FileTenant(2, f"T{at}", None, None),)) for at in range(units)
    )

    def work(tx: Tx) -> None:
        caller = Caller(accounts.find_account(tx, email).id, "test")
        for at in range(number):
            new = NewProperty(f"House {at}", str(at), "Main St", "Springfield", "IL", "62701", "US")
            row = properties.create(tx, caller, new)
            unit_imports.import_units(tx, caller, row.id, file_units)

    with database_at(url) as database:
        database.write(work)


def write_bills(file: Path, *, number: int, of_properties: int) -> Path:
    """Write a bills file for several properties, with five kinds of bills a month."""
    with file.open("w", newline="") as opened_file:
        writer = csv.writer(opened_file)
        writer.writerow(HEADER)
        for at in range(number):
            of, month = at % of_properties, at // of_properties // len(KINDS)
            kind = KINDS[at // of_properties % len(KINDS)]
            day = date(2025, 1, 10) + timedelta(days=31 * month)
            writer.writerow(
                [f"House {of}", "City", kind, f"{100 + at % 900}.{at % 100:02d}", day.isoformat(), f"B{at}"]
            )
    return file
