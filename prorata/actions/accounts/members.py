"""Inviting and removing members of an account, and changing roles; one owner always remains."""

from collections import Counter
from typing import NamedTuple

from prorata.actions.accounts import access, one_time_links
from prorata.actions.accounts.api_keys import refuse_more_than_own
from prorata.actions.limits import MOST_MEMBERS
from prorata.actions.mail import account_mail, allowances as mail_allowances
from prorata.domain.accounts.one_time_links import INVITE, LINK_KINDS
from prorata.domain.accounts.permissions import OWNER, ROLE_NAMES, ROLES, may
from prorata.domain.accounts.scopes import OF_ROLES
from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import address_key, email_problem, name_problem
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say, say_n
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.accounts import accounts, api_keys, members, one_time_links as stored_links
from prorata.store.accounts.members import MemberRow
from prorata.store.accounts.one_time_links import LinkRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

_LAST_OWNER = say("An account needs an owner. Make someone else an owner first.")
_ELSEWHERE = say(
    "This e-mail address already belongs to another account, and an address can sign in to only one. Use a different "
    "address."
)
_JOINED_ELSEWHERE = say(
    "This e-mail address already belongs to another account, and an address can sign in to only one. Ask whoever "
    "invited you to use a different address of yours."
)
_BAD_ROLE = Problem("role", say("Choose one of the following: {names}.", names=", ".join(ROLES)))


class ShownMember(NamedTuple):
    """A member as other members see them and the audit log stores them."""

    id: str
    email: str
    name: str
    role: str
    is_verified: bool
    has_second_factor: bool
    created_at: str


class ChangedRole(NamedTuple):
    """A member with a new role, and the addresses of the member's void invitations.

    An invitation becomes void if the member who sent it may not invite in the new role.
    """

    member: ShownMember
    taken_back: tuple[str, ...] = ()

    @property
    def in_sentences(self) -> str:
        """Describe a member's new role to the person who assigned it.

        >>> ann = ShownMember("member_1", "ann@example.com", "Ann", "manager", True, False, "")
        >>> ChangedRole(ann, ("bo@example.com",)).in_sentences
        'Ann now has the role Manager. Their invitation to bo@example.com was withdrawn. Send it again if you still want
        it.'
        """
        role = ROLE_NAMES[self.member.role]
        role_sentence = say("{name} now has the role {role}.", name=self.member.name or self.member.email, role=role)
        if not self.taken_back:
            return role_sentence
        void = say_n(
            "Their invitation to {email} was withdrawn. Send it again if you still want it.",
            "Their invitations to {n} people were withdrawn. Send the ones you still want again.",
            len(self.taken_back),
            email=self.taken_back[0],
        )
        return joined([role_sentence, void])


class Invited(NamedTuple):
    """An invitation as stored in the audit log when it is sent or withdrawn."""

    email: str
    role: str | None
    expires_at: str


def _invited(row: LinkRow) -> Invited:
    return Invited(row.email, row.role, row.expires_at)


def listed(tx: Tx, caller: Caller) -> list[ShownMember]:
    """List the account's members in the order in which they joined."""
    return [shown(row) for row in members.all_of(tx, caller.account_id)]


def the_member(tx: Tx, caller: Caller, member_id: str) -> ShownMember:
    """Find a member of the account.

    Raises `NotFound` if there is no such member.
    """
    return shown(access.the_one(members.find, tx, caller, member_id, "member", "member"))


def invitations(tx: Tx, caller: Caller) -> list[LinkRow]:
    """List the invitations that nobody has used and that have not expired."""
    return stored_links.waiting(tx, caller.account_id, INVITE)


def the_invitation(tx: Tx, caller: Caller, link_id: str) -> LinkRow:
    """Find an invitation that can still be used.

    Raises `NotFound` if there is no such invitation.
    """
    matching = [row for row in invitations(tx, caller) if row.id == link_id]
    if not matching:
        raise NotFound("invitation")
    return matching[0]


def undelivered(tx: Tx, caller: Caller) -> dict[str, str]:
    """Map e-mail addresses to the errors of messages that were not delivered to them.

    The messages are invitations, and messages with a link for confirming an address or setting a new password.
    Only the latest message to each address counts, and only while its link can still be used.
    """
    waiting = {row.id: row.email for kind in LINK_KINDS for row in stored_links.waiting(tx, caller.account_id, kind)}
    sent = account_mail.latest(tx, caller.account_id, list(waiting))
    latest = {waiting[row.link_id]: row for row in sent if row.link_id}
    return {email: reason for email, row in latest.items() if (reason := account_mail.why_lost(row))}


