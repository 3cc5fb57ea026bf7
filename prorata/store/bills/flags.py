"""Flags of bills, and the stored bills with which new bills are compared.

The flags may be open or accepted.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, func, select, update

from prorata.store.bills import bills
from prorata.store.bills.bills import BillRow
from prorata.store.bills.flag_conditions import WAITS_FOR_A_PERSON
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, columns_for, is_one_of, returns, returns_one, row_values, saves
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, bill_flag, bill_line, held_line


class FlagRow(NamedTuple):
    """A flag of a bill, which is open until a person accepts the flag.

    `about` contains the ids of the other bills that the flag mentions, separated by `;`.
    """

    account_id: str
    bill_id: str
    number: int
    property_id: str
    kind: str
    message: str
    about: str
    found_at: str
    accepted_at: str | None
    accepted_by: str | None
    reason: str | None


class NamedBill(NamedTuple):
    """A bill in the form in which another bill's flag mentions it.

    `total` is in cents.
    """

    id: str
    issuer_name: str
    bill_date: str
    total: int


class PartOfBill(NamedTuple):
    """A line of a bill, held or not.

    It has a utility type or an unbilled reason, and an amount in cents.
    """

    bill_id: str
    number: int
    utility_type: str | None
    not_billed: str | None
    amount: int


class OpenFlags(NamedTuple):
    """The numbers of bills with flags that wait for a person, and of held bills."""

    flagged: int
    held: int


_mine = bill_flag.c.account_id == bindparam("account")
_is_open = and_(_mine, bill_flag.c.accepted_at.is_(None))
_OF_BILL = returns(
    FlagRow, select(bill_flag).where(_mine, bill_flag.c.bill_id == bindparam("bill")).order_by(bill_flag.c.number)
)
_OF_BILLS = returns(FlagRow, select(bill_flag).where(_mine, is_one_of(bill_flag.c.bill_id, "bills")))
_OF_PROPERTY = returns(
    FlagRow,
    select(bill_flag)
    .join(bill, named_by(bill, bill_flag.c.bill_id))
    .where(bill.c.account_id == bindparam("account"), bill.c.property_id == bindparam("property"))
    .order_by(bill_flag.c.bill_id, bill_flag.c.number),
)
_FLAGGED_IN = returns_one(
    select(bill_flag.c.bill_id)
    .where(_is_open, is_one_of(bill_flag.c.property_id, "properties"))
    .group_by(bill_flag.c.bill_id)
    .order_by(bill_flag.c.bill_id)
    .limit(bindparam("limit"))
)
_COUNT_FLAGGED = returns_one(
    select(func.count(bill_flag.c.bill_id.distinct()))
    .join(bill, named_by(bill, bill_flag.c.bill_id))
    .where(_mine, WAITS_FOR_A_PERSON)
)
_COUNT_HELD = returns_one(
    select(func.count(held_line.c.bill_id.distinct())).where(held_line.c.account_id == bindparam("account"))
)
_SAVE = saves(bill_flag, only=("accepted_at", "accepted_by", "reason"))
_REMOVE_OPEN = changes(delete(bill_flag).where(_is_open, bill_flag.c.bill_id == bindparam("bill")))
_MOVE = changes(
    update(bill_flag)
    .where(_mine, bill_flag.c.bill_id == bindparam("bill"))
    .values(property_id=bindparam("to_property"))
)

_my_bill = bill.c.account_id == bindparam("account")
_near = bill.c.bill_date.between(bindparam("first"), bindparam("last"))
_TOUCH = changes(update(bill).where(_my_bill, is_one_of(bill.c.id, "ids")).values(updated_at=bindparam("at")))
_NAMED = returns(
    NamedBill,
    select(*columns_for(NamedBill, bill)).where(_my_bill, is_one_of(bill.c.id, "ids")),
)
_KNOWN = {
    "in properties": returns(BillRow, bills.ROW.where(_my_bill, is_one_of(bill.c.property_id, "texts"), _near)),
    "of account numbers": returns(BillRow, bills.ROW.where(_my_bill, is_one_of(bill.c.account_number, "texts"), _near)),
    "of bill numbers": returns(BillRow, bills.ROW.where(_my_bill, is_one_of(bill.c.bill_number, "texts"))),
}
_PARTS = [
    returns(
        PartOfBill,
        select(*columns_for(PartOfBill, lines)).where(
            lines.c.account_id == bindparam("account"), is_one_of(lines.c.bill_id, "bills")
        ),
    )
    for lines in (bill_line, held_line)
]


def of_bill(tx: Tx, account_id: str, bill_id: str) -> list[FlagRow]:
    """List every flag of a bill, open and accepted."""
    return tx.all(_OF_BILL, account=account_id, bill=bill_id)


def of_bills(tx: Tx, account_id: str, bill_ids: Sequence[str]) -> list[FlagRow]:
    """List every flag of these bills."""
    return tx.all(_OF_BILLS, account=account_id, bills=list(bill_ids)) if bill_ids else []


def of_property(tx: Tx, account_id: str, property_id: str) -> list[FlagRow]:
    """List every flag of the property's bills."""
    return tx.all(_OF_PROPERTY, account=account_id, property=property_id)


