"""Bills whose billing months follow from the billing month rule.

The lines of these bills are moved to other months when the rule changes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, exists, func, literal_column, not_, or_, select, update

from prorata.domain.invoice_states import CLOSING
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes, columns_for, is_one_of, returns, returns_one, returns_pairs
from prorata.store.schema.joins import INVOICE_OF_CHARGE, MONTH_OF_INVOICE, alike, named_by
from prorata.store.schema.tables import bill, bill_line, billing_month, charge, held_line, invoice


class Unchosen(NamedTuple):
    """A bill that was not invoiced, and whose month the billing month rule chose.

    The bill may be held. `first_month` is the month that the rule chose.
    """

    id: str
    property_id: str
    bill_date: str
    service_start: str
    service_end: str
    first_month: str


_closed_month = (
    exists()
    .where(
        alike(billing_month, bill, "property_id"),
        billing_month.c.month == bill.c.first_month,
        billing_month.c.snapshot.is_not(None),
    )
    .correlate(bill)
)
_charged = exists().where(named_by(bill, bill_line.c.bill_id), bill_line.c.charged).correlate(bill)
_sent = and_(_closed_month, _charged)
"""The condition that invoices were sent for a bill.

A bill that arrived after the invoices were sent waits in its closed month and is not charged.
"""
_by_rule = (
    bill.c.account_id == bindparam("account"),
    is_one_of(bill.c.property_id, "properties"),
    bill.c.chosen_month.is_(None),
    bill.c.first_month.is_not(None),
)
_spread_lines = [
    exists().where(named_by(bill, lines.c.bill_id), lines.c.days.is_not(None)).correlate(bill)
    for lines in (bill_line, held_line)
]
_UNCHOSEN = returns(
    Unchosen,
    select(*columns_for(Unchosen, bill)).where(
        *_by_rule,
        bill.c.service_start.is_not(None),
        bill.c.service_end.is_not(None),
        not_(_sent),
        *(~spread for spread in _spread_lines),
    ),
)
_COUNT_SENT = returns_one(select(func.count()).select_from(bill).where(*_by_rule, _sent))
_by_bill = select(charge.c.bill_id, func.min(invoice.c.number)).group_by(charge.c.bill_id)
_SENT_WITH = returns_pairs(
    _by_bill.select_from(invoice)
    .join(charge, INVOICE_OF_CHARGE)
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.property_id, "properties"),
        is_one_of(invoice.c.month, "months"),
        is_one_of(invoice.c.status, "closing"),
        is_one_of(charge.c.bill_id, "bills"),
    )
)
_CORRECTED_WITH = returns_pairs(
    _by_bill.select_from(charge)
    .join(invoice, INVOICE_OF_CHARGE)
    .join(billing_month, MONTH_OF_INVOICE)
    .where(
        charge.c.account_id == bindparam("account"),
        is_one_of(charge.c.bill_id, "bills"),
        charge.c.corrects_month.is_not(None),
        or_(invoice.c.status != literal_column("'DRAFT'"), billing_month.c.snapshot.is_not(None)),
    )
)
_MOVE_LINES = changes(
    update(bill_line)
    .where(bill_line.c.account_id == bindparam("account"), bill_line.c.bill_id == bindparam("bill"))
    .values(month=bindparam("to_month"), charged=literal_column("false"), owner_amount=literal_column("0"))
)
_MOVE_HELD = changes(
    update(held_line)
    .where(held_line.c.account_id == bindparam("account"), held_line.c.bill_id == bindparam("bill"))
    .values(month=bindparam("to_month"))
)
_NOTE = changes(
    update(bill)
    .where(bill.c.account_id == bindparam("account"), is_one_of(bill.c.id, "ids"))
    .values(updated_at=bindparam("now"))
)


def unchosen(tx: Tx, account_id: str, property_ids: Sequence[str]) -> list[Unchosen]:
    """List these properties' unsent bills whose billing month follows from the billing month rule.

    Bills without a service period and spread bills are left out, because every rule puts them into the same months.
    """
    return tx.all(_UNCHOSEN, account=account_id, properties=list(property_ids)) if property_ids else []


def count_sent(tx: Tx, account_id: str, property_ids: Sequence[str]) -> int:
    """Count these properties' invoiced bills whose month the billing month rule chose.

    A bill was invoiced if one of its lines is charged in a closed month.
    """
    return tx.one(_COUNT_SENT, account=account_id, properties=list(property_ids)) or 0


def sent_with(tx: Tx, account_id: str, found: Sequence[Unchosen]) -> dict[str, str]:
    """Find sent invoices that charge or correct these bills.

    Return the number of such an invoice for each bill that has one, by the bill's id.
    """
    if not found:
        return {}
    ids = [row.id for row in found]
    properties, months = ({getattr(row, name) for row in found} for name in ("property_id", "first_month"))
    of_months = {"properties": list(properties), "months": list(months)}
    sent = tx.all(_SENT_WITH, account=account_id, bills=ids, closing=list(CLOSING), **of_months)
    return dict([*tx.all(_CORRECTED_WITH, account=account_id, bills=ids), *sent])


def move(tx: Tx, account_id: str, months: dict[str, str]) -> None:
    """Move all lines of bills, held or not, to other billing months.

    `months` maps each bill's id to the month. Afterwards, the lines charge nobody until the months are recalculated.
    """
    rows = [{"account": account_id, "bill": bill_id, "to_month": month} for bill_id, month in months.items()]
    tx.run_many(_MOVE_LINES, rows)
    tx.run_many(_MOVE_HELD, rows)
    tx.run(_NOTE, account=account_id, ids=list(months), now=tx.now)
    bills.note_first_months(tx, account_id, list(months))
