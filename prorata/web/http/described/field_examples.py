"""Examples for every field in the OpenAPI document.

They are chosen by the field's name, or else by its type.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from prorata.domain.online_payments.providers import PROVIDERS

Schema = Mapping[str, Any]
_KEYS = "01kb1n3x6ve2hrrk0p1w4bqv2f"
_PREFIXES = {
    "account": "acct", "bill": "bill", "billProperty": "prop", "utilityBill": "bill", "charge": "chg",
    "carrierCharge": "chg", "customCharge": "cchg", "dispute": "ask", "delivery": "whd", "document": "doc",
    "event": "evt", "invoice": "inv", "invoiceMessage": "mail", "invoiceProperty": "prop", "invoiceUnit": "unit",
    "payment": "pay", "property": "prop", "rule": "rule", "shareRule": "rule", "splitMethod": "split",
    "tenant": "tenant", "unit": "unit", "job": "job", "member": "member", "apiKey": "key", "key": "key",
    "webhookEndpoint": "hook", "webhookDelivery": "whd", "explainedBill": "bill", "lineOfBill": "bill",
    "record": "unit", "auditEntry": "told", "bulk": "bulk", "file": "pfile", "gone": "prop",
}  # fmt: skip
"""The prefixes of ids, by the kind of record."""
_BY_NAME: Mapping[str, tuple[Any, ...]] = {
    "sendAt": ("09:30",), "mailWaits": ("No mail server is set: e-mails wait.", 1), "sameAs": (["2026-03.csv"],),
    "propertyName": ("Maple Court",), "stoppedBecause": ("You stopped it.",), "lastFour": ("4711",),
    "toSay": (["2 invoices are for nobody."],), "runsByItself": ("It is sent by itself on 2026-04-03.",),
    "payIban": ("DE89370400440532013000",), "payBic": ("COBADEFFXXX",), "payHolder": ("Elm Street Rentals",),
    "payText": ("Please name the invoice.",), "payRoutingNumber": ("021000021",), "payAccountNumber": ("123456789",),
    "mailSubject": ("Your utilities for March",), "mailOpening": ("Dear tenant,",),
    "lateBills": ("It is billed in the next month.",), "allowedSenders": (["bills@example.com"],),
    "comesNext": ("It is sent on 2026-04-03.",), "inFile": ("Smith, Ann",), "about": ("Water, bill of 2026-03-14",),
    "accountNumber": ("4711-08",), "action": ("create unit",), "activeFrom": ("2026-01-01",),
    "activeTo": ("2026-12-31",), "actor": ("member_" + _KEYS,), "actorName": ("Ann Owner",),
    "address": ("1 Elm Street, Springfield, IL 62701",), "answer": ("The meter was read again: it is right.",),
    "answerBy": ("2026-04-30",), "bedrooms": (2,), "billNumber": ("2026-0314",), "billingMonth": ("2026-03",),
    "billingStartsMonth": ("2026-01",), "carrierMonth": ("2026-04",), "city": ("Springfield",),
    "code": ("PROPERTY_NOT_FOUND",), "correctsMonth": ("2026-02",), "country": ("US",), "currency": ("USD",),
    "customWeightsJson": ('{"1A": 3, "1B": 7}',), "days": (31,), "daysToPay": (14,), "effectiveFrom": ("2026-03",),
    "description": ("Aqua Water Co., bill of 2026-03-14, $90.00: 1 of 3 units",), "dueDate": ("2026-04-14",),
    "email": ("ann@example.com",), "error": ("There is no property with this id.",), "field": ("bedrooms",),
    "files": (["meter.jpg"],), "forwardingAddress": ("2 Oak Lane\nShelbyville, IL 62565",),
    "forwardingEmail": ("ann.smith@example.com",), "gatewayPaymentLinkId": ("plink_1Pabc",), "isActive": (True,),
    "gatewayPaymentLinkUrl": ("https://pay.example.com/plink_1Pabc",), "invoiceNumber": ("MAPLECOURT-1A-2026-03",),
    "invoices": (12,), "issuer": ("Aqua Water Co.",), "issuerName": ("Aqua Water Co.",), "label": ("1A",),
    "limit": (20,), "locale": ("en-US",), "mark": ("3f9a0c51",), "measure": ("850",), "message": ("It was deleted.",),
    "month": ("2026-03", "2026-03-01T00:00:00.000Z"), "months": (["2026-03"],),
    "invoiceMonth": ("2026-03-01T00:00:00.000Z",), "invoiceDate": ("2026-03-31T00:00:00.000Z",),
    "cents": (["unit_" + _KEYS],), "sha256": ("9f86d081" * 8,), "reverses": ("pay_" + _KEYS,),
    "openedBy": ("Ann Owner",), "paymentStatus": ("pending",), "notBilled": ("LATE_FEE",), "monthlyRent": (1200.5,),
    "moveInDate": ("2026-01-01",), "moveOutDate": ("2026-12-31",), "name": ("Maple Court",),
    "next": ("told_" + _KEYS,), "note": ("Thank you",), "notes": ("Read by the caretaker.",),
    "number": ("MAPLECOURT-1A-2026-03", 1), "occupants": (2,), "otherLines": ("110.00",), "ownerPercent": (10, "10"),
    "path": ("/units/unit_" + _KEYS,), "percent": (50, "50"), "phone": ("+1 217 555 0100",), "price": ("2.4",),
    "provider": (PROVIDERS[0].name,), "reason": ("The pool was filled.",), "reference": ("Transfer 4711",),
    "replacesNumber": ("MAPLECOURT-1A-2026-02",), "said": ("Taken.",), "salt": ("b7e1f0a4",),
    "says": ("added the unit 1A",), "secret": ("whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",), "sequence": (0, 1),
    "sentence": ("Water: 850 of 2,550 sq ft.",), "servicePeriodEnd": ("2026-03-11",),
    "servicePeriodStart": ("2026-02-10",), "share": ("1/3", "0.25"), "since": ("2026-01",), "splitMethod": ("SQFT",),
    "sqft": (850, "850"), "state": ("IL",), "status": (404, 200), "street": ("Main Street",), "streetNumber": ("12",),
    "tenantEmail": ("ann@example.com",), "tenantName": ("Ann Smith",), "text": ("The meter was read twice.",),
    "timeZone": ("America/Chicago",), "to": ("2026-03-31", "ann@example.com"), "from": ("2026-03-01",),
    "total": ("320.10", 3), "unit": ("m³", "1A"), "totalAmountDue": (320.1, "320.10"), "totalPages": (1,),
    "unitLabel": ("1A",), "url": ("https://example.com/prorata",),
    "usage": ({"used": "41.5", "unit": "m³", "price": "2.4"},), "used": ("41.5",), "utilityType": ("WATER",),
    "vacantOccupants": (1, "1"), "weight": ("850",), "weights": ({"1A": "3", "1B": "7"}, "2550"), "zip": ("62701",),
    "whyNone": ("It is paid already.",), "whyOff": ("It took no message for a week.",), "body": ({"sqft": 900},),
    "bottom": (132,), "left": (410, ["bill_" + _KEYS]), "right": (470,), "top": (120,), "width": (612,),
    "flagsMark": ("3f9a0c51",), "height": (792,), "language": ("en",), "size": (33395,),
    "propertyReason": ("The service address on the bill is this property’s address.",), "value": ("2026-04-10",),
    "before": ({"label": "1", "sqft": None},), "after": ({"label": "1A", "sqft": 850},),
}  # fmt: skip
"""The example values of fields with a given name.

