"""A property whose October was sent before a move and a late bill were entered."""

import re
from datetime import date

from prorata.actions.properties import tenants, units
from prorata.store.bills.bills import BillRow
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from tests.dashboard.bills.test_bills import add, lived_in, send_all
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import add_tenant

OCTOBER = "2026-10"


def october_sent(office: Office) -> tuple[PropertyRow, UnitRow, BillRow, BillRow]:
    """Two units whose October was sent; Tenant 2 and Cleo share the second."""
    house = lived_in(office)
    (two,) = (
        row for row in office.database.read(lambda tx: units.all_of(tx, office.caller, house.id)) if row.label == "2"
    )
    add_tenant(office, two, "Cleo")
    garbage = add(office, house, 97_50, "Trash Co.", on=date(2026, 10, 20), types=("GARBAGE",))
    water = add(office, house, 186_40, on=date(2026, 10, 20))
    send_all(office)
    return house, two, garbage, water


def two_moved_out(office: Office, two: UnitRow, last_day: str = "2026-10-20") -> None:
    """Enter that both roommates left, and that Eve came on October 25."""
    for row in office.database.read(lambda tx: tenants.of_unit(tx, office.caller, two.id)):
        office.database.write(lambda tx, row=row: tenants.change(tx, office.caller, row.id, {"move_out": last_day}))
    office.database.write(
        lambda tx: tenants.create(tx, office.caller, two.id, {"name": "Eve", "move_in": "2026-10-25"})
    )


def late_gas(office: Office, house: PropertyRow) -> BillRow:
    """Add a gas bill for October, which arrives after October's invoices were sent."""
    return add(office, house, 142_80, "Gas Co.", on=date(2026, 10, 28), types=("GAS",))


def shown(office: Office, path: str) -> str:
    """The text of a page as the owner reads it."""
    return " ".join(re.sub(r"<[^>]+>", " ", office.browser("owner").get(path).text).split())
