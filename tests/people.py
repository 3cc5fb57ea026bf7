"""People who sign in, for tests.

Their passwords take no time to hash, a vault hides nothing, and actions have short names.
"""

import itertools
from dataclasses import dataclass

from sqlalchemy import bindparam, update

from prorata.actions.accounts import sessions, sign_in
from prorata.domain.callers import Person
from prorata.store.accounts import members as stored_members
from prorata.store.accounts.members import MemberRow
from prorata.store.database.engine import Database, Tx
from prorata.store.database.statements import changes
from prorata.store.schema.tables import member

_tokens = itertools.count(1)
_CONFIRMED = changes(update(member).where(member.c.id == bindparam("member")).values(verified_at=bindparam("at")))


def set_confirmed(tx: Tx, member_id: str, at: str | None) -> None:
    """Set the moment when a member's address was confirmed; None for never."""
    tx.run(_CONFIRMED, member=member_id, at=at)


class PlainPasswords:
    """A password hasher whose hashes contain the password."""

    nobodys_hash = "nobody's"

    def __init__(self) -> None:
        self.compared: list[str] = []

    def hash(self, password: str) -> str:
        return f"hash of {password}"

    def matches(self, password: str, stored: str) -> bool:
        self.compared.append(stored)
        return stored in {self.hash(password), f"old {self.hash(password)}"}

    def wants_another_hash(self, stored: str) -> bool:
        return stored.startswith("old ")


class OpenVault:
    """A vault that seals nothing, and opens only the values of the same record."""

    def seal(self, value: bytes, about: str) -> str:
        return f"{about} {value.hex()}"

    def open(self, sealed: str, about: str) -> bytes | None:
        of, _, text = sealed.partition(" ")
        return bytes.fromhex(text) if of == about else None


@dataclass
class People:
    """The members of a database's accounts, by their addresses."""

    database: Database

    def row(self, email: str) -> MemberRow:
        found = self.database.read(lambda tx: sign_in.look_up(tx, email))
        assert found is not None, email
        return found

    def is_known(self, email: str) -> bool:
        return self.database.read(lambda tx: sign_in.look_up(tx, email)) is not None

    def join(self, account_id: str, email: str, role: str = "viewer", name: str = "Bo") -> MemberRow:
        def work(tx):
            row = stored_members.new(tx, account_id, email, "hash of pass word", role, name=name, is_verified=True)
            stored_members.add(tx, row)
            return row

        return self.database.write(work)

    def owner_of(self, account_id: str) -> MemberRow:
        return self.database.read(lambda tx: stored_members.all_of(tx, account_id))[0]

    def begin(self, row: MemberRow, *, agent: str = "Firefox") -> tuple[str, Person]:
        token = f"{next(_tokens):064x}"
        self.database.write(lambda tx: sessions.begin(tx, row, token_hash=token, user_agent=agent, address="192.0.2.1"))
        person = self.person(token)
        assert person is not None
        return token, person

    def person(self, token: str) -> Person | None:
        return self.database.read(lambda tx: sessions.find(tx, token))

    def do(self, action, *arguments, **named):
        return self.database.write(lambda tx: action(tx, *arguments, **named))

    def see(self, action, *arguments, **named):
        return self.database.read(lambda tx: action(tx, *arguments, **named))
