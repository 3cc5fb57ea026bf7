"""Contents of events: records as JSON, with the fields and values that the API shows.

A test compares the contents with the API.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from prorata.domain.money import in_figures, quantity
from prorata.domain.splitting.share_rules import write_weights
from prorata.domain.texts import plain
from prorata.store.bills.bills import BillSummary
from prorata.store.delivery.disputes import KeptFile, ListedDispute
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.splitting.share_rules import RuleRow, SplitMethodRow, VersionRow

_encoder = msgspec.json.Encoder(decimal_format="number", enc_hook=plain)
_MIDNIGHT = "T00:00:00.000Z"


def encoded(content: Mapping[str, Any]) -> bytes:
    """Encode an event's content as one line of JSON, for storage and sending."""
    return _encoder.encode(content)


def named(record_id: str, property_id: str | None) -> dict[str, Any]:
    """Build an event's content for a deleted record: the record's and property's ids."""
    return {"id": record_id} if property_id in (None, record_id) else {"id": record_id, "propertyId": property_id}


def of_property(row: PropertyRow) -> dict[str, Any]:
    """Build an event's content for a property."""
    return {
        "id": row.id,
        "name": row.name,
        "streetNumber": row.street_number,
        "street": row.street,
        "city": row.city,
        "state": row.state,
        "zip": row.zip,
        "country": row.country,
        "isActive": bool(row.is_active),
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "billingStartsMonth": row.billing_starts_month,
        "billingMonthRule": row.billing_month_rule,
        "currency": row.currency,
    }


def of_unit(row: UnitRow, today: str) -> dict[str, Any]:
    """Build an event's content for a unit; `today` determines whether the unit is active."""
    return {
        "id": row.id,
        "propertyId": row.property_id,
        "label": row.label,
        "sqft": None if row.sqft is None else Decimal(row.sqft),
        "bedrooms": row.bedrooms,
        "monthlyRent": None if row.monthly_rent is None else _as_number(row.monthly_rent),
        "isActive": row.active_to is None or row.active_to > today,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "activeFrom": row.active_from,
        "activeTo": row.active_to,
    }


def of_tenant(row: TenantRow) -> dict[str, Any]:
    """Build an event's content for a tenant."""
    return {
        "id": row.id,
        "unitId": row.unit_id,
        "name": row.name,
        "email": row.email,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "moveInDate": row.move_in,
        "moveOutDate": row.move_out,
        "occupants": row.occupants,
        "forwardingEmail": row.forwarding_email,
        "forwardingAddress": row.forwarding_address,
    }


def of_rule(row: RuleRow, former: Sequence[VersionRow], labels: Mapping[str, str]) -> dict[str, Any]:
    """Build an event's content for a share rule with its earlier versions, earliest first.

    `labels` maps the ids of the property's units to their labels.
    """
    return {
        "id": row.id,
        "propertyId": row.property_id,
        "utilityType": row.utility_type,
        **_terms(row, labels),
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "effectiveFrom": row.effective_from,
        "versions": [
            *({"effectiveFrom": version.effective_from or None, **_terms(version, labels)} for version in former),
            {"effectiveFrom": row.effective_from, **_terms(row, labels)},
        ],
    }


def _terms(row: RuleRow | VersionRow, labels: Mapping[str, str]) -> dict[str, Any]:
    return {
        "splitMethod": row.split_method,
        "isActive": bool(row.is_active),
        "customWeightsJson": None if row.weights is None else write_weights(json.loads(row.weights), labels),
        "splitMethodId": row.split_method_id,
        "ownerPercent": Decimal(row.owner_percent),
        "vacantOccupants": Decimal(row.vacant_occupants),
    }


def of_split_method(row: SplitMethodRow) -> dict[str, Any]:
    """Build an event's content for a blend of the account."""
    parts = json.loads(row.components)
    return {
        "id": row.id,
        "name": row.name,
        "description": " and ".join(f"{quantity(Fraction(percent))}% {method}" for method, percent in parts),
        "builtIn": False,
        "components": [{"splitMethod": method, "percent": Decimal(percent)} for method, percent in parts],
    }