def flagged_in(tx: Tx, account_id: str, property_ids: Sequence[str], *, limit: int) -> list[str]:
    """List the ids of these properties' bills that have open flags, in order of creation."""
    return tx.all(_FLAGGED_IN, account=account_id, properties=list(property_ids), limit=limit)


def open_flags(tx: Tx, account_id: str) -> OpenFlags | None:
    """Count bills with flags that wait for a person; None if there are none."""
    flagged = tx.one(_COUNT_FLAGGED, account=account_id)
    return OpenFlags(flagged, tx.one(_COUNT_HELD, account=account_id) or 0) if flagged else None


def add_many(tx: Tx, rows: Sequence[FlagRow]) -> None:
    """Add flags to bills."""
    tx.add_many("bill_flag", FlagRow._fields, rows)


def save(tx: Tx, row: FlagRow) -> None:
    """Save who accepted a flag, when and why."""
    tx.run(_SAVE, **row_values(bill_flag, row, ("accepted_at", "accepted_by", "reason")))


def save_many(tx: Tx, rows: Sequence[FlagRow]) -> None:
    """Save who accepted each of these flags, when and why."""
    columns = ("accepted_at", "accepted_by", "reason")
    tx.run_many(_SAVE, [row_values(bill_flag, row, columns) for row in rows])


def remove_open(tx: Tx, account_id: str, bill_id: str) -> None:
    """Delete the open flags of a bill."""
    tx.run(_REMOVE_OPEN, account=account_id, bill=bill_id)


def move(tx: Tx, account_id: str, bill_id: str, to_property: str) -> None:
    """Move a bill's flags to another property."""
    tx.run(_MOVE, account=account_id, bill=bill_id, to_property=to_property)


def touch_bills(tx: Tx, account_id: str, bill_ids: Sequence[str]) -> None:
    """Record that the flags of these bills, or other data shown with them, have changed."""
    if bill_ids:
        tx.run(_TOUCH, account=account_id, ids=list(bill_ids), at=tx.now)


def named(tx: Tx, account_id: str, ids: Sequence[str]) -> list[NamedBill]:
    """List these bills in the form in which flags mention them, leaving out deleted bills."""
    return tx.all(_NAMED, account=account_id, ids=list(ids)) if ids else []


def known(
    tx: Tx, account_id: str, *, property_ids: list[str], account_numbers: list[str], bill_numbers: list[str],
    first: str, last: str,
) -> list[BillRow]:  # fmt: skip
    """List the stored bills that new bills may duplicate, using at most three statements.

    The result contains two kinds of bills: those dated from `first` to `last` that belong to one of `property_ids`
    or have one of `account_numbers`, and those with one of `bill_numbers`, whatever their date.
    """
    days = {"first": first, "last": last}
    ways: tuple[tuple[str, list[str], dict[str, str]], ...] = (
        ("in properties", property_ids, days), ("of account numbers", account_numbers, days),
        ("of bill numbers", bill_numbers, {}),
    )  # fmt: skip
    by_id = {
        row.id: row
        for way, texts, more in ways
        if texts
        for row in tx.all(_KNOWN[way], account=account_id, texts=texts, **more)
    }
    return list(by_id.values())


def parts(tx: Tx, account_id: str, bill_ids: Sequence[str]) -> dict[str, list[PartOfBill]]:
    """List the lines of these bills, held bills included, in order."""
    lines_of: dict[str, list[PartOfBill]] = defaultdict(list)
    for statement in _PARTS if bill_ids else ():
        for part in tx.all(statement, account=account_id, bills=list(bill_ids)):
            lines_of[part.bill_id].append(part)
    return {bill_id: sorted(its, key=lambda part: part.number) for bill_id, its in lines_of.items()}
