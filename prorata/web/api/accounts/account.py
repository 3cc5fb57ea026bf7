"""The settings of the account that an API key belongs to (docs/operating.md)."""

from typing import Any

from prorata.actions.accounts import accounts, letterheads
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.recalculation import correction_decisions
from prorata.domain.accounts.reminder_plan import in_days, of_days
from prorata.domain.accounts.settings import BY_ITSELF
from prorata.store.accounts.accounts import AccountRow
from prorata.web.api.accounts.account_schemas import COLUMNS, Account, AccountChange, LogoUpload
from prorata.web.api.examples import ACCOUNT_SENT
from prorata.web.http.field_names import named_as_in
from prorata.web.http.limits import MOST_LOGO_BYTES
from prorata.web.http.operations import FORM, Call, operation
from prorata.web.http.request_schemas import sent_fields
from prorata.web.http.response_schemas import Message

_LATE_BILLS = {"ask": "ask", BY_ITSELF: "nextOpenMonth"}
_OR_NULL = ("address", "email", "phone", "pay_text", "pay_holder", "pay_iban", "pay_bic", "pay_routing_number",
            "pay_account_number", "mail_subject", "mail_opening")  # fmt: skip

_TICKED = ("sends_mail", "hold_flagged", "shows_bills", "carry_credits")


def _shown(call: Call[Any, Any], row: AccountRow) -> Account:
    """Convert an account to the API's format."""
    chosen = letterheads.the_letterhead(call.tx, call.caller)
    its: dict[str, Any] = {name: getattr(row, COLUMNS.get(name, name), None) for name in Account.__struct_fields__}
    its |= {name: its[name] or None for name in _OR_NULL}
    its |= {name: bool(its[name]) for name in _TICKED}
    its |= {name: list(of_days(its[name])) for name in ("reminder_days_before", "reminder_days_after")}
    its |= {"late_bills": _LATE_BILLS[row.late_bills], "color": chosen.color, "has_logo": chosen.logo is not None}
    return Account(**its)


def _wishes(sent: dict[str, Any]) -> Wishes:
    """Convert a client's settings to the `Wishes` of the action that changes settings.

    Null becomes an empty text, which clears a setting.
    """
    for name in ("reminder_days_before", "reminder_days_after"):
        if name in sent:
            sent[name] = in_days(sent[name])
    if sent.get("late_bills") == "nextOpenMonth":
        sent["late_bills"] = BY_ITSELF
    wanted: dict[str, Any] = {COLUMNS.get(name, name): "" if value is None else value for name, value in sent.items()}
    return Wishes(**wanted)


@operation("GET", "/account", summary="Read your account", answer=Account, is_one=True)
def read_account(call: Call[None, None]) -> Account:
    """Read the account that your key belongs to: its settings, and your details on invoices."""
    return _shown(call, accounts.the_account(call.tx, call.caller))


@operation(
    "PUT", "/account/logo", summary="Choose a logo", body=LogoUpload, takes=FORM, takes_logo=True,
    most_bytes=MOST_LOGO_BYTES, answer=Account, manages=True,
)  # fmt: skip
def choose_logo(call: Call[None, LogoUpload]) -> Account:
    """Set the logo (PNG, JPEG or GIF) for tenants' pages and future invoices and e-mails."""
    letterheads.choose_logo(call.tx, call.caller, call.logo)
    return _shown(call, accounts.the_account(call.tx, call.caller))


@operation("DELETE", "/account/logo", summary="Take the logo off", answer=Message, manages=True)
def take_logo_off(call: Call[None, None]) -> Message:
    """Remove the logo from future invoices and e-mails, and from tenants' pages."""
    letterheads.choose_logo(call.tx, call.caller, None)
    return Message(message="The logo has been taken off.")


@operation(
    "PATCH", "/account", summary="Change your account", body=AccountChange, answer=Account, manages=True,
    example=ACCOUNT_SENT,
)  # fmt: skip
def change_account(call: Call[None, AccountChange]) -> Account:
    """Change the account's settings; settings that you leave out stay as they are.

    Invoices that were already sent, and e-mails that wait to be sent, don't change. If you set `corrections` to
    `automatic`, pending corrections are put on the next invoices at once.
    """
    sent = sent_fields(call.body)
    with named_as_in(AccountChange, COLUMNS):
        if "color" in sent:
            letterheads.choose_color(call.tx, call.caller, sent.pop("color") or "")
        return _shown(call, correction_decisions.change_settings(call.tx, call.caller, _wishes(sent)))
