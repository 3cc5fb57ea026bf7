"""Actions of earlier versions that this version no longer has.

With them, tests create the data that such versions left behind.
"""

from sqlalchemy import bindparam, delete

from prorata.actions.invoices import standing
from prorata.actions.invoices.standing import Change, Context
from prorata.actions.recalculation import recalculation
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.database.statements import changes
from prorata.store.invoices import invoices
from prorata.store.properties import properties
from prorata.store.recalculation import billing_months
from prorata.store.schema.tables import earlier_invoice

_FORGET = changes(
    delete(earlier_invoice).where(
        earlier_invoice.c.account_id == bindparam("account"), earlier_invoice.c.invoice_id == bindparam("invoice")
    )
)


def hand_back(tx: Tx, caller: Caller, invoice_id: str) -> None:
    """Take a cancelled invoice that was sent to the wrong person back to draft.

    The invoice belongs to nobody at first, and then to the tenant of its unit.
    """
    row = invoices.find(tx, caller.account_id, invoice_id)
    assert row is not None
    of_property = properties.lock(tx, caller.account_id, row.property_id)
    month = billing_months.lock(tx, caller.account_id, row.property_id, row.month)
    assert of_property is not None
    assert month is not None
    nobody = {"tenant_id": None, "tenant_name": None, "tenant_email": None}
    after = row._replace(status="DRAFT", payment_status="pending", issued=False, **nobody)
    standing.write(tx, caller, [Change(row, after)], Context(months={month.key: month}))
    tx.run(_FORGET, account=caller.account_id, invoice=invoice_id)
    recalculation.recalculate(tx, caller, [of_property])
