"""Opening an account, accepting an invitation, resetting a password, and confirming an address."""

import asyncio
from functools import cache
from typing import Annotated

from babel.core import get_global
from msgspec import Struct

from prorata.actions.accounts import members, own_profile, password_policy, sign_in, sign_up
from prorata.actions.overview.schedule import RECURRING
from prorata.domain.accounts.login_throttling import (
    MINUTES,
    MINUTES_OF_OPENINGS,
    OF_AN_ADDRESS,
    OPENINGS,
    OPENINGS_OF_AN_ADDRESS,
)
from prorata.domain.accounts.one_time_links import INVITE, RESET, VERIFY
from prorata.domain.accounts.settings import LOCALES, ZONES, currencies, likely_currency, likely_locale, timezones
from prorata.domain.countries import COUNTRIES
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.accounts.members import MemberRow
from prorata.web.dashboard.accounts.sign_in import confirms_first, signed_in, try_to_be
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, GoTo, Shown, page
from prorata.web.http.fields import secret, text

_LOOK = say("Check your mailbox: if this address can be used here, a message with a link is on its way.")
_LOOK_IN_THE_OUTBOX = say(
    "No mail server is set up here. If this address can be used here, a message with a link was saved as a file in "
    "the outbox folder. Ask whoever runs this installation for it."
)
_CONFIRMED = say("Your e-mail address is confirmed.")
_NOT_IT = say("This isn’t the account’s password. Try again, or set a new one.")
SECONDS_OF_AN_ANSWER = 0.2
"""The time, in seconds, that an answer takes.

It is longer than storing a link takes, so that nobody can tell from the delay whether a link was stored.
"""
Password = Annotated[str, secret()]


class Invited(Struct):
    """The operator's invitation to open an account, from a link's address."""

    invite: Annotated[str, text(1_000, least=0)] = ""


_LONGER = 10_000
"""A length in characters above all limits of the fields.

A value that is too long is then refused together with all other problems.
"""


class SignUp(Invited, kw_only=True):
    """The form with which a person opens an account.

    It accepts texts that are missing or too long, so that these problems are reported together with all others.
    """

    name: Annotated[str, text(_LONGER, least=0)] = ""
    account_name: Annotated[str, text(_LONGER, least=0)] = ""
    email: Annotated[str, text(_LONGER, least=0)] = ""
    password: Annotated[str, secret(least=0)] = ""
    timezone: Annotated[str, text(64)]
    locale: Annotated[str, text(16)]
    currency: Annotated[str, text(3)]


@cache
def _places() -> str:
    """Return each time zone with its country and currency, such as "Europe/London GB GBP".

    The page proposes those of the browser's time zone, which only a script can read. Zones of no country are left out.
    """
    countries, names = get_global("zone_territories"), get_global("zone_aliases")
    found = {zone: countries.get(names.get(zone, zone), "") for zone in timezones()}
    return ",".join(f"{zone} {of} {likely_currency(of, '')}" for zone, of in found.items() if of in COUNTRIES)


@page("GET", "/sign-up", may=None, query=Invited)
async def sign_up_form(steps: Steps) -> Answered:
    """Show the form for a new account, if people may open accounts in this installation."""
    token = getattr(steps.query, "invite", "") or (steps.form or {}).get("invite", "")
    opening = await steps.read(lambda tx: steps.outside.signer.read_opening(token, tx.moment))
    how = steps.outside.settings.signup
    if steps.form is None:
        await steps.read(lambda tx: sign_up.refuse_closed(tx, how, opening, was_invited=bool(token)))
    values = {"timezones": timezones(), "currencies": currencies(), "locales": LOCALES, "places": _places()}
    locale = likely_locale(steps.languages, [code for code, _ in LOCALES])
    likely = {"locale": locale, "timezone": ZONES[locale], "currency": likely_currency(locale, "USD")}
    return Shown("sign_up.html", values, {"invite": token, "email": opening.email if opening else "", **likely})


@page("POST", "/sign-up", may=None, form=SignUp, again=sign_up_form)
async def open_account(steps: Steps) -> Answered:
    """Open the account, and sign its owner in.

    If the e-mail address already belongs to a member, or must be confirmed first, nobody is signed in, and a
    message is sent to the address.
    """
    form: SignUp = steps.form
    await steps.throttle_here("sign-up", OF_AN_ADDRESS, MINUTES)
    row = await _opened(steps, form)
    if row is None or (row.verified_at is None and confirms_first(steps)):
        return GoTo("/sign-in", _where_to_look(steps))
    return await signed_in(steps, row, "/", _welcome(steps, row))


