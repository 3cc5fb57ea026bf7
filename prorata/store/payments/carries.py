"""Carried credits between invoices, and invoices that are overpaid or not paid in full."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import BigInteger, and_, bindparam, cast, exists, func, literal_column, not_, or_, select

from prorata.domain.invoice_states import CLOSING
from prorata.domain.invoices.ledger import CARRY
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns, returns_one, returns_pairs
from prorata.store.invoices.departures import has_not_left
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.schema.joins import named_by
from prorata.store.schema.payment_tables import payment
from prorata.store.schema.tables import UNBALANCED, invoice


class CarryRow(NamedTuple):
    """An entry of a carried credit, on the invoice that gives or receives the credit.

    The amount, in cents, is negative on the invoice that gives it.
    """

    id: str
    invoice_id: str
    amount: int


_of_units = and_(invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.unit_id, "units"))
_UNBALANCED_OF_UNITS = returns(InvoiceRow, select(invoice).where(_of_units, *UNBALANCED))
_OF_IDS = returns(
    InvoiceRow, select(invoice).where(invoice.c.account_id == bindparam("account"), is_one_of(invoice.c.id, "ids"))
)
_reversal = payment.alias("reversal")
_was_taken_back = exists().where(
    named_by(payment, _reversal.c.reverses),
    _reversal.c.invoice_id == payment.c.invoice_id,
)
_its_invoice = named_by(invoice, payment.c.invoice_id)
_CARRIES_OF_UNITS = returns(
    CarryRow,
    select(*columns_for(CarryRow, payment))
    .join(invoice, _its_invoice)
    .where(
        _of_units,
        invoice.c.entries > literal_column("0"),
        payment.c.kind == literal_column(f"'{CARRY}'"),
        not_(_was_taken_back),
    ),
)
_carry = payment.alias("carry")
_is_of_carry = or_(
    payment.c.kind == literal_column(f"'{CARRY}'"),
    exists().where(
        named_by(_carry, payment.c.reverses),
        _carry.c.kind == literal_column(f"'{CARRY}'"),
    ),
)
_of_account = payment.c.account_id == bindparam("account")
_UNEQUAL = returns_one(
    select(payment.c.id)
    .join(invoice, _its_invoice)
    .where(_of_account, _is_of_carry)
    .group_by(payment.c.id)
    .having(
        or_(
            func.sum(payment.c.amount) != literal_column("0"),
            func.count() != literal_column("2"),
            func.count(invoice.c.unit_id.distinct()) != literal_column("1"),
        )
    )
    .order_by(payment.c.id)
)
_is_given = and_(payment.c.amount < literal_column("0"), invoice.c.paid_amount < invoice.c.total)
_is_not_issued = and_(*(invoice.c.status != literal_column(f"'{status}'") for status in CLOSING))
_LOST = returns_one(
    select(payment.c.id)
    .join(invoice, _its_invoice)
    .where(
        _of_account,
        payment.c.kind == literal_column(f"'{CARRY}'"),
        not_(_was_taken_back),
        or_(_is_not_issued, _is_given),
    )
    .order_by(payment.c.id)
)


_receiving, _received = payment.alias("receiving"), invoice.alias("received")
_GIVEN_UNSEEN = returns_pairs(
    select(payment.c.reference, cast(func.sum(payment.c.amount), BigInteger))
    .join(
        _receiving,
        and_(named_by(_receiving, payment.c.id), _receiving.c.invoice_id != payment.c.invoice_id),
    )
    .join(_received, named_by(_received, _receiving.c.invoice_id))
    .where(
        _of_account,
        payment.c.invoice_id == bindparam("invoice"),
        payment.c.kind == literal_column(f"'{CARRY}'"),
        payment.c.amount < literal_column("0"),
        not_(_was_taken_back),
        has_not_left(_received),
    )
    .group_by(payment.c.reference)
)


def given_unseen(tx: Tx, account_id: str, invoice_id: str) -> dict[str, int]:
    """Map numbers of invoices that have not left to credits from another invoice.

    The amounts are in cents, and negative.
    """
    return dict(tx.all(_GIVEN_UNSEEN, account=account_id, invoice=invoice_id))


def unbalanced_of_units(tx: Tx, account_id: str, unit_ids: Sequence[str]) -> list[InvoiceRow]:
    """List the invoices of these units that are overpaid or not paid in full.

    Only invoices that are SENT, PAID or OVERDUE are listed.
    """
    return tx.all(_UNBALANCED_OF_UNITS, account=account_id, units=list(unit_ids)) if unit_ids else []


def of_units(tx: Tx, account_id: str, unit_ids: Sequence[str]) -> list[CarryRow]:
    """List the entries of carried credits on invoices of these units.

    Entries that were reversed are left out.
    """
    return tx.all(_CARRIES_OF_UNITS, account=account_id, units=list(unit_ids)) if unit_ids else []


def invoices_of(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[InvoiceRow]:
    """List the invoices with these ids, in no particular order.

    All of them are SENT, PAID or OVERDUE. Requested recalculations are not run first, because they don't change
    such invoices.
    """
    return tx.all(_OF_IDS, account=account_id, ids=list(invoice_ids)) if invoice_ids else []


def unequal(tx: Tx, account_id: str) -> list[str]:
    """List the ids of carried credits, and of their reversals, whose entries don't balance.

    A carried credit or its reversal balances if it has two entries that sum to zero, on invoices of one unit.
    """
    return tx.all(_UNEQUAL, account=account_id)


def lost(tx: Tx, account_id: str) -> list[str]:
    """List the ids of carried credits that should have been reversed.

    Such a credit was carried from or to an invoice that is no longer SENT, PAID or OVERDUE, or from an invoice that is
    no longer paid in full.
    """
    return tx.all(_LOST, account=account_id)
