"""The orders in which invoices are listed."""

from sqlalchemy import bindparam

from prorata.store.database.list_steps import Group, Groups
from prorata.store.database.walks import Walked
from prorata.store.invoices.invoices import FILTERS
from prorata.store.schema.tables import invoice

NUMBER, TOTAL, DUE, STATUS, TENANT = "number", "total", "due", "status", "tenant"
_by_number = Group((invoice.c.number_key, invoice.c.id))
_newest_first = Group((invoice.c.month,), down=True)
SORTS: dict[str, Groups] = {
    NUMBER: (_newest_first, _by_number),
    TOTAL: (Group((invoice.c.total, invoice.c.id)),),
    DUE: (Group((invoice.c.due_date, invoice.c.id), may_lack=True),),
    STATUS: (Group((invoice.c.status,)), _newest_first, _by_number),
    TENANT: (Group((invoice.c.tenant_name, invoice.c.id), may_lack=True),),
}
INVOICES = Walked(
    "invoices", invoice, invoice.c.account_id, SORTS[NUMBER], invoice.c.updated_at,
    {name: column == bindparam(name) for name, column in FILTERS.items()},
)  # fmt: skip
