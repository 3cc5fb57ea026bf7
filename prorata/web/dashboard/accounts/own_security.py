"""The settings of the signed-in person: name, password, sessions and second factor."""

from functools import partial
from secrets import token_bytes
from typing import Annotated

from msgspec import Struct

from prorata.actions.accounts import own_profile, password_policy, second_factors, sessions, sign_in
from prorata.actions.accounts.own_profile import Sent
from prorata.domain.accounts.login_throttling import ADDRESSES_OF_AN_ACCOUNT, MINUTES, MINUTES_OF_ADDRESSES, OF_A_MEMBER
from prorata.domain.accounts.one_time_codes import RECOVERY_BYTES, RECOVERY_CODES, SECRET_BYTES, written
from prorata.domain.accounts.settings import LOCALES
from prorata.domain.accounts.user_agents import browser_name
from prorata.domain.callers import Person
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.accounts.members import MemberRow
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, Ask, GoTo, Outside, Shown, page
from prorata.web.dashboard.kernel.rendering import drawing
from prorata.web.http.fields import secret, text

HOME = "/settings/security"
_OF_ACCOUNT = "account"
"""The language choice that means "the account's language"."""


class NameForm(Struct, kw_only=True):
    """The signed-in person's name and language."""

    name: Annotated[str, text(255)]
    locale: Annotated[str, text(16)] | None = None


class PasswordForm(Struct, kw_only=True):
    """The current and the new password."""

    current: Annotated[str, secret()]
    password: Annotated[str, secret()]


class OwnPassword(Struct, kw_only=True):
    """The current password, which a person enters again before changing the second factor."""

    current: Annotated[str, secret()]


class EmailForm(Struct, kw_only=True):
    """The person's new e-mail address, and the current password."""

    new_email: Annotated[str, text(254)]
    own_password: Annotated[str, secret()]


class CodeForm(Struct, kw_only=True):
    """The first code from an authenticator app."""

    code: Annotated[str, secret(40)]


@page("GET", HOME, may="read")
def security_page(ask: Ask[None, None]) -> Shown:
    """Show how the person signs in, and in which browsers they are signed in."""
    access = own_profile.of_person(ask.tx, ask.person)
    here = [(row, browser_name(row.user_agent)) for row in access.sessions]
    values = {"found": access, "sessions": here, "locales": ((_OF_ACCOUNT, say("As the account")), *LOCALES)}
    return Shown("security.html", values, {"name": access.name, "locale": access.locale or _OF_ACCOUNT})


@page("POST", f"{HOME}/name", may="read", form=NameForm, again=security_page)
def change_name(ask: Ask[None, NameForm]) -> GoTo:
    """Save the signed-in person's name and language."""
    own_profile.rename(ask.tx, ask.person, ask.form.name)
    if ask.form.locale is not None:
        own_profile.choose_locale(ask.tx, ask.person, "" if ask.form.locale == _OF_ACCOUNT else ask.form.locale)
    return GoTo(HOME, say("Saved."), locale=own_profile.locale_of(ask.tx, ask.person))


@page("POST", f"{HOME}/password", may="read", form=PasswordForm, again=security_page)
async def change_password(steps: Steps) -> Answered:
    """Save a new password, and sign the person out in every other browser."""
    form: PasswordForm = steps.form
    person, row = await sure_of_password(steps, form.current)
    named = (person.email, person.name, person.account_name)
    made = await steps.pools.hash(lambda: password_policy.hash_of(form.password, steps.outside.passwords, *named))
    seen, (token, hashed) = row.password_hash, steps.new_token()
    await steps.write(
        lambda tx: own_profile.change_password(tx, person, seen_hash=seen, password_hash=made, token_hash=hashed)
    )
    return GoTo(HOME, say("Your password was changed. Every other browser is signed out."), session=token)


@page("POST", f"{HOME}/confirm", may="read")
def send_verification(ask: Ask[None, None]) -> GoTo:
    """E-mail the link by which the person confirms the e-mail address."""
    became = own_profile.send_verification(ask.tx, own_profile.member_of(ask.tx, ask.person))
    return GoTo(HOME, _said(ask.outside, became, ask.person.email), warns=became == "enough")


@page("POST", f"{HOME}/email", may="read", form=EmailForm, again=security_page)
async def correct_email(steps: Steps) -> Answered:
    """Change the person's e-mail address, and send a confirmation link to the new address."""
    form: EmailForm = steps.form
    person, row = await sure_of_password(steps, form.own_password, "own_password")
    tried = await steps.throttle(f"addresses of {row.account_id}", ADDRESSES_OF_AN_ACCOUNT, MINUTES_OF_ADDRESSES)
    became = await steps.write(
        lambda tx: own_profile.correct_email(tx, person, form.new_email, seen_hash=row.password_hash)
    )
    await steps.give_back(tried)
    return GoTo(HOME, _said(steps.outside, became, form.new_email.strip()))


@page("POST", f"{HOME}/sessions/{{session}}/end", may="read")
def end_one_session(ask: Ask[None, None]) -> GoTo:
    """End one of the person's sessions in other browsers."""
    sessions.end(ask.tx, ask.person, ask.path["session"])
    return GoTo(HOME, say("That browser is signed out."))


@page("POST", f"{HOME}/sessions/end", may="read")
def end_other_sessions(ask: Ask[None, None]) -> GoTo:
    """Sign the person out in every browser except this one."""
    sessions.end_others(ask.tx, ask.person)
    return GoTo(HOME, say("You’re signed out everywhere except here."))


# --- the second factor -----------------------------------------------------------------------------------------------


@page("GET", f"{HOME}/app/begin", may="read")
def begin_page(_ask: Ask[None, None]) -> Shown:
    """Ask for the password before an authenticator app is set up."""
    return Shown("own_password.html", _BEGIN)


