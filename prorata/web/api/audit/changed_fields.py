"""Audit log values with the API's names and forms, which differ from the stored ones."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from prorata.domain.audit.diffs import is_money, is_shown, is_yes_or_no
from prorata.domain.money import in_figures
from prorata.web.api.accounts.account_schemas import COLUMNS
from prorata.web.api.audit.audit_schemas import ChangedField

_INVOICES = {"number": "invoiceNumber", "total": "totalAmount", "payment_link_id": "gatewayPaymentLinkId",
             "payment_link_url": "gatewayPaymentLinkUrl"}  # fmt: skip
_NAMES: Mapping[str, Mapping[str, str]] = {
    "acct": {stored: name for name, stored in COLUMNS.items()},
    "bill": {"total": "totalAmountDue", "service_start": "servicePeriodStart", "service_end": "servicePeriodEnd",
             "chosen_month": "billingMonth"},
    "inv": _INVOICES,
    "tenant": {"move_in": "moveInDate", "move_out": "moveOutDate"},
    "pay": {"day": "date"},
    "prop": {"pay_routing": "payRoutingNumber", "pay_number": "payAccountNumber"},
}  # fmt: skip
"""The API's names of stored fields that differ, by kind of record."""


def changed_fields(record_id: str, before: str | None, after: str | None) -> Iterator[ChangedField]:
    """Yield the changed fields in order, or all fields of a created or deleted record."""
    was, became = _read(before), _read(after)
    names = _NAMES.get(record_id.partition("_")[0], {})
    for stored in dict.fromkeys([*was, *became]):
        earlier, other = (_said(stored, state.get(stored)) for state in (was, became))
        if is_shown(stored) and earlier != other:
            yield ChangedField(field=_camel(names.get(stored, stored)), before=earlier, after=other)


def _read(text: str | None) -> dict[str, Any]:
    fields = json.loads(text) if text else {}
    return fields if isinstance(fields, dict) else {}


def _said(stored: str, value: Any) -> str | None:
    if value is None or value == "":
        return None
    if is_money(stored) and isinstance(value, int):
        return in_figures(value)
    if isinstance(value, bool) or (is_yes_or_no(stored) and value in (0, 1)):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
