"""Utility bills, read-only, in the format of docs/contract.md#utility-bills."""

from typing import Any

from prorata.actions.bills import bills
from prorata.store.bills.bills import BillSummary
from prorata.web.http.encoding import amount_as_number
from prorata.web.http.list_schemas import ListQuery
from prorata.web.http.operations import Call, operation
from prorata.web.http.response_schemas import BillProperty, Page, UtilityBill, UtilityBillInFull, part_of


def _fields(row: BillSummary) -> dict[str, Any]:
    return {
        "id": row.id,
        "property_id": row.property_id,
        "issuer_name": row.issuer_name,
        "utility_type": row.utility_types.split(";"),
        "total_amount_due": amount_as_number(row.total),
        "bill_date": row.bill_date,
        "due_date": row.due_date,
        "payment_status": row.payment_status,
        "created_at": row.created_at,
        "billing_month": row.billing_month,
        "waiting": bool(row.waiting),
        "held": bool(row.held),
    }


@operation(
    "GET", "/utility-bills", at_once=True, summary="List utility bills", query=ListQuery, answer=Page[UtilityBill]
)
def list_utility_bills(call: Call[ListQuery, None]) -> Page[UtilityBill]:
    """List a page of your bills without notes and property, newest bill date first."""
    its_page = bills.listed(call.tx, call.caller, call.query.window)
    return part_of([UtilityBill(**_fields(row)) for row in its_page.rows], its_page, call.query)


@operation(
    "GET",
    "/utility-bills/{id}",
    at_once=True,
    summary="Read a utility bill",
    answer=UtilityBillInFull,
    missing=("utility bill",),
)
def read_utility_bill(call: Call[None, None]) -> UtilityBillInFull:
    """Read a bill with its notes and property.

    `billingMonth` is the bill's month or, for a spread bill, the first of its months. `waiting` means that the
    bill arrived after the invoices of one of its months were sent. `held` means that the bill is flagged and
    charges nobody until a person accepts the flags.
    """
    row = bills.find(call.tx, call.caller, call.path["id"])
    of_property = BillProperty(id=row.property_id, name=row.property_name)
    return UtilityBillInFull(**_fields(row), notes=row.notes, property=of_property)
