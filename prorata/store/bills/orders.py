"""The orders in which bills are listed, and how each goes on behind the bill that a page ended with: in steps, as those
of invoices do (`invoice_orders`).
"""

from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam

from prorata.store.database.list_orders import by_no_index
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, property_

DATE, TOTAL, ISSUER, DUE, BY_PROPERTY, BY_MONTH = "date", "total", "issuer", "due", "property", "month"
SORTS: dict[str, tuple[tuple[ColumnElement[Any], bool], ...]] = {
    DATE: ((bill.c.bill_date, True), (bill.c.id, False)),
    TOTAL: ((bill.c.total, False), (bill.c.id, False)),
    ISSUER: ((bill.c.issuer_name, False), (bill.c.id, False)),
    DUE: ((bill.c.due_date, False), (bill.c.id, False)),
    BY_PROPERTY: ((property_.c.name_key, False), (bill.c.id, False)),
    BY_MONTH: ((bill.c.first_month, False), (bill.c.id, False)),
}
"""The columns of each order, and whether they go down."""
MAY_LACK = (str(bill.c.due_date.key), str(bill.c.first_month.key))
"""Columns that may have no value: that comes last, and first in the reverse order."""
Place = tuple[str | int | None, str]
"""What a bill has in the columns of an order."""
Step = Literal["same", "behind", "lacking", "lacking behind", "having"]
"""What is behind a place: first those that have the `same` in its first column, then those that are `behind` in it, and
those that are `lacking` a value there. Where the place has none: those that lack it too and are behind (`lacking
behind`), and in the reverse order those `having` one.
"""


class Order(NamedTuple):
    """An order, by its name in `SORTS`, and how many are looked for in it."""

    sort: str
    reverse: bool
    limit: int


ITS_PROPERTY = named_by(property_, bill.c.property_id)
BILLS_OF_PROPERTIES = property_.join(
    bill, and_(property_.c.account_id == bindparam("account"), bill.c.property_id == by_no_index(property_.c.id))
)
"""From the properties on, by their index."""


def in_order(order: Order, *, indexed: bool) -> list[ColumnElement[Any]]:
    """What a statement is ordered by."""
    columns: list[ColumnElement[Any]] = []
    for column, down in SORTS[order.sort]:
        value = column if indexed else by_no_index(column)
        by = value.desc() if down != order.reverse else value.asc()
        if column.key in MAY_LACK:
            by = by.nulls_first() if order.reverse else by.nulls_last()
        columns.append(by)
    return columns


def is_of_step(order: Order, step: Step, *, indexed: bool = True) -> ColumnElement[bool]:
    """The condition that a bill is behind the place by this step."""
    here = [column if indexed else by_no_index(column) for column, _ in SORTS[order.sort]]
    there = [bindparam(f"place_{column.key}", type_=column.type) for column, _ in SORTS[order.sort]]
    down = [down != order.reverse for _, down in SORTS[order.sort]]
    if step == "having":
        return here[0].is_not(None)
    if step == "lacking":
        return here[0].is_(None)
    at = 0 if step == "behind" else 1
    is_past = here[at] < there[at] if down[at] else here[at] > there[at]
    if step == "lacking behind":
        return and_(here[0].is_(None), is_past)
    return and_(here[0] == there[0], is_past) if step == "same" else is_past


def steps_behind(order: Order, place: Place) -> tuple[Step, ...]:
    """The steps that find what is behind a place, in their order."""
    if place[0] is None:
        return ("lacking behind", "having") if order.reverse else ("lacking behind",)
    lacks = SORTS[order.sort][0][0].key in MAY_LACK and not order.reverse
    return ("same", "behind", "lacking") if lacks else ("same", "behind")


def values_of(order: Order, place: Place | None) -> dict[str, Any]:
    """What a statement that begins behind a place is run with."""
    columns = [f"place_{column.key}" for column, _ in SORTS[order.sort]]
    return dict(zip(columns, place, strict=True)) if place is not None else {}
