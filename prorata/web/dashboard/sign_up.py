"""The ways in beside signing in: an account of one's own, an invitation, a lost password, an address to confirm."""

import asyncio
from typing import Annotated

from msgspec import Struct

from prorata.actions import members, own_access, sign_up
from prorata.domain.account_settings import currencies, timezones
from prorata.domain.one_time_links import INVITE, RESET, VERIFY
from prorata.domain.passwords import password_problem
from prorata.errors import Forbidden, InvalidRequest
from prorata.web.dashboard.pages import Answered, GoTo, Shown, Steps, page_of_steps
from prorata.web.dashboard.sign_in import MINUTES, TRIES_OF_AN_ADDRESS, signed_in
from prorata.web.fields import text

LOCALES = (
    ("en-US", "English (United States)"),
    ("en-CA", "English (Canada)"),
    ("en-GB", "English (United Kingdom)"),
    ("en-IE", "English (Ireland)"),
    ("en-AU", "English (Australia)"),
    ("de-DE", "Deutsch (Deutschland)"),
    ("de-AT", "Deutsch (Österreich)"),
    ("es-ES", "Español (España)"),
    ("es-MX", "Español (México)"),
    ("fr-FR", "Français (France)"),
    ("fr-CA", "Français (Canada)"),
)
_LOOK = "Look into your mailbox: if this address can be used here, a message with a link is on its way."
SECONDS_OF_AN_ANSWER = 0.2
"""Longer than a link takes to be written down, so that nobody sees by a watch whether one was."""
Password = Annotated[str, text(1_000)]


class Invited(Struct):
    """The invitation that a link holds."""

    invite: Annotated[str, text(1_000, least=0)] = ""


class SignUp(Invited, kw_only=True):
    """Who opens an account."""

    name: Annotated[str, text(255)]
    account_name: Annotated[str, text(255)]
    email: Annotated[str, text(254)]
    password: Password
    timezone: Annotated[str, text(64)]
    locale: Annotated[str, text(16)]
    currency: Annotated[str, text(3)]


@page_of_steps("GET", "/sign-up", query=Invited)
async def sign_up_form(steps: Steps) -> Answered:
    """The form of a new account, while one may be opened."""
    token = getattr(steps.query, "invite", "") or (steps.form or {}).get("invite", "")
    opening = await steps.read(lambda tx: steps.outside.signer.read_opening(token, tx.moment))
    how = steps.outside.settings.signup
    if steps.form is None and not await steps.read(lambda tx: sign_up.is_open(tx, how, opening)):
        raise Forbidden(sign_up.CLOSED)
    first = {"invite": token, "email": opening.email if opening else "", "timezone": "America/New_York"}
    values = {"timezones": timezones(), "currencies": currencies(), "locales": LOCALES}
    return Shown("sign_up.html", values, first | {"locale": "en-US", "currency": "USD"})


@page_of_steps("POST", "/sign-up", form=SignUp, again=sign_up_form)
async def open_account(steps: Steps) -> Answered:
    """Opens the account and signs in; an address that is known gets a message instead."""
    form: SignUp = steps.form
    await steps.throttle(f"sign-up from {steps.address}", TRIES_OF_AN_ADDRESS, MINUTES)
    entered = {name: getattr(form, name) for name in form.__struct_fields__ if name != "invite"}
    if wrong := sign_up.problems(**entered):
        raise InvalidRequest.because(wrong)
    password_hash = await steps.think(lambda: steps.outside.passwords.hash(entered.pop("password")))
    settings = steps.outside.settings
    row = await steps.write(
        lambda tx: sign_up.open(
            tx,
            how=settings.signup,
            password_hash=password_hash,
            invite=steps.outside.signer.read_opening(form.invite, tx.moment),
            mail_leaves=settings.smtp_url is not None,
            **entered,
        )
    )
    return GoTo("/sign-in", _LOOK) if row is None else await signed_in(steps, row, "/", "Welcome to Prorata.")


class Address(Struct, kw_only=True):
    """Whose password is lost."""

    email: Annotated[str, text(254)]


class NewPassword(Struct, kw_only=True):
    """The password from now on."""

    password: Password


class Joining(NewPassword, kw_only=True):
    """Who follows an invitation."""

    name: Annotated[str, text(255)]


@page_of_steps("GET", "/forgot")
async def forgot_form(_steps: Steps) -> Answered:
    """The form that asks for the address."""
    return Shown("forgot.html")


@page_of_steps("POST", "/forgot", form=Address, again=forgot_form)
async def request_reset(steps: Steps) -> Answered:
    """Sends a link, if there is somebody with this address; the answer is the same, and comes as late."""
    await steps.throttle(f"reset from {steps.address}", TRIES_OF_AN_ADDRESS, MINUTES)
    sending = steps.write(lambda tx: own_access.request_reset(tx, steps.form.email))
    await asyncio.gather(sending, asyncio.sleep(SECONDS_OF_AN_ANSWER))
    return GoTo("/sign-in", _LOOK)


@page_of_steps("GET", "/reset/{token}")
async def reset_form(_steps: Steps) -> Answered:
    """The form of a new password."""
    return Shown("reset.html")


@page_of_steps("POST", "/reset/{token}", form=NewPassword, again=reset_form)
async def reset_password(steps: Steps) -> Answered:
    """Sets the password; signing in, with the second factor where there is one, comes after it."""
    made = await _new_hash(steps, steps.form.password)
    link = steps.outside.signer.read(RESET, steps.path["token"])
    await steps.write(lambda tx: own_access.reset(tx, link, password_hash=made))
    return GoTo("/sign-in", "Your new password is set. Sign in with it.", ends=True)


@page_of_steps("GET", "/verify/{token}")
async def verify_form(_steps: Steps) -> Answered:
    """A button: programs that open links in mail are not to use them up."""
    return Shown("verify.html")


@page_of_steps("POST", "/verify/{token}", again=verify_form)
async def verify_address(steps: Steps) -> Answered:
    """Confirms the address."""
    link = steps.outside.signer.read(VERIFY, steps.path["token"])
    await steps.write(lambda tx: own_access.verify(tx, link))
    return GoTo("/", "Your e-mail address is confirmed.")


@page_of_steps("GET", "/join/{token}")
async def join_form(steps: Steps) -> Answered:
    """The form of whoever was invited."""
    link = steps.outside.signer.read(INVITE, steps.path["token"])
    row, account_name = await steps.read(lambda tx: members.invitation(tx, link))
    return Shown("join.html", {"invitation": row, "account_name": account_name})


@page_of_steps("POST", "/join/{token}", form=Joining, again=join_form)
async def join_account(steps: Steps) -> Answered:
    """Becomes a member, and signs in."""
    made = await _new_hash(steps, steps.form.password)
    link = steps.outside.signer.read(INVITE, steps.path["token"])
    row = await steps.write(lambda tx: members.join(tx, link, name=steps.form.name, password_hash=made))
    return await signed_in(steps, row, "/", "You have joined the account.")


async def _new_hash(steps: Steps, password: str) -> str:
    if wrong := password_problem(password):
        raise InvalidRequest.because([wrong])
    return await steps.think(lambda: steps.outside.passwords.hash(password))
