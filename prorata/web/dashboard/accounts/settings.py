"""The settings pages: the account, its API keys and its members."""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from secrets import token_bytes, token_urlsafe
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from prorata.actions.accounts import accounts, api_keys, member_lists, members, own_profile
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.limits import MOST_MEMBERS
from prorata.actions.lists import form_tokens
from prorata.actions.recalculation import correction_decisions
from prorata.domain.accounts.api_keys import FEWEST_RANDOM_BYTES, Permission
from prorata.domain.accounts.login_throttling import ADDRESSES_OF_AN_ACCOUNT, MINUTES_OF_ADDRESSES
from prorata.domain.accounts.permissions import ROLE_NAMES, Role, may
from prorata.domain.accounts.scopes import RESOURCE_NAMES, RESOURCES, Access
from prorata.domain.accounts.settings import (
    BILLING_MONTH_RULE_NAMES,
    FIRST_ANSWER_DAYS,
    FIRST_AUTOMATIC_DAY,
    FIRST_KEEP_INVOICES_YEARS,
    LAST_AUTOMATIC_DAY,
    LOCALES,
    BillingMonthRule,
    currencies,
    timezones,
)
from prorata.domain.limits import (
    LONGEST_ANNOUNCE_DAYS,
    LONGEST_ANSWER_DAYS,
    LONGEST_API_KEY_NAME,
    LONGEST_BILLER_ADDRESS,
    LONGEST_BILLER_CONTACT,
    LONGEST_BILLER_PHONE,
    LONGEST_KEEP_DAYS,
    LONGEST_KEEP_YEARS,
    LONGEST_MAIL_HOLD,
    LONGEST_PAY_TEXT,
    LONGEST_PAYEE,
    LONGEST_PAYMENT_TERMS,
    LONGEST_PERSON_NAME,
)
from prorata.domain.months.runs import Automatic
from prorata.domain.texts import joined, say
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.recalculation.waiting_corrections import WaitingSum
from prorata.web.dashboard.accounts import month_moves
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.list_queries import ROWS, ListQuery
from prorata.web.dashboard.kernel.pages import VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.http.fields import DateText, text

LOST_WITH_A_KEY = say("Programs that use this key will stop working immediately. This can’t be undone.")
_SHOWN_BEFORE = say(
    "This key has already been created and shown, so no other was created. It can't be shown again: if you have not "
    "copied it, revoke it and create another."
)
_INVITED = say("An invitation is on its way to {email}.")
_INVITATION_WRITTEN = say(
    "No mail server is set up here, so the invitation to {email} was saved as a file in the outbox folder. Ask "
    "whoever runs this installation for it."
)
_SAVED = say("Saved.")
_OWN_KEYS = say(
    "API keys you created will keep working. Under API keys, revoke the ones you no longer need before you continue."
)
_NO_OWNER_ANY_MORE = say(
    "You won’t be able to change members, keys and settings, and any invitations you sent that haven’t been accepted "
    "will be withdrawn. Only another owner can make you an owner again."
)


def _question(title: str, lost: str, does: str, back: str, fields: dict[str, str] | None = None) -> Shown:
    return Shown("confirm.html", {"title": title, "lost": lost, "does": does, "back": back, "fields": fields or {}})


class AccountForm(Struct, kw_only=True):
    """The form of an account's settings."""

    name: Annotated[str, text(LONGEST_PERSON_NAME)]
    address: Annotated[str, text(LONGEST_BILLER_ADDRESS, least=0)] = ""
    contact: Annotated[str, text(LONGEST_BILLER_CONTACT, least=0)] = ""
    phone: Annotated[str, text(LONGEST_BILLER_PHONE, least=0)] = ""
    timezone: Annotated[str, text(64)]
    locale: Annotated[str, text(16)]
    currency: Annotated[str, text(3)]
    pay_text: Annotated[str, text(LONGEST_PAY_TEXT, least=0)] = ""
    pay_holder: Annotated[str, text(LONGEST_PAYEE, least=0)] = ""
    pay_iban: Annotated[str, text(64, least=0)] = ""
    pay_bic: Annotated[str, text(32, least=0)] = ""
    pay_routing: Annotated[str, text(32, least=0)] = ""
    pay_number: Annotated[str, text(32, least=0)] = ""
    payment_terms: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_PAYMENT_TERMS)]
    answer_days: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_ANSWER_DAYS)] = FIRST_ANSWER_DAYS
    keep_invoices_years: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_KEEP_YEARS)] = FIRST_KEEP_INVOICES_YEARS
    keep_tenants_years: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_KEEP_YEARS)] = 0
    keep_bank_files_days: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_KEEP_DAYS)] = 0
    send_at: Annotated[str, text(5, least=0)] = ""
    mail_on: bool = False
    mail_hold: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_MAIL_HOLD)] = 0
    reminders_before: Annotated[str, text(60, least=0)] = ""
    reminders_after: Annotated[str, text(60, least=0)] = ""
    billing_month_rule: BillingMonthRule = "MOST_DAYS"
    late_bills: Literal["ask", "next open month"] = "ask"
    corrections: Literal["ask", "automatic"] = "ask"
    announce_days: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_ANNOUNCE_DAYS)] = 0
    is_sure: bool = False
    hold_flagged: bool = False
    shows_bills: bool = False
    carry_credits: bool = False
    automatic: Automatic = "off"
    automatic_day: Annotated[int, msgspec.Meta(ge=1, le=LAST_AUTOMATIC_DAY)] = FIRST_AUTOMATIC_DAY


