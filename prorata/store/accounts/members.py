"""The members of an account.

At sign-in, a member of any account is found by e-mail address.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, literal_column, null, or_, select, update

from prorata.domain.callers import address_key
from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, adds_if_new, changes, returns, returns_one
from prorata.store.schema.sign_in_tables import recovery_code
from prorata.store.schema.tables import member


class MemberRow(NamedTuple):
    """A person who may sign in to an account.

    `verified_at` is the time at which the address was confirmed. `totp_secret`, the authenticator app's secret, is
    sealed, and applies from `totp_on_at` on. `totp_last_step` is the number of the time step of the last code used.
    `locale` sets the language and formats of the member's pages; if it is empty, the account's language and formats
    apply.
    """

    account_id: str
    id: str
    email: str
    password_hash: str
    role: str
    name: str
    verified_at: str | None
    totp_secret: str | None
    totp_on_at: str | None
    totp_last_step: int | None
    created_at: str
    locale: str = ""

    @property
    def has_second_factor(self) -> bool:
        """True if signing in requires a code in addition to the password."""
        return self.totp_on_at is not None


_mine = member.c.account_id == bindparam("account")
_this = member.c.id == bindparam("id")
_FIND = returns(MemberRow, select(member).where(_mine, _this))
_BY_EMAIL = returns(MemberRow, select(member).where(member.c.email == bindparam("email")))
_ALL = returns(MemberRow, select(member).where(_mine).order_by(member.c.id))
_ADD = adds_if_new(member)
_is_off = member.c.totp_on_at.is_(None)
_RENAME = changes(update(member).where(_mine, _this).values(name=bindparam("new_name")))
_SET_LOCALE = changes(update(member).where(_mine, _this).values(locale=bindparam("new_locale")))
_SET_ROLE = changes(update(member).where(_mine, _this).values(role=bindparam("new_role")))
_SET_EMAIL = changes(
    update(member).where(_mine, _this, member.c.verified_at.is_(None)).values(email=bindparam("new_email"))
)
_CHANGE_EMAIL = changes(
    update(member).where(_mine, _this, member.c.email == bindparam("seen_email")).values(email=bindparam("new_email"))
)
_SET_PASSWORD = changes(update(member).where(_mine, _this).values(password_hash=bindparam("new_hash")))
_REPLACE_PASSWORD = changes(
    update(member)
    .where(_mine, _this, member.c.password_hash == bindparam("seen_hash"))
    .values(password_hash=bindparam("new_hash"))
)
_VERIFY = changes(
    update(member).where(_mine, _this, member.c.verified_at.is_(None)).values(verified_at=bindparam("at"))
)
_BEGIN_APP = changes(
    update(member).where(_mine, _this, _is_off).values(totp_secret=bindparam("secret"), totp_last_step=null())
)
_TURN_ON = changes(
    update(member)
    .where(_mine, _this, _is_off, member.c.totp_secret == bindparam("seen_secret"))
    .values(totp_on_at=bindparam("at"), totp_last_step=bindparam("step"))
)
_TURN_OFF = changes(
    update(member).where(_mine, _this).values(totp_secret=null(), totp_on_at=null(), totp_last_step=null())
)
_REMOVE = changes(delete(member).where(_mine, _this))
_USE_STEP = changes(
    update(member)
    .where(_mine, _this, or_(member.c.totp_last_step.is_(None), member.c.totp_last_step < bindparam("step")))
    .values(totp_last_step=bindparam("step"))
)
_IS_OWNER_VERIFIED = returns_one(
    select(member.c.id)
    .where(_mine, member.c.role == bindparam("role"), member.c.verified_at.is_not(None))
    .limit(literal_column("1"))
)

_its_codes = (recovery_code.c.account_id == bindparam("account"), recovery_code.c.member_id == bindparam("member"))
_ADD_CODE = adds(recovery_code)
_CODES = returns_one(select(recovery_code.c.code_hash).where(*_its_codes))
_USE_CODE = changes(delete(recovery_code).where(*_its_codes, recovery_code.c.code_hash == bindparam("code_hash")))
_DROP_CODES = changes(delete(recovery_code).where(*_its_codes))


def new(
    tx: Tx, account_id: str, email: str, password_hash: str, role: str, *, name: str, is_verified: bool
) -> MemberRow:
    """Build the row of a new member, without storing the row."""
    return MemberRow(
        account_id=account_id,
        id=tx.new_id("member"),
        email=address_key(email),
        password_hash=password_hash,
        role=role,
        name=name,
        verified_at=tx.now if is_verified else None,
        totp_secret=None,
        totp_on_at=None,
        totp_last_step=None,
        created_at=tx.now,
    )


def find(tx: Tx, account_id: str, member_id: str) -> MemberRow | None:
    """Find the account's member with this id."""
    return tx.one(_FIND, account=account_id, id=member_id)


def find_by_email(tx: Tx, email: str) -> MemberRow | None:
    """Find the member with this e-mail address, given in lower case, in any account."""
    return tx.one(_BY_EMAIL, email=email)


def all_of(tx: Tx, account_id: str) -> list[MemberRow]:
    """List every member of the account, in the order in which they joined."""
    return tx.all(_ALL, account=account_id)


