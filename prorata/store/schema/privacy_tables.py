"""The table of erased tenants whose sent invoices are still kept."""

from prorata.store.schema.column_types import ID, TIME, needed, of, owned

erasure = owned(
    "erasure",
    needed("tenant_id", ID),
    needed("erased_at", TIME),
    of("tenant", "tenant_id"),
    key=("tenant_id",),
)
"""The erased tenants; a row is deleted once nothing about the tenant is kept."""
