"""Audit entries for people: each changed field under a readable name."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from prorata.domain.accounts.settings import ASK, BILLING_MONTH_RULE_NAMES, BY_ITSELF
from prorata.domain.bills import line_names
from prorata.domain.limits import MOST_CHANGED_WEIGHTS_SHOWN, MOST_CHANGES_SHOWN
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.texts import Text, joined, say
from prorata.domain.usage import Usage, from_text
from prorata.domain.utility_names import LINE_NAMES, UTILITY_NAMES

Written = Literal[
    "text", "money", "amounts", "number", "percent", "day", "month", "months", "moment", "yes or no", "status",
    "weights", "usages", "hidden",
]  # fmt: skip
"""The ways to write a value.

`weights` are pairs of a unit's label and a number. `amounts` are pairs of a part of a bill and cents, and `usages` of a
utility and its usage. `months` are one or more months. `hidden` values are of no use to a person.
"""


class Change(NamedTuple):
    """A field's readable name and its values before and after; None means no value."""

    label: str
    written: Written
    was: Any
    became: Any


_LABELS: Mapping[str, Text] = {
    "paid_amount": say("Paid"),
    "split_method": say("How the bill is divided"),
    "sqft": say("Floor area"),
    "zip": say("Postal code"),
    "tenant_name": say("Tenant"),
    "tenant_email": say("Tenant's e-mail"),
    "email": say("E-mail"),
    "owner_percent": say("Owner's percent"),
    "weights": say("Weights"),
    "mail_on": say("E-mails are sent"),
    "mail_hold": say("Minutes held before sending"),
    "keep_invoices_years": say("Years that invoices of erased tenants are kept"),
    "keep_tenants_years": say("Years after which former tenants are erased"),
    "keep_bank_files_days": say("Days that bank files are kept"),
    "answer_days": say("Days to answer disputes"),
    "send_at": say("Sent at"),
    **dict.fromkeys(("move_in", "move_in_date", "moves_in"), say("Moved in")),
    **dict.fromkeys(("move_out", "move_out_date", "moves_out"), say("Moved out")),
    "issuer_name": say("Issuer"),
    "is_active": say("In use"),
    "to_address": say("Sent to"),
    "payment_terms": say("Days to pay"),
    "billing_starts_month": say("First month to bill"),
    "billing_month_rule": say("A bill is billed in"),
    "delivery": say("E-mail"),
    "vacant_occupants": say("People assumed in a vacant unit"),
    "chosen_month": say("Billing month"),
    "billing_months": say("Billing month"),
    "hold_flagged": say("Flagged bills are held"),
    "shows_bills": say("Tenants may see the bills"),
    "carry_credits": say("Credits are carried over"),
    "effective_from": say("In force from"),
    "occupants": say("People living here"),
    "forwarding_email": say("E-mail after moving out"),
    "forwarding_address": say("Address after moving out"),
    "said": say("What was wrong with it"),
    "guessed": say("Divided by guess"),
    "usage": say("Usage and price"),
    "in_place_of_noted": say("The same money as was marked as paid"),
    "same_as": say("Said to be the same as"),
    "replaces_number": say("Replaces"),
    "contact": say("E-mail for questions"),
    "phone": say("Telephone"),
    "mail_subject": say("Subject of e-mails"),
    "mail_opening": say("Opening words of e-mails"),
    "pay_text": say("How tenants pay"),
    "pay_holder": say("Account holder"),
    "pay_iban": say("IBAN"),
    "pay_bic": say("BIC"),
    "pay_routing": say("Routing number"),
    "pay_number": say("Bank account number"),
    "came_at": say("Told at"),
    "message": say("Message of the provider"),
    "payment": say("The provider's reference"),
    "account_number": say("Account number"),
    "active_from": say("In use from"),
    "active_to": say("In use until"),
    "address": say("Address"),
    "amount": say("Amount"),
    "amounts": say("Amounts"),
    "answered_at": say("Answered at"),
    "automatic": say("Automatic"),
    "automatic_day": say("Automatic day"),
    "announce_days": say("Days before a new rule takes effect"),
    "automatic_from": say("Automatic from"),
    "automatic_sends_from": say("Sent automatically from"),
    "bedrooms": say("Bedrooms"),
    "bill_date": say("Bill date"),
    "bill_number": say("Bill number"),
    "city": say("City"),
    "corrections": say("Corrections"),
    "country": say("Country"),
    "currency": say("Currency"),
    "day": say("Day"),
    "description": say("Description"),
    "dispute": say("Dispute"),
    "due_date": say("Due date"),
    "expires_at": say("Expires at"),
    "first_month": say("First month"),
    "invoice_date": say("Invoice date"),
    "invoices": say("Invoices"),
    "keep_days": say("Days kept"),
    "label": say("Label"),
    "last_four": say("Last four"),
    "late_bills": say("Late bills"),
    "locale": say("Language"),
    "method": say("Method"),
    "month": say("Month"),
    "monthly_rent": say("Monthly rent"),
    "months": say("Months"),
    "name": say("Name"),
    "note": say("Note"),
    "notes": say("Notes"),
    "line_names": say("Names for tenants"),
    "payment_status": say("Payment status"),
    "permission": say("Permission"),
    "provider": say("Provider"),
    "question": say("Question"),
    "reason": say("Reason"),
    "recorded": say("Recorded"),
    "reference": say("Reference"),
    "reminders_after": say("Reminders after"),
    "reminders_before": say("Reminders before"),
    "reply": say("Reply"),
    "role": say("Role"),
    "scopes": say("Scopes"),
    "rows": say("Rows"),
    "sender": say("Sender"),
    "service_end": say("Service end"),
    "service_start": say("Service start"),
    "state": say("State"),
    "status": say("Status"),
    "street": say("Street"),
    "street_number": say("Street number"),
    "subject": say("Subject"),
    "timezone": say("Time zone"),
    "total": say("Total"),
    "types": say("Types"),
    "units": say("Units"),
    "url": say("Address"),
    "utility_type": say("Utility"),
    "utility_types": say("Utilities"),
    "why": say("Why"),
}
"""The labels of fields.

A field without a label is shown under its name, as English words.
"""
_PASSED_OVER = {
    "id", "code", "sequence", "number", "number_key", "label_key", "name_key", "created_at", "updated_at",
    "generated_at", "paid_by_status", "issued", "paid_at", "email_status", "email_sent_at", "payment_link_url",
    "fingerprint", "line", "first_closed_at", "pending", "created_by", "kind", "used_at", "mail_capped_until",
    "property_count", "bill_count", "printed", "digest", "size", "draft", "way", "repetition", "entries",
    "corrected", "corrects_month", "corrects_tenant", "revision", "blanked",
}  # fmt: skip


