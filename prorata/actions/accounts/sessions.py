"""Sessions of signed-in members: beginning at sign-in, finding by cookie, and ending."""

from datetime import datetime

from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import IDLE_FOR, LASTS, SEEN_EVERY, Person, cut
from prorata.domain.limits import MOST_SESSIONS
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, NotFound
from prorata.ids import is_id
from prorata.store.accounts import members, sessions
from prorata.store.accounts.members import MemberRow
from prorata.store.accounts.sessions import SessionRow
from prorata.store.audit import audit
from prorata.store.database.engine import Tx, timestamp

_CHANGED = say("The password has been changed in the meantime. Sign in with the new one.")


def begin(
    tx: Tx, member: MemberRow, *, token_hash: str, user_agent: str, address: str, instead_of: Person | None = None
) -> SessionRow:
    """Sign a member in by starting a session in their browser.

    `token_hash` is the keyed hash of the cookie's token; each sign-in has a new token. `instead_of` is the
    browser's former session, which ends. If the member has too many sessions, the least recently used ones end.
    Raises `InvalidRequest` if the person is no longer a member, or if the password was changed after the sign-in
    checked it.
    """
    now = members.find(tx, member.account_id, member.id)
    if now is None or now.password_hash != member.password_hash:
        raise InvalidRequest(_CHANGED)
    row = SessionRow(
        account_id=member.account_id,
        id=tx.new_id("sess"),
        member_id=member.id,
        token_hash=token_hash,
        created_at=tx.now,
        last_seen_at=tx.now,
        expires_at=timestamp(tx.moment + LASTS),
        user_agent=cut(user_agent),
        address=address,
    )
    if instead_of is not None:
        sessions.end(tx, instead_of.account_id, instead_of.member_id, instead_of.session_id)
    sessions.forget_ended(tx, member.account_id, member.id, idle_since=_idle_since(tx))
    there = sessions.all_of(tx, member.account_id, member.id, idle_since=_idle_since(tx))
    for old in there[MOST_SESSIONS - 1 :]:
        sessions.end(tx, old.account_id, old.member_id, old.id)
    sessions.add(tx, row)
    return row


def find(tx: Tx, token_hash: str) -> Person | None:
    """Find the person whose session's token has this hash.

    Return None if there is no such session or it has ended. A session ends when unused for 14 days, or after 90
    days.
    """
    return sessions.find(tx, token_hash, idle_since=_idle_since(tx))


def is_due(person: Person, moment: datetime) -> bool:
    """True if `note_seen` would write, because five minutes have passed since it last wrote."""
    return person.seen_at < timestamp(moment - SEEN_EVERY)


def note_seen(tx: Tx, person: Person) -> None:
    """Store the time at which a session was last used, at most every five minutes."""
    if is_due(person, tx.moment):
        sessions.note_seen(tx, person.account_id, person.session_id, timestamp(tx.moment - SEEN_EVERY))


def listed(tx: Tx, person: Person) -> list[SessionRow]:
    """List the person's sessions, the most recently used browser first."""
    return sessions.all_of(tx, person.account_id, person.member_id, idle_since=_idle_since(tx))


def end(tx: Tx, person: Person, session_id: str) -> None:
    """End one of the person's sessions, which may be the current one.

    Raises `NotFound` if there is no such session.
    """
    if not (is_id(session_id, "sess") and sessions.end(tx, person.account_id, person.member_id, session_id)):
        raise NotFound("session")
    if session_id != person.session_id:
        audit.record(tx, person.caller, Verb.END_SESSION, person.member_id)


def end_others(tx: Tx, person: Person) -> int:
    """End every other session of the person; return the number of ended sessions."""
    ended = sessions.end_others(tx, person.account_id, person.member_id, person.session_id)
    if ended:
        audit.record(tx, person.caller, Verb.END_OTHER_SESSIONS, person.member_id)
    return ended


def _idle_since(tx: Tx) -> str:
    return timestamp(tx.moment - IDLE_FOR)
