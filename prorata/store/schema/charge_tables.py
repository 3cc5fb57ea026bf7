"""The tables of charge files, and of the names that other programs use for records."""

from sqlalchemy import BigInteger, Column, Index, Integer, String, Text

from prorata.domain.limits import LONGEST_LAYOUT_NAME
from prorata.store.schema.column_types import ID, MONTH, TIME, bytewise, its_account, needed, of, owned

SYSTEM = bytewise(32)

charge_name = owned(
    "charge_name",
    needed("system", SYSTEM),
    needed("field", SYSTEM),
    needed("record_id", ID),
    Column("property_id", ID),
    needed("name", String(LONGEST_LAYOUT_NAME)),
    needed("updated_at", TIME),
    of("property", "property_id"),
    its_account("charge_name"),
    Index("ix_charge_name_property", "account_id", "property_id"),
    key=("system", "field", "record_id"),
)
"""The names that other programs use for an account's records and utilities.

A property, unit or tenant belongs to the property `property_id`. For a utility or a fact of the whole account,
`record_id` is a code and `property_id` is NULL.
"""

charge_export = owned(
    "charge_export",
    needed("system", SYSTEM),
    needed("month", MONTH),
    Column("property_id", ID),
    needed("name", Text),
    needed("encoding", String(16)),
    needed("head", Text),
    needed("invoices", Integer),
    needed("rows", Integer),
    needed("total", BigInteger),
    needed("currency", String(3)),
    needed("created_at", TIME),
    of("property", "property_id"),
    its_account("charge_export"),
    Index("ix_charge_export_system", "account_id", "system", "id"),
)
"""The charge files, each made of a month's invoices of one property or of all.

`name` is the name of the file, and `head` the text above its rows.
"""

exported_invoice = owned(
    "exported_invoice",
    needed("export_id", ID),
    needed("place", Integer),
    needed("number", bytewise(48)),
    needed("system", SYSTEM),
    needed("property_id", ID),
    needed("amount", BigInteger),
    needed("lines", Text),
    Column("tenant_id", ID),
    of("charge_export", "export_id"),
    of("property", "property_id"),
    Index("ix_exported_invoice_number", "account_id", "system", "number", "export_id"),
    Index("ix_exported_invoice_property", "account_id", "property_id"),
    key=("export_id", "place"),
)
"""The invoices in charge files.

A row contains the invoice's total at that time, its lines in the file, and the tenant whom the file charges. It is kept
when the invoice is deleted, so that it remains known which amounts were charged in other programs. The deletion of the
property deletes it.
"""
