"""Tenants: adding them to a unit, changing them, and removing them.

A tenant entered by mistake is removed without trace; otherwise earlier months still name the tenant.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.lists import walks
from prorata.actions.lists.walks import Listed, Window
from prorata.actions.recalculation import recalculation
from prorata.domain.audit.verbs import Verb
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.properties import search_words, units
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.webhooks import event_outbox

NEVER_THERE = timedelta(hours=24)
"""The time after being added within which a tenant is removed without trace.

Nothing may have been sent to the tenant.
"""


def of_unit(tx: Tx, caller: Caller, unit_id: str) -> list[TenantRow]:
    """List the tenants of a unit in order of creation.

    Raises `NotFound` if there is no such unit.
    """
    return units.tenants_of_unit(tx, caller.account_id, access.unit(tx, caller, unit_id).id)


def listed(tx: Tx, caller: Caller, filters: Mapping[str, str], window: Window) -> Listed[TenantRow]:
    """List a window of the account's tenants in order of creation, without removed ones."""
    account_id = caller.account_id
    return walks.listed(
        tx, caller, units.TENANTS, filters, window,
        page=lambda: units.page_of_tenants(tx, account_id, filters, limit=window.limit, offset=window.offset),
        found=lambda ids: units.tenants_of_past(tx, account_id, ids),
    )  # fmt: skip


def create(tx: Tx, caller: Caller, unit_id: str, values: dict[str, Any]) -> TenantRow:
    """Add a tenant to a unit, and recalculate the property's open months.

    `values` maps the tenant's columns to values.
    """
    refuse_backwards(values)
    locked, unit = access.unit_to_change(tx, caller, unit_id)
    row = add(tx, caller, unit, values)
    recalculation.recalculate(tx, caller, [locked])
    return row


def add(tx: Tx, caller: Caller, unit: UnitRow, values: dict[str, Any]) -> TenantRow:
    """Add a tenant to a unit whose property is locked; the caller must recalculate.

    `values` maps the tenant's columns to values. Raises `InvalidRequest` for a last day before the first.
    """
    refuse_backwards(values)
    row = TenantRow(
        account_id=caller.account_id,
        id=tx.new_id("tenant"),
        property_id=unit.property_id,
        unit_id=unit.id,
        name=values["name"],
        email=values.get("email"),
        move_in=values.get("move_in"),
        move_out=values.get("move_out"),
        ended_at=None,
        created_at=tx.now,
        updated_at=tx.now,
        occupants=values.get("occupants", 1),
        forwarding_email=values.get("forwarding_email"),
        forwarding_address=values.get("forwarding_address"),
    )
    units.add_tenant(tx, row)
    search_words.add_new(tx, search_words.of_tenant(row))
    audit.record(tx, caller, Verb.CREATE_TENANT, row.id, after=row)
    return row


def change(tx: Tx, caller: Caller, tenant_id: str, changes: dict[str, Any], *, seen: str | None = None) -> TenantRow:
    """Change some fields of a tenant, and recalculate the property's open months.

    Sent invoices keep the former name. `seen` is the time of the tenant's latest change that the user saw
    (`access.require_seen`).
    """
    locked, row = access.tenant_to_change(tx, caller, tenant_id)
    access.require_seen(row.updated_at, seen)
    after = save_changed(tx, caller, row, changes)
    if after != row:
        recalculation.recalculate(tx, caller, [locked])
    return after


def save_changed(tx: Tx, caller: Caller, row: TenantRow, changes: dict[str, Any]) -> TenantRow:
    """Change a tenant's fields in a locked property; the caller must recalculate.

    Raises `InvalidRequest` for a last day before the first.
    """
    after = row._replace(**changes)
    if after == row:
        return row
    if changes.keys() & {"move_in", "move_out"}:
        refuse_backwards(after._asdict())
    after = after._replace(updated_at=tx.now)
    units.save_tenant(tx, after)
    if search_words.of_tenant(after) != search_words.of_tenant(row):
        search_words.add(tx, search_words.of_tenant(after))  # the old name is still on sent invoices
    audit.record(tx, caller, Verb.CHANGE_TENANT, row.id, before=row, after=after)
    return after


def touch(tx: Tx, row: TenantRow) -> TenantRow:
    """Set the time of a tenant's latest change to now; the property must be locked.

    A form that a user opened earlier is then refused (`access.require_seen`).
    """
    touched = row._replace(updated_at=tx.now)
    units.save_tenant(tx, touched)
    return touched


def leaves_no_trace(tx: Tx, row: TenantRow) -> bool:
    """True if a tenant may be deleted without leaving a trace.

    The tenant must have been added within the past 24 hours, and no invoice may have been sent to the tenant. See
    docs/decisions.md#deleting-a-tenant.
    """
    return row.created_at > timestamp(tx.moment - NEVER_THERE) and not units.has_issued_invoice(tx, row.account_id, row)


def remove(tx: Tx, caller: Caller, tenant_id: str) -> bool:
    """Remove a tenant; return True if earlier months still name the tenant.

    A tenant who `leaves_no_trace` is deleted as if never entered; otherwise the stay ends today, and earlier months
    still name the tenant.
    """
    locked, row = access.tenant_to_change(tx, caller, tenant_id)
    keeps_past = not leaves_no_trace(tx, row)
    if keeps_past:
        today = account_actions.today(tx, caller).isoformat()
        ended = row._replace(move_out=min(row.move_out or today, today), ended_at=tx.now, updated_at=tx.now)
        units.save_tenant(tx, ended)
        audit.record(tx, caller, Verb.END_TENANCY, row.id, before=row, after=ended)
    else:
        units.remove_tenant(tx, caller.account_id, row.id)
        search_words.forget(tx, row)
        names = {row.name, *audit.said_of(tx, caller.account_id, row.id, "name")}
        audit.forget_record(tx, caller.account_id, row.id)
        event_outbox.forget_tenant(tx, row, names)
        audit.record(tx, caller, Verb.REMOVE_TENANT, row.id, property_id=row.property_id)
    recalculation.recalculate(tx, caller, [locked])
    return keeps_past


def refuse_backwards(values: Mapping[str, Any]) -> None:
    """Raise `InvalidRequest` if a tenant's last day is before the first.

    `values` maps the tenant's columns to values.
    """
    since, until = values.get("move_in"), values.get("move_out")
    if since and until and since > until:
        raise InvalidRequest.because([Problem("moveOutDate", say("The last day must not be before the first day."))])