_DECIDES: Mapping[str, str] = {ASK: say("wait for a decision"), BY_ITSELF: say("go on the next invoices")}
_CODES: dict[str, Mapping[str, str]] = {
    "late_bills": _DECIDES,
    "corrections": _DECIDES,
    "automatic": {"off": say("off"), "propose": say("propose"), "send": say("send")},
    "utility_type": UTILITY_NAMES,
    "utility_types": UTILITY_NAMES,
    "method": {
        "CASH": say("in cash"),
        "TRANSFER": say("by transfer"),
        "CHEQUE": say("by check"),
        "CARD": say("by card"),
    },
    "billing_month_rule": BILLING_MONTH_RULE_NAMES,
    "permission": {"READ": say("read"), "FULL": say("read and change"), "ADMIN": say("read, change and manage")},
    "split_method": {code: method.by for code, method in SPLIT_METHODS.items()},
    "state": {
        "reading": say("being read"),
        "draft": say("to check"),
        "unreadable": say("not readable"),
        "billed": say("became a bill"),
        "set aside": say("set aside"),
        "open": say("open"),
        "closed": say("done"),
    },
}  # fmt: skip
"""The words for the codes that a field may contain, by field."""


def differences(
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    labels: Mapping[str, str] | None = None,
) -> list[Change]:
    """List the differences between two states of a record, by field.

    If the record was just created or was deleted, only one state is given, and its fields are listed. Fields that
    mean nothing to people are left out. `labels` maps unit ids to the labels that replace the ids in weights.

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
    >>> differences(None, {"usage": "OTHER=7000 kWh @ 0.12"})[0].became
    (('Other', Usage(used=Decimal('7000'), unit='kWh', price=Decimal('0.12'))),)
    """
    was, became = before or {}, after or {}
    changes, names = [], dict.fromkeys([*was, *became])
    if "billing_months" in names:
        names.pop("chosen_month", None)  # less specific than billing_months
    for name in names:
        if not is_shown(name):
            continue
        former, other = (_in_words(name, _plain(of.get(name)), labels or {}) for of in (was, became))
        if former != other:
            changes.append(Change(label(name), _written(name, former, other), former, other))
    return changes[:MOST_CHANGES_SHOWN]


