"""The charges of earlier invoices, which are printed beside those of a later invoice."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, literal_column, not_, or_, select

from prorata.domain.invoice_states import CLOSING
from prorata.store.database.engine import Tx
from prorata.store.database.statements import columns_for, is_one_of, returns
from prorata.store.schema.joins import INVOICE_OF_CHARGE, line_of, named_by
from prorata.store.schema.tables import bill_line, charge, correction, invoice, tenant


class EarlierCharge(NamedTuple):
    """A charge on an earlier invoice of a tenant, with the invoice's unit and month.

    `amount` is in cents, and so is `billed`, the amount of the bill's line, if there still is one. Corrections of other
    months are left out. `move_in` and `move_out` are the first and the last day of the tenant's stay.
    """

    unit_id: str
    tenant_id: str
    month: str
    move_in: str | None
    move_out: str | None
    bill_id: str | None
    line: int | None
    utility_type: str | None
    amount: int
    description: str
    billed: int | None


class EarlierCorrection(NamedTuple):
    """A household's corrections of a bill line of an earlier month, summed in cents.

    The amount is that which other invoices charge, including drafts; it is 0 if none of them does yet. `household`
    contains the ids of the household's tenants, separated by spaces. `billed` is the amount of the bill's line, if
    there still is one. `is_whole` is set if the household is charged its correct part of this amount.
    """

    unit_id: str
    household: str
    month: str
    bill_id: str
    line: int
    utility_type: str | None
    amount: int
    billed: int | None
    is_whole: bool


_OF_UNITS = returns(
    EarlierCharge,
    select(*columns_for(EarlierCharge, invoice, charge, tenant, billed=bill_line.c.amount))
    .join(charge, INVOICE_OF_CHARGE)
    .join(tenant, named_by(tenant, invoice.c.tenant_id))
    .outerjoin(bill_line, line_of(charge))
    .where(
        invoice.c.account_id == bindparam("account"),
        is_one_of(invoice.c.unit_id, "units"),
        is_one_of(invoice.c.month, "months"),
        is_one_of(invoice.c.status, "statuses"),
        charge.c.corrects_month.is_(None),
    )
    .order_by(charge.c.id),
)

_corrected = correction.c.elsewhere_amount + correction.c.to_charge_amount
_is_whole = correction.c.right_amount == correction.c.own_amount + _corrected
_CORRECTIONS = returns(
    EarlierCorrection,
    select(
        *columns_for(EarlierCorrection, correction, amount=_corrected, billed=bill_line.c.amount, is_whole=_is_whole)
    )
    .outerjoin(bill_line, line_of(correction))
    .where(
        correction.c.account_id == bindparam("account"),
        is_one_of(correction.c.property_id, "properties"),
        is_one_of(correction.c.month, "months"),
        is_one_of(correction.c.unit_id, "units"),
        or_(_corrected != literal_column("0"), not_(_is_whole)),
    )
    .order_by(correction.c.bill_id, correction.c.line),
)


def of_units(tx: Tx, account_id: str, unit_ids: Sequence[str], months: Sequence[str]) -> list[EarlierCharge]:
    """List the charges on these units' sent invoices of these months, in order of creation."""
    return tx.all(_OF_UNITS, account=account_id, units=list(unit_ids), months=list(months), statuses=list(CLOSING))


def corrections(
    tx: Tx, account_id: str, property_ids: Sequence[str], unit_ids: Sequence[str], months: Sequence[str]
) -> list[EarlierCorrection]:
    """List the corrections of these months for the households of these units."""
    of = {"properties": list(property_ids), "units": list(unit_ids)}
    return tx.all(_CORRECTIONS, account=account_id, months=list(months), **of)
