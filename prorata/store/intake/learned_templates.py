"""What was learned of the bills of an issuer for an account number."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import insert

from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, is_one_of, returns
from prorata.store.schema.document_tables import lesson


class LessonRow(NamedTuple):
    """A lesson: the key of an account number, the issuer's name folded, and the template, as JSON."""

    account_id: str
    number: str
    issuer: str
    template: str
    updated_at: str


_OF_NUMBERS = returns(
    LessonRow,
    select(lesson)
    .where(lesson.c.account_id == bindparam("account"), is_one_of(lesson.c.number, "numbers"))
    .order_by(lesson.c.updated_at.desc(), lesson.c.number, lesson.c.issuer)
    .limit(bindparam("limit")),
)
_added = insert(lesson).values({column.name: bindparam(column.name) for column in lesson.columns})
_KEEP = changes(
    _added.on_conflict_do_update(
        index_elements=["account_id", "number", "issuer"],
        set_={"template": _added.excluded.template, "updated_at": _added.excluded.updated_at},
    )
)


def of_numbers(tx: Tx, account_id: str, numbers: Sequence[str], *, limit: int) -> list[LessonRow]:
    """What was learned of any of these account numbers, the latest first."""
    return tx.all(_OF_NUMBERS, account=account_id, numbers=list(numbers), limit=limit)


def keep(tx: Tx, row: LessonRow) -> None:
    """Keep what was learned, in the place of what was learned of the same before."""
    tx.run(_KEEP, **row._asdict())
