"""What was done to a record, as a person reads it: each field that changed, by a name for people."""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from prorata.domain.limits import MOST_CHANGED_WEIGHTS_SHOWN, MOST_CHANGES_SHOWN
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.utility_names import LINE_NAMES, UTILITY_NAMES

Written = Literal[
    "text", "money", "amounts", "number", "percent", "day", "month", "months", "moment", "yes or no", "status",
    "weights", "hidden",
]  # fmt: skip
"""How a value is written; `weights` are pairs of a unit's label and a number, `amounts` of a part of a bill and cents;
`months` are one or more; `hidden` is of no use to a person.
"""


class Change(NamedTuple):
    """A field, by its name for people, and what stood in it before and after; None where there was nothing."""

    label: str
    written: Written
    was: Any
    became: Any


_LABELS = {
    "paid_amount": "Paid", "split_method": "How it is divided", "sqft": "Floor area", "zip": "Postal code",
    "tenant_name": "Tenant", "tenant_email": "Tenant's e-mail", "email": "E-mail", "owner_percent": "Owner's percent",
    "weights": "Weights", "mail_on": "E-mails are sent", "mail_hold": "Minutes held before sending",
    "send_at": "Sent at", "move_in_date": "Moved in", "move_out_date": "Moved out", "moves_in": "Moved in",
    "moves_out": "Moved out", "issuer_name": "Issuer", "is_active": "In use", "to_address": "Sent to",
    "payment_terms": "Days to pay", "billing_starts_month": "First month to bill", "delivery": "E-mail",
    "vacant_occupants": "People assumed in a vacant unit", "chosen_month": "Billing month",
    "billing_months": "Billing month",
    "hold_flagged": "Flagged bills are held",
    "shows_bills": "Tenants may see the bills",
    "carry_credits": "Credits are carried over",
    "effective_from": "In force from", "occupants": "People living here",
    "forwarding_email": "E-mail after moving out", "forwarding_address": "Address after moving out",
    "said": "What was wrong with it", "guessed": "Divided by guess",
    "in_place_of_noted": "The same money as was marked as paid", "same_as": "Said to be the same as",
    "replaces_number": "Replaces",
    "contact": "E-mail for questions", "phone": "Telephone",
    "mail_subject": "Subject of e-mails", "mail_opening": "Opening words of e-mails",
    "pay_text": "How tenants pay", "pay_holder": "Account holder", "pay_iban": "IBAN", "pay_bic": "BIC",
    "pay_routing": "Routing number", "pay_number": "Account number",
    "came_at": "Told at", "message": "Message of the provider", "payment": "The provider's reference",
}  # fmt: skip
"""Names that the field's own words do not give."""
_PASSED_OVER = {
    "id", "code", "sequence", "number", "number_key", "label_key", "created_at", "updated_at", "generated_at",
    "paid_by_status", "issued", "paid_at", "email_status", "email_sent_at", "payment_link_url", "fingerprint", "line",
    "first_closed_at", "pending", "created_by", "kind", "used_at", "mail_capped_until", "property_count", "bill_count",
    "printed", "digest", "size", "draft", "way", "repetition", "entries", "corrected", "corrects_month",
    "corrects_tenant", "revision",
}  # fmt: skip


_CODES: dict[str, Mapping[str, str]] = {
    "utility_type": UTILITY_NAMES,
    "utility_types": UTILITY_NAMES,
    "method": {"CASH": "in cash", "TRANSFER": "by transfer", "CHEQUE": "by {cheque}", "CARD": "by card"},
    "permission": {"READ": "read", "FULL": "read and change"},
    "split_method": {code: method.by for code, method in SPLIT_METHODS.items()},
}  # fmt: skip
"""What codes are called, field by field."""


