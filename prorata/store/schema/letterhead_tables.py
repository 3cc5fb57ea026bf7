"""The table of letterheads: the logo and color on invoices.

It is separate because few pages need letterheads.
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
