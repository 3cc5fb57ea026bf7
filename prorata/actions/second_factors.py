"""The second factor of a member: set up with an app, confirmed by its first code, turned off again."""

from base64 import b32encode
from collections.abc import Sequence
from urllib.parse import quote

from prorata.domain.one_time_codes import (
    RECOVERY_CODES,
    SECRET_BYTES,
    recovery_code,
    recovery_hash,
    step_of,
)
from prorata.domain.people import Person
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest
from prorata.ports import Vault
from prorata.store import audit, members
from prorata.store.engine import Tx
from prorata.store.members import MemberRow

_ISSUER = "Prorata"
_NOT_BEGUN = "Begin again: the code belongs to a set-up that is not there any more."


def begin(tx: Tx, person: Person, *, secret: bytes, vault: Vault) -> None:
    """Keep the secret of an app that the person is setting up; it counts once a code of it was entered.

    Raises `Conflict` where a second factor is on already.
    """
    assert len(secret) == SECRET_BYTES, "as RFC 4226 recommends"
    row = _member(tx, person)
    if row.has_second_factor:
        raise Conflict("A second factor is on already. Turn it off first to set up another app.")
    members.save(tx, row._replace(totp_secret=vault.seal(secret, row.id), totp_last_step=None))


def begun(tx: Tx, person: Person, vault: Vault) -> bytes | None:
    """The secret of the app that the person is setting up, to be shown again; None where nothing is under way."""
    row = _member(tx, person)
    return None if row.totp_secret is None or row.has_second_factor else vault.open(row.totp_secret, row.id)


def confirm(tx: Tx, person: Person, code: str, *, random_codes: Sequence[bytes], vault: Vault) -> list[str]:
    """Turn the second factor on by the first code of the app. Returns the recovery codes: the one time they are shown.

    Raises `Conflict` when nothing is under way, `InvalidRequest` for another code.
    """
    row, secret = _member(tx, person), begun(tx, person, vault)
    if secret is None:
        raise Conflict(_NOT_BEGUN)
    step = step_of(secret, code, tx.moment.timestamp(), last_step=None)
    if step is None:
        message = "This is not the code of now. Check that the clock of your phone is right, and enter the newest one."
        raise InvalidRequest.because([Problem("code", message)])
    members.save(tx, row._replace(totp_on_at=tx.now, totp_last_step=step))
    audit.record(tx, person.caller, "turn second factor on", row.id)
    return _new_codes(tx, row, random_codes)


def new_recovery_codes(tx: Tx, person: Person, *, random_codes: Sequence[bytes]) -> list[str]:
    """Other recovery codes in place of those that are left, shown this once. Raises `Conflict` where it is off."""
    row = _member(tx, person)
    if not row.has_second_factor:
        raise Conflict("Turn the second factor on first: recovery codes stand in for it.")
    audit.record(tx, person.caller, "renew recovery codes", row.id)
    return _new_codes(tx, row, random_codes)


def recovery_codes_left(tx: Tx, person: Person) -> int:
    """How many recovery codes the person has not used."""
    return members.recovery_codes_left(tx, person.account_id, person.member_id)


def turn_off(tx: Tx, person: Person) -> None:
    """Ask the person for no code any more. Whoever calls this has asked for the password."""
    row = _member(tx, person)
    if row.totp_secret is None:
        return
    members.save(tx, without_second_factor(row))
    members.replace_recovery_codes(tx, row.account_id, row.id, [])
    if row.has_second_factor:
        audit.record(tx, person.caller, "turn second factor off", row.id)


def without_second_factor(row: MemberRow) -> MemberRow:
    """A member of whom no code is asked."""
    return row._replace(totp_secret=None, totp_on_at=None, totp_last_step=None)


def app_address(secret: bytes, email: str) -> str:
    """What the picture for the app says: the secret, and whose it is.

    >>> app_address(b"12345678901234567890", "ann@example.com")
    'otpauth://totp/Prorata:ann%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Prorata'
    """
    return f"otpauth://totp/{_ISSUER}:{quote(email, safe='')}?secret={b32encode(secret).decode()}&issuer={_ISSUER}"


def _new_codes(tx: Tx, row: MemberRow, random_codes: Sequence[bytes]) -> list[str]:
    assert len(random_codes) == RECOVERY_CODES, "ten"
    codes = [recovery_code(each) for each in random_codes]
    members.replace_recovery_codes(tx, row.account_id, row.id, [recovery_hash(code) for code in codes])
    return codes


def _member(tx: Tx, person: Person) -> MemberRow:
    row = members.find(tx, person.account_id, person.member_id)
    assert row is not None, "a session ends with its member"
    return row
