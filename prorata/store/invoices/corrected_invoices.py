"""The amounts by which later invoices correct an earlier invoice of the same tenant."""

from collections.abc import Iterable

from sqlalchemy import BigInteger, and_, bindparam, cast, func, literal_column, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns_pairs
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.schema.joins import INVOICE_OF_CHARGE
from prorata.store.schema.tables import charge, invoice

_amount = cast(func.sum(charge.c.amount), BigInteger)
_CORRECTED_ON = returns_pairs(
    select(invoice.c.id, _amount)
    .join(charge, and_(INVOICE_OF_CHARGE, charge.c.corrects_month == bindparam("month")))
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.unit_id == bindparam("unit"),
        invoice.c.tenant_id == bindparam("tenant"),
        invoice.c.id != bindparam("id"),
        is_one_of(invoice.c.status, "statuses"),
    )
    .group_by(invoice.c.id)
    .having(_amount != literal_column("0"))
)


def corrected_on(tx: Tx, row: InvoiceRow, statuses: Iterable[str]) -> dict[str, int]:
    """Map later invoices to the amounts, in cents, by which they correct `row`'s month.

    Only invoices in `statuses` for the same tenant and unit count. Invoices whose corrections sum to 0 are left out.
    """
    its = {"account": row.account_id, "unit": row.unit_id, "tenant": row.tenant_id, "month": row.month, "id": row.id}
    return dict(tx.all(_CORRECTED_ON, **its, statuses=sorted(statuses)))