The first value that the field's type allows is used.
"""
_NOT_LEARNED = "Nothing was learned from this file for the next bill."
_BY_FIELD: Mapping[str, Any] = {
    "Account.name": "Elm Street Rentals", "Account.email": "owner@example.com",
    "BillFlag.message": "It is twice as high as before.", "Detail.message": "`bedrooms` must be a whole number.",
    "Tenant.name": "Ann Smith", "TenantCreate.name": "Ann Smith", "TenantChange.name": "Ann Smith",
    "SplitMethod.name": "Half by area", "SplitMethodSent.name": "Half by area",
    "SplitMethod.description": "50 % by area, 50 % the same for each unit.",
    "WebhookEndpoint.description": "Bookkeeping", "WebhookEndpointCreate.description": "Bookkeeping",
    "WebhookEndpointChange.description": "Bookkeeping", "WebhookEndpointWithSecret.description": "Bookkeeping",
    "WebhookDelivery.status": 200, "WebhookDelivery.sequence": 1207, "WebhookFailure.said": "No answer in time.",
    "Document.name": "water.pdf", "DocumentInFull.name": "water.pdf", "Document.reason": _NOT_LEARNED,
    "DocumentInFull.reason": _NOT_LEARNED, "ReadValue.reason": "This date reads two ways.",
    "ReadValue.choices": ["2026-04-10"], "ReadLines.reason": "Say what the total is for.",
    "DocumentDraft.note": "Its e-invoice contradicts its own sums.", "ChargedItem.name": "Base charge",
    "ChargedItem.kind": "WATER", "ChargedItem.choices": ["WATER"], "InvoiceMessage.to": "ann@example.com",
    "InvoiceNamed.unit": "1A", "ExplainedBill.date": "2026-03-14", "Deduction.reason": "OWNER_PART",
    "GoneRecord.id": "prop_" + _KEYS,
}  # fmt: skip
"""The example values of single fields that differ from others of the same name."""
_BY_FORMAT = {
    "date": "2026-03-14",
    "date-time": "2026-03-14T09:30:00.000Z",
    "binary": "%PDF-1.7",
    "byte": "JVBERi0xLjc=",
}
_FORMS: Mapping[str, str] = {
    "date": r"\d{4}-\d\d-\d\d", "date-time": r"\d{4}-\d\d-\d\dT[\d:.]+Z", "email": r"[^@ ]+@[^@ ]+", "uri": r"https?://.+",
}  # fmt: skip
_BY_PATTERN = ("12.30", "2026-03", "62701", "12", "A", "a" * 64, "2026-03-14", "09:30")


def with_examples(schemas: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the document's schemas with examples for each field and each set of choices.

    A set of choices is the list of values that a field may have.
    """
    return {name: _with_examples(name, schema) for name, schema in schemas.items()}


