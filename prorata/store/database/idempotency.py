"""Stored responses to requests with an Idempotency-Key (docs/decisions.md#idempotency-keys)."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds_if_new, changes, returns, returns_one
from prorata.store.schema.tables import idempotency_key


class AnswerRow(NamedTuple):
    """The stored response to a request with an Idempotency-Key.

    `request_hash` is the hash of the request's method, path and body.
    """

    account_id: str
    key: str
    request_hash: str
    status: int
    body: str
    created_at: str


_mine = idempotency_key.c.account_id == bindparam("account")
_this = idempotency_key.c.key == bindparam("key")
_FIND = returns(AnswerRow, select(idempotency_key).where(_mine, _this))
_CLAIM = adds_if_new(idempotency_key)
_ANSWER = changes(
    idempotency_key.update()
    .where(_mine, _this)
    .values(status=bindparam("answer_status"), body=bindparam("answer_body"))
)
_RELEASE = changes(delete(idempotency_key).where(_mine, _this))
_FORGET = changes(delete(idempotency_key).where(_mine, idempotency_key.c.created_at < bindparam("before")))
_IS_ANY_BEFORE = returns_one(
    select(idempotency_key.c.key).where(_mine, idempotency_key.c.created_at < bindparam("before")).limit(1)
)
_FIRST = returns_one(
    select(idempotency_key.c.created_at)
    .where(_mine, idempotency_key.c.created_at >= bindparam("since"))
    .order_by(idempotency_key.c.created_at)
    .limit(1)
)
_FORGET_KEY = changes(delete(idempotency_key).where(_mine, _this, idempotency_key.c.created_at < bindparam("before")))


def find(tx: Tx, account_id: str, key: str) -> AnswerRow | None:
    """Find the response stored under an Idempotency-Key of the account."""
    return tx.one(_FIND, account=account_id, key=key)


def claim(tx: Tx, row: AnswerRow) -> bool:
    """Claim an Idempotency-Key for this transaction; return False if the key is in use.

    If another transaction has claimed the key, wait until that transaction ends.
    """
    return tx.run(_CLAIM, **row._asdict()) == 1


def answer(tx: Tx, account_id: str, key: str, status: int, body: str) -> None:
    """Store the response under an Idempotency-Key that this transaction has claimed."""
    tx.run(_ANSWER, account=account_id, key=key, answer_status=status, answer_body=body)


def release(tx: Tx, account_id: str, key: str) -> None:
    """Delete an Idempotency-Key that this transaction has claimed, so that it can be used again."""
    tx.run(_RELEASE, account=account_id, key=key)


def forget(tx: Tx, account_id: str, before: str) -> None:
    """Delete the account's responses that were stored before a timestamp."""
    tx.run(_FORGET, account=account_id, before=before)


def is_any_before(tx: Tx, account_id: str, before: str) -> bool:
    """True if a response of the account was stored before a timestamp."""
    return tx.one(_IS_ANY_BEFORE, account=account_id, before=before) is not None


def first_stored(tx: Tx, account_id: str, since: str) -> str | None:
    """Return the time of the account's first response that was stored at `since` or later.

    Return None if there is none.
    """
    return tx.one(_FIRST, account=account_id, since=since)


def forget_key(tx: Tx, account_id: str, key: str, before: str) -> None:
    """Delete the response under one key if it was stored before a timestamp."""
    tx.run(_FORGET_KEY, account=account_id, key=key, before=before)
