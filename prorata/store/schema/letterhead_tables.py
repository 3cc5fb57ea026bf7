"""The table of letterheads: the logo and color on an account's invoices.

Letterheads have a table of their own, because few pages need them.
"""

from sqlalchemy import Column, LargeBinary, String

from prorata.store.schema.column_types import TIME, needed, owned

letterhead = owned(
    "letterhead",
    Column("logo", LargeBinary),
    Column("color", String(7)),
    needed("updated_at", TIME),
    key=(),
)
