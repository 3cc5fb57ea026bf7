"""Lists of tenants' questions that are not disputes, by invoice, property and state."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, columns_for, returns, returns_one
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import dispute, invoice, tenant_question


class ListedQuestion(NamedTuple):
    """A tenant's question with its invoice, as lists show it."""

    id: str
    invoice_id: str
    number: str
    month: str
    property_id: str
    unit_id: str
    tenant_id: str | None
    tenant_name: str | None
    about: str | None
    asked: str
    asked_at: str
    reply: str | None
    replied_by: str | None
    answered_at: str | None


_FILTERS: dict[str, ColumnElement[bool]] = {
    "id": tenant_question.c.id == bindparam("id"),
    "invoice": tenant_question.c.invoice_id == bindparam("invoice"),
    "property": invoice.c.property_id == bindparam("property"),
    "open": tenant_question.c.answered_at.is_(None),
    "answered": tenant_question.c.answered_at.is_not(None),
}
"""The condition of each filter; `open` and `answered` take no value."""
_its_dispute = and_(dispute.c.account_id == tenant_question.c.account_id, dispute.c.question_id == tenant_question.c.id)


def _of_these(statement: Select[Any], filters: frozenset[str]) -> Select[Any]:
    joined = statement.select_from(
        tenant_question.join(invoice, named_by(invoice, tenant_question.c.invoice_id)).outerjoin(dispute, _its_dispute)
    )
    conditions = (condition for name, condition in _FILTERS.items() if name in filters)
    return joined.where(
        tenant_question.c.account_id == bindparam("account"), dispute.c.question_id.is_(None), *conditions
    )


@cache
def _page(filters: frozenset[str]) -> Statement[ListedQuestion]:
    statement = _of_these(select(*columns_for(ListedQuestion, tenant_question, invoice)), filters)
    newest = statement.order_by(tenant_question.c.id.desc())
    return returns(ListedQuestion, newest.limit(bindparam("limit")).offset(bindparam("offset")))


@cache
def _number(filters: frozenset[str]) -> Statement[int]:
    return returns_one(_of_these(select(func.count()), filters))


def page(tx: Tx, account_id: str, filters: Mapping[str, str], *, limit: int, offset: int) -> list[ListedQuestion]:
    """Return a page of the account's questions, latest first.

    `filters` may contain `id`, `invoice`, `property`, `open` and `answered`; an empty value limits nothing.
    """
    asked = {name: value for name, value in filters.items() if value}
    return tx.all(_page(frozenset(filters)), account=account_id, limit=limit, offset=offset, **asked)


def number(tx: Tx, account_id: str, filters: Mapping[str, str]) -> int:
    """Count the questions that match the filters."""
    asked = {name: value for name, value in filters.items() if value}
    return tx.one(_number(frozenset(filters)), account=account_id, **asked) or 0
