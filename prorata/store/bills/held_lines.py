"""Lines of held bills: bills that are flagged and not accepted.

These lines are not counted anywhere until they are released.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, literal_column, select

from prorata.domain.groups import grouped
from prorata.store.bills import bills
from prorata.store.bills.bills import LineRow
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, columns_for, is_one_of, returns
from prorata.store.months.reviews import LineBefore
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, held_line


class HeldRow(NamedTuple):
    """A line of a held bill; `amount` is in cents.

    A line of a spread bill is for `days` of the bill's `of_days` service days.
    """

    account_id: str
    bill_id: str
    number: int
    property_id: str
    month: str
    utility_type: str | None
    not_billed: str | None
    amount: int
    days: int | None
    of_days: int | None


_mine = held_line.c.account_id == bindparam("account")
_of_property = and_(_mine, held_line.c.property_id == bindparam("property"))
_its_bill = named_by(bill, held_line.c.bill_id)
_OF_BILLS = returns(HeldRow, select(held_line).where(_mine, is_one_of(held_line.c.bill_id, "bills")))
_OF_PROPERTY = returns(HeldRow, select(held_line).where(_of_property).order_by(held_line.c.bill_id, held_line.c.number))
_IN_MONTHS = returns(
    LineBefore,
    select(*columns_for(LineBefore, held_line, bill, charged=literal_column("false")))
    .join(bill, _its_bill)
    .where(_mine, is_one_of(held_line.c.property_id, "properties"), is_one_of(held_line.c.month, "months"))
    .order_by(held_line.c.month, held_line.c.bill_id, held_line.c.number),
)
_REMOVE = changes(delete(held_line).where(_mine, held_line.c.bill_id == bindparam("bill")))


def of_bills(tx: Tx, account_id: str, bill_ids: Sequence[str]) -> list[LineRow]:
    """List the lines of these bills that are held, sorted by bill and line number.

    None of these lines is `charged`.
    """
    rows = tx.all(_OF_BILLS, account=account_id, bills=list(bill_ids)) if bill_ids else []
    return sorted((_line(row) for row in rows), key=lambda line: (line.bill_id, line.number))


def of_property(tx: Tx, account_id: str, property_id: str) -> list[HeldRow]:
    """List every held line of the property's bills."""
    return tx.all(_OF_PROPERTY, account=account_id, property=property_id)


def of_months(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> dict[str, list[LineBefore]]:
    """List these properties' held lines whose billing month is one of `months`, by property."""
    rows = tx.all(_IN_MONTHS, account=account_id, properties=property_ids, months=months)
    return grouped((row.property_id, row) for row in rows)


def add_many(tx: Tx, lines: Sequence[LineRow]) -> None:
    """Add lines to held bills; these lines charge nobody."""
    if lines:
        tx.add_many("held_line", HeldRow._fields, [_held(line) for line in lines])
        bills.note_first_months(tx, lines[0].account_id, sorted({line.bill_id for line in lines}))


def replace(tx: Tx, account_id: str, bill_id: str, lines: Sequence[LineRow]) -> None:
    """Replace a bill's held lines; with an empty list, the bill is no longer held."""
    tx.run(_REMOVE, account=account_id, bill=bill_id)
    add_many(tx, lines)


def _line(row: HeldRow) -> LineRow:
    return LineRow(**row._asdict(), owner_amount=0, charged=False)


def _held(line: LineRow) -> HeldRow:
    return HeldRow(*(getattr(line, name) for name in HeldRow._fields))