def of_bill(row: BillSummary) -> dict[str, Any]:
    """Build an event's content for a bill, with its notes and property."""
    return {
        "id": row.id,
        "propertyId": row.property_id,
        "issuerName": row.issuer_name,
        "utilityType": row.utility_types.split(";"),
        "totalAmountDue": _as_number(row.total),
        "billDate": row.bill_date,
        "dueDate": row.due_date,
        "paymentStatus": row.payment_status,
        "createdAt": row.created_at,
        "billingMonth": row.billing_month,
        "waiting": bool(row.waiting),
        "held": bool(row.held),
        "notes": row.notes,
        "property": {"id": row.property_id, "name": row.property_name},
    }


def without_tenant(event_bytes: bytes, unit_id: str, names: Collection[str]) -> bytes:
    """Remove the tenant from an event's content for an invoice, if unit and name match.

    `names` are all names that the tenant ever had.
    """
    content = json.loads(event_bytes)
    if content.get("unitId") != unit_id or content.get("tenantName") not in names:
        return event_bytes
    return encoded(content | {"tenantName": None, "tenantEmail": None})


def of_invoice(row: InvoiceSummary, sqft: Fraction | None = None) -> dict[str, Any]:
    """Build an event's content for an invoice without its charges, as lists show it.

    If the row lacks the unit's floor area, it is given by `sqft`.
    """
    measure = None if row.unit_sqft is None else Decimal(row.unit_sqft)
    if sqft is not None:
        measure = Decimal(sqft.numerator) / sqft.denominator
    return {
        "id": row.id,
        "propertyId": row.property_id,
        "unitId": row.unit_id,
        "month": f"{row.month}-01{_MIDNIGHT}",
        "status": row.status,
        "invoiceNumber": row.number,
        "invoiceDate": row.invoice_date + _MIDNIGHT,
        "dueDate": row.due_date,
        "totalAmount": in_figures(row.total),
        "paidAmount": in_figures(row.paid_amount),
        "paidAt": row.paid_at,
        "tenantEmail": row.tenant_email,
        "tenantName": row.tenant_name,
        "paymentStatus": row.payment_status,
        "gatewayPaymentLinkId": row.payment_link_id,
        "gatewayPaymentLinkUrl": row.payment_link_url,
        "emailSentAt": row.email_sent_at,
        "emailStatus": row.email_status,
        "delivery": row.delivery,
        "generatedAt": row.generated_at,
        "updatedAt": row.updated_at,
        "pendingChanges": bool(row.pending),
        "missingFacts": row.missing_count > 0,
        "unit": {
            "id": row.unit_id,
            "label": row.unit_label,
            "sqft": measure,
            "bedrooms": row.unit_bedrooms,
        },
        "property": {"id": row.property_id, "name": row.property_name, "currency": row.currency},
        "sequence": row.sequence,
        "tenantId": row.tenant_id,
        "replacesNumber": row.replaces_number,
    }


def of_payment(row: PaymentRow) -> dict[str, Any]:
    """Build an event's content for a ledger entry that was just created."""
    return {
        "id": row.id,
        "invoiceId": row.invoice_id,
        "kind": row.kind,
        "amount": in_figures(row.amount),
        "date": row.day,
        "method": row.method,
        "provider": row.provider,
        "reference": row.reference,
        "note": row.note,
        "reverses": row.reverses,
        "isReversed": False,
        "createdAt": row.created_at,
    }


def of_dispute(row: ListedDispute, files: Sequence[KeptFile]) -> dict[str, Any]:
    """Build an event's content for a dispute, with the names of its files."""
    return {
        "id": row.question_id,
        "invoiceId": row.invoice_id,
        "invoiceNumber": row.number,
        "propertyId": row.property_id,
        "unitId": row.unit_id,
        "tenantId": row.tenant_id,
        "chargeId": row.charge_id,
        "charged": in_figures(row.charged),
        "amount": in_figures(row.amount),
        "text": row.asked,
        "status": row.state,
        "openedAt": row.asked_at,
        "openedBy": row.opened_by,
        "answerBy": row.answer_by,
        "answer": row.reply,
        "answeredAt": row.answered_at,
        "endedAt": row.ended_at,
        "reason": row.reason,
        "correction": None if row.corrected is None else in_figures(row.corrected),
        "carrierMonth": row.carrier,
        "files": [file.name for file in files],
    }


def of_month(property_id: str, month: str, invoices: int) -> dict[str, Any]:
    """Build an event's content for a recalculated month, with its number of invoices."""
    return {"propertyId": property_id, "billingMonth": month, "invoices": invoices}


def _as_number(cents: int) -> Decimal:
    return Decimal(in_figures(cents).rstrip("0").rstrip("."))