def invite(tx: Tx, caller: Caller, *, email: str, role: str) -> LinkRow:
    """Invite somebody by e-mail to join the account in a role.

    An earlier invitation to the same address is withdrawn, so only the role of the newest invitation counts.

    Raises `InvalidRequest` for an invalid address or role, and `Forbidden` for an API key that would grant more
    than its own rights. Raises `Conflict` if the address already belongs to a member or was invited several times
    recently, if the account has too many members and invitations, or if the account may not e-mail others yet.
    """
    address = address_key(email)
    wrong = [problem for problem in (email_problem(email), None if role in ROLES else _BAD_ROLE) if problem]
    if wrong:
        raise InvalidRequest.because(wrong)
    refuse_more_than_own(tx, caller, OF_ROLES[role])
    accounts.lock(tx, caller.account_id)
    _refuse_member(tx, caller, address)
    earlier = stored_links.waiting_for(tx, caller.account_id, INVITE, address)
    if len(members.all_of(tx, caller.account_id)) + len(invitations(tx, caller)) - len(earlier) >= MOST_MEMBERS:
        raise Conflict(
            say(
                "An account can have at most {most_members} members and invitations. Remove a member or withdraw "
                "an invitation first.",
                most_members=MOST_MEMBERS,
            )
        )
    if one_time_links.are_enough(tx, caller.account_id, INVITE, address):
        raise _refused(
            say("This address has already been invited several times. Ask the person to check their mailbox.")
        )
    mail_allowances.refuse(tx, caller.account_id)
    for link in earlier:
        one_time_links.give_way(tx, link)
        audit.record(tx, caller, Verb.WITHDRAW_INVITATION, link.id, before=_invited(link))
    row = one_time_links.make(tx, caller.account_id, INVITE, email=address, role=role, created_by=caller.actor)
    inviter = members.find(tx, caller.account_id, caller.actor)
    one_time_links.send(tx, row, invited_by=(inviter.name or inviter.email) if inviter else None)
    audit.record(tx, caller, Verb.INVITE_MEMBER, row.id, after=_invited(row))
    return row


def _refuse_member(tx: Tx, caller: Caller, address: str) -> None:
    known = members.find_by_email(tx, address)
    if known is not None:
        own = known.account_id == caller.account_id
        raise _refused(say("This e-mail address already belongs to a member of your account.") if own else _ELSEWHERE)


def _refused(message: str) -> Conflict:
    """Build the error for an invitation that can't be sent, shown at the e-mail field."""
    return Conflict(message, problems=[Problem("email", message)])


def withdraw_invitation(tx: Tx, caller: Caller, link_id: str) -> None:
    """Withdraw an invitation.

    Raises `NotFound` if there is no such invitation.
    """
    _take_back(tx, caller, the_invitation(tx, caller, link_id))


def _take_back(tx: Tx, caller: Caller, row: LinkRow) -> None:
    one_time_links.use(tx, row)
    audit.record(tx, caller, Verb.WITHDRAW_INVITATION, row.id, before=_invited(row))


def invitation(tx: Tx, link_id: str | None) -> tuple[LinkRow, str]:
    """Find a valid invitation by its link's id; also return the account's name.

    Raises `Conflict` if the invitation can't be used, or if its address already belongs to a member.
    """
    row = one_time_links.find(tx, INVITE, link_id)
    if members.find_by_email(tx, row.email) is not None:
        raise Conflict(_JOINED_ELSEWHERE)
    account = accounts.find(tx, row.account_id)
    assert account is not None, "an invitation goes with its account"
    return row, account.name


def join(tx: Tx, link_id: str | None, *, name: str, password_hash: str) -> MemberRow:
    """Accept an invitation: become a member of the account, with a confirmed e-mail address.

    Raises `InvalidRequest` for an invalid name, and `Conflict` if the invitation can't be used or its address
    already belongs to a member of another account.
    """
    row = one_time_links.find(tx, INVITE, link_id)
    if wrong := name_problem(name):
        raise InvalidRequest.because([wrong])
    assert row.role is not None, "an invitation says as what"
    accounts.lock(tx, row.account_id)
    one_time_links.use(tx, row)
    member = members.new(tx, row.account_id, row.email, password_hash, row.role, name=name.strip(), is_verified=True)
    if not members.add(tx, member):
        raise Conflict(_JOINED_ELSEWHERE)
    one_time_links.drop_for(tx, row.account_id, row.email, *LINK_KINDS)
    audit.record(tx, Caller(row.account_id, member.id), Verb.JOIN_ACCOUNT, member.id, after=shown(member))
    return member