def _where_to_look(steps: Steps) -> str:
    """Return the message that states where to look for the e-mailed link.

    The message is the same if no link was sent, so that it doesn't reveal whether an address belongs to a member.
    """
    return _LOOK_IN_THE_OUTBOX if steps.outside.settings.smtp_url is None else _LOOK


def _welcome(steps: Steps, row: MemberRow) -> str:
    """Return the welcome message for a new member who was signed in at once.

    If the installation has no mail server, the message doesn't ask the member to check a mailbox.
    """
    if row.verified_at is not None:
        return say("Welcome to Prorata.")
    if steps.outside.settings.smtp_url is None:
        return say("Welcome to Prorata. E-mail isn’t set up here yet, so your address isn’t confirmed.")
    return say(
        "Welcome to Prorata. Check your mailbox and open the link in our message to {email}, so that invoices can be "
        "sent by e-mail.",
        email=row.email,
    )


async def _opened(steps: Steps, form: SignUp) -> MemberRow | None:
    """Open the account and return its owner, unless the address already has a member.

    In that case, return None after the same delay, so that the time doesn't reveal that the address is known.
    """
    signer, settings = steps.outside.signer, steps.outside.settings
    opening = await steps.read(lambda tx: signer.read_opening(form.invite, tx.moment))
    await steps.read(lambda tx: sign_up.refuse_closed(tx, settings.signup, opening, was_invited=bool(form.invite)))
    entered = {name: getattr(form, name) for name in form.__struct_fields__ if name != "invite"}
    if wrong := sign_up.problems(**entered):
        raise InvalidRequest.because(wrong)
    await steps.throttle_here("opening", OPENINGS_OF_AN_ADDRESS, MINUTES_OF_OPENINGS)
    await steps.throttle("opening", OPENINGS, MINUTES_OF_OPENINGS)
    named = (form.email, form.name, form.account_name)
    made = await steps.pools.hash(
        lambda: password_policy.hash_of(entered.pop("password"), steps.outside.passwords, *named)
    )
    mail_leaves = settings.smtp_url is not None
    opening_it = steps.write(
        lambda tx: sign_up.open(
            tx,
            recurs=RECURRING,
            how=settings.signup,
            password_hash=made,
            invite=opening,
            mail_leaves=mail_leaves,
            **entered,
        )
    )
    row, _ = await asyncio.gather(opening_it, asyncio.sleep(SECONDS_OF_AN_ANSWER))
    return row


class Address(Struct, kw_only=True):
    """The e-mail address of a person who has forgotten the password."""

    email: Annotated[str, text(254)]


class NewPassword(Struct, kw_only=True):
    """The new password that replaces a forgotten one."""

    password: Password


class Confirming(Struct, kw_only=True):
    """The password of a person who confirms an e-mail address.

    It is empty if the person is signed in.
    """

    password: Annotated[str, secret(least=0)] = ""


class Joining(NewPassword, kw_only=True):
    """The name and new password of a person who accepts an invitation."""

    name: Annotated[str, text(255)]


@page("GET", "/forgot", may=None)
async def forgot_form(_steps: Steps) -> Answered:
    """Show the form for requesting a link to reset a forgotten password."""
    return Shown("forgot.html")


@page("POST", "/forgot", may=None, form=Address, again=forgot_form)
async def request_reset(steps: Steps) -> Answered:
    """Send a link to reset the password, if the e-mail address belongs to a member.

    The answer, and the time that it takes, are the same if the address belongs to nobody.
    """
    await steps.throttle_here("reset", OF_AN_ADDRESS, MINUTES)
    sending = steps.write(lambda tx: own_profile.request_reset(tx, steps.form.email))
    await asyncio.gather(sending, asyncio.sleep(SECONDS_OF_AN_ANSWER))
    return GoTo("/sign-in", _where_to_look(steps))


@page("GET", "/reset/{token}", may=None)
async def reset_form(steps: Steps) -> Answered:
    """Show the form in which a person sets a new password."""
    try:
        _, row = await _linked(steps, RESET)
    except Conflict as over:
        return _over(RESET, over)
    return Shown("reset.html", {"email": row.email})


@page("POST", "/reset/{token}", may=None, form=NewPassword, again=reset_form)
async def reset_password(steps: Steps) -> Answered:
    """Save the new password.

    The person then has to sign in with it, and with the second factor if there is one.
    """
    link, row = await _followed(steps, RESET)
    account_name = await steps.read(lambda tx: own_profile.account_name(tx, row))
    made = await _new_hash(steps, row.email, row.name, account_name)
    await steps.write(lambda tx: own_profile.reset(tx, link, password_hash=made))
    return GoTo("/sign-in", say("Your new password is set. Sign in with it."), ends=True)


