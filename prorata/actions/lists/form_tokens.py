"""Forms that make something: sent twice, by a double click or a slow line, they make it once."""

from datetime import timedelta
from typing import Final

from prorata.actions.jobs.recurring import kept_for
from prorata.store.audit.audit import Caller
from prorata.store.database import idempotency
from prorata.store.database.engine import Tx
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


ANSWERS: Final = kept_for(ANSWERS_KEPT, idempotency.is_any_before, idempotency.forget, idempotency.first_stored)
