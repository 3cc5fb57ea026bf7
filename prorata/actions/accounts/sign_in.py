"""Sign-in with e-mail address and password, then a code if a second factor is on.

The password is compared without an open transaction and off the event loop, because the comparison deliberately
takes a twentieth of a second; for an unknown address it takes just as long. The pages count the attempts before
they call the functions of this module (`try_to_be` in web/dashboard/accounts/sign_in.py).
"""

import hmac
from datetime import timedelta
from typing import NamedTuple

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.limits import MOST_TIME_DIGITS
from prorata.actions.mail import account_mail
from prorata.domain.accounts.account_mail import Notice
from prorata.domain.accounts.login_throttling import MINUTES_OF_TELLING
from prorata.domain.accounts.one_time_codes import recovery_hash, step_of
from prorata.domain.accounts.user_agents import browser_name
from prorata.domain.audit.actor_names import SIGN_IN
from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import address_key
from prorata.domain.limits import LONGEST_PASSWORD
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.ids import is_id
from prorata.ports import Passwords, Vault
from prorata.store.accounts import accounts, members
from prorata.store.accounts.members import MemberRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp

SignInRow = MemberRow
NOT_THEM = say("This e-mail address and password don’t match. Check both, or request a new password.")
NOT_THE_CODE = say(
    "This code isn’t correct, or is no longer valid. Enter the latest code from your app, or a recovery code."
)
TOO_LATE = say("Signing in took too long. Sign in again.")
NOT_YET = say("Confirm your e-mail address first: open the link in the message sent to it, then sign in.")
SECONDS_FOR_A_CODE = 300
"""The number of seconds for which a correct password counts while the code is awaited."""


def look_up(tx: Tx, email: str) -> SignInRow | None:
    """Find the member who signs in with this e-mail address, if there is one."""
    return members.find_by_email(tx, address_key(email))


def check(row: SignInRow | None, password: str, passwords: Passwords) -> bool:
    """True if this is the member's password.

    If no member is given, the check takes just as long and returns False.
    """
    matches = passwords.matches(password[: LONGEST_PASSWORD + 1], row.password_hash if row else passwords.nobodys_hash)
    return matches and row is not None


def hashed_anew(row: SignInRow, password: str, passwords: Passwords) -> str | None:
    """Rehash a password that `check` accepted, if its stored hash has outdated parameters.

    The calling code stores the new hash with `keep_hash`. Return None if the stored hash already has the current
    parameters.
    """
    return passwords.hash(password) if passwords.wants_another_hash(row.password_hash) else None


def keep_hash(tx: Tx, row: SignInRow, password_hash: str) -> SignInRow:
    """Store the new hash of the same password, unless the password was changed meanwhile."""
    seen = row.password_hash
    is_kept = members.replace_password(tx, row.account_id, row.id, seen_hash=seen, password_hash=password_hash)
    return row._replace(password_hash=password_hash) if is_kept else row


def ticket(tx: Tx, row: SignInRow, hasher: KeyHasher) -> str:
    """Build a ticket: proof of a correct password, for entering the second factor's code.

    The ticket is valid for five minutes, unless the password is changed.
    """
    return _tickets(row, int(tx.moment.timestamp()) + SECONDS_FOR_A_CODE, hasher)[0]


def holder(tx: Tx, text: str, hasher: KeyHasher) -> SignInRow:
    """Find the member whose correct password this ticket proves (`ticket`).

    Raises `InvalidRequest` for an expired or forged ticket.
    """
    account_id, _, rest = text.partition(".")
    member_id, _, until = rest.rpartition(".")[0].partition(".")
    is_time = until.isascii() and until.isdigit() and len(until) <= MOST_TIME_DIGITS
    row = members.find(tx, account_id, member_id) if is_id(account_id, "acct") and is_id(member_id, "member") else None
    if row is None or not is_time or int(until) < tx.moment.timestamp():
        raise InvalidRequest(TOO_LATE)
    if not any(
        hmac.compare_digest(text.encode(), its_ticket.encode()) for its_ticket in _tickets(row, int(until), hasher)
    ):
        raise InvalidRequest(TOO_LATE)
    return row


def _tickets(row: SignInRow, until: int, hasher: KeyHasher) -> list[str]:
    body = f"{row.account_id}.{row.id}.{until}"
    return [f"{body}.{made}" for made in hasher(f"ticket {body} {row.password_hash}")]


def second_factor(tx: Tx, member: SignInRow, code: str, vault: Vault) -> bool:
    """Use up a second-factor code; return True if the code is correct.

    The code is the authenticator app's current one or one of the recovery codes. Each code works once. The result
    is also False if the password was changed after the sign-in checked it.
    """
    row = members.find(tx, member.account_id, member.id)
    if row is None or row.password_hash != member.password_hash:
        return False
    if row.totp_secret is None or row.totp_on_at is None:
        return False
    secret = vault.open(row.totp_secret, row.id)
    step = step_of(secret, code, tx.moment.timestamp(), last_step=row.totp_last_step) if secret else None
    if step is not None:
        return members.use_step(tx, row.account_id, row.id, step)
    if not members.use_recovery_code(tx, row.account_id, row.id, recovery_hash(code)):
        return False
    audit.record(tx, Caller(row.account_id, row.id), Verb.USE_RECOVERY_CODE, row.id)
    return True


class _WrongCodes(NamedTuple):
    """A sign-in that failed for wrong second-factor codes, as stored in the audit log."""

    email: str
    network_address: str
    browser: str


def note_wrong_codes(tx: Tx, member: SignInRow, *, address: str, user_agent: str) -> None:
    """Record wrong codes after a correct password and notify the member, at most daily."""
    accounts.lock(tx, member.account_id)  # of two at once, only one is reported
    last = audit.last_at(tx, member.account_id, member.id, Verb.ENTER_WRONG_CODES)
    if last is not None and last > timestamp(tx.moment - timedelta(minutes=MINUTES_OF_TELLING)):
        return
    noted = _WrongCodes(member.email, address, browser_name(user_agent))
    audit.record(tx, Caller(member.account_id, SIGN_IN), Verb.ENTER_WRONG_CODES, member.id, after=noted)
    account_mail.tell(tx, member, Notice.CODES)
