"""The table of letterheads: what an account's invoices show beside its name, apart from it, as few pages need that."""

from sqlalchemy import Column, LargeBinary, String

from prorata.store.schema.column_types import TIME, needed, owned

letterhead = owned(
    "letterhead",
    Column("logo", LargeBinary),
    Column("color", String(7)),
    needed("updated_at", TIME),
    key=(),
)
