"""What happens to a unit's people in one step: moved out, replaced by the next, entered by mistake; and a unit that is
used again. Each over the actions that change one record, all of it in one transaction.
"""

from datetime import date, timedelta
from typing import Any

from prorata.actions import access, tenants, units
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit import Caller
from prorata.store.engine import Tx, timestamp
from prorata.store.units import TenantRow, UnitRow


def move_out(tx: Tx, caller: Caller, tenant_id: str, day: date) -> TenantRow:
    """End a tenant's stay on a day, which counts as the last. Open months are computed again; what was sent stays.

    Raises `NotFound`, and `InvalidRequest` for a day before the tenant moved in.
    """
    return tenants.change(tx, caller, tenant_id, {"move_out": day.isoformat()})


def replace(
    tx: Tx, caller: Caller, tenant_id: str, day: date, *, name: str, email: str | None, move_in: date | None = None
) -> tuple[TenantRow, TenantRow]:
    """End a tenant's stay on a day and begin the next one's in the same unit; returns both.

    Both the last day and the first one count, so they may be the same day only where the two share it. Without
    `move_in` the next one comes the day after. Raises `NotFound`, and `InvalidRequest` for days that don't follow one
    another.
    """
    move_in = move_in or day + timedelta(days=1)
    if move_in < day:
        raise InvalidRequest.because(
            [Problem("moveInDate", "The next tenant moves in before this one moves out. Correct one of the days.")]
        )
    gone = move_out(tx, caller, tenant_id, day)
    values = {"name": name, "email": email, "move_in": move_in.isoformat()}
    return gone, tenants.create(tx, caller, gone.unit_id, values)


def remove_mistake(tx: Tx, caller: Caller, tenant_id: str) -> None:
    """Remove a tenant who was entered by mistake, as if never there. Raises `NotFound`, and `Conflict` for one added
    more than 24 hours ago, of whom months before may tell.
    """
    row = access.tenant(tx, caller, tenant_id)
    if not is_new(tx, row):
        raise Conflict(
            "This tenant was added more than a day ago, and months before may show the person. "
            "Give the day of moving out instead."
        )
    tenants.remove(tx, caller, tenant_id)


def is_new(tx: Tx, row: TenantRow) -> bool:
    """Whether a tenant was added so lately that removing leaves no trace (decisions section 7)."""
    return row.created_at > timestamp(tx.moment - tenants.NEVER_THERE)


def add_unit(
    tx: Tx, caller: Caller, property_id: str, values: dict[str, Any], tenant: dict[str, Any] | None
) -> UnitRow:
    """Add a unit to a property and, unless it stands empty, who lives there. `values` and `tenant` by column."""
    row = units.create(tx, caller, property_id, values)
    if tenant is not None:
        tenants.create(tx, caller, row.id, tenant)
    return row


def reactivate_unit(tx: Tx, caller: Caller, unit_id: str) -> UnitRow:
    """Use a deactivated unit again, from the months on that are open. Raises `NotFound`."""
    return units.change(tx, caller, unit_id, {"active_to": None})
