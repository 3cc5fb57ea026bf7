"""A page of invoices in one statement, with how many fit in all."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import ScalarSelect, bindparam, func, literal_column, select, true

from prorata.store.engine import Tx
from prorata.store.invoices import FILTERS, IN_ORDER, SUMMARY, InvoiceSummary
from prorata.store.statements import Statement
from prorata.store.tables import billing_month, invoice, tally

_ALL = ("draft", "sent", "paid", "overdue", "cancelled")
_mine = invoice.c.account_id == bindparam("account")


@cache
def _page(filters: frozenset[str], counted: tuple[str, ...]) -> Statement[tuple[InvoiceSummary, int]]:
    """A page's invoices, each with the number of all that fit, as PostgreSQL takes it; `counted` are the kept counts
    that make up the number. What belongs to an invoice is looked up for each by itself, so that the planner, which does
    not know how short a page is, reads no table whole for it.
    """
    conditions = [column == bindparam(name) for name, column in FILTERS.items() if name in filters]
    page = (
        select(invoice.c.id, invoice.c.month, invoice.c.number_key)
        .where(_mine, *conditions)
        .order_by(*IN_ORDER)
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery("page")
    )
    one: Any = literal_column("1")
    whole = SUMMARY.where(_mine, invoice.c.id == page.c.id).limit(one).lateral("whole")
    return Statement(
        select(*whole.c, _number(filters, counted).label("fit"))
        .select_from(page.join(whole, true()))
        .order_by(page.c.month.desc(), page.c.number_key, page.c.id),
        _with_number,
    )


@cache
def _number(filters: frozenset[str], counted: tuple[str, ...]) -> ScalarSelect[Any]:
    """How many fit: of a unit the few are counted; else a sum of counts that are kept."""
    if "unit" in filters:
        conditions = [column == bindparam(name) for name, column in FILTERS.items() if name in filters]
        return select(func.count()).select_from(invoice).where(_mine, *conditions).scalar_subquery()
    kept = billing_month if {"property", "month"} <= filters else tally
    number = sum((kept.c[name] for name in counted[1:]), start=kept.c[counted[0]])
    nothing: Any = literal_column("''")
    return (
        select(number)
        .where(
            kept.c.account_id == bindparam("account"),
            *(kept.c[f"{name}_id" if name == "property" else name] == (bindparam(name) if name in filters else nothing)
              for name in ("property", "month")),
        )
        .scalar_subquery()
    )  # fmt: skip


def _with_number(row: Sequence[Any]) -> tuple[InvoiceSummary, int]:
    return InvoiceSummary._make(row[:-1]), row[-1]


def page(
    tx: Tx, account_id: str, filters: dict[str, str], *, limit: int, offset: int, alone: bool
) -> tuple[list[InvoiceSummary], int] | None:
    """One page of the account's invoices, as `invoices.page` gives it, and how many fit the filters; None where it
    cannot be told so: a page without any says nothing of how many there are, and SQLite, which waits for nobody, is
    faster with a statement for each. `alone`: nothing else is to be read of the same state.
    """
    if tx.dialect == "sqlite":
        return None
    status = filters.get("status")
    statement = _page(frozenset(filters), (status.lower(),) if status else _ALL)
    read = tx.all_alone if alone else tx.all
    found = read(statement, account=account_id, **filters, limit=limit, offset=offset)
    return ([summary for summary, _ in found], found[0][1]) if found else None
