"""The names of those who share an invoice with its addressee."""

from collections.abc import Iterable
from typing import Protocol

from prorata.actions.recalculation.month_loader import as_unit
from prorata.domain.billing_calendar import Month
from prorata.domain.groups import grouped
from prorata.domain.invoices.carries import roommates
from prorata.domain.splitting.month_facts import stays_of
from prorata.domain.splitting.stays import Stay
from prorata.store.database.engine import Tx
from prorata.store.properties import units


class Addressed(Protocol):
    """An invoice with the attributes that identify its addressee and month."""

    @property
    def id(self) -> str:
        """The invoice's id."""

    @property
    def month(self) -> str:
        """The invoice's month."""

    @property
    def tenant_id(self) -> str | None:
        """The id of the tenant to whom the invoice goes; None for a vacant unit."""


def names_beside(tx: Tx, account_id: str, invoices: Iterable[Addressed]) -> dict[str, tuple[str, ...]]:
    """Map invoice ids to the names of those who share the invoice with its addressee."""
    of_tenant = grouped((one.tenant_id, one) for one in invoices if one.tenant_id is not None)
    if not of_tenant:
        return {}
    people = units.tenants_of_past(tx, account_id, sorted(of_tenant))
    unit_ids = sorted({one.unit_id for one in people})
    of_units = grouped((one.unit_id, one) for one in units.tenants_of_units(tx, account_id, unit_ids))
    several = [unit_id for unit_id in unit_ids if len(of_units[unit_id]) > 1]
    stays: dict[str, tuple[Stay, ...]] = {
        unit.id: stays_of(as_unit(unit, of_units[unit.id]), None) for unit in units.find_many(tx, account_id, several)
    }
    names = {one.id: one.name for its in of_units.values() for one in its}
    found = dict[str, tuple[str, ...]]()
    for person in people:
        for invoice in of_tenant[person.id] if person.unit_id in stays else ():
            others = roommates(person.id, stays[person.unit_id], Month(invoice.month))
            found[invoice.id] = tuple(names[other] for other in sorted(others))
    return found
