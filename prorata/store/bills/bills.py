"""Utility bills and their lines."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, exists, func, literal_column, select, update

from prorata.store.bills.flag_conditions import IS_FLAGGED
from prorata.store.bills.late_bills import LINE_OF_MONTH, MONTHS_WITH_LINES, WAITS
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    returns_pairs,
    row_values,
    saves,
)
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, bill_line, billing_month, held_line, property_


class BillRow(NamedTuple):
    """A bill; amounts are in cents.

    A `guessed` bill gives no amounts per utility type. `fingerprint` and `repetition` identify the file's row from
    which a bill was imported. A `corrected` bill was changed by a person after it had charged a closed month.
    `usage` is text as in `domain.usage`, and `line_names` as in `domain.bills.line_names`.
    """

    account_id: str
    id: str
    property_id: str
    issuer_name: str
    utility_types: str
    total: int
    bill_date: str
    due_date: str | None
    payment_status: str
    notes: str | None
    account_number: str | None
    bill_number: str | None
    service_start: str | None
    service_end: str | None
    chosen_month: str | None
    guessed: bool
    fingerprint: str
    repetition: int
    created_at: str
    updated_at: str
    corrected: bool = False
    usage: str | None = None
    line_names: str | None = None


class LineRow(NamedTuple):
    """A line of a bill.

    If the bill is spread, the line is for `days` of the bill's `of_days` service days. Amounts are in cents.
    `owner_amount` is the owner's part. If `charged`, the month's invoices include the line.
    """

    account_id: str
    bill_id: str
    number: int
    property_id: str
    month: str
    utility_type: str | None
    not_billed: str | None
    amount: int
    owner_amount: int
    charged: bool
    days: int | None = None
    of_days: int | None = None


class BilledLine(NamedTuple):
    """A line, with the facts about its bill that are shown with a charge."""

    bill_id: str
    number: int
    property_id: str
    month: str
    utility_type: str | None
    amount: int
    owner_amount: int
    charged: bool
    issuer_name: str
    bill_date: str
    bill_total: int
    guessed: bool
    days: int | None = None
    of_days: int | None = None
    service_start: str | None = None
    service_end: str | None = None
    corrected: bool = False
    usage: str | None = None


class BillSummary(NamedTuple):
    """A bill as the API shows it, with its first and last billing month.

    A `flagged` bill has to be reviewed by a person. A `held` bill charges nobody until this is done.
    """

    id: str
    property_id: str
    property_name: str
    issuer_name: str
    utility_types: str
    total: int
    bill_date: str
    due_date: str | None
    payment_status: str
    notes: str | None
    created_at: str
    billing_month: str | None
    waiting: bool
    currency: str
    guessed: bool
    held: bool
    flagged: bool
    last_month: str | None
    line_names: str | None


class WaitingBills(NamedTuple):
    """The number of late bills that a property's closed month does not charge."""

    property_name: str
    month: str
    bills: int


class KnownBill(NamedTuple):
    """The fields of a stored bill that an import compares with the file's bills."""

    property_id: str
    issuer_name: str
    bill_number: str | None
    total: int
    fingerprint: str
    repetition: int