def change_role(tx: Tx, caller: Caller, member_id: str, role: str) -> ChangedRole:
    """Give a member another role, effective at their next request.

    If the new role may not invite, the invitations that the member sent become void. Raises `InvalidRequest` for an
    unknown role, `NotFound` if there is no such member, `Forbidden` for an API key that would grant more than its own
    rights, and `Conflict` if no owner would remain.
    """
    if role not in ROLES:
        raise InvalidRequest.because([_BAD_ROLE])
    row = _to_change(tx, caller, member_id)
    if not OF_ROLES[row.role].covers(OF_ROLES[role]):
        refuse_more_than_own(tx, caller, OF_ROLES[role])
    if role != OWNER:
        _refuse_last_owner(tx, row)
    after = row._replace(role=role)
    if after != row:
        members.set_role(tx, row.account_id, row.id, role)
        audit.record(tx, caller, Verb.CHANGE_ROLE, row.id, before=shown(row), after=shown(after))
    taken_back = () if may(role, "manage") else _void_invitations_of(tx, caller, row)
    return ChangedRole(shown(after), taken_back)


def remove(tx: Tx, caller: Caller, member_id: str) -> None:
    """Remove a member: sign them out everywhere and void the invitations they sent.

    The API keys that the member made stay valid, because the account's programs depend on them; `lost` gives their
    number. Raises `NotFound` if there is no such member, and `Conflict` if no owner would remain.
    """
    row = _to_change(tx, caller, member_id)
    _refuse_last_owner(tx, row)
    _void_invitations_of(tx, caller, row)
    members.remove(tx, row.account_id, row.id)
    one_time_links.drop_for(tx, row.account_id, row.email, *LINK_KINDS)
    audit.record(tx, caller, Verb.REMOVE_MEMBER, row.id, before=shown(row))


def _void_invitations_of(tx: Tx, caller: Caller, row: MemberRow) -> tuple[str, ...]:
    """Void the invitations that a member sent; return the addresses they were sent to."""
    void = [invited for invited in invitations(tx, caller) if invited.created_by == row.id]
    for invited in void:
        _take_back(tx, caller, invited)
    return tuple(invited.email for invited in void)


def lost(tx: Tx, caller: Caller, member_id: str) -> str:
    """Describe what is lost and what stays if a member is removed, for the confirmation."""
    return in_sentences(keys_made(tx, caller).get(member_id, 0))


def asked_before_role(tx: Tx, caller: Caller, member_id: str, role: str) -> str:
    """Return the confirmation text for a new role that may not manage API keys.

    The text is empty if no confirmation is needed: if the member created no key that still works, or if the new
    role may manage API keys.
    """
    keys = 0 if may(role, "manage") else keys_made(tx, caller).get(member_id, 0)
    return joined([say("Their access is reduced from their next click."), _of_keys(keys)]) if keys else ""


def keys_made(tx: Tx, caller: Caller) -> Counter[str]:
    """Count the API keys that each member created and nobody revoked, by member id."""
    return Counter(api_keys.makers(tx, caller.account_id))


def in_sentences(keys: int) -> str:
    """Describe what is lost if a member who made this many keys is removed.

    >>> in_sentences(0).partition(". ")[2]
    'Everything they did stays in the account.'
    >>> in_sentences(2).partition(". ")[2]
    'The 2 API keys they created keep working. Revoke the ones you no longer need under API keys.'
    """
    sentence = say("They are signed out everywhere immediately, and the invitations they sent no longer work.")
    return joined([sentence, _of_keys(keys) if keys else say("Everything they did stays in the account.")])


def _of_keys(keys: int) -> str:
    return say_n(
        "The API key they created keeps working. Revoke it under API keys if you no longer need it.",
        "The {n} API keys they created keep working. Revoke the ones you no longer need under API keys.",
        keys,
    )


def _to_change(tx: Tx, caller: Caller, member_id: str) -> MemberRow:
    """Lock the account and find one of its members.

    The lock ensures that one owner stays if two owners remove each other at the same time.
    """
    accounts.lock(tx, caller.account_id)
    return access.the_one(members.find, tx, caller, member_id, "member", "member")


def refuse_last_owner(tx: Tx, caller: Caller, member_id: str) -> None:
    """Raise `Conflict` if a member is the last owner, before asking for confirmation.

    Raises `NotFound` if there is no such member.
    """
    _refuse_last_owner(tx, _to_change(tx, caller, member_id))


def _refuse_last_owner(tx: Tx, row: MemberRow) -> None:
    owners = [each.id for each in members.all_of(tx, row.account_id) if each.role == OWNER]
    if owners == [row.id]:
        raise Conflict(_LAST_OWNER)


def shown(row: MemberRow) -> ShownMember:
    """Return a member as other members see them and the audit log stores them."""
    return ShownMember(
        row.id, row.email, row.name, row.role, row.verified_at is not None, row.has_second_factor, row.created_at
    )
