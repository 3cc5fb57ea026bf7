"""A member's second factor: setting it up, confirming it, and turning it off."""

from base64 import b32encode
from collections.abc import Sequence
from urllib.parse import quote

from prorata.actions.accounts.members import shown
from prorata.actions.accounts.own_profile import member_of, sure_member_of
from prorata.actions.mail import account_mail
from prorata.domain.accounts.account_mail import Notice
from prorata.domain.accounts.one_time_codes import RECOVERY_CODES, SECRET_BYTES, recovery_code, recovery_hash, step_of
from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import CONFIRM_FIRST, Person
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.ports import Vault
from prorata.store.accounts import members, sessions
from prorata.store.accounts.members import MemberRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

_ISSUER = "Prorata"
_NOT_BEGUN = say("This code belongs to an earlier setup. Start again.")
_ON = say(
    "Two-step sign-in is on, and its recovery codes have already been shown once. If you didn’t save them, create "
    "new ones under Settings, Your sign-in."
)


def begin(tx: Tx, person: Person, *, seen_hash: str, secret: bytes, vault: Vault) -> None:
    """Store an authenticator app's secret; the second factor stays off until `confirm`.

    `seen_hash` is the hash of the password that the person has just entered, so that a stranger at an open browser
    can't lock the person out. The e-mail address must be confirmed, so that somebody who opened an account with
    another person's address can't lock that person out.

    Raises `Conflict` if a second factor is on already, or the address is not confirmed.
    """
    assert len(secret) == SECRET_BYTES, "as RFC 4226 recommends"
    row = sure_member_of(tx, person, seen_hash)
    if row.verified_at is None:
        raise Conflict(CONFIRM_FIRST)
    if not members.begin_app(tx, row.account_id, row.id, vault.seal(secret, row.id)):
        raise Conflict(say("Two-step sign-in is already on. Turn it off first to set up another app."))


def begun(tx: Tx, person: Person, vault: Vault) -> bytes | None:
    """Return the secret of the authenticator app being set up, to show it again.

    Return None if no app is being set up.
    """
    row = member_of(tx, person)
    return None if row.totp_secret is None or row.has_second_factor else vault.open(row.totp_secret, row.id)


def confirm(
    tx: Tx, person: Person, code: str, *, random_codes: Sequence[bytes], vault: Vault, token_hash: str
) -> list[str]:
    """Turn on the second factor with the authenticator app's first code; return the recovery codes.

    The codes are shown only once. Every other browser is signed out, and this browser's session continues under a
    new token.

    Raises `Conflict` if no app is being set up, and `InvalidRequest` for a wrong code.
    """
    row, secret = member_of(tx, person), begun(tx, person, vault)
    if row.has_second_factor:
        raise Conflict(_ON)
    if secret is None or row.totp_secret is None:
        raise Conflict(_NOT_BEGUN)
    step = step_of(secret, code, tx.moment.timestamp(), last_step=None)
    if step is None:
        message = say("This code isn’t valid. Check that your phone’s clock is correct, then enter the latest code.")
        raise InvalidRequest.because([Problem("code", message)])
    if not members.turn_on(tx, row.account_id, row.id, seen_secret=row.totp_secret, step=step):
        raise Conflict(_NOT_BEGUN)
    sessions.end_others(tx, row.account_id, row.id, person.session_id)
    sessions.renew(tx, row.account_id, row.id, person.session_id, token_hash)
    account_mail.tell(tx, row, Notice.FACTOR_ON)
    audit.record(tx, person.caller, Verb.TURN_SECOND_FACTOR_ON, row.id)
    return _new_codes(tx, row, random_codes)


def new_recovery_codes(tx: Tx, person: Person, *, seen_hash: str, random_codes: Sequence[bytes]) -> list[str]:
    """Replace a member's remaining recovery codes; the new codes are shown only once.

    `seen_hash` is the hash of the password that the person has just entered. Raises `Conflict` if the second
    factor is off.
    """
    row = sure_member_of(tx, person, seen_hash)
    if not row.has_second_factor:
        raise Conflict(say("Turn on two-step sign-in first: recovery codes are for signing in without your phone."))
    audit.record(tx, person.caller, Verb.RENEW_RECOVERY_CODES, row.id)
    return _new_codes(tx, row, random_codes)


def turn_off(tx: Tx, person: Person, *, seen_hash: str, token_hash: str) -> None:
    """Turn off a member's second factor; this browser's session continues under a new token.

    `seen_hash` is the hash of the password that the person has just entered. Raises `Conflict` if the password was
    changed meanwhile.
    """
    sessions.renew(tx, person.account_id, person.member_id, person.session_id, token_hash)
    remove(tx, person.caller, sure_member_of(tx, person, seen_hash))


def remove(tx: Tx, caller: Caller, row: MemberRow) -> None:
    """Remove a member's second factor.

    It is removed by the member, or by the operator for a member who lost the authenticator app and the recovery
    codes.
    """
    if row.totp_secret is not None:
        members.turn_off(tx, row.account_id, row.id)
    if row.has_second_factor:
        account_mail.tell(tx, row, Notice.FACTOR_OFF)
        audit.record(tx, caller, Verb.TURN_SECOND_FACTOR_OFF, row.id, before=shown(row))


def app_address(secret: bytes, email: str) -> str:
    """Return the `otpauth:` address to encode in the authenticator app's QR code.

    The address contains the secret and the member's e-mail address.

    >>> app_address(b"12345678901234567890", "ann@example.com")
    'otpauth://totp/Prorata:ann%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Prorata'
    """
    return f"otpauth://totp/{_ISSUER}:{quote(email, safe='')}?secret={b32encode(secret).decode()}&issuer={_ISSUER}"


def _new_codes(tx: Tx, row: MemberRow, random_codes: Sequence[bytes]) -> list[str]:
    assert len(random_codes) == RECOVERY_CODES, "ten"
    codes = [recovery_code(each) for each in random_codes]
    members.replace_recovery_codes(tx, row.account_id, row.id, [recovery_hash(code) for code in codes])
    return codes