@page("GET", "/verify/{token}", may=None)
async def verify_form(steps: Steps) -> Answered:
    """Show the e-mail address to confirm, with a button for confirming it.

    People who aren't signed in are also asked for their password. Opening this page confirms nothing, so that
    programs that scan e-mails don't use up the link.
    """
    link = steps.outside.signer.read(VERIFY, steps.path["token"])
    try:
        row, account_name = await steps.read(lambda tx: own_profile.to_verify(tx, link))
    except Conflict as over:
        return _over(VERIFY, over)
    values = {"email": row.email, "account_name": account_name, "is_in": _is_in(steps, row)}
    values["is_another"] = row.verified_at is not None
    return Shown("verify.html", values | {"link_token": steps.path["token"]})


@page("POST", "/verify/{token}", may=None, form=Confirming, again=verify_form)
async def verify_address(steps: Steps) -> Answered:
    """Confirm the e-mail address, and sign in unless a second factor is needed."""
    link, row = await _followed(steps, VERIFY)
    if not _is_in(steps, row):
        tries = await try_to_be(steps, row.email, row)
        if not await steps.pools.hash(lambda: sign_in.check(row, steps.form.password, steps.outside.passwords)):
            raise InvalidRequest.because([Problem("password", _NOT_IT)])
        await steps.give_back(*tries)
    after = await steps.write(lambda tx: own_profile.verify(tx, link, seen_hash=row.password_hash))
    if _is_in(steps, row) or row.has_second_factor:
        return GoTo("/", _CONFIRMED)
    return await signed_in(steps, after, "/", _CONFIRMED)


@page("POST", "/verify/{token}/not-mine", may=None)
async def disown_address(steps: Steps) -> Answered:
    """Invalidate a confirmation link whose recipient reports not having opened an account."""
    link, _ = await _followed(steps, VERIFY)
    await steps.write(lambda tx: own_profile.disown(tx, link))
    return GoTo(
        "/sign-in", say("Thank you. Your address isn’t confirmed, so nobody can use it to send e-mail in your name.")
    )


@page("GET", "/join/{token}", may=None)
async def join_form(steps: Steps) -> Answered:
    """Show the form in which an invited person enters a name and a password."""
    link = steps.outside.signer.read(INVITE, steps.path["token"])
    try:
        row, account_name = await steps.read(lambda tx: members.invitation(tx, link))
    except Conflict as over:
        return _over(INVITE, over)
    return Shown("join.html", {"invitation": row, "account_name": account_name})


@page("POST", "/join/{token}", may=None, form=Joining, again=join_form)
async def join_account(steps: Steps) -> Answered:
    """Make the invited person a member, and sign in."""
    await steps.throttle_here("link", OF_AN_ADDRESS, MINUTES)
    link = steps.outside.signer.read(INVITE, steps.path["token"])
    invited, account_name = await steps.read(lambda tx: members.invitation(tx, link))
    made = await _new_hash(steps, invited.email, steps.form.name, account_name)
    row = await steps.write(lambda tx: members.join(tx, link, name=steps.form.name, password_hash=made))
    return await signed_in(steps, row, "/", say("You have joined the account."))


async def _linked(steps: Steps, kind: str) -> tuple[str | None, MemberRow]:
    """Return the one-time link in the page's address, and the member it belongs to.

    `kind` is the purpose of the link. Raises `Conflict` if the link has expired or has been used.
    """
    link = steps.outside.signer.read(kind, steps.path["token"])
    _, row = await steps.read(lambda tx: own_profile.linked(tx, kind, link))
    return link, row


async def _followed(steps: Steps, kind: str) -> tuple[str | None, MemberRow]:
    """Count the use of an e-mailed link, and return the link and its member.

    `kind` is the purpose of the link. Each use is counted for the client's address, even if the link is invalid.
    Raises `Conflict` if the link has expired or has been used, and `RateLimited` after too many uses.
    """
    await steps.throttle_here("link", OF_AN_ADDRESS, MINUTES)
    return await _linked(steps, kind)


def _over(kind: str, refused: Conflict) -> Shown:
    """Show why an e-mailed link no longer works, and how to get another one."""
    return Shown("link_over.html", {"kind": kind, "why": refused.message}, status=refused.status)


def _is_in(steps: Steps, row: MemberRow) -> bool:
    """True if this browser's session belongs to the member."""
    return steps.person is not None and steps.person.member_id == row.id


async def _new_hash(steps: Steps, email: str, *names: str) -> str:
    """Return the hash of the new password.

    Raises `InvalidRequest` if the password is not acceptable.
    """
    password: str = steps.form.password
    return await steps.pools.hash(lambda: password_policy.hash_of(password, steps.outside.passwords, email, *names))