def differences(
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    labels: Mapping[str, str] | None = None,
    cheque: str = "cheque",
) -> list[Change]:
    """What changed between two states of a record; of one that came or went, what it held. `labels` are those of units,
    by their ids, and `cheque` is how whoever reads it spells one.

    >>> differences({"label": "1", "sqft": "600"}, {"label": "1a", "sqft": "600"})
    [Change(label='Label', written='text', was='1', became='1a')]
    >>> differences(None, {"id": "unit_1", "label": "1", "sqft": None, "monthly_rent": 90000})[1].written
    'money'
    >>> differences({"permission": "READ"}, {"permission": "FULL"})[0].became
    'read and change'
    >>> differences(None, {"weights": '{"unit_1": "2"}'}, {"unit_1": "2B"})[0].became
    (('2B', '2'),)
    >>> differences({"amounts": {"GAS": 900}}, {"amounts": {"GAS": 800, "LATE_FEE": 100}})[0].became
    (('Gas', 800), ('Late fee', 100))
    """
    was, became = before or {}, after or {}
    found, names = [], dict.fromkeys([*was, *became])
    if "billing_months" in names:
        names.pop("chosen_month", None)  # which says less
    for name in names:
        if name in _PASSED_OVER or name.endswith(("_id", "_hash")):
            continue
        one, other = (_in_words(name, _plain(of.get(name)), labels or {}) for of in (was, became))
        if name == "method":
            one, other = (said and said.replace("{cheque}", cheque) for said in (one, other))
        if one != other:
            found.append(Change(_label(name), _written(name, one, other), one, other))
    return found[:MOST_CHANGES_SHOWN]


def _plain(value: Any) -> Any:
    return None if value in ("", [], {}) else value


def units_in(*states: Mapping[str, Any] | None) -> set[str]:
    """The ids of the units that are named in states of a record."""
    return {unit_id for state in states if state for unit_id in _weights(state.get("weights"))}


def _weights(value: Any) -> Mapping[str, str]:
    found = json.loads(value) if isinstance(value, str) and value else value
    return found if isinstance(found, dict) else {}


def _in_words(name: str, value: Any, labels: Mapping[str, str]) -> Any:
    """A value without codes and ids."""
    if value is None:
        return None
    if name == "weights":
        weights = _weights(value)
        if len(weights) > MOST_CHANGED_WEIGHTS_SHOWN:
            return value
        return tuple(sorted((labels.get(unit_id, "a unit that is gone"), of) for unit_id, of in weights.items()))
    if name == "amounts":  # that of a single part is the total
        return tuple((LINE_NAMES.get(part, part), cents) for part, cents in value.items()) if len(value) > 1 else None
    if words := _CODES.get(name):
        codes = value.split(";") if isinstance(value, str) else value
        return ", ".join(words.get(code, code) for code in codes)
    return value


def _label(name: str) -> str:
    return _LABELS.get(name) or name.replace("_", " ").capitalize()


_WRITTEN: dict[str, Written] = {
    **dict.fromkeys(
        ("total", "paid_amount", "amount", "monthly_rent", "billed", "money_received", "in_place_of_noted"), "money"
    ),
    **dict.fromkeys(("status", "payment_status", "delivery"), "status"),
    **dict.fromkeys(("sqft", "vacant_occupants"), "number"),
    **dict.fromkeys(
        (
            "automatic_from", "automatic_sends_from", "billing_starts_month", "chosen_month",
            "carrier", "corrects_month", "effective_from", "first_month", "month",
        ), "month",
    ),
    **dict.fromkeys(
        (
            "active_from", "active_to", "bill_date", "day", "due_date", "invoice_date", "move_in", "move_in_date",
            "move_out", "move_out_date", "moves_in", "moves_out", "service_end", "service_start",
        ), "day",
    ),
    **dict.fromkeys(("at", "since"), "moment"),
    "owner_percent": "percent",
    "amounts": "amounts",
    "billing_months": "months",
    **dict.fromkeys(("blend", "choices", "components", "mapping", "outcome"), "hidden"),
    **dict.fromkeys(("mail_on", "hold_flagged", "shows_bills", "carry_credits", "guessed"), "yes or no"),
    "send_at": "text",
}  # fmt: skip
"""By the field alone: whoever fills a field of text may write there what looks like a day, a list or anything else."""


def _written(name: str, was: Any, became: Any) -> Written:
    value = was if became is None else became
    if name in _WRITTEN:
        return _WRITTEN[name]
    if name == "weights":
        return "hidden" if isinstance(was, str) or isinstance(became, str) else "weights"
    if isinstance(value, (list, tuple, dict)) or (name == "names" and isinstance(value, str)):  # of a header, as JSON
        return "hidden"
    if isinstance(value, bool) or name.startswith("is_"):
        return "yes or no"
    return "moment" if name.endswith(("_at", "_until")) else "text"


def name_of(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> str:
    """What a record is known by, as far as what was kept of it says.

    >>> name_of(None, {"id": "unit_1", "label": "2B"}), name_of(None, None)
    ('2B', '')
    """
    kept = after or before or {}
    for field in ("number", "label", "name", "issuer_name", "utility_type", "email"):
        if isinstance(kept.get(field), str) and kept[field]:
            return str(kept[field])
    return ""