def add(tx: Tx, row: MemberRow) -> bool:
    """Add a member; return False if a member of any account already has the address."""
    return tx.run(_ADD, **row._asdict()) == 1


def rename(tx: Tx, account_id: str, member_id: str, name: str) -> None:
    """Rename a member.

    This and the functions below write one field each, so that two simultaneous changes of a member don't undo each
    other.
    """
    tx.run(_RENAME, account=account_id, id=member_id, new_name=name)


def set_locale(tx: Tx, account_id: str, member_id: str, locale: str) -> None:
    """Set the language and formats of a member's pages.

    If the locale is empty, the account's language and formats apply.
    """
    tx.run(_SET_LOCALE, account=account_id, id=member_id, new_locale=locale)


def set_role(tx: Tx, account_id: str, member_id: str, role: str) -> None:
    """Give a member another role."""
    tx.run(_SET_ROLE, account=account_id, id=member_id, new_role=role)


def set_email(tx: Tx, account_id: str, member_id: str, email: str) -> bool:
    """Correct the address of a member who has not confirmed it yet.

    `email` is in lower case. Return False if the address has been confirmed in the meantime. Raises `Duplicate` if
    another member has `email`.
    """
    return tx.run(_SET_EMAIL, account=account_id, id=member_id, new_email=email) == 1


def change_email(tx: Tx, account_id: str, member_id: str, *, seen_email: str, email: str) -> bool:
    """Replace the address with which a member signs in.

    Both addresses are in lower case. Return False if the member's address is no longer `seen_email`, which the caller
    has read. Raises `Duplicate` if another member has `email`.
    """
    return tx.run(_CHANGE_EMAIL, account=account_id, id=member_id, seen_email=seen_email, new_email=email) == 1


def set_password(tx: Tx, account_id: str, member_id: str, password_hash: str) -> None:
    """Save a member's password hash, whatever the stored one is."""
    tx.run(_SET_PASSWORD, account=account_id, id=member_id, new_hash=password_hash)


def replace_password(tx: Tx, account_id: str, member_id: str, *, seen_hash: str, password_hash: str) -> bool:
    """Replace a member's password hash.

    Return False if the stored hash is no longer the one that the caller has read.
    """
    return tx.run(_REPLACE_PASSWORD, account=account_id, id=member_id, seen_hash=seen_hash, new_hash=password_hash) == 1


def verify(tx: Tx, account_id: str, member_id: str) -> bool:
    """Record that a member's address is confirmed; return False if it was confirmed before."""
    return tx.run(_VERIFY, account=account_id, id=member_id, at=tx.now) == 1


def begin_app(tx: Tx, account_id: str, member_id: str, secret: str) -> bool:
    """Store the sealed secret of an authenticator app that a member is setting up.

    Return False if two-factor sign-in is already on for the member.
    """
    return tx.run(_BEGIN_APP, account=account_id, id=member_id, secret=secret) == 1


def turn_on(tx: Tx, account_id: str, member_id: str, *, seen_secret: str, step: int) -> bool:
    """Turn on a member's two-factor sign-in with a code that can't be used again.

    `step` is the number of the code's time step. Return False if two-factor sign-in is on already, or if the stored
    secret is no longer `seen_secret` because another setup was begun.
    """
    values = {"account": account_id, "id": member_id, "seen_secret": seen_secret, "step": step, "at": tx.now}
    return tx.run(_TURN_ON, **values) == 1


def turn_off(tx: Tx, account_id: str, member_id: str) -> None:
    """Turn off a member's two-factor sign-in.

    The authenticator app's secret and the recovery codes are deleted.
    """
    tx.run(_TURN_OFF, account=account_id, id=member_id)
    tx.run(_DROP_CODES, account=account_id, member=member_id)


def remove(tx: Tx, account_id: str, member_id: str) -> None:
    """Remove a member with their sessions and recovery codes."""
    tx.run(_REMOVE, account=account_id, id=member_id)


def use_step(tx: Tx, account_id: str, member_id: str, step: int) -> bool:
    """Use up the code that an authenticator app shows in a time step.

    Return False if the code of this step or of a later step is already used up.
    """
    return tx.run(_USE_STEP, account=account_id, id=member_id, step=step) == 1


def has_verified_owner(tx: Tx, account_id: str) -> bool:
    """True if an owner of the account has a verified e-mail address."""
    return tx.one(_IS_OWNER_VERIFIED, account=account_id, role="owner") is not None


def replace_recovery_codes(tx: Tx, account_id: str, member_id: str, hashes: Sequence[str]) -> None:
    """Replace all recovery codes of a member."""
    tx.run(_DROP_CODES, account=account_id, member=member_id)
    rows = [{"account_id": account_id, "member_id": member_id, "code_hash": code_hash} for code_hash in hashes]
    tx.run_many(_ADD_CODE, rows)


def recovery_codes_left(tx: Tx, account_id: str, member_id: str) -> int:
    """Count the recovery codes that a member has not used."""
    return len(tx.all(_CODES, account=account_id, member=member_id))


def use_recovery_code(tx: Tx, account_id: str, member_id: str, code_hash: str) -> bool:
    """Use up a recovery code; return False if the member has no such code."""
    return tx.run(_USE_CODE, account=account_id, member=member_id, code_hash=code_hash) == 1
