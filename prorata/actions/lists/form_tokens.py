"""Protection against double submission of forms that create something."""

from typing import Final

from prorata.actions.jobs.recurring import kept_for
from prorata.actions.limits import ANSWERS_KEPT
from prorata.store.audit.audit import Caller
from prorata.store.database import idempotency
from prorata.store.database.engine import Tx
from prorata.store.database.idempotency import AnswerRow

_SEE_OTHER = 303
_KEY = " form {}"


def is_first(tx: Tx, caller: Caller, mark: str | None) -> bool:
    """True if a 64-character form token is new, or if there is no token.

    A new token is stored in this transaction, and kept as long as the response to a request with an
    Idempotency-Key. Stored tokens and such keys can't collide, because only tokens are stored with a space at the
    beginning.
    """
    return mark is None or idempotency.claim(
        tx, AnswerRow(caller.account_id, _KEY.format(mark), mark, _SEE_OTHER, "", tx.now)
    )


def take_back(tx: Tx, caller: Caller, mark: str | None) -> None:
    """Release a form token in the same transaction as `is_first`, because nothing was created."""
    if mark is not None:
        idempotency.release(tx, caller.account_id, _KEY.format(mark))


ANSWERS: Final = kept_for(ANSWERS_KEPT, idempotency.is_any_before, idempotency.forget, idempotency.first_stored)