class KeysQuery(ListQuery, kw_only=True):
    """The order of the list of API keys."""

    sort: api_keys.Sort = "-added"


class MembersQuery(ListQuery, kw_only=True):
    """The order of the list of members and invitations."""

    sort: member_lists.Sort = "added"


class KeyForm(Struct, kw_only=True):
    """The form of a new API key.

    `once` is a random text, new in each displayed form, which reveals that the same form is submitted twice.
    """

    once: Annotated[str, text(64, least=0)] = ""
    name: Annotated[str, text(LONGEST_API_KEY_NAME, least=0)] = ""
    permission: Permission
    properties: Access | None = None
    tenants: Access | None = None
    rules: Access | None = None
    bills: Access | None = None
    invoices: Access | None = None
    payments: Access | None = None
    exports: Access | None = None
    webhooks: Access | None = None
    audit: Access | None = None
    jobs: Access | None = None
    account: Access | None = None
    members: Access | None = None
    keys: Access | None = None
    expires: DateText | None = None

    @property
    def scopes(self) -> list[str]:
        """The new key's scopes; if there are none, scopes don't limit the key."""
        chosen = {resource: getattr(self, resource) for resource in RESOURCES}
        return [f"{resource}:{access}" for resource, access in chosen.items() if access]


class InviteForm(Struct, kw_only=True):
    """The e-mail address to invite, and the new member's role.

    `once` is a random text, new in each displayed form, which reveals that the same form is submitted twice.
    """

    once: Annotated[str, text(64, least=0)] = ""
    email: Annotated[str, text(254)]
    role: Role


class RoleForm(Struct, kw_only=True):
    """A member's new role.

    `is_sure` means that the person has confirmed the change, which is needed for some changes.
    """

    new_role: Role
    is_sure: bool = False


_TICKED = ("mail_on", "hold_flagged", "shows_bills", "carry_credits")


@page("GET", "/settings", may="manage")
def settings_page(ask: Ask[None, None]) -> Shown:
    """Show the account's settings."""
    row = accounts.the_account(ask.tx, ask.caller)
    locales = LOCALES if row.locale in dict(LOCALES) else ((row.locale, row.locale), *LOCALES)
    values = {"timezones": timezones(), "currencies": currencies(), "locales": locales}
    days = {name: getattr(row, name).replace(",", ", ") for name in ("reminders_before", "reminders_after")}
    ticked = {name: bool(getattr(row, name)) for name in _TICKED}
    return Shown(
        "settings.html",
        {**values, "month_rules": tuple(BILLING_MONTH_RULE_NAMES.items())},
        row._asdict() | days | ticked | {VERSION: row.updated_at},
    )


@page("POST", "/settings", may="manage", form=AccountForm, again=settings_page)
def change_settings(ask: Ask[None, AccountForm]) -> Shown | GoTo:
    """Save the account's settings.

    If the new settings would immediately put pending corrections on invoices, ask for confirmation first. If a
    changed billing month rule would move bills to other months, redirect to these bills.
    """
    fields = msgspec.structs.asdict(ask.form)
    is_sure, wishes = fields.pop("is_sure"), Wishes(**fields)
    if not is_sure and (waiting := correction_decisions.placed_by(ask.tx, ask.caller, wishes)):
        return _ask_about_corrections(ask, waiting)
    rule = accounts.the_account(ask.tx, ask.caller).billing_month_rule
    correction_decisions.change_settings(ask.tx, ask.caller, wishes, seen=ask.seen)
    moves = month_moves.after_rule(ask, "", _SAVED) if wishes.billing_month_rule != rule else None
    return (moves or GoTo("/settings", _SAVED))._replace(locale=own_profile.locale_of(ask.tx, ask.person))


