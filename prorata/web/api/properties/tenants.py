"""Tenants of a unit: listing, creating, changing and removing (docs/contract.md#tenants)."""

from prorata.actions.accounts import access
from prorata.actions.invoices import previews
from prorata.actions.properties import tenants
from prorata.store.properties.units import TenantRow
from prorata.web.api.examples import TENANT_SENT
from prorata.web.http.list_schemas import TenantsQuery, filters_of
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import TenantChange, TenantCreate, tenant_columns
from prorata.web.http.response_schemas import Message, Page, Tenant, part_of


def shown(row: TenantRow) -> Tenant:
    """Convert a tenant to the API's format."""
    return Tenant(
        id=row.id,
        unit_id=row.unit_id,
        name=row.name,
        email=row.email,
        created_at=row.created_at,
        updated_at=row.updated_at,
        move_in_date=row.move_in,
        move_out_date=row.move_out,
        occupants=row.occupants,
        forwarding_email=row.forwarding_email,
        forwarding_address=row.forwarding_address,
    )


@operation(
    "POST", "/units/{unitId}/tenants", summary="Add a tenant", body=TenantCreate, answer=Tenant, status=201,
    moves=previews.of_unit, missing=("unit",), example=TENANT_SENT,
)  # fmt: skip
def create_tenant(call: Call[None, TenantCreate]) -> Tenant:
    """Create a tenant.

    Without a move-in date, the tenant has always lived in the unit; without a move-out date, the tenant stays.
    Open months are recalculated.
    """
    return shown(tenants.create(call.tx, call.caller, call.path["unitId"], tenant_columns(call.body)))


@operation("GET", "/units/{unitId}/tenants", summary="List tenants", answer=list[Tenant], missing=("unit",))
def list_tenants(call: Call[None, None]) -> list[Tenant]:
    """List the tenants of a unit, oldest first."""
    return [shown(row) for row in tenants.of_unit(call.tx, call.caller, call.path["unitId"])]


@operation("GET", "/tenants", at_once=True, summary="List all tenants", query=TenantsQuery, answer=Page[Tenant])
def list_all_tenants(call: Call[TenantsQuery, None]) -> Page[Tenant]:
    """List a page of the tenants of all units, oldest first, including former tenants."""
    query = call.query
    its_page = tenants.listed(call.tx, call.caller, filters_of(query), query.window)
    return part_of([shown(row) for row in its_page.rows], its_page, query)


@operation("GET", "/tenants/{tenantId}", summary="Read a tenant", answer=Tenant, missing=("tenant",))
def read_tenant(call: Call[None, None]) -> Tenant:
    """Read a tenant."""
    return shown(access.tenant(call.tx, call.caller, call.path["tenantId"]))


@operation(
    "PATCH", "/tenants/{tenantId}", summary="Change a tenant", body=TenantChange, answer=Tenant, missing=("tenant",),
    moves=previews.of_tenant, example={"moveOutDate": "2026-03-15"},
)  # fmt: skip
def change_tenant(call: Call[None, TenantChange]) -> Tenant:
    """Change a tenant; null clears the e-mail address or a date.

    Invoices that were already sent keep the name that the tenant had then.
    """
    return shown(tenants.change(call.tx, call.caller, call.path["tenantId"], tenant_columns(call.body)))


@operation(
    "DELETE",
    "/tenants/{tenantId}",
    summary="Remove a tenant",
    moves=previews.of_tenant,
    answer=Message,
    missing=("tenant",),
)
def delete_tenant(call: Call[None, None]) -> Message:
    """Remove a tenant or, if that is no longer possible, end the tenant's stay today.

    Only a tenant who was added in the last 24 hours and was not sent an invoice is removed. A tenant whose stay ends
    today remains in the earlier months.
    """
    if tenants.remove(call.tx, call.caller, call.path["tenantId"]):
        return Message(message="The tenant's stay ends today; the tenant remains in earlier months.")
    return Message(message="The tenant has been removed.")
