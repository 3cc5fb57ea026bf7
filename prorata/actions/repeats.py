"""Forms that make something: sent twice, by a double click or a slow line, they make it once."""

from prorata.store import idempotency
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.idempotency import AnswerRow

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
