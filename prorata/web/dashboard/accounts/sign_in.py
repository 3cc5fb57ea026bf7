"""Signing in and out.

No answer reveals whether an e-mail address belongs to a member.
"""

from typing import Annotated

from msgspec import Struct

from prorata.actions.accounts import own_profile, sessions, sign_in, sign_up
from prorata.actions.accounts.sign_in import SignInRow
from prorata.domain.accounts.login_throttling import (
    CODES_OF_A_MEMBER,
    COMPARED_FOR_AN_ADDRESS,
    MINUTES,
    MINUTES_OF_TELLING,
    OF_A_MEMBER,
    OF_AN_ADDRESS,
    WRONG_CODES_TOLD,
)
from prorata.domain.callers import Person, address_key
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, RateLimited
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, GoTo, Shown, Tried, page
from prorata.web.dashboard.kernel.sessions import local_path
from prorata.web.http.fields import secret, text
from prorata.web.http.limits import LARGEST_KEPT_FORM, MOST_BYTES_WITH_KEPT_FORM


class Then(Struct):
    """The address to open after signing in."""

    then: Annotated[str, text(2_000, least=0)] = "/"


class Onward(Then):
    """The address to open after signing in, and a form that is kept until then.

    See prorata.web.dashboard.kernel.saved_forms.
    """

    kept: Annotated[str, text(LARGEST_KEPT_FORM, least=0)] = ""


class SignIn(Onward, kw_only=True):
    """The e-mail address and password with which a person signs in."""

    email: Annotated[str, text(254)]
    password: Annotated[str, secret()]


class Code(Onward, kw_only=True):
    """The code of a second factor, and a ticket.

    The ticket proves that the person has just entered the correct password.
    """

    ticket: Annotated[str, text(200)]
    code: Annotated[str, secret(40)]


@page("GET", "/sign-in", may=None, query=Then)
async def sign_in_form(steps: Steps) -> Answered:
    """Show the sign-in form.

    People who are already signed in are redirected to the address that they requested. If the installation has no
    account yet, redirect to the form that opens one.
    """
    then = local_path(getattr(steps.query, "then", "/"))
    settings = steps.outside.settings
    if steps.person:
        return GoTo(then)
    if await steps.read(lambda tx: sign_up.is_first(tx, settings.signup)):
        return GoTo("/sign-up")
    values = {"hint": settings.sign_in_hint, "may_sign_up": settings.signup == sign_up.OPEN}
    return Shown("sign_in.html", values, {"then": then})


@page("POST", "/sign-in", may=None, form=SignIn, again=sign_in_form, most_bytes=MOST_BYTES_WITH_KEPT_FORM)
async def begin_session(steps: Steps) -> Answered:
    """Check the password, and sign in or ask for the code of the second factor."""
    form: SignIn = steps.form
    passwords = steps.outside.passwords
    row = await steps.read(lambda tx: sign_in.look_up(tx, form.email))
    tries = await try_to_be(steps, form.email, row)
    is_right = await steps.pools.hash(lambda: sign_in.check(row, form.password, passwords))
    if row is None or not is_right:
        raise InvalidRequest(sign_in.NOT_THEM)
    await steps.give_back(*tries)
    anew = await steps.pools.hash(lambda: sign_in.hashed_anew(row, form.password, passwords))
    kept = row if anew is None else await steps.write(lambda tx: sign_in.keep_hash(tx, row, anew))
    if row.has_second_factor:
        ticket = await steps.read(lambda tx: sign_in.ticket(tx, kept, steps.outside.sessions))
        return Shown("sign_in_code.html", {}, {"ticket": ticket, "then": form.then, "kept": form.kept})
    return await signed_in(steps, kept, form.then)


async def try_to_be(steps: Steps, email: str, row: SignInRow | None) -> list[Tried]:
    """Count an attempt to sign in as `email`, even if no member has this address.

    `row` is the member with that address, if any. If the password is right, the caller must take back the returned
    counts. Attempts are counted for the current password only, so that members who have reset their password through an
    e-mailed link can sign in with the new one. Raises `RateLimited` after too many attempts.
    """
    password = _as_tried(steps, row)
    browser = steps.known_as(row.id) if row else None
    if browser:
        tries = [await steps.throttle(f"sign-in in {browser} {password}", OF_A_MEMBER, MINUTES)]
    else:
        tries = [
            *await steps.throttle_here("sign-in", OF_AN_ADDRESS, MINUTES),
            await steps.throttle(f"sign-in as {address_key(email)} {password}", OF_A_MEMBER, MINUTES),
        ]
    await steps.throttle_here("compared", COMPARED_FOR_AN_ADDRESS, MINUTES)
    return tries


