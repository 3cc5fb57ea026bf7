"""Members of the account, and invitations."""

from typing import Annotated

from msgspec import Meta

from prorata.actions.accounts import members
from prorata.actions.accounts.members import ShownMember
from prorata.domain.accounts.permissions import Role
from prorata.store.accounts.one_time_links import LinkRow
from prorata.web.api.examples import INVITATION_SENT
from prorata.web.http.fields import Email
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, PageQuery
from prorata.web.http.response_schemas import Answer, Message, Page, Timestamp, page_of

_ONE, _INVITED = "/members/{id}", "/invitations/{id}"
REQUESTS_OF_AN_INVITATION = 20
"""The number of requests that sending one invitation counts as in the rate limits.

It is higher than one because an invitation reveals whether an address has an account here.
"""


class Member(Answer):
    """A person who may sign in to the account."""

    id: str
    email: str
    name: str
    role: Role
    is_verified: Annotated[bool, Meta(description="Whether the e-mail address is confirmed.")]
    has_second_factor: bool
    created_at: Timestamp


class Invitation(Answer):
    """An invitation that the invited person has not accepted yet."""

    id: str
    email: str
    role: Role
    expires_at: Timestamp
    created_at: Timestamp


class InvitationCreate(Body):
    """The address to invite, and the new member's role."""

    email: Email
    role: Role


class RoleChange(Body):
    """A new role for a member."""

    role: Role


def _shown(row: ShownMember) -> Member:
    return Member(**row._asdict())


def _invited(row: LinkRow) -> Invitation:
    return Invitation(
        id=row.id,
        email=row.email,
        role=row.role,  # type: ignore[arg-type]
        expires_at=row.expires_at,
        created_at=row.created_at,
    )


@operation("GET", "/members", summary="List members", query=PageQuery, answer=Page[Member], manages=True)
def list_members(call: Call[PageQuery, None]) -> Page[Member]:
    """List the account's members in the order in which they joined."""
    rows, query = members.listed(call.tx, call.caller), call.query
    shown = [_shown(row) for row in rows[query.offset : query.offset + query.limit]]
    return page_of(shown, len(rows), query)


@operation("GET", _ONE, summary="Read a member", answer=Member, missing=("member",), manages=True)
def read_member(call: Call[None, None]) -> Member:
    """Read a member of the account."""
    return _shown(members.the_member(call.tx, call.caller, call.path["id"]))


@operation(
    "PATCH", _ONE, summary="Change a member's role", body=RoleChange, answer=Member, missing=("member",),
    conflict="An account must have an owner.", example={"role": "viewer"}, manages=True,
)  # fmt: skip
def change_member(call: Call[None, RoleChange]) -> Member:
    """Change a member's role.

    The new role applies from the member's next request. If it doesn't allow the member to invite people, the
    member's open invitations are withdrawn. API keys that the member created keep working.
    """
    return _shown(members.change_role(call.tx, call.caller, call.path["id"], call.body.role).member)


@operation(
    "DELETE", _ONE, summary="Remove a member", answer=Message, missing=("member",),
    conflict="An account must have an owner.", manages=True,
)  # fmt: skip
def remove_member(call: Call[None, None]) -> Message:
    """Remove a member from the account, and sign the member out everywhere at once.

    The member's open invitations are withdrawn, but API keys that the member created keep working.
    """
    members.remove(call.tx, call.caller, call.path["id"])
    return Message(message="The member has been removed.")


@operation("GET", "/invitations", summary="List invitations", query=PageQuery, answer=Page[Invitation], manages=True)
def list_invitations(call: Call[PageQuery, None]) -> Page[Invitation]:
    """List the invitations that are still valid and that nobody has accepted yet."""
    rows, query = members.invitations(call.tx, call.caller), call.query
    return page_of([_invited(row) for row in rows[query.offset : query.offset + query.limit]], len(rows), query)


@operation("GET", _INVITED, summary="Read an invitation", answer=Invitation, missing=("invitation",), manages=True)
def read_invitation(call: Call[None, None]) -> Invitation:
    """Read a valid invitation."""
    return _invited(members.the_invitation(call.tx, call.caller, call.path["id"]))


@operation(
    "POST", "/invitations", summary="Invite somebody", body=InvitationCreate, answer=Invitation, status=201,
    conflict="The address already belongs to a member of this or another account, or the account may not send e-mail "
             "yet.",
    example=INVITATION_SENT, manages=True, carries=lambda _body: REQUESTS_OF_AN_INVITATION,
)  # fmt: skip
def create_invitation(call: Call[None, InvitationCreate]) -> Invitation:
    """E-mail an invitation with a link that works only once.

    If the same address was invited before, the earlier invitation is withdrawn. This request counts as 20 requests
    toward the rate limits.
    """
    return _invited(members.invite(call.tx, call.caller, email=call.body.email, role=call.body.role))


@operation(
    "DELETE", _INVITED, summary="Withdraw an invitation", answer=Message, missing=("invitation",),
    manages=True,
)  # fmt: skip
def withdraw_invitation(call: Call[None, None]) -> Message:
    """Withdraw an invitation; its link stops working."""
    members.withdraw_invitation(call.tx, call.caller, call.path["id"])
    return Message(message="The invitation has been withdrawn.")
