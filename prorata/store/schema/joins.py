"""How rows of different tables belong together, for statements that join them."""

from sqlalchemy import and_

from prorata.store.schema.tables import billing_month, charge, invoice

INVOICE_OF_CHARGE = and_(invoice.c.account_id == charge.c.account_id, invoice.c.id == charge.c.invoice_id)
MONTH_OF_INVOICE = and_(
    billing_month.c.account_id == invoice.c.account_id,
    billing_month.c.property_id == invoice.c.property_id,
    billing_month.c.month == invoice.c.month,
)