def is_shown(name: str) -> bool:
    """True if a stored field is shown to people in the audit log."""
    return name not in _PASSED_OVER and not name.endswith(("_id", "_hash"))


def is_money(name: str) -> bool:
    """True if a stored field is an amount in cents."""
    return _WRITTEN.get(name) == "money"


def is_yes_or_no(name: str) -> bool:
    """True if a stored field is a boolean, which databases may store as a number."""
    return name in _TICKED or name.startswith("is_")


def _plain(value: Any) -> Any:
    return None if value in ("", [], {}) else value


def units_in(*states: Mapping[str, Any] | None) -> set[str]:
    """Return the ids of the units in a record's weights, before and after a change."""
    return {unit_id for state in states if state for unit_id in _weights(state.get("weights"))}


def _weights(value: Any) -> Mapping[str, str]:
    weights = json.loads(value) if isinstance(value, str) and value else value
    return weights if isinstance(weights, dict) else {}


def _in_words(name: str, value: Any, labels: Mapping[str, str]) -> Any:
    """Format a field's value in words that people understand, instead of codes and ids."""
    if value is None:
        return None
    if name == "weights":
        weights = _weights(value)
        if len(weights) > MOST_CHANGED_WEIGHTS_SHOWN:
            return value
        return tuple(sorted((labels.get(unit_id, say("a unit that is gone")), of) for unit_id, of in weights.items()))
    if name == "amounts":  # a single part equals the total
        return tuple((LINE_NAMES.get(part, part), cents) for part, cents in value.items()) if len(value) > 1 else None
    if words := _CODES.get(name):
        codes = value.split(";") if isinstance(value, str) else value
        return joined((words.get(code, code) for code in codes), ", ")
    return _BY_KIND[name](value) if name in _BY_KIND else value


def _names(value: str) -> str:
    names = line_names.from_text(value)
    return joined((say("{utility}: {name}", utility=UTILITY_NAMES[kind], name=name) for kind, name in names), ", ")


def _usages(value: str) -> tuple[tuple[str, Usage], ...]:
    return tuple((UTILITY_NAMES[kind], used) for kind, used in from_text(value))


_BY_KIND: Mapping[str, Callable[[str], Any]] = {"line_names": _names, "usage": _usages}
"""The parsers of texts that have a part for each utility type."""


def label(name: str) -> str:
    """Return the name under which the audit log shows a field."""
    return _LABELS.get(name) or name.replace("_", " ").capitalize()


_TICKED = ("mail_on", "hold_flagged", "shows_bills", "carry_credits", "guessed")
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
            "active_from", "active_to", "answer_by", "bill_date", "day", "due_date", "invoice_date", "move_in",
            "move_in_date", "move_out", "move_out_date", "moves_in", "moves_out", "service_end", "service_start",
        ), "day",
    ),
    **dict.fromkeys(("at", "since"), "moment"),
    "owner_percent": "percent",
    "amounts": "amounts",
    "usage": "usages",
    "billing_months": "months",
    **dict.fromkeys(("blend", "choices", "components", "mapping", "outcome"), "hidden"),
    **dict.fromkeys(_TICKED, "yes or no"),
    "send_at": "text",
}  # fmt: skip
"""The way to write a value, by the name of its field.

The value itself does not decide, because users may type text that looks like a date or a list.
"""


def _written(name: str, was: Any, became: Any) -> Written:
    value = was if became is None else became
    if name in _WRITTEN:
        return _WRITTEN[name]
    if name == "weights":
        return "hidden" if isinstance(was, str) or isinstance(became, str) else "weights"
    if isinstance(value, (list, tuple, dict)) or (name == "names" and isinstance(value, str)):  # a header, as JSON
        return "hidden"
    if isinstance(value, bool) or name.startswith("is_"):
        return "yes or no"
    return "moment" if name.endswith(("_at", "_until")) else "text"


def name_of(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> str:
    """Return the name of a record, or "" if its stored states contain none.

    The later state takes precedence.

    >>> name_of(None, {"id": "unit_1", "label": "2B"}), name_of(None, None)
    ('2B', '')
    """
    kept = after or before or {}
    for field in ("number", "label", "name", "issuer_name", "utility_type", "email"):
        if isinstance(kept.get(field), str) and kept[field]:
            return str(kept[field])
    return ""
