"""Example bodies for the documentation, one for each operation that takes a body."""

from typing import Any

from prorata.domain.online_payments.providers import PROVIDERS

PROPERTY_SENT: dict[str, Any] = {
    "name": "Maple Court",
    "streetNumber": "12",
    "street": "Main Street",
    "city": "Springfield",
    "state": "IL",
    "zip": "62701",
    "country": "US",
}
ACCOUNT_SENT: dict[str, Any] = {"name": "Maple Homes", "daysToPay": 21, "reminderDaysAfter": [7, 14]}
PROVIDER_SENT: dict[str, Any] = {
    "provider": PROVIDERS[0].name,
    "key": f"{PROVIDERS[0].key.begins[0]}test_1234567890",
    "secret": f"{PROVIDERS[0].secret.begins[0]}1234567890",
}
PAYMENT_DETAILS_SENT: dict[str, Any] = {"payText": "By the 5th of the month, please."}
INVITATION_SENT: dict[str, Any] = {"email": "bo@example.com", "role": "manager"}
KEY_SENT: dict[str, Any] = {
    "name": "Bookkeeping",
    "permission": "READ",
    "scopes": ["invoices:read", "payments:read"],
    "lastDay": "2030-12-31",
}
ANNOUNCEMENT_SENT: dict[str, Any] = {"change": "0" * 64}
INBOX_SENT: dict[str, Any] = {"allowedSenders": ["bills@aqua.example.com"], "keepDays": 365}
CHARGES_COMPARED: dict[str, Any] = {"charges": [{"unit": "1", "amount": "30.00"}, {"unit": "2", "amount": "30.00"}]}
MONTHS_COMPARED: dict[str, Any] = {
    "charges": [
        {"propertyId": "prop_01kb1n3x6ve2hrrk0p1w4bqv2f", "month": "2026-03", "unit": "1", "amount": "30.00"},
    ]
}
UNIT_SENT: dict[str, Any] = {"label": "1A", "sqft": 850, "bedrooms": 2, "monthlyRent": 1200}
TENANT_SENT: dict[str, Any] = {"name": "Ann Smith", "email": "ann@example.com", "moveInDate": "2026-01-01"}
RULE_SENT: dict[str, Any] = {"utilityType": "WATER", "splitMethod": "SQFT"}
TERMS_SENT: dict[str, Any] = {"splitMethod": "CUSTOM", "customWeightsJson": '{"1A": 3, "1B": 7}'}
PAYMENT_SENT: dict[str, Any] = {"amount": "30.00", "method": "TRANSFER", "date": "2026-03-20", "note": "Thank you"}
WEBHOOK_SENT: dict[str, Any] = {
    "url": "https://example.com/prorata",
    "types": ["invoice.paid", "payment.recorded"],
    "description": "Bookkeeping",
}
CORRECTIONS_SENT: dict[str, Any] = {"months": ["2026-03"], "place": "next"}
BLEND_SENT: dict[str, Any] = {
    "name": "Half by area",
    "components": [{"splitMethod": "SQFT", "percent": 50}, {"splitMethod": "EQUAL", "percent": 50}],
}
BILL_SENT: dict[str, Any] = {
    "issuerName": "Aqua Water Co.",
    "totalAmountDue": "320.10",
    "billDate": "2026-03-14",
    "servicePeriodStart": "2026-02-10",
    "servicePeriodEnd": "2026-03-11",
    "accountNumber": "4711-08",
    "lines": [
        {"utilityType": "WATER", "amount": "200.10", "usage": {"used": "41.5", "unit": "m³", "price": "2.4"}},
        {"utilityType": "SEWER", "amount": "110.00"},
        {"notBilled": "LATE_FEE", "amount": "10.00"},
    ],
}
BILL_CORRECTED: dict[str, Any] = {"totalAmountDue": "60.00", "lines": [{"utilityType": "WATER", "amount": "60.00"}]}
DOCUMENT_TAUGHT: dict[str, Any] = {
    "issuerName": "Aqua Water Co.",
    "totalAmountDue": "93.10",
    "billDate": "2026-03-20",
    "lines": [{"utilityType": "WATER", "amount": "88.10"}, {"notBilled": "LATE_FEE", "amount": "5.00"}],
    "at": {"totalAmountDue": [{"page": 1, "left": 410, "top": 120, "right": 470, "bottom": 132}]},
}
DOCUMENT_CONFIRMED: dict[str, Any] = {"propertyId": "prop_01kkcefq80ekhfeqe3ye3b6zrg"} | DOCUMENT_TAUGHT
FLAG_ACCEPTED: dict[str, Any] = {"reason": "The pool was filled.", "mark": "…"}
FLAGS_ACCEPTED: dict[str, Any] = {
    "reason": "Checked with the utility.",
    "bills": [{"billId": "bill_01kkcefq80ekhfeqe3ye3b6zrg", "mark": "…"}],
}
UNUSUAL_ACCEPTED: dict[str, Any] = {"billIds": ["bill_01kkcefq80ekhfeqe3ye3b6zrg"], "reason": "The pool was filled."}
DISPUTE_SENT: dict[str, Any] = {
    "chargeId": "chg_01kb1n3x6ve2hrrk0p1w4bqv2f",
    "amount": "12.30",
    "text": "The meter was read twice.",
}
INVOICES_CHANGED: dict[str, Any] = {"verb": "SEND", "invoiceIds": ["inv_01kkcefq80ekhfeqe3ye3b6zrg"]}
PAYMENT_COLUMNS_SENT: dict[str, Any] = {
    "headerLine": 1,
    "columns": [
        {"name": "Posted", "field": "date"}, {"name": "Text", "field": "text"}, {"name": "Sum", "field": "amount"},
    ],
    "dates": "MDY",
}  # fmt: skip
MONTH_SENT: dict[str, Any] = {"mark": "…", "confirm": True}
BULK_SENT: dict[str, Any] = {
    "requests": [
        {"method": "PATCH", "path": "/units/unit_01kkcefq80ekhfeqe3ye3b6zrg", "body": {"monthlyRent": 1200}},
        {"method": "POST", "path": "/units/unit_01kkcefq80ekhfeqe3ye3b6zrg/tenants", "body": {"name": "Bo Chen"}},
    ]
}
PREVIEW_SENT: dict[str, Any] = {
    "requests": [
        {"method": "PATCH", "path": "/units/unit_01kkcefq80ekhfeqe3ye3b6zrg", "body": {"sqft": 900}},
        {"method": "PATCH", "path": "/invoices/inv_01kkcefq80ekhfeqe3ye3b6zrg", "body": {"status": "SENT"}},
    ]
}
