"""A command that gives an account properties, units and tenants, in bulk.

It uses the program's own actions:

    python -m benchmarks.scale_furnish EMAIL PROPERTIES

The database and the secret are those of the environment, as for `prorata`.
"""

import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from prorata import wiring
from prorata.actions.accounts import accounts
from prorata.actions.properties import properties, unit_imports
from prorata.domain.properties.unit_files import FileTenant, FileUnit
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.wiring import processes

UNITS = 20
"""Units of a property."""
_AT_ONCE = 100
"""Properties of one transaction."""
_STREETS = ("Elm", "Maple", "Cedar", "Lake", "Mill", "Church", "Prospect", "Washington")


def name_of(number: int) -> str:
    """Return the name of an account's property, counted from 0."""
    return f"{_STREETS[number % len(_STREETS)]} House {number + 1}"


def main() -> None:
    """Furnish the account named on the command line."""
    email, number = sys.argv[1], int(sys.argv[2])
    processes.collect_seldom()
    with wiring.opened(read_settings()) as database:
        for start in range(0, number, _AT_ONCE):
            some = range(start, min(start + _AT_ONCE, number))
            database.write(lambda tx, some=some: _furnish(tx, email, some))  # type: ignore[misc]


def _furnish(tx: Tx, email: str, numbers: range) -> None:
    caller = Caller(accounts.find_account(tx, email).id, "scale")
    for number in numbers:
        street = _STREETS[number % len(_STREETS)]
        new = properties.NewProperty(name_of(number), str(number + 1), street, "Fairmount", "IL", "62701", "US")
        row = properties.create(tx, caller, new)
        unit_imports.import_units(tx, caller, row.id, tuple(_units(number)))


def _units(number: int) -> Iterator[FileUnit]:
    """Yield the units of a property, each with its tenant; one in ten is vacant."""
    for place in range(UNITS):
        tenant = FileTenant(place, f"Tenant {number}-{place}", f"t.{number}.{place}@example.com", date(2023, 5, 1))
        stands_empty = (number + place) % 10 == 0
        yield FileUnit(
            place,
            f"{place // 4 + 1}{'ABCD'[place % 4]}",
            Decimal(450 + (number * 7 + place * 31) % 900),
            1 + place % 3,
            (900 + 40 * place) * 100,
            None,
            () if stands_empty else (tenant,),
        )


if __name__ == "__main__":
    main()
