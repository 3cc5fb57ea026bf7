"""Changes to a unit's tenants that involve several records, in one transaction each.

They are a move-out, possibly with the next tenant, the removal of a tenant entered by mistake, a new unit with its
tenant, and the reactivation of a unit.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.properties import tenants, units
from prorata.actions.recalculation import recalculation
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import units as units_store
from prorata.store.properties.units import TenantRow, UnitRow

TOO_LATE = say(
    "This tenant was added more than a day ago or has been sent an invoice, and earlier months may include them. "
    "Enter the move-out date instead."
)
"""The reason why a tenant can't be removed as a mistaken entry."""


class Leaving(NamedTuple):
    """A tenant's last day, and the addresses for later invoices.

    If `forwarding_email` is None, later invoices go to the tenant's own e-mail address. If `forwarding_address` is
    None, they show the unit's postal address. With `everybody`, everyone who lives in the unit on that day moves out.
    """

    day: date
    forwarding_email: str | None = None
    forwarding_address: str | None = None
    everybody: bool = False

    def columns(self) -> dict[str, Any]:
        """Return the tenant's changed values by column."""
        forwarding = {"forwarding_email": self.forwarding_email, "forwarding_address": self.forwarding_address}
        return {"move_out": self.day.isoformat(), **forwarding}


def leavers(row: TenantRow, of_unit: Sequence[TenantRow], leaving: Leaving) -> list[TenantRow]:
    """List the tenants who move out together, the given tenant first.

    Unless `leaving.everybody` is set, that is only the given tenant.
    """
    day = leaving.day.isoformat()
    others = [
        tenant for tenant in of_unit if tenant.id != row.id and (tenant.move_in or "") <= day < (tenant.move_out or "~")
    ]
    return [row, *(others if leaving.everybody else ())]


class NextTenant(NamedTuple):
    """The next tenant of a unit, as entered by a person.

    If the tenant has no name, the unit is vacant and no other field may be given. If `move_in` is None, the next
    tenant moves in on the day after the former tenant's last day.
    """

    name: str | None = None
    email: str | None = None
    move_in: date | None = None
    occupants: int | None = None


def leave(
    tx: Tx, caller: Caller, tenant_id: str, leaving: Leaving, following: NextTenant, *, seen: str | None = None
) -> tuple[TenantRow, TenantRow | None]:
    """End a tenant's stay, and add the next tenant if one is given.

    The addresses for later invoices are stored. Open months are recalculated once; sent invoices stay. Return both
    tenants. `seen` is the time of the tenant's latest change that the user saw (`access.require_seen`).

    The last day and the next tenant's first day both count as days of stay. They may be the same day only if the two
    tenants share it. Raises `NotFound` if there is no such tenant, and `InvalidRequest` for days in the wrong order
    and for a next tenant without a name.
    """
    locked, row = access.tenant_to_change(tx, caller, tenant_id)
    access.require_seen(row.updated_at, seen)
    comes = next_columns(following, leaving.day)
    of_unit = units_store.tenants_of_unit(tx, caller.account_id, row.unit_id)
    too, last = leavers(row, of_unit, leaving)[1:], {"move_out": leaving.day.isoformat()}
    leave_too = [tenants.save_changed(tx, caller, tenant, last) for tenant in too]
    gone = tenants.save_changed(tx, caller, row, leaving.columns())
    if comes and gone == row:
        gone = tenants.touch(tx, row)  # anybody with the same form open sees that there is a next tenant already
    new = tenants.add(tx, caller, access.unit(tx, caller, row.unit_id), comes) if comes else None
    if new or leave_too or gone != row:
        recalculation.recalculate(tx, caller, [locked])
    return gone, new


def next_columns(following: NextTenant, day: date) -> dict[str, Any] | None:
    """Return the next tenant's values by column; None if there is no next tenant.

    `day` is the former tenant's last day. Raises `InvalidRequest` if the name is missing, or if the next tenant would
    move in before `day`.
    """
    name, email, move_in, occupants = following
    if name is None:
        if email or move_in or occupants is not None:
            raise InvalidRequest.because([Problem("name", "name is required.")])
        return None
    if move_in and move_in < day:
        raise InvalidRequest.because(
            [
                Problem(
                    "moveInDate", say("The next tenant moves in before this one moves out. Correct one of the dates.")
                )
            ]
        )
    if move_in is None and day == date.max:
        raise InvalidRequest.because(
            [
                Problem(
                    "moveOutDate",
                    say(
                        "The next tenant would move in after the last supported date. Choose an earlier move-out date."
                    ),
                )
            ]
        )
    first = move_in or day + timedelta(days=1)
    people = 1 if occupants is None else occupants
    return {"name": name, "email": email, "move_in": first.isoformat(), "occupants": people}


def remove_mistake(tx: Tx, caller: Caller, tenant_id: str) -> None:
    """Delete a tenant who was entered by mistake, leaving no trace.

    Raises `NotFound` if there is no such tenant, and `Conflict` if the tenant was added more than 24 hours ago or was
    sent an invoice, because earlier months may then name the tenant.
    """
    row = access.tenant(tx, caller, tenant_id)
    if not tenants.leaves_no_trace(tx, row):
        raise Conflict(TOO_LATE)
    tenants.remove(tx, caller, tenant_id)


class FirstTenant(NamedTuple):
    """The tenant of a new unit, as entered by a person.

    If the tenant has no name, the unit is vacant and no other field may be given.
    """

    name: str | None = None
    email: str | None = None
    move_in: str | None = None
    occupants: int | None = None


def add_unit(tx: Tx, caller: Caller, property_id: str, values: dict[str, Any], tenant: FirstTenant) -> UnitRow:
    """Add a unit to a property, with its tenant unless the unit is vacant.

    `values` maps the unit's columns to values. Open months are recalculated once. Raises everything that `units.add`
    raises, and `InvalidRequest` for a tenant without a name.
    """
    if tenant.name is None and any(tenant):
        message = say("Enter the name of the person who lives there, or leave the other tenant fields empty.")
        raise InvalidRequest.because([Problem("tenantName", message)])
    locked = access.property_to_change(tx, caller, property_id)
    row = units.add(tx, caller, locked, values)
    if tenant.name is not None:
        tenants.add(tx, caller, row, {name: value for name, value in tenant._asdict().items() if value is not None})
    recalculation.recalculate(tx, caller, [locked])
    return row


def reactivate_unit(tx: Tx, caller: Caller, unit_id: str) -> UnitRow:
    """Reactivate a deactivated unit, so that it shares the bills of open months again.

    Raises `NotFound` if there is no such unit.
    """
    return units.change(tx, caller, unit_id, {"active_to": None})
