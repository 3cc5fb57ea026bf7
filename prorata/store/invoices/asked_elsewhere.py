"""The amounts that a tenant's other invoices ask for."""

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, case, cast, func, literal_column, select

from prorata.store.database.engine import Tx
from prorata.store.database.statements import is_one_of, returns_pairs
from prorata.store.invoices.disputed_amounts import DISPUTED
from prorata.store.schema import tables
from prorata.store.schema.tables import invoice

_one = invoice.alias("one")
_asked = invoice.c.total - invoice.c.paid_amount - DISPUTED
_nothing: ColumnElement[int] = literal_column("0")
_is_another_of_its_tenant = and_(
    invoice.c.account_id == _one.c.account_id,
    invoice.c.unit_id == _one.c.unit_id,
    invoice.c.tenant_id == _one.c.tenant_id,
    invoice.c.id != _one.c.id,
    *tables.OWED,
)
_ELSEWHERE = returns_pairs(
    select(_one.c.id, cast(func.sum(case((_asked > _nothing, _asked), else_=_nothing)), BigInteger))
    .join_from(_one, invoice, _is_another_of_its_tenant)
    .where(_one.c.account_id == bindparam("account"), is_one_of(_one.c.id, "invoices"))
    .group_by(_one.c.id)
)


def asked_elsewhere(tx: Tx, account_id: str, invoice_ids: list[str]) -> dict[str, int]:
    """Sum the cents that a tenant's other invoices in the same unit ask for.

    The sums are by the id of the tenant's invoice. Disputed amounts are left out, and so are tenants without such
    other invoices.
    """
    return dict(tx.all(_ELSEWHERE, account=account_id, invoices=invoice_ids)) if invoice_ids else {}