def _ask_about_corrections(ask: Ask[None, AccountForm], waiting: Sequence[WaitingSum]) -> Shown:
    """Ask to confirm adding pending corrections to invoices; show the corrections' number and sums."""
    sums = correction_decisions.waiting_in_words(waiting, ask.write)
    lost = say(
        "Corrections that are waiting will be added to the next invoices immediately: {sums}. You’ll see them on the "
        "drafts before you send them.",
        sums=sums,
    )
    fields = {name: _as_sent(value) for name, value in msgspec.structs.asdict(ask.form).items()}
    fields |= {"is_sure": "true"} | ({} if ask.seen is None else {VERSION: ask.seen})
    does = say("Add these, and later ones automatically")
    return _question(say("Add corrections to invoices automatically?"), lost, does, "/settings", fields)


def _as_sent(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


@page("GET", "/settings/keys", may="manage", query=KeysQuery)
def keys_page(ask: Ask[Any, None]) -> Shown:
    """Show the API keys, and the form for a new one."""
    return _keys(ask, None)


@page("POST", "/settings/keys", may="manage", form=KeyForm, again=keys_page)
def create_key(ask: Ask[None, KeyForm]) -> Shown | GoTo:
    """Create an API key, and show it once.

    The key can't be shown again. If the same form is sent again, no other key is created.
    """
    form, random_bytes = ask.form, _random_bytes(ask)
    if api_keys.was_made(ask.tx, ask.caller, random_bytes, ask.outside.hasher):
        return GoTo("/settings/keys", _SHOWN_BEFORE, warns=True)
    _, key = api_keys.create(
        ask.tx,
        ask.caller,
        name=form.name,
        permission=form.permission,
        scopes=form.scopes,
        expires_at=api_keys.end_of(ask.tx, ask.caller, date.fromisoformat(form.expires) if form.expires else None),
        random_bytes=random_bytes,
        hasher=ask.outside.hasher,
    )
    return _keys(ask, key)


def _random_bytes(ask: Ask[None, KeyForm]) -> bytes:
    """Return the random bytes from which a new API key is made.

    If a member sends the same form again, the bytes are the same, so that the earlier key is recognized.
    """
    if not ask.form.once:
        return token_bytes(FEWEST_RANDOM_BYTES)
    return bytes.fromhex(ask.outside.sessions(f"key {ask.person.member_id} {ask.form.once}")[0])


def _keys(ask: Ask[Any, Any], new: str | None) -> Shown:
    query = ask.query if isinstance(ask.query, KeysQuery) else KeysQuery()
    found_keys = api_keys.page(ask.tx, ask.caller, query.search, sort=query.sort, limit=ROWS, offset=query.offset)
    values = {
        "found": found_keys,
        "query": query,
        "parameters": {"search": query.search, "sort": query.sort},
        "limit": ROWS,
        "new": new,
        "base_url": ask.outside.settings.base_url,
        "lost": LOST_WITH_A_KEY,
        "longest_name": LONGEST_API_KEY_NAME,
        "resources": RESOURCE_NAMES,
    }
    return Shown("keys.html", values, {"permission": "READ", "once": token_urlsafe(FEWEST_RANDOM_BYTES)})


@page("GET", "/settings/keys/{key}/revoke", may="manage")
def revoke_key_question(ask: Ask[None, None]) -> Shown:
    """Ask to confirm revoking an API key, for browsers without scripts."""
    row = api_keys.the_key(ask.tx, ask.caller, ask.path["key"])
    return _question(say("Revoke {name}?", name=row.name), LOST_WITH_A_KEY, say("Revoke the key"), "/settings/keys")


@page("POST", "/settings/keys/{key}/revoke", may="manage")
def revoke_key(ask: Ask[None, None]) -> GoTo:
    """Revoke an API key for good."""
    row = api_keys.revoke(ask.tx, ask.caller, ask.path["key"])
    return GoTo(
        "/settings/keys",
        say("The key {name} was revoked. Programs can no longer use it.", name=row.name),
    )


@page("GET", "/settings/members", may="manage", query=MembersQuery)
def members_page(ask: Ask[Any, None]) -> Shown:
    """Show the account's members and the open invitations.

    If a change to a member was refused, the page lists all members, with the reason beside the member concerned.
    """
    query = ask.query if isinstance(ask.query, MembersQuery) else MembersQuery()
    limit = MOST_MEMBERS if "member" in ask.path else ROWS
    values = {
        "found": member_lists.page(ask.tx, ask.caller, query.search, sort=query.sort, limit=limit, offset=query.offset),
        "query": query,
        "parameters": {"search": query.search, "sort": query.sort},
        "limit": limit,
        "undelivered": members.undelivered(ask.tx, ask.caller),
        "refused": ask.path.get("member", ""),
    }
    return Shown("members.html", values, {"role": "manager", "once": new_token()})


@page("POST", "/settings/members", may="manage", form=InviteForm, again=members_page)
async def invite_member(steps: Steps) -> GoTo:
    """Invite a person by e-mail."""
    form, caller = steps.form, steps.caller
    tried = await steps.throttle(f"addresses of {caller.account_id}", ADDRESSES_OF_AN_ACCOUNT, MINUTES_OF_ADDRESSES)
    email = await steps.write(lambda tx: _invited(tx, caller, form))
    await steps.give_back(tried)
    is_written = steps.outside.settings.smtp_url is None
    return GoTo("/settings/members", (_INVITATION_WRITTEN if is_written else _INVITED).format(email=email))


def _invited(tx: Tx, caller: Caller, form: InviteForm) -> str:
    """Create and send the invitation, and return the invited person's e-mail address.

    If the same form is sent again, no second invitation is sent.
    """
    mark = sha256(f"{form.once} {form.email} {form.role}".encode()).hexdigest() if form.once else None
    if not form_tokens.is_first(tx, caller, mark):
        return form.email
    return members.invite(tx, caller, email=form.email, role=form.role).email


@page("POST", "/settings/members/{member}/role", may="manage", form=RoleForm, again=members_page)
def change_role(ask: Ask[None, RoleForm]) -> GoTo | Shown:
    """Change a member's role.

    Owners must confirm that they give up their own role, and are then redirected to a page that they may still open. A
    confirmation is also needed if the member can no longer manage API keys, but keys that the member created still
    work.
    """
    member, role = ask.path["member"], ask.form.new_role
    gives_up = member == ask.person.member_id and not may(role, "manage")
    of_keys = members.asked_before_role(ask.tx, ask.caller, member, role)
    if (gives_up or of_keys) and not ask.form.is_sure:
        members.refuse_last_owner(ask.tx, ask.caller, member)
        return _asked_of_role(ask, of_keys, gives_up=gives_up)
    done = members.change_role(ask.tx, ask.caller, member, role)
    return GoTo("/" if gives_up else "/settings/members", done.in_sentences)


def _asked_of_role(ask: Ask[None, RoleForm], of_keys: str, *, gives_up: bool) -> Shown:
    role, fields = ask.form.new_role, {"new_role": ask.form.new_role, "is_sure": "true"}
    if gives_up:
        lost = joined([_NO_OWNER_ANY_MORE, _OWN_KEYS if of_keys else ""])
        does = say("Change my role to {role}", role=ROLE_NAMES[role])
        return _question(say("Stop being an owner?"), lost, does, "/settings/members", fields)
    row = members.the_member(ask.tx, ask.caller, ask.path["member"])
    title = say("Change the role of {name} to {role}?", name=row.name or row.email, role=ROLE_NAMES[role])
    return _question(title, of_keys, say("Change the role"), "/settings/members", fields)


@page("GET", "/settings/members/{member}/remove", may="manage")
def remove_member_question(ask: Ask[None, None]) -> Shown:
    """Ask to confirm removing a member, for browsers without scripts."""
    row = members.the_member(ask.tx, ask.caller, ask.path["member"])
    title = say("Remove {name}?", name=row.name or row.email)
    lost = members.lost(ask.tx, ask.caller, row.id)
    return _question(title, lost, say("Remove the member"), "/settings/members")


@page("POST", "/settings/members/{member}/remove", may="manage", again=members_page)
def remove_member(ask: Ask[None, None]) -> GoTo:
    """Remove a member."""
    members.remove(ask.tx, ask.caller, ask.path["member"])
    return GoTo("/settings/members", say("The member was removed and has been signed out everywhere."))


@page("POST", "/settings/members/invitations/{link}", may="manage")
def withdraw_invitation(ask: Ask[None, None]) -> GoTo:
    """Withdraw an invitation."""
    members.withdraw_invitation(ask.tx, ask.caller, ask.path["link"])
    return GoTo("/settings/members", say("The invitation was withdrawn."))
