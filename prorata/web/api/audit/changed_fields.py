"""Conversion of stored audit log values to the API's field names and formats."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from prorata.domain.audit.diffs import is_money, is_shown, is_yes_or_no
from prorata.domain.inbound_mail.inbox_addresses import MAIL_IN_STATES
from prorata.domain.money import in_figures
from prorata.domain.payments.files import FILE_STATES
from prorata.web.api.accounts.account_schemas import COLUMNS
from prorata.web.api.audit.audit_schemas import ChangedField
from prorata.web.api.intake.document_schemas import STATUSES

_NAMES: Mapping[str, Mapping[str, str]] = {
    "acct": {stored: name for name, stored in COLUMNS.items()},
    "bill": {"total": "totalAmountDue", "service_start": "servicePeriodStart", "service_end": "servicePeriodEnd",
             "chosen_month": "billingMonth"},
    "doc": {"state": "status"},
    "incoming": {"state": "status"},
    "inv": {"number": "invoiceNumber", "total": "totalAmount", "payment_link_id": "gatewayPaymentLinkId",
            "payment_link_url": "gatewayPaymentLinkUrl", "day": "date"},
    "tenant": {"move_in": "moveInDate", "move_out": "moveOutDate"},
    "pay": {"day": "date"},
    "pfile": {"state": "status"},
    "prop": {"pay_routing": "payRoutingNumber", "pay_number": "payAccountNumber"},
}  # fmt: skip
"""The API's names of stored fields whose API names are different, by kind of record."""
_STATUSES: Mapping[str, Mapping[str, str]] = {
    "doc": STATUSES,
    **{
        kind: {state: state.upper().replace(" ", "_") for state in states}
        for kind, states in (("incoming", MAIL_IN_STATES), ("pfile", FILE_STATES))
    },
}
"""The API's status for each stored state, by kind of record."""


def changed_fields(record_id: str, before: str | None, after: str | None) -> Iterator[ChangedField]:
    """Yield the fields whose values differ between two stored states of a record.

    If `before` or `after` is None because the record was created or deleted, every field that has a value is
    yielded.
    """
    was, became = _read(before), _read(after)
    kind = record_id.partition("_")[0]
    names, statuses = _NAMES.get(kind, {}), _STATUSES.get(kind, {})
    for stored in dict.fromkeys([*was, *became]):
        earlier, other = (_said(stored, state.get(stored), statuses) for state in (was, became))
        if is_shown(stored) and earlier != other:
            yield ChangedField(field=_camel(names.get(stored, stored)), before=earlier, after=other)


def _read(text: str | None) -> dict[str, Any]:
    fields = json.loads(text) if text else {}
    return fields if isinstance(fields, dict) else {}


def _said(stored: str, value: Any, statuses: Mapping[str, str]) -> str | None:
    if value is None or value == "":
        return None
    if stored == "state":
        value = statuses.get(value, value)
    if is_money(stored) and isinstance(value, int):
        return in_figures(value)
    if stored == "amounts" and isinstance(value, dict):
        value = {part: in_figures(cents) for part, cents in value.items()}
    if isinstance(value, bool) or (is_yes_or_no(stored) and value in (0, 1)):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
