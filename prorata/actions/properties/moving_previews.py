"""What it does to open months, for each person, when somebody moves out and another comes; before it is saved."""

from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.properties.tenancy_changes import Leaving, NextTenant, leavers, next_columns
from prorata.actions.properties.tenants import refuse_backwards
from prorata.actions.recalculation import effects
from prorata.actions.recalculation.month_loader import PropertyFacts, as_tenant
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from prorata.store.properties.units import TenantRow
from prorata.store.recalculation import billing_months

CLOSED_MONTHS_RECKONED = 12
"""So many of the last closed months are reckoned."""
_NOBODY_YET = "tenant_~"
"""The id of who is still to be added, behind those that are."""


class BorneByPerson(NamedTuple):
    """What the people of a household bear of a month before and after, in cents."""

    unit: str
    names: tuple[str, ...]
    before: int
    after: int


class MovedMonth(NamedTuple):
    """A month that comes out otherwise, with those for whom it does, the unit's own before their neighbours; what was
    sent of a closed one stays.
    """

    month: str
    is_closed: bool
    people: tuple[BorneByPerson, ...]
    owner_before: int
    owner_after: int


def of_leaving(
    tx: Tx, caller: Caller, tenant_id: str, leaving: Leaving, following: NextTenant
) -> tuple[MovedMonth, ...]:
    """What `tenancy_changes.leave` would do to open months and the last closed ones, the earliest first. Writes and
    locks nothing. Raises as it does.
    """
    row = access.tenant(tx, caller, tenant_id)
    comes = next_columns(following, leaving.day)
    of_unit = units.tenants_of_unit(tx, caller.account_id, row.unit_id)
    there = [one._replace(move_out=leaving.day.isoformat()) for one in leavers(row, of_unit, leaving)]
    refuse_backwards(there[0]._asdict())
    there += [] if comes is None else [_new(row, comes)]
    changed_ids = {one.id for one in there}

    def change(facts: PropertyFacts) -> PropertyFacts:
        unit = facts.units[row.unit_id]
        others = [tenant for tenant in unit.tenants if tenant.tenant_id not in changed_ids]
        changed = unit._replace(tenants=(*others, *map(as_tenant, there)))
        return facts._replace(units={**facts.units, row.unit_id: changed}, known=[])

    of_property = access.property_(tx, caller, row.property_id)
    months = sorted(billing_months.find_many(tx, caller.account_id, [row.property_id]), key=lambda one: one.month)
    closed = [month for month in months if month.is_closed][-CLOSED_MONTHS_RECKONED:]
    reckoned = [*closed, *(month for month in months if not month.is_closed)]
    found = effects.of_change(tx, of_property, reckoned, change)
    names = {tenant.tenant_id: tenant.name for tenant in found.property.tenants.values()}
    names |= {tenant.id: tenant.name for tenant in there}
    return tuple(
        MovedMonth(
            one.month,
            one.is_closed,
            tuple(
                BorneByPerson(
                    found.property.units[borne.unit_id].label,
                    tuple(names[tenant] for tenant in borne.tenant_ids),
                    borne.before,
                    borne.after,
                )
                for borne in sorted(one.effect.households, key=lambda borne: borne.unit_id != row.unit_id)
                if borne.difference
            ),
            one.effect.owner_before,
            one.effect.owner_after,
        )
        for one in sorted(found.months, key=lambda one: one.month)
        if one.effect.moved
    )


def _new(gone: TenantRow, comes: dict[str, object]) -> TenantRow:
    """The next tenant as a row that is not stored."""
    blank = gone._replace(id=_NOBODY_YET, email=None, move_out=None, forwarding_email=None, forwarding_address=None)
    return blank._replace(**comes)  # type: ignore[arg-type]
