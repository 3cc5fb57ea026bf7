"""API keys, stored only as keyed hashes.

The account of a request is found by the hash of its key.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, or_, select, update

from prorata.domain.accounts.scopes import Grant, grant_of
from prorata.domain.audit.verbs import Verb
from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, is_one_of, returns, returns_one
from prorata.store.schema.sign_in_tables import api_key
from prorata.store.schema.tables import event


class ApiKeyRow(NamedTuple):
    """An API key.

    `key_hash` is 64 hexadecimal digits; `last_four` are the last four characters of the key. `scopes` are separated by
    spaces; an empty string means all.
    """

    account_id: str
    id: str
    name: str
    permission: str
    key_hash: str
    last_four: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    scopes: str

    @property
    def grant(self) -> Grant:
        """The rights that the key gives: its permission and scopes."""
        return grant_of(self.permission, self.scopes)


_mine = api_key.c.account_id == bindparam("account")
_this = api_key.c.id == bindparam("id")
_LIVE = returns(
    ApiKeyRow,
    select(api_key).where(
        api_key.c.key_hash == bindparam("key_hash"),
        api_key.c.revoked_at.is_(None),
        or_(api_key.c.expires_at.is_(None), api_key.c.expires_at > bindparam("now")),
    ),
)
_BY_HASH = returns(ApiKeyRow, select(api_key).where(_mine, api_key.c.key_hash == bindparam("key_hash")))
_FIND = returns(ApiKeyRow, select(api_key).where(_mine, _this))
_ALL = returns(ApiKeyRow, select(api_key).where(_mine).order_by(api_key.c.id))
_LIVE_ONES = returns(ApiKeyRow, select(api_key).where(_mine, api_key.c.revoked_at.is_(None)).order_by(api_key.c.id))
_SINCE = returns(
    ApiKeyRow,
    select(api_key)
    .where(_mine, or_(api_key.c.revoked_at.is_(None), api_key.c.revoked_at > bindparam("since")))
    .order_by(api_key.c.id),
)
_MAKERS = returns_one(
    select(event.c.actor).where(
        event.c.account_id == bindparam("account"),
        is_one_of(event.c.record_id, "keys"),
        event.c.verb == bindparam("verb"),
    )
)
_ADD = adds(api_key)
_REVOKE = changes(
    update(api_key).where(_mine, _this, api_key.c.revoked_at.is_(None)).values(revoked_at=bindparam("at"))
)
_TOUCH = changes(
    update(api_key)
    .where(_mine, _this, or_(api_key.c.last_used_at.is_(None), api_key.c.last_used_at < bindparam("before")))
    .values(last_used_at=bindparam("at"))
)
_HASH_ANEW = changes(update(api_key).where(_mine, _this).values(key_hash=bindparam("new_hash")))


def find_live(tx: Tx, key_hash: str) -> ApiKeyRow | None:
    """Find the key with this hash, of any account, unless it is revoked or expired."""
    return tx.one(_LIVE, key_hash=key_hash, now=tx.now)


def find_by_hash(tx: Tx, account_id: str, key_hash: str) -> ApiKeyRow | None:
    """Find the account's key with this hash, even if it is revoked or expired."""
    return tx.one(_BY_HASH, account=account_id, key_hash=key_hash)


def find(tx: Tx, account_id: str, key_id: str) -> ApiKeyRow | None:
    """Find the account's API key with this id, revoked or not."""
    return tx.one(_FIND, account=account_id, id=key_id)


def all_of(tx: Tx, account_id: str) -> list[ApiKeyRow]:
    """List every key of the account in order of creation, including revoked keys."""
    return tx.all(_ALL, account=account_id)


def live_of(tx: Tx, account_id: str) -> list[ApiKeyRow]:
    """List the keys of the account that are not revoked, in order of creation."""
    return tx.all(_LIVE_ONES, account=account_id)


def since(tx: Tx, account_id: str, moment: str) -> list[ApiKeyRow]:
    """List the account's keys that were not revoked before a time, in order of creation.

    Keys that are still valid, or were revoked at that time or later, are included.
    """
    return tx.all(_SINCE, account=account_id, since=moment)


def makers(tx: Tx, account_id: str) -> list[str]:
    """List the ids of the members who created the account's unrevoked keys.

    A member is listed once for each key.
    """
    keys = [row.id for row in live_of(tx, account_id)]
    return tx.all(_MAKERS, account=account_id, keys=keys, verb=Verb.CREATE_KEY) if keys else []


def add(tx: Tx, row: ApiKeyRow) -> None:
    """Add an API key, of which only the hash is stored."""
    tx.run(_ADD, **row._asdict())


def revoke(tx: Tx, account_id: str, key_id: str) -> bool:
    """Revoke an API key now; return False if it is already revoked."""
    return tx.run(_REVOKE, account=account_id, id=key_id, at=tx.now) == 1


def touch(tx: Tx, account_id: str, key_id: str, before: str) -> None:
    """Record that a key is used now.

    Nothing is recorded if the last recorded use is at or after `before`.
    """
    tx.run(_TOUCH, account=account_id, id=key_id, at=tx.now, before=before)


def hash_anew(tx: Tx, account_id: str, key_id: str, key_hash: str) -> None:
    """Replace the stored hash of a key that was hashed with the installation's previous secret."""
    tx.run(_HASH_ANEW, account=account_id, id=key_id, new_hash=key_hash)
