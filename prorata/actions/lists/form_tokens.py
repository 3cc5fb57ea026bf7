"""Forms that make something: sent twice, by a double click or a slow line, they make it once."""

from datetime import datetime, timedelta
from typing import Final

from prorata.actions.jobs.recurring import Kept
from prorata.store.audit.audit import Caller
from prorata.store.database import idempotency
from prorata.store.database.engine import Tx, timestamp
from prorata.store.database.idempotency import AnswerRow

ANSWERS_KEPT = timedelta(hours=24)
"""How long the answer to an Idempotency-Key is stored (docs/decisions.md#idempotency-keys)."""
_SEE_OTHER = 303
_KEY = " form {}"


def is_first(tx: Tx, caller: Caller, mark: str | None) -> bool:
    """Whether what is asked for under this mark, 64 characters, was not done before; what has none never was. It is
    done with this transaction, and known for as long as an answer to an Idempotency-Key is; no such key begins with a
    space.
    """
    return mark is None or idempotency.claim(
        tx, AnswerRow(caller.account_id, _KEY.format(mark), mark, _SEE_OTHER, "", tx.now)
    )


def take_back(tx: Tx, caller: Caller, mark: str | None) -> None:
    """Forget a mark in the transaction that `is_first` took it in, as nothing was made under it after all."""
    if mark is not None:
        idempotency.release(tx, caller.account_id, _KEY.format(mark))


def _long_ago(tx: Tx) -> str:
    return timestamp(tx.moment - ANSWERS_KEPT)


def _first_ends(tx: Tx, account_id: str) -> datetime | None:
    found = idempotency.first_stored(tx, account_id, _long_ago(tx))
    return datetime.fromisoformat(found) + ANSWERS_KEPT if found else None


ANSWERS: Final = Kept(
    lambda tx, account_id: idempotency.is_any_before(tx, account_id, _long_ago(tx)),
    lambda tx, account_id: idempotency.forget(tx, account_id, _long_ago(tx)),
    _first_ends,
)
