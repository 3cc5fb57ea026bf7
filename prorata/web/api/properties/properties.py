"""Properties: listing, creating, changing and deleting (docs/contract.md#properties).

See also docs/decisions.md#added-fields.
"""

from prorata.actions.accounts import access
from prorata.actions.properties import properties
from prorata.actions.properties.properties import NewProperty
from prorata.store.properties.properties import PropertyRow
from prorata.web.api.examples import PROPERTY_SENT
from prorata.web.http.list_schemas import ListQuery
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import PropertyChange, PropertyCreate, sent_fields
from prorata.web.http.response_schemas import Message, Page, Property, part_of


def shown(row: PropertyRow) -> Property:
    """Convert a property to the API's format."""
    return Property(
        id=row.id,
        name=row.name,
        street_number=row.street_number,
        street=row.street,
        city=row.city,
        state=row.state,
        zip=row.zip,
        country=row.country,
        is_active=bool(row.is_active),
        created_at=row.created_at,
        updated_at=row.updated_at,
        billing_starts_month=row.billing_starts_month,
        currency=row.currency,
        billing_month_rule=row.billing_month_rule,
    )


@operation(
    "GET", "/properties", at_once=True, summary="List properties", query=ListQuery, answer=Page[Property]
)  # fmt: skip
def list_properties(call: Call[ListQuery, None]) -> Page[Property]:
    """List a page of your properties, oldest first."""
    its_page = properties.listed(call.tx, call.caller, call.query.window)
    return part_of([shown(row) for row in its_page.rows], its_page, call.query)


@operation(
    "POST", "/properties", summary="Create a property", body=PropertyCreate, answer=Property, status=201,
    example=PROPERTY_SENT,
)  # fmt: skip
def create_property(call: Call[None, PropertyCreate]) -> Property:
    """Create a property, with an active share rule for each of the seven utility types.

    All of these rules split equally.
    """
    return shown(properties.create(call.tx, call.caller, NewProperty(**sent_fields(call.body))))


@operation("GET", "/properties/{id}", summary="Read a property", answer=Property, missing=("property",))
def read_property(call: Call[None, None]) -> Property:
    """Read a property."""
    return shown(access.property_(call.tx, call.caller, call.path["id"]))


@operation(
    "PATCH", "/properties/{id}", summary="Change a property", body=PropertyChange, answer=Property,
    missing=("property",), conflict="The currency can't be changed because the property already has bills or invoices.",
    example={"name": "Maple Court"},
)  # fmt: skip
def change_property(call: Call[None, PropertyChange]) -> Property:
    """Change any of a property's fields that can be set when it is created.

    If billingStartsMonth changes, open months are recalculated.
    """
    return shown(properties.change(call.tx, call.caller, call.path["id"], sent_fields(call.body)))


@operation("DELETE", "/properties/{id}", summary="Delete a property", answer=Message, missing=("property",))
def delete_property(call: Call[None, None]) -> Message:
    """Delete a property for good, with all of its units, tenants, bills and invoices."""
    properties.remove(call.tx, call.caller, call.path["id"], call.archive)
    return Message(message="The property and everything in it have been deleted.")
