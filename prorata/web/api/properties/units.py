"""Units of a property: listing, creating, changing and deleting (docs/contract.md#units).

See also docs/decisions.md#units-of-a-property.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from prorata.actions.accounts import accounts
from prorata.actions.invoices import previews
from prorata.actions.properties import units
from prorata.store.properties.units import UnitRow
from prorata.web.api.examples import UNIT_SENT
from prorata.web.api.properties.tenants import shown as shown_tenant
from prorata.web.http.encoding import amount_as_number, measure_as_number
from prorata.web.http.list_schemas import UnitsOfPropertyQuery, UnitsQuery, filters_of
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import UnitChange, UnitCreate, unit_columns
from prorata.web.http.response_schemas import Page, Unit, UnitRemoved, UnitWithTenants, part_of


def shown(row: UnitRow, today: str) -> Unit:
    """Convert a unit to the API's format, as of the day `today`."""
    return Unit(**_fields(row, today))


def _fields(row: UnitRow, today: str) -> dict[str, Any]:
    return {
        "id": row.id,
        "property_id": row.property_id,
        "label": row.label,
        "sqft": measure_as_number(row.sqft),
        "bedrooms": row.bedrooms,
        "monthly_rent": None if row.monthly_rent is None else amount_as_number(row.monthly_rent),
        "is_active": units.is_active(row, today),
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "active_from": row.active_from,
        "active_to": row.active_to,
    }


def _listed(call: Call[Any, None], rows: Sequence[UnitRow], today: str) -> list[Unit]:
    data = [Unit(**_fields(row, today)) for row in rows]
    if call.query.expand is not UNSET:
        tenants = units.tenants_of(call.tx, call.caller, rows)
        for unit in data:
            unit.tenants = [shown_tenant(row) for row in tenants.get(unit.id, ())]
    return data


@operation(
    "GET", "/properties/{propertyId}/units", at_once=True, summary="List units", query=UnitsOfPropertyQuery,
    answer=Page[Unit], missing=("property",),
)  # fmt: skip
def list_units(call: Call[UnitsOfPropertyQuery, None]) -> Page[Unit]:
    """List a property's units, oldest first, in pages or by cursor."""
    query, property_id = call.query, call.path["propertyId"]
    its_page, today = units.of_property(
        call.tx, call.caller, property_id, query.window, inactive=query.include_inactive
    )
    return part_of(_listed(call, its_page.rows, today), its_page, query)


@operation("GET", "/units", at_once=True, summary="List all units", query=UnitsQuery, answer=Page[Unit])
def list_all_units(call: Call[UnitsQuery, None]) -> Page[Unit]:
    """List the units of all properties, oldest first, in pages or by cursor."""
    query = call.query
    its_page, today = units.listed(
        call.tx, call.caller, filters_of(query), query.window, inactive=query.include_inactive
    )
    return part_of(_listed(call, its_page.rows, today), its_page, query)


@operation(
    "POST", "/properties/{propertyId}/units", summary="Add a unit", body=UnitCreate, answer=UnitWithTenants, status=201,
    moves=previews.of_property, missing=("property",),
    conflict="The property already has a unit with this label, or the maximum number of units.",
    example=UNIT_SENT,
)  # fmt: skip
def create_unit(call: Call[None, UnitCreate]) -> UnitWithTenants:
    """Create a unit.

    No other unit of the property, not even a deactivated one, may have the same label, regardless of case.
    """
    row = units.create(call.tx, call.caller, call.path["propertyId"], unit_columns(call.body))
    return UnitWithTenants(**_fields(row, accounts.today(call.tx, call.caller).isoformat()), tenants=[])


@operation(
    "GET", "/units/{unitId}", at_once=True, summary="Read a unit", answer=UnitWithTenants, missing=("unit",),
    also_needs=("tenants:read",),
)  # fmt: skip
def read_unit(call: Call[None, None]) -> UnitWithTenants:
    """Read a unit with its tenants."""
    return _read(call)


def _read(call: Call[None, None]) -> UnitWithTenants:
    row, tenants, today = units.find(call.tx, call.caller, call.path["unitId"])
    return UnitWithTenants(**_fields(row, today), tenants=[shown_tenant(tenant) for tenant in tenants])


@operation(
    "PATCH", "/units/{unitId}", summary="Change a unit", body=UnitChange, answer=Unit, missing=("unit",),
    moves=previews.of_unit, conflict="The property already has another unit with this label.",
    example={"sqft": 850.5},
)  # fmt: skip
def change_unit(call: Call[None, UnitChange]) -> Unit:
    """Change a unit; null clears a field.

    If `activeTo` becomes null, a deactivated unit is active again. Open months are recalculated.
    """
    row = units.change(call.tx, call.caller, call.path["unitId"], unit_columns(call.body))
    return shown(row, accounts.today(call.tx, call.caller).isoformat())


@operation(
    "DELETE", "/units/{unitId}", summary="Remove or deactivate a unit", answer=UnitRemoved, missing=("unit",),
    moves=previews.of_unit,
)  # fmt: skip
def delete_unit(call: Call[None, None]) -> UnitRemoved:
    """Delete a unit for good or, if it has invoices, deactivate it.

    The bills and invoices of a deactivated unit are kept.
    """
    if units.remove(call.tx, call.caller, call.path["unitId"]):
        return UnitRemoved(
            message="The unit has been deactivated; its bills and invoices are kept.", is_deactivated=True
        )
    return UnitRemoved(message="The unit has been removed.", is_deactivated=False)
