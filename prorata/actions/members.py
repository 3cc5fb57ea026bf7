"""The members of an account: invited, given a role, removed; never is an account left without an owner."""

from typing import NamedTuple

from prorata.actions import links, mail_allowances
from prorata.domain.deliveries import BOUNCED, FAILED
from prorata.domain.one_time_links import INVITE, LINK_KINDS
from prorata.domain.people import address_key, email_problem, name_problem
from prorata.domain.permissions import OWNER, ROLES
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.ids import is_id
from prorata.store import accounts, audit, mail, members
from prorata.store import links as stored_links
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.links import LinkRow
from prorata.store.members import MemberRow

MOST_MEMBERS = 200
"""Members and invitations of an account."""
_LAST_OWNER = "An account needs an owner. Make somebody else an owner first."
_ELSEWHERE = (
    "This e-mail address belongs to another account already, and one address signs in to one account. Use another."
)
_LOST = "The message did not arrive. Check the address."
_BAD_ROLE = Problem("role", f"Choose one of: {', '.join(ROLES)}.")


class ShownMember(NamedTuple):
    """A member as others see them, and as it is written down who they were."""

    id: str
    email: str
    name: str
    role: str
    is_verified: bool
    has_second_factor: bool
    created_at: str


def listed(tx: Tx, caller: Caller) -> list[ShownMember]:
    """Every member of the account, by when they joined."""
    return [_shown(row) for row in members.all_of(tx, caller.account_id)]


def the_member(tx: Tx, caller: Caller, member_id: str) -> ShownMember:
    """A member of the account. Raises `NotFound`."""
    row = members.find(tx, caller.account_id, member_id) if is_id(member_id, "member") else None
    if row is None:
        raise NotFound("member")
    return _shown(row)


def invitations(tx: Tx, caller: Caller) -> list[LinkRow]:
    """The invitations that nobody has followed yet, and that are not too old."""
    return stored_links.waiting(tx, caller.account_id, INVITE)


def undelivered(tx: Tx, caller: Caller) -> dict[str, str]:
    """What was said of messages that did not reach an address, by that address: an invitation, or the link with which
    a member confirms it or sets a new password. Of the latest to each, while its link can still be used.
    """
    waiting = {row.id: row.email for kind in LINK_KINDS for row in stored_links.waiting(tx, caller.account_id, kind)}
    sent = mail.with_links(tx, caller.account_id, list(waiting))
    latest = {waiting[row.link_id]: row for row in sent if row.link_id}
    return {email: row.said or _LOST for email, row in latest.items() if row.state in {BOUNCED, FAILED}}


def invite(tx: Tx, caller: Caller, *, email: str, role: str) -> LinkRow:
    """Invite somebody to join the account in a role, by mail.

    Raises `InvalidRequest`; `Conflict` for an address that is a member's, and where the account may mail nobody yet.
    """
    address = address_key(email)
    wrong = [problem for problem in (email_problem(email), None if role in ROLES else _BAD_ROLE) if problem]
    if wrong:
        raise InvalidRequest.because(wrong)
    accounts.lock(tx, caller.account_id)
    _refuse_member(tx, caller, address)
    if len(members.all_of(tx, caller.account_id)) + len(invitations(tx, caller)) >= MOST_MEMBERS:
        raise Conflict(f"An account has at most {MOST_MEMBERS} members and invitations. Remove one first.")
    if links.are_enough(tx, caller.account_id, INVITE, address):
        raise Conflict("This address was invited several times already. Ask them to look into their mailbox.")
    mail_allowances.refuse(tx, caller.account_id)
    row = links.make(tx, caller.account_id, INVITE, email=address, role=role, created_by=caller.actor)
    inviter = members.find(tx, caller.account_id, caller.actor)
    links.send(tx, row, invited_by=(inviter.name or inviter.email) if inviter else None)
    audit.record(tx, caller, "invite member", row.id, after=row)
    return row


def _refuse_member(tx: Tx, caller: Caller, address: str) -> None:
    known = members.find_by_email(tx, address)
    if known is not None:
        own = known.account_id == caller.account_id
        raise Conflict("This e-mail address is a member's of your account already." if own else _ELSEWHERE)


def withdraw_invitation(tx: Tx, caller: Caller, link_id: str) -> None:
    """Take an invitation back. Raises `NotFound`."""
    found = [row for row in invitations(tx, caller) if row.id == link_id]
    if not found:
        raise NotFound("invitation")
    links.use(tx, found[0])
    audit.record(tx, caller, "withdraw invitation", link_id, before=found[0])


def invitation(tx: Tx, link_id: str | None) -> tuple[LinkRow, str]:
    """An invitation that can be followed, and the name of the account that it is to. Raises `Conflict`."""
    row = links.find(tx, INVITE, link_id)
    account = accounts.find(tx, row.account_id)
    assert account is not None, "an invitation goes with its account"
    return row, account.name


def join(tx: Tx, link_id: str | None, *, name: str, password_hash: str) -> MemberRow:
    """Follow an invitation: become a member, with the address that it was sent to, which is known by that.

    Raises `InvalidRequest`; `Conflict` for an invitation that can't be followed, or an address that joined elsewhere.
    """
    row = links.find(tx, INVITE, link_id)
    if wrong := name_problem(name):
        raise InvalidRequest.because([wrong])
    assert row.role is not None, "an invitation says as what"
    accounts.lock(tx, row.account_id)
    links.use(tx, row)
    member = members.new(tx, row.account_id, row.email, password_hash, row.role, name=name.strip(), is_verified=True)
    if not members.add(tx, member):
        raise Conflict(_ELSEWHERE)
    links.drop_for(tx, row.account_id, row.email)
    audit.record(tx, Caller(row.account_id, member.id), "join account", member.id, after=_shown(member))
    return member


def change_role(tx: Tx, caller: Caller, member_id: str, role: str) -> ShownMember:
    """Give a member another role, from their next click on. Raises `InvalidRequest`, `NotFound`, `Conflict`."""
    if role not in ROLES:
        raise InvalidRequest.because([_BAD_ROLE])
    row = _to_change(tx, caller, member_id)
    if role != OWNER:
        _refuse_last_owner(tx, row)
    after = row._replace(role=role)
    if after != row:
        members.save(tx, after)
        audit.record(tx, caller, "change role", row.id, before=_shown(row), after=_shown(after))
    return _shown(after)


def remove(tx: Tx, caller: Caller, member_id: str) -> None:
    """Remove a member: they are signed out everywhere at once. Raises `NotFound`, `Conflict`."""
    row = _to_change(tx, caller, member_id)
    _refuse_last_owner(tx, row)
    members.remove(tx, row.account_id, row.id)
    links.drop_for(tx, row.account_id, row.email)
    audit.record(tx, caller, "remove member", row.id, before=_shown(row))


def _to_change(tx: Tx, caller: Caller, member_id: str) -> MemberRow:
    """A member of the account, which is locked: of two owners who remove each other, one stays."""
    accounts.lock(tx, caller.account_id)
    row = members.find(tx, caller.account_id, member_id) if is_id(member_id, "member") else None
    if row is None:
        raise NotFound("member")
    return row


def _refuse_last_owner(tx: Tx, row: MemberRow) -> None:
    owners = [each.id for each in members.all_of(tx, row.account_id) if each.role == OWNER]
    if owners == [row.id]:
        raise Conflict(_LAST_OWNER)


def _shown(row: MemberRow) -> ShownMember:
    return ShownMember(
        row.id, row.email, row.name, row.role, row.verified_at is not None, row.has_second_factor, row.created_at
    )
