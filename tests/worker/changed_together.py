"""A property whose invoices are changed in bulk, and the worker that changes them."""

import threading

from prorata.store.properties.properties import PropertyRow
from prorata.worker.bulk import BULK_KIND
from prorata.worker.rounds import Worker
from tests.landlord import Landlord

UNITS = 24
"""More than are changed at once."""


def maple_of(landlord: Landlord) -> PropertyRow:
    """A property with a tenant in each unit, and with drafts for one bill."""
    row = landlord.property_()
    for unit in landlord.units(row, *(str(number) for number in range(1, UNITS + 1))):
        landlord.tenant(unit, f"Tenant {unit.label}")
    landlord.bill(row, 240_00)
    return row


def ids(landlord: Landlord, maple: PropertyRow, *labels: str) -> list[str]:
    """The ids of the invoices of these units, or of all units."""
    shown = landlord.invoices(maple)
    return [shown[label].summary.id for label in labels or shown]


def work(landlord: Landlord) -> None:
    """Have the worker run the bulk changes that wait."""
    Worker(landlord.database, lambda: 0, (BULK_KIND,)).do_round(threading.Event())
