"""The list of an account's members and invitations, searched and divided into pages.

An account has at most `MOST_MEMBERS` of them, so all are loaded and then filtered.
"""

from typing import Literal, NamedTuple

from prorata.actions.accounts import members
from prorata.actions.accounts.members import ShownMember
from prorata.domain.accounts.permissions import ROLES
from prorata.domain.search_terms import have_all, order_of, parts_of, words_of
from prorata.store.accounts.one_time_links import LinkRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

Sort = Literal["added", "-added", "name", "-name", "role", "-role"]
"""The orders of a list of members; a dash means descending.

A member without a name is sorted by the address.
"""


class ListedMember(NamedTuple):
    """A listed person: a member, or somebody with an open `invitation`.

    `lost` is the text to show before this member is removed: what would be lost and what would stay.
    """

    member: ShownMember | None
    invitation: LinkRow | None
    lost: str = ""

    @property
    def email(self) -> str:
        """The person's e-mail address."""
        person = self.member or self.invitation
        assert person is not None, "a row is of the one or of the other"
        return person.email

    @property
    def name(self) -> str:
        """The member's name; empty if unknown."""
        return self.member.name if self.member else ""

    @property
    def role(self) -> str:
        """The role that the member has, or that the invited person will have."""
        person = self.member or self.invitation
        return (person.role if person else None) or ""


class FoundMembers(NamedTuple):
    """One page of members and invitations, and the number of matches."""

    rows: list[ListedMember]
    total: int


def page(tx: Tx, caller: Caller, text: str = "", *, sort: Sort = "added", limit: int, offset: int = 0) -> FoundMembers:
    """List one page of the account's members and invitations.

    A person matches if each word of `text` begins a word of the person's name, e-mail address or role. By default,
    members come first, in the order in which they joined, and invited people after them.
    """
    keys = members.keys_made(tx, caller)
    rows = [ListedMember(row, None, members.in_sentences(keys[row.id])) for row in members.listed(tx, caller)]
    rows += [ListedMember(None, row) for row in members.invitations(tx, caller)]
    if text.strip():
        words = parts_of(text)
        rows = [row for row in rows if have_all(_words_of(row), words)]
    by = sort.removeprefix("-")
    if by == "name":
        rows.sort(key=lambda row: order_of(row.name or row.email))
    elif by == "role":
        rows.sort(key=lambda row: (ROLES.index(row.role), order_of(row.name or row.email)))
    rows = rows[::-1] if sort.startswith("-") else rows
    return FoundMembers(rows[offset : offset + limit], len(rows))


def _words_of(row: ListedMember) -> frozenset[str]:
    return words_of(row.name, row.email, row.role)
