"""The table of accounts' open amounts, and indexes of the invoices that make them up."""

from sqlalchemy import BigInteger, Integer, String, Table, and_, literal_column

from prorata.domain.invoice_states import CANCELLED, CLOSING, UNPAID
from prorata.domain.invoices.open_money import OpenMoney
from prorata.store.schema.column_types import needed, owned, partial_index
from prorata.store.schema.invoice_indexes import Conditions, is_of

open_money = owned(
    "open_money",
    needed("currency", String(3)),
    *(needed(name, Integer if name.endswith("_number") else BigInteger) for name in OpenMoney._fields),
    key=("currency",),
)
"""The sums of an account's open amounts, one row for each currency.

They are updated whenever invoices change, so that no invoice has to be read to show them.
"""


def of_owed(invoice: Table) -> Conditions:
    """Add an index of the invoices on which a tenant owes money; return its conditions.

    In the conditions, an empty text is appended to the status, so that a database can use only this index.
    """
    status = invoice.c.status.op("||")(literal_column("''"))
    which = (
        is_of(status, UNPAID),
        invoice.c.total > invoice.c.paid_amount,
        invoice.c.tenant_id.is_not(None),
    )
    _index("ix_invoice_owed", invoice, which)
    return which


def of_surplus(invoice: Table) -> Conditions:
    """Add an index of the invoices with a surplus, and return its conditions.

    An invoice has a surplus if it was overpaid, or paid and then cancelled.
    """
    is_too_much = and_(
        is_of(invoice.c.status, CLOSING),
        invoice.c.paid_amount > invoice.c.total,
        invoice.c.tenant_id.is_not(None),
    )
    which = (is_too_much | and_(is_of(invoice.c.status, (CANCELLED,)), invoice.c.paid_amount > literal_column("0")),)
    _index("ix_invoice_surplus", invoice, which)
    return which


def _index(name: str, invoice: Table, which: Conditions) -> None:
    partial_index(
        name,
        invoice.c.account_id, invoice.c.month.desc(), invoice.c.number_key, invoice.c.id,
        invoice.c.property_id, invoice.c.unit_id, invoice.c.tenant_id, invoice.c.status,
        where=and_(*which),
    )  # fmt: skip
