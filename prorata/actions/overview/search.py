"""One search over tenants, units, properties, invoices and bills."""

from typing import NamedTuple

from prorata.actions.bills import lists as bill_lists
from prorata.actions.bills.lists import BillList
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import InvoiceList
from prorata.actions.lists import searches
from prorata.actions.properties import tenant_lists
from prorata.actions.properties.tenant_lists import FoundTenants
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.search_words import ADDRESS, PROPERTY, UNIT
from prorata.store.properties.units import UnitRow


class FoundUnit(NamedTuple):
    """A unit with the name of its property."""

    row: UnitRow
    property_name: str


class Everywhere(NamedTuple):
    """The first matching records of each kind, and the numbers of all matching ones."""

    tenants: FoundTenants
    units: list[FoundUnit]
    units_total: int
    properties: list[PropertyRow]
    invoices: InvoiceList
    bills: BillList

    @property
    def is_nothing(self) -> bool:
        """True if no record of any kind matches."""
        return not (self.tenants.rows or self.units or self.properties or self.invoices.rows or self.bills.rows)


def everywhere(tx: Tx, caller: Caller, text: str, *, limit: int) -> Everywhere | None:
    """Find tenants, units, properties, invoices and bills; at most `limit` of each kind.

    Each kind is searched as on its own page. Return None if the text contains nothing to search for.
    """
    if searches.read(text).is_nothing:
        return None
    words = searches.read(text).words
    of_units = searches.match(tx, caller, words, [PROPERTY, ADDRESS, UNIT])
    found = units.find_many(tx, caller.account_id, sorted(of_units.units)[:limit])
    its = sorted({row.property_id for row in found} | set(sorted(of_units.properties)[:limit]))
    rows = {row.id: row for row in properties.find_many(tx, caller.account_id, its)}
    return Everywhere(
        tenants=tenant_lists.page(tx, caller, text, who="ALL", limit=limit),
        units=[FoundUnit(row, rows[row.property_id].name) for row in found],
        units_total=len(of_units.units),
        properties=[rows[one] for one in sorted(of_units.properties)[:limit]],
        invoices=invoice_lists.page(tx, caller, invoice_lists.Wish({}, text), limit=limit),
        bills=bill_lists.page(tx, caller, bill_lists.Wish({}, text), limit=limit),
    )
