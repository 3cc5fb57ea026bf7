"""What members do about their own way in: name, password, an address that is confirmed, a password that is lost."""

from typing import NamedTuple

from prorata.actions import links
from prorata.actions import sessions as session_actions
from prorata.domain.one_time_links import RESET, VERIFY
from prorata.domain.people import Person, address_key, name_problem
from prorata.errors import Conflict, InvalidRequest
from prorata.store import audit, members, sessions
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.links import LinkRow
from prorata.store.members import MemberRow
from prorata.store.sessions import SessionRow


def member_of(tx: Tx, person: Person) -> MemberRow:
    """Who is signed in, with everything that is stored of them."""
    row = members.find(tx, person.account_id, person.member_id)
    assert row is not None, "a session ends with its member"
    return row


class OwnAccess(NamedTuple):
    """How somebody signs in, and where they are signed in."""

    name: str
    email: str
    is_verified: bool
    has_second_factor: bool
    recovery_codes_left: int
    sessions: list[SessionRow]


def of_person(tx: Tx, person: Person) -> OwnAccess:
    """How the person signs in, and where they are signed in: the browser used last first."""
    row = member_of(tx, person)
    left = members.recovery_codes_left(tx, row.account_id, row.id) if row.has_second_factor else 0
    listed = session_actions.listed(tx, person)
    return OwnAccess(row.name, row.email, row.verified_at is not None, row.has_second_factor, left, listed)


def rename(tx: Tx, person: Person, name: str) -> None:
    """Change one's own name. Raises `InvalidRequest`."""
    if wrong := name_problem(name):
        raise InvalidRequest.because([wrong])
    members.save(tx, member_of(tx, person)._replace(name=name.strip()))


def change_password(tx: Tx, person: Person, *, seen_hash: str, password_hash: str) -> None:
    """Set another password; every other browser is signed out. `seen_hash` is that of the current password, which
    whoever calls this has asked for and compared. Raises `Conflict` when it was changed meanwhile.
    """
    row = member_of(tx, person)
    if row.password_hash != seen_hash:
        raise Conflict("The password was changed meanwhile. Sign in with the new one and try again.")
    members.save(tx, row._replace(password_hash=password_hash))
    sessions.end_others(tx, row.account_id, row.id, person.session_id)
    links.drop_for(tx, row.account_id, row.email)
    audit.record(tx, person.caller, "change password", row.id)


def request_reset(tx: Tx, email: str) -> None:
    """Have a link sent with which a new password is set, if there is somebody with this address: nobody is told."""
    row = members.find_by_email(tx, address_key(email))
    if row is not None:
        send_reset(tx, row)


def send_reset(tx: Tx, row: MemberRow) -> None:
    """Have a link sent with which a member sets a new password, unless several are in the mailbox."""
    if not links.are_enough(tx, row.account_id, RESET, row.email):
        made = reset_link(tx, row, created_by=row.id)
        links.send(tx, made, to_name=row.name or None)


def reset_link(tx: Tx, row: MemberRow, *, created_by: str) -> LinkRow:
    """A link with which a member sets a new password, to be sent or handed over."""
    return links.make(tx, row.account_id, RESET, email=row.email, member_id=row.id, created_by=created_by)


def reset(tx: Tx, link_id: str | None, *, password_hash: str) -> MemberRow:
    """Set a new password by a link that was sent: every browser is signed out, and the address is known to be theirs.

    Raises `Conflict` for a link that can't be used.
    """
    link, row = _linked(tx, RESET, link_id)
    links.use(tx, link)
    after = row._replace(password_hash=password_hash, verified_at=row.verified_at or tx.now)
    members.save(tx, after)
    sessions.end_others(tx, row.account_id, row.id)
    links.drop_for(tx, row.account_id, row.email)
    audit.record(tx, Caller(row.account_id, row.id), "reset password", row.id)
    return after


def send_verification(tx: Tx, row: MemberRow) -> None:
    """Have a link sent that confirms a member's address, unless it is confirmed, or several are in the mailbox."""
    if row.verified_at is None and not links.are_enough(tx, row.account_id, VERIFY, row.email):
        made = links.make(tx, row.account_id, VERIFY, email=row.email, member_id=row.id, created_by=row.id)
        links.send(tx, made, to_name=row.name or None)


def verify(tx: Tx, link_id: str | None) -> MemberRow:
    """Confirm an address by the link that was sent to it. Raises `Conflict` for a link that can't be used."""
    link, row = _linked(tx, VERIFY, link_id)
    links.use(tx, link)
    after = row._replace(verified_at=row.verified_at or tx.now)
    members.save(tx, after)
    audit.record(tx, Caller(row.account_id, row.id), "confirm address", row.id)
    return after


def _linked(tx: Tx, kind: str, link_id: str | None) -> tuple[LinkRow, MemberRow]:
    link = links.find(tx, kind, link_id)
    row = members.find(tx, link.account_id, link.member_id) if link.member_id else None
    if row is None:
        raise Conflict("This link belongs to somebody who is not a member any more.")
    return link, row
