"""Lessons, learned from an issuer's confirmed bills and used to read its next bills.

A lesson is for all bills of an issuer, whatever their account numbers.
"""

from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, puts, returns
from prorata.store.schema.document_tables import issuer_lesson


class IssuerLesson(NamedTuple):
    """A lesson that was learned from an issuer's confirmed bills.

    `issuer_key` is the key by which the lesson is found, and `issuer_name` the name that a person confirmed. `lesson`
    is JSON.
    """

    account_id: str
    issuer_key: str
    issuer_name: str
    lesson: str
    updated_at: str


_this = and_(issuer_lesson.c.account_id == bindparam("account"), issuer_lesson.c.issuer_key == bindparam("issuer"))
_FIND = returns(IssuerLesson, select(issuer_lesson).where(_this))
_LOCK = returns(IssuerLesson, select(issuer_lesson).where(_this).with_for_update())
_ALL = returns(
    IssuerLesson,
    select(issuer_lesson)
    .where(issuer_lesson.c.account_id == bindparam("account"))
    .order_by(issuer_lesson.c.updated_at.desc(), issuer_lesson.c.issuer_key)
    .limit(bindparam("limit")),
)
_FORGET = changes(delete(issuer_lesson).where(_this))
_KEEP = puts(issuer_lesson)


def all_of(tx: Tx, account_id: str, *, limit: int) -> list[IssuerLesson]:
    """List the lessons about all issuers, latest first."""
    return tx.all(_ALL, account=account_id, limit=limit)


def find(tx: Tx, account_id: str, issuer_key: str) -> IssuerLesson | None:
    """Find the lesson about an issuer's bills."""
    return tx.one(_FIND, account=account_id, issuer=issuer_key)


def lock(tx: Tx, account_id: str, issuer_key: str) -> IssuerLesson | None:
    """Find and lock the lesson about an issuer's bills."""
    return tx.one(_LOCK, account=account_id, issuer=issuer_key)


def keep(tx: Tx, row: IssuerLesson) -> None:
    """Save a lesson about an issuer, replacing the earlier one."""
    tx.run(_KEEP, **row._asdict())


def forget(tx: Tx, account_id: str, issuer_key: str) -> None:
    """Delete the lesson about an issuer."""
    tx.run(_FORGET, account=account_id, issuer=issuer_key)