def _as_tried(steps: Steps, row: SignInRow | None) -> str:
    """Return a text that stands for a member's current password when attempts are counted.

    The text changes with the password, but does not reveal it.
    """
    return steps.outside.sessions(f"tries of {row.password_hash if row else ''}")[0]


async def _try_code(steps: Steps, ticket: str) -> tuple[SignInRow, list[Tried]]:
    """Count an attempt to enter a second factor's code; return the member and the counts.

    `ticket` names the member, who has entered the right password. If the ticket is expired or forged, the attempt
    is counted for the client's address, and `InvalidRequest` is raised. Raises `RateLimited` after too many
    attempts.
    """
    try:
        row = await steps.read(lambda tx: sign_in.holder(tx, ticket, steps.outside.sessions))
    except InvalidRequest:
        await steps.throttle_here("code", OF_AN_ADDRESS, MINUTES)
        raise
    browser, password = steps.known_as(row.id), _as_tried(steps, row)
    tries = [] if browser else await steps.throttle_here("code", OF_AN_ADDRESS, MINUTES)
    whose = f"code in {browser}" if browser else f"code of {row.id}"
    for most, minutes in CODES_OF_A_MEMBER:
        tries.append(await steps.throttle(f"{whose} {password} in {minutes}", most, minutes))
    return row, tries


async def code_form(_steps: Steps) -> Answered:
    """Show the form for the second factor's code again."""
    return Shown("sign_in_code.html")


@page("POST", "/sign-in/code", may=None, form=Code, again=code_form, most_bytes=MOST_BYTES_WITH_KEPT_FORM)
async def begin_session_by_code(steps: Steps) -> Answered:
    """Check the code of the second factor, and sign in."""
    form: Code = steps.form
    row, tries = await _try_code(steps, form.ticket)
    if not await steps.write(lambda tx: sign_in.second_factor(tx, row, form.code, steps.outside.vault)):
        await _note_wrong(steps, row)
        raise InvalidRequest(sign_in.NOT_THE_CODE)
    await steps.give_back(*tries)
    return await signed_in(steps, row, form.then)


async def _note_wrong(steps: Steps, row: SignInRow) -> None:
    """Count a wrong code entered after the right password; after several, notify the member."""
    try:
        await steps.throttle(f"wrong codes of {row.id}", WRONG_CODES_TOLD - 1, MINUTES_OF_TELLING)
    except RateLimited:
        await steps.write(
            lambda tx: sign_in.note_wrong_codes(tx, row, address=steps.address, user_agent=steps.user_agent)
        )


async def signed_in(steps: Steps, row: SignInRow, then: str, message: str = "") -> GoTo:
    """Begin a new session for a member, and redirect to the address `then`.

    The page there shows `message`. If the member must first confirm the e-mail address, no session begins: another
    confirmation e-mail is sent, and `InvalidRequest` is raised.
    """
    if row.verified_at is None and confirms_first(steps):
        await steps.write(lambda tx: own_profile.send_verification(tx, row))
        raise InvalidRequest(sign_in.NOT_YET)
    token, token_hash = steps.new_token()

    def begin(tx: Tx) -> Person | None:
        sessions.begin(
            tx, row, token_hash=token_hash, user_agent=steps.user_agent, address=steps.address, instead_of=steps.person
        )
        return sessions.find(tx, token_hash)

    person = await steps.write(begin)
    assert person is not None, "the session has just begun"
    known = steps.known_from_now_on(row.id)
    return GoTo(local_path(then), message, session=token, known=known, locale=person.locale)


def confirms_first(steps: Steps) -> bool:
    """True if new members must confirm their e-mail address before they can sign in."""
    settings = steps.outside.settings
    return sign_up.confirms_first(settings.signup, mail_leaves=settings.smtp_url is not None)


@page("POST", "/sign-out", may=None)
async def end_session(steps: Steps) -> Answered:
    """End this browser's session."""
    person = steps.person
    if person is not None:
        await steps.write(lambda tx: sessions.end(tx, person, person.session_id))
    return GoTo("/sign-in", say("You are signed out."), ends=True)


class Theme(Struct, kw_only=True):
    """The choice of light or dark pages, and the address to which to return."""

    theme: Annotated[str, text(8)]
    back: Annotated[str, text(2_000)] = "/"


@page("POST", "/theme", may=None, form=Theme)
async def choose_theme(steps: Steps) -> Answered:
    """Save this browser's choice: light pages, dark pages, or the system's setting."""
    return GoTo(local_path(steps.form.back), theme=steps.form.theme)
