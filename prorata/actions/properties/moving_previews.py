"""A move told in money for each person, before it is saved: somebody leaves a unit, and another may come."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.properties.tenancy_changes import Leaving, NextTenant, leavers, next_columns
from prorata.actions.properties.tenants import refuse_backwards
from prorata.actions.recalculation import effects
from prorata.actions.recalculation.effects import MonthEffect
from prorata.actions.recalculation.month_loader import PropertyFacts, as_tenant
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from prorata.store.properties.units import TenantRow

_NOBODY_YET = "tenant_~"
"""The id of who is still to be added, behind those that are."""


class BorneByPerson(NamedTuple):
    """A household by the names of its people, with its part of a month before and after, in cents."""

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
    """The open months and last closed ones that `tenancy_changes.leave` would change, the earliest first. Writes and
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
    found = effects.of_change(tx, of_property, effects.months_reckoned(tx, of_property), change)
    new = {one.id: one.name for one in there}
    return tuple(_in_people(one, row.unit_id, new) for one in found if one.effect.moved)


def _in_people(month: MonthEffect, unit_id: str, new: Mapping[str, str]) -> MovedMonth:
    """A month by the names of its people, those of a unit first; `new` are names of tenants that are not stored."""
    of, moved = month.property, [one for one in month.effect.households if one.difference]
    return MovedMonth(
        month.month,
        month.is_closed,
        tuple(
            BorneByPerson(
                of.units[one.unit_id].label,
                tuple(new[tenant] if tenant in new else of.tenants[tenant].name for tenant in one.tenant_ids),
                one.before,
                one.after,
            )
            for one in sorted(moved, key=lambda one: one.unit_id != unit_id)
        ),
        month.effect.owner_before,
        month.effect.owner_after,
    )


def _new(gone: TenantRow, comes: dict[str, Any]) -> TenantRow:
    """The next tenant as a row that is not stored."""
    blank = gone._replace(id=_NOBODY_YET, email=None, move_out=None, forwarding_email=None, forwarding_address=None)
    return blank._replace(**comes)