_mine = bill.c.account_id == bindparam("account")
_this = bill.c.id == bindparam("id")
_own_line = named_by(bill, bill_line.c.bill_id)
_waiting = select(literal_column("1")).select_from(MONTHS_WITH_LINES).where(_own_line, *WAITS).correlate(bill).exists()
_held_of = named_by(bill, held_line.c.bill_id)
_first_month, _last_month = (
    func.coalesce(
        *(
            select(of(lines.c.month)).where(its).scalar_subquery().correlate(bill)
            for lines, its in ((bill_line, _own_line), (held_line, _held_of))
        )
    )
    for of in (func.min, func.max)
)
_summary = select(
    *columns_for(
        BillSummary,
        bill,
        property_,
        property_name=property_.c.name,
        billing_month=_first_month,
        waiting=_waiting,
        held=exists().where(_held_of).correlate(bill),
        flagged=IS_FLAGGED,
        last_month=_last_month,
    )
).join(property_, named_by(property_, bill.c.property_id))
ROW = select(*columns_for(BillRow, bill))
"""The query for a bill as stored."""
_FIND = returns(BillRow, ROW.where(_mine, _this))
_FIND_MANY = returns(BillRow, ROW.where(_mine, is_one_of(bill.c.id, "ids")))
_SUMMARY = returns(BillSummary, _summary.where(_mine, _this))
_PAGE_IDS = returns_one(
    select(bill.c.id)
    .where(_mine)
    .order_by(bill.c.bill_date.desc(), bill.c.id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_PAGE_IDS_FROM_THE_END = returns_one(
    select(bill.c.id)
    .where(_mine)
    .order_by(bill.c.bill_date, bill.c.id.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_SUMMARIES = returns(BillSummary, _summary.where(_mine, is_one_of(bill.c.id, "ids")))
_ANY_CORRECTED = returns_one(select(exists().where(_mine, is_one_of(bill.c.id, "ids"), bill.c.corrected)))
_of_properties = is_one_of(bill.c.property_id, "properties")
_KNOWN = returns(KnownBill, select(*columns_for(KnownBill, bill)).where(_mine, _of_properties))
_of_property = bill.c.property_id == bindparam("property")
_PROPERTY_HAS_BILLS = returns_one(select(exists().where(_mine, _of_property)))
_OF_PROPERTY = returns(BillRow, ROW.where(_mine, _of_property).order_by(bill.c.id))
_COUNT_OF_PROPERTY = returns_one(select(func.count()).select_from(bill).where(_mine, _of_property))
_FIRST = bill.c.first_month.name
_SAVE = saves(bill, _FIRST)
_NOTE_FIRST_MONTH = changes(update(bill).where(_mine, is_one_of(bill.c.id, "ids")).values({_FIRST: _first_month}))
_REMOVE = changes(delete(bill).where(_mine, _this))

_my_line = bill_line.c.account_id == bindparam("account")
_LINES = returns(LineRow, select(bill_line).where(_my_line, bill_line.c.bill_id == bindparam("bill")))
_LINES_OF_BILLS = returns(
    LineRow,
    select(bill_line)
    .where(_my_line, is_one_of(bill_line.c.bill_id, "bills"))
    .order_by(bill_line.c.bill_id, bill_line.c.number),
)
_LINES_OF_PROPERTY = returns(
    LineRow,
    select(bill_line)
    .where(_my_line, bill_line.c.property_id == bindparam("property"))
    .order_by(bill_line.c.bill_id, bill_line.c.number),
)
_BILLED_LINES = returns(
    BilledLine,
    select(*columns_for(BilledLine, bill_line, bill, bill_total=bill.c.total))
    .join(bill, _own_line)
    .where(_my_line, is_one_of(bill_line.c.property_id, "properties"), is_one_of(bill_line.c.month, "months"))
    .order_by(bill.c.bill_date, bill_line.c.bill_id, bill_line.c.number),
)
_MONTHS_OF_LINES = returns_pairs(
    select(bill_line.c.property_id, bill_line.c.month)
    .where(_my_line, is_one_of(bill_line.c.property_id, "properties"))
    .distinct()
    .order_by(bill_line.c.property_id, bill_line.c.month)
)
_WAITING = returns(
    WaitingBills,
    select(
        property_.c.name.label("property_name"),
        bill_line.c.month,
        func.count(bill_line.c.bill_id.distinct()).label("bills"),
    )
    .join(billing_month, LINE_OF_MONTH)
    .join(property_, named_by(property_, bill_line.c.property_id))
    .where(_my_line, is_one_of(bill_line.c.bill_id, "bills"), *WAITS)
    .group_by(property_.c.id, property_.c.name, bill_line.c.month)
    .order_by(property_.c.name, bill_line.c.month),
)
_SET_OWNER_AMOUNT = changes(
    update(bill_line)
    .where(_my_line, bill_line.c.bill_id == bindparam("bill"), bill_line.c.number == bindparam("line"))
    .values(owner_amount=bindparam("owner"), charged=bindparam("is_charged"))
)
_MOVE_LINE = changes(
    update(bill_line)
    .where(_my_line, bill_line.c.bill_id == bindparam("bill"), bill_line.c.number == bindparam("line"))
    .values(month=bindparam("to_month"))
)
_REMOVE_LINES = changes(delete(bill_line).where(_my_line, bill_line.c.bill_id == bindparam("bill")))


def find(tx: Tx, account_id: str, bill_id: str) -> BillRow | None:
    """Find the account's bill with this id."""
    return tx.one(_FIND, account=account_id, id=bill_id)


def find_many(tx: Tx, account_id: str, bill_ids: list[str]) -> list[BillRow]:
    """List the account's bills with these ids, in no particular order."""
    return tx.all(_FIND_MANY, account=account_id, ids=bill_ids) if bill_ids else []


def summary(tx: Tx, account_id: str, bill_id: str) -> BillSummary | None:
    """Find the account's bill with this id, as the API shows it."""
    tx.catch_up()
    return tx.one(_SUMMARY, account=account_id, id=bill_id)


def page(tx: Tx, account_id: str, *, limit: int, offset: int, total: int) -> list[BillSummary]:
    """Return one page of the account's `total` bills, newest bill date first."""
    on_page = min(limit, total - offset)
    if on_page <= 0:
        return []
    behind = total - offset - on_page
    if behind < offset:
        ids = tx.all(_PAGE_IDS_FROM_THE_END, account=account_id, limit=on_page, offset=behind)[::-1]
    else:
        ids = tx.all(_PAGE_IDS, account=account_id, limit=on_page, offset=offset)
    return summaries(tx, account_id, ids)


def summaries(tx: Tx, account_id: str, ids: Sequence[str]) -> list[BillSummary]:
    """List the bills with these ids as the API shows them, in the ids' order."""
    tx.catch_up()
    # Sorted here: with an ORDER BY, SQLite would walk all of the account's bills in that order.
    rows = {row.id: row for row in tx.all(_SUMMARIES, account=account_id, ids=list(ids))} if ids else {}
    return [rows[bill_id] for bill_id in ids if bill_id in rows]


def known(tx: Tx, account_id: str, property_ids: list[str]) -> list[KnownBill]:
    """List these properties' bills with the fields that an import compares with a file."""
    return tx.all(_KNOWN, account=account_id, properties=property_ids)


def property_has_bills(tx: Tx, account_id: str, property_id: str) -> bool:
    """True if the property has a bill."""
    return bool(tx.one(_PROPERTY_HAS_BILLS, account=account_id, property=property_id))


def all_of_property(tx: Tx, account_id: str, property_id: str) -> list[BillRow]:
    """List every bill of the property."""
    return tx.all(_OF_PROPERTY, account=account_id, property=property_id)


def count_of_property(tx: Tx, account_id: str, property_id: str) -> int:
    """Count the property's bills."""
    return tx.one(_COUNT_OF_PROPERTY, account=account_id, property=property_id) or 0


def add_many(tx: Tx, bills: Sequence[BillRow], lines: Sequence[LineRow]) -> None:
    """Add bills with their lines."""
    first: dict[str, str] = {}
    for line in lines:
        first[line.bill_id] = min(line.month, first.get(line.bill_id, line.month))
    tx.add_many("bill", (*BillRow._fields, _FIRST), [(*row, first.get(row.id)) for row in bills])
    tx.add_many("bill_line", LineRow._fields, lines)


def note_first_months(tx: Tx, account_id: str, bill_ids: Sequence[str]) -> None:
    """Update the stored first billing month of bills whose lines have changed. Bills are sorted by this month."""
    tx.run(_NOTE_FIRST_MONTH, account=account_id, ids=list(bill_ids))


def save(tx: Tx, row: BillRow) -> None:
    """Save a bill."""
    tx.run(_SAVE, **row_values(bill, row))


def replace_lines(tx: Tx, account_id: str, bill_id: str, lines: Sequence[LineRow]) -> None:
    """Replace a bill's lines."""
    tx.run(_REMOVE_LINES, account=account_id, bill=bill_id)
    tx.add_many("bill_line", LineRow._fields, lines)
    note_first_months(tx, account_id, [bill_id])


def move_lines(tx: Tx, account_id: str, lines: Sequence[LineRow], month: str) -> None:
    """Move lines to another billing month; these lines must not charge anybody yet."""
    tx.run_many(
        _MOVE_LINE,
        [{"account": account_id, "bill": line.bill_id, "line": line.number, "to_month": month} for line in lines],
    )
    note_first_months(tx, account_id, sorted({line.bill_id for line in lines}))


def remove(tx: Tx, account_id: str, bill_id: str) -> None:
    """Remove a bill with its lines."""
    tx.run(_REMOVE, account=account_id, id=bill_id)


def lines(tx: Tx, account_id: str, bill_id: str) -> list[LineRow]:
    """List the lines of a bill."""
    return tx.all(_LINES, account=account_id, bill=bill_id)


def lines_of_bills(tx: Tx, account_id: str, bill_ids: Sequence[str]) -> list[LineRow]:
    """List the lines of several bills."""
    return tx.all(_LINES_OF_BILLS, account=account_id, bills=list(bill_ids)) if bill_ids else []


def lines_of_property(tx: Tx, account_id: str, property_id: str) -> list[LineRow]:
    """List every line of the property's bills."""
    return tx.all(_LINES_OF_PROPERTY, account=account_id, property=property_id)


def billed_lines(tx: Tx, account_id: str, property_ids: list[str], months: list[str]) -> list[BilledLine]:
    """List these properties' lines billed in these months, by bill date, earliest first."""
    return tx.all(_BILLED_LINES, account=account_id, properties=property_ids, months=months)


def any_corrected(tx: Tx, account_id: str, bill_ids: list[str]) -> bool:
    """True if a person corrected one of these bills after it charged a closed month."""
    return bool(tx.one(_ANY_CORRECTED, account=account_id, ids=bill_ids))


def months_of_lines(tx: Tx, account_id: str, property_ids: list[str]) -> list[tuple[str, str]]:
    """List the months in which these properties have lines, each with its property."""
    return tx.all(_MONTHS_OF_LINES, account=account_id, properties=property_ids)


def waiting(tx: Tx, account_id: str, bill_ids: list[str]) -> list[WaitingBills]:
    """Count the late bills among these bills, by the closed month that they missed."""
    tx.catch_up()
    return tx.all(_WAITING, account=account_id, bills=bill_ids) if bill_ids else []


def set_owner_amounts(tx: Tx, account_id: str, amounts: Sequence[tuple[str, int, int, bool]]) -> None:
    """Save, for each (bill, line), the owner's part and whether invoices include the line."""
    rows = [
        {"account": account_id, "bill": bill_id, "line": number, "owner": owner, "is_charged": charged}
        for bill_id, number, owner, charged in amounts
    ]
    tx.run_many(_SET_OWNER_AMOUNT, rows)