@page("POST", f"{HOME}/app/begin", may="read", form=OwnPassword, again=begin_page)
async def begin_app(steps: Steps) -> Answered:
    """Start the setup of an authenticator app."""
    person, row = await sure_of_password(steps, steps.form.current)
    secret, vault = token_bytes(SECRET_BYTES), steps.outside.vault
    await steps.write(
        lambda tx: second_factors.begin(tx, person, seen_hash=row.password_hash, secret=secret, vault=vault)
    )
    return GoTo(f"{HOME}/app")


@page("GET", f"{HOME}/app", may="read")
def app_page(ask: Ask[None, None]) -> Shown | GoTo:
    """Show the authenticator app's QR code, and the field for its first code."""
    secret = second_factors.begun(ask.tx, ask.person, ask.outside.vault)
    if secret is None:
        return GoTo(HOME)
    picture = drawing(ask.outside.qr(second_factors.app_address(secret, ask.person.email)))
    return Shown("second_factor.html", {"picture": picture, "secret": written(secret)})


@page("POST", f"{HOME}/app/confirm", may="read", form=CodeForm, again=app_page)
async def confirm_app(steps: Steps) -> Answered:
    """Turn on the second factor, and show the recovery codes once."""
    person, (token, token_hash) = steps.person, steps.new_token()
    assert person is not None, "only for who is signed in"
    confirm = partial(second_factors.confirm, person=person, code=steps.form.code, vault=steps.outside.vault)
    codes = await steps.write(lambda tx: confirm(tx, random_codes=_random_codes(), token_hash=token_hash))
    return Shown("recovery_codes.html", {"codes": codes, "is_new": True}, session=token)


@page("GET", f"{HOME}/app/codes", may="read")
def new_codes_page(_ask: Ask[None, None]) -> Shown:
    """Ask for the password before new recovery codes are generated."""
    return Shown("own_password.html", _NEW_CODES)


@page("POST", f"{HOME}/app/codes", may="read", form=OwnPassword, again=new_codes_page)
async def make_new_codes(steps: Steps) -> Answered:
    """Generate new recovery codes, and show them once."""
    person, row = await sure_of_password(steps, steps.form.current)
    seen, random_codes = row.password_hash, _random_codes()
    codes = await steps.write(
        lambda tx: second_factors.new_recovery_codes(tx, person, seen_hash=seen, random_codes=random_codes)
    )
    return Shown("recovery_codes.html", {"codes": codes, "is_new": False})


@page("GET", f"{HOME}/app/off", may="read")
def turn_off_page(_ask: Ask[None, None]) -> Shown:
    """Ask for the password before the second factor is turned off."""
    return Shown("own_password.html", _TURN_OFF)


@page("POST", f"{HOME}/app/off", may="read", form=OwnPassword, again=turn_off_page)
async def turn_off_app(steps: Steps) -> Answered:
    """Turn off the second factor."""
    person, row = await sure_of_password(steps, steps.form.current)
    seen, (token, hashed) = row.password_hash, steps.new_token()
    await steps.write(lambda tx: second_factors.turn_off(tx, person, seen_hash=seen, token_hash=hashed))
    return GoTo(HOME, say("Two-step sign-in is off. Your password is enough from now on."), session=token)


_BECAME: dict[Sent, str] = {
    "sent": say("Check your mailbox: a message to {email} is on its way."),
    "confirmed": say("{email} is already confirmed. There’s nothing more to do."),
    "enough": say(
        "We’ve just sent several messages to {email}, so we’re not sending another. Check your mailbox, and the "
        "spam folder too."
    ),
}
_WRITTEN = say(
    "No mail server is set up here, so the message to {email} was saved as a file in the outbox folder. Ask whoever "
    "runs this installation for it."
)
_BEGIN = {
    "title": say("Set up two-step sign-in"),
    "about": say("Enter your password first, so that nobody at your computer can lock you out."),
    "does": say("Continue"),
    "is_grave": False,
}
_NEW_CODES = {
    "title": say("New recovery codes"),
    "about": say("You’ll get ten new codes. The old ones will stop working, whether used or not."),
    "does": say("Make new codes"),
    "is_grave": False,
}
_TURN_OFF = {
    "title": say("Turn off two-step sign-in"),
    "about": say(
        "Anyone who knows your password can then sign in as you. Your app and your recovery codes will stop working "
        "here."
    ),
    "does": say("Turn it off"),
    "is_grave": True,
}


async def sure_of_password(steps: Steps, password: str, field: str = "current") -> tuple[Person, MemberRow]:
    """Check the password that the signed-in person entered, and return the person and member.

    Raises `InvalidRequest` if the password is wrong, so that the page shows the problem beside `field`, and
    `RateLimited` after too many attempts.
    """
    person = steps.person
    assert person is not None, "only for who is signed in"
    tried = await steps.throttle(f"password of {person.member_id}", OF_A_MEMBER, MINUTES)
    row = await steps.read(lambda tx: own_profile.member_of(tx, person))
    if not await steps.pools.hash(lambda: sign_in.check(row, password, steps.outside.passwords)):
        raise InvalidRequest.because([Problem(field, say("This isn’t your current password. Try again."))])
    await steps.give_back(tried)
    return person, row


def _said(outside: Outside, became: Sent, email: str) -> str:
    """Describe whether a confirmation link was sent to an address, or why not."""
    is_written = became == "sent" and outside.settings.smtp_url is None
    return (_WRITTEN if is_written else _BECAME[became]).format(email=email)


def _random_codes() -> list[bytes]:
    return [token_bytes(RECOVERY_BYTES) for _ in range(RECOVERY_CODES)]
