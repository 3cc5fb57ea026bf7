"""What clients send to narrow lists that have pages."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.invoice_states import Status
from prorata.web.http.fields import MonthText
from prorata.web.http.request_schemas import Filter, PageQuery

_COLUMNS = {"property_id": "property", "unit_id": "unit", "month": "month", "status": "status"}
Inactive = Annotated[bool, Meta(description="Whether deactivated units are listed too.")]


def filters_of(query: PageQuery) -> dict[str, Any]:
    """What a list is narrowed by, as the store names it."""
    sent = ((column, getattr(query, name, UNSET)) for name, column in _COLUMNS.items())
    return {column: value for column, value in sent if value is not UNSET}


class UnitsOfPropertyQuery(PageQuery):
    """Which page of a property's units."""

    include_inactive: Inactive = False


class UnitsQuery(PageQuery):
    """Which units, and which page of them."""

    property_id: Annotated[Filter, Meta(description="Only units of this property.")] | UnsetType = UNSET
    include_inactive: Inactive = False


class TenantsQuery(PageQuery):
    """Which tenants, and which page of them."""

    property_id: Annotated[Filter, Meta(description="Only tenants of this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only tenants of this unit.")] | UnsetType = UNSET


class InvoicesQuery(PageQuery):
    """Which invoices, and which page of them."""

    property_id: Annotated[Filter, Meta(description="Only invoices of this property.")] | UnsetType = UNSET
    unit_id: Annotated[Filter, Meta(description="Only invoices of this unit.")] | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    details: Annotated[bool, Meta(description="Whether charges and customCharges are included.")] = False