def _with_examples(of: str, schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return schema | {"examples": schema["enum"][:1]}
    if "properties" not in schema:
        return schema
    return schema | {"properties": {name: _shown(of, name, its) for name, its in schema["properties"].items()}}


def _shown(of: str, name: str, its: Schema) -> dict[str, Any]:
    examples = [] if "examples" in its else list(_examples(of, name, its))[:1]
    return {**its, "examples": examples} if examples else {**its}


def _examples(of: str, name: str, its: Schema) -> Iterator[Any]:
    """Yield example values for the field `name` of a record of the type `of`.

    A list of records has no example, because the records' own fields have examples.
    """
    for choice in its.get("anyOf") or its.get("oneOf") or (its,):
        if choice.get("type") == "array" and "$ref" in choice["items"]:
            continue
        if choice.get("type") == "array":
            yield from (value for value in _BY_NAME.get(name, ()) if isinstance(value, list))
            yield from ([value] for value in _examples(of, name.removesuffix("s"), choice["items"]))
        else:
            yield from (value for value in _candidates(of, name, choice) if _fits(value, choice))


def _candidates(of: str, name: str, its: Schema) -> Iterator[Any]:
    yield from (its[key] for key in ("const",) if key in its)
    yield from (value for field, value in _BY_FIELD.items() if field == f"{of}.{name}")
    if of.endswith("Event") and name == "sequence":
        yield 1207
    yield from _BY_NAME.get(name, ())
    kinds = _kinds(its)
    if "string" in kinds:
        yield from _texts(of, name, its)
    elif {"integer", "number"} & kinds:
        yield from (its[key] for key in ("default", "minimum") if its.get(key) is not None)
        yield from (1, 12, 100)
    elif "boolean" in kinds:
        yield its.get("default", False)
    elif "object" in kinds and "properties" not in its:
        yield {}


def _texts(of: str, name: str, its: Schema) -> Iterator[str]:
    owner = name.removesuffix("Id").removesuffix("Ids") if name != "id" else of[:1].lower() + of[1:]
    if name == "id" or name.endswith(("Id", "Ids")):
        yield f"{_prefix(owner)}_{_KEYS}"
    if its.get("format") in _BY_FORMAT:
        yield _BY_FORMAT[its["format"]]
    if "pattern" in its:
        yield from _BY_PATTERN
    if "month" in name.lower():
        yield "2026-03"
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    yield words[:1].upper() + words[1:]


def _prefix(owner: str) -> str:
    """Return the prefix of the ids of a record type.

    A longer type name, such as `UnitWithTenants`, has the prefix of the type that it begins or ends with.
    """
    ends = [prefix for prefix in _PREFIXES if owner.lower().endswith(prefix.lower())]
    fitting = ends or [prefix for prefix in _PREFIXES if owner.lower().startswith(prefix.lower())]
    return _PREFIXES[max(fitting, key=len)] if fitting else owner[:4].lower()


def _fits(value: Any, its: Schema) -> bool:
    """True if the field's schema `its` accepts the value."""
    return any(_is(value, kind, its) for kind in _kinds(its))


def _kinds(its: Schema) -> set[str]:
    kinds = its.get("type", [])
    return {kinds} if isinstance(kinds, str) else set(kinds)


def _is(value: Any, kind: str, its: Schema) -> bool:
    if kind == "string":
        return isinstance(value, str) and _is_text(value, its)
    if kind in {"integer", "number"}:
        is_number = isinstance(value, int if kind == "integer" else int | float) and not isinstance(value, bool)
        return is_number and its.get("minimum", value) <= value <= its.get("maximum", value)
    return (kind, type(value)) in {("boolean", bool), ("object", dict)}


def _is_text(value: str, its: Schema) -> bool:
    form, longest = _FORMS.get(its.get("format", "")), its.get("maxLength")
    return (
        (form is None or re.fullmatch(form, value) is not None)
        and ("pattern" not in its or re.search(its["pattern"], value) is not None)
        and its.get("minLength", 0) <= len(value)
        and (longest is None or len(value) <= longest)
        and its.get("const", value) == value
    )
