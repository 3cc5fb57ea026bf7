"""The bodies that clients send and receive."""

from typing import Any, Literal

from conventional.tables import Invoice
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Answer(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class PropertyAnswer(Answer):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    street_number: str
    street: str
    city: str
    state: str
    zip: str
    country: str
    is_active: bool
    created_at: str
    updated_at: str
    billing_starts_month: str | None
    currency: str


class InvoiceUnit(Answer):
    id: str
    label: str
    sqft: float | None
    bedrooms: int | None


class InvoiceProperty(Answer):
    id: str
    name: str
    currency: str


class ChargeAnswer(Answer):
    id: str
    utility_type: str
    amount: str
    description: str
    invoice_month: str


class CustomChargeAnswer(Answer):
    id: str
    description: str
    amount: str
    invoice_month: str


class InvoiceAnswer(Answer):
    id: str
    property_id: str
    unit_id: str
    month: str
    status: Literal["DRAFT", "SENT", "PAID", "OVERDUE", "CANCELLED"]
    invoice_number: str
    invoice_date: str
    due_date: str | None
    total_amount: str
    paid_amount: str
    paid_at: str | None
    tenant_email: str | None
    tenant_name: str | None
    payment_status: str
    gateway_payment_link_id: str | None
    gateway_payment_link_url: str | None
    email_sent_at: str | None
    email_status: str | None
    delivery: str | None
    generated_at: str
    updated_at: str
    pending_changes: bool
    missing_facts: bool
    unit: InvoiceUnit
    property: InvoiceProperty


class InvoiceInFull(InvoiceAnswer):
    charges: list[ChargeAnswer]
    custom_charges: list[CustomChargeAnswer]


class Pagination(Answer):
    total: int
    page: int
    limit: int
    total_pages: int


class InvoicePage(Answer):
    data: list[InvoiceAnswer]
    pagination: Pagination


class InvoicePageInFull(Answer):
    data: list[InvoiceInFull]
    pagination: Pagination


class InvoiceChange(Answer):
    status: Literal["DRAFT", "SENT", "PAID", "OVERDUE", "CANCELLED"]


def figures(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def fields_of(invoice: Invoice) -> dict[str, Any]:
    return {
        "id": invoice.id,
        "property_id": invoice.property_id,
        "unit_id": invoice.unit_id,
        "month": f"{invoice.month}-01T00:00:00.000Z",
        "status": invoice.status,
        "invoice_number": invoice.number,
        "invoice_date": f"{invoice.invoice_date}T00:00:00.000Z",
        "due_date": invoice.due_date,
        "total_amount": figures(invoice.total),
        "paid_amount": figures(invoice.paid_amount),
        "paid_at": invoice.paid_at,
        "tenant_email": invoice.tenant_email,
        "tenant_name": invoice.tenant_name,
        "payment_status": invoice.payment_status,
        "gateway_payment_link_id": invoice.payment_link_id,
        "gateway_payment_link_url": invoice.payment_link_url,
        "email_sent_at": invoice.email_sent_at,
        "email_status": invoice.email_status,
        "delivery": invoice.delivery,
        "generated_at": invoice.generated_at,
        "updated_at": invoice.updated_at,
        "pending_changes": invoice.billing_month.pending,
        "missing_facts": invoice.billing_month.missing_count > 0,
        "unit": InvoiceUnit(
            id=invoice.unit.id,
            label=invoice.unit.label,
            sqft=None if invoice.unit.sqft is None else float(invoice.unit.sqft),
            bedrooms=invoice.unit.bedrooms,
        ),
        "property": InvoiceProperty(
            id=invoice.property.id, name=invoice.property.name, currency=invoice.property.currency
        ),
    }


def in_full(invoice: Invoice) -> InvoiceInFull:
    fields = fields_of(invoice)
    month = fields["month"]
    return InvoiceInFull(
        **fields,
        charges=[
            ChargeAnswer(
                id=charge.id,
                utility_type=charge.utility_type,
                amount=figures(charge.amount),
                description=charge.description,
                invoice_month=month,
            )
            for charge in invoice.charges
            if charge.utility_type is not None
        ],
        custom_charges=[
            CustomChargeAnswer(
                id=charge.id, description=charge.description, amount=figures(charge.amount), invoice_month=month
            )
            for charge in invoice.charges
            if charge.utility_type is None
        ],
    )
