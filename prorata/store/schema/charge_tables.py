"""The tables of charge files: other programs' names of our records, and the files."""

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
"""What a system calls a property, a unit or a tenant, of the property `property_id`; or a utility, or something of the
account as a whole, whose `record_id` is empty.
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
"""A file that was made of the invoices of a month, of one property or of all; `name` is the file's, `head` what stands
above its rows.
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
"""An invoice in a file: what it came to then, its lines as they stand there, and who is charged. It stays when the
invoice goes, for it is to be known what was charged elsewhere; a property that is deleted takes it along.
"""
