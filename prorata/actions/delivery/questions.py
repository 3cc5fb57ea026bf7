"""The API's list of tenants' questions; disputes are listed separately."""

from collections.abc import Mapping

from prorata.errors import NotFound
from prorata.ids import is_id
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import questions
from prorata.store.delivery.questions import ListedQuestion


def page(
    tx: Tx, caller: Caller, filters: Mapping[str, str], *, limit: int, offset: int
) -> tuple[list[ListedQuestion], int]:
    """List one page of an account's questions, latest first, and count the matches."""
    rows = questions.page(tx, caller.account_id, filters, limit=limit, offset=offset)
    return rows, questions.number(tx, caller.account_id, filters)


def find(tx: Tx, caller: Caller, question_id: str) -> ListedQuestion:
    """Find a question of the caller.

    Raises `NotFound` if there is no such question.
    """
    matching = is_id(question_id, "ask") and questions.page(
        tx, caller.account_id, {"id": question_id}, limit=1, offset=0
    )
    if not matching:
        raise NotFound("question")
    return matching[0]
