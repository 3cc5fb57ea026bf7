"""The table of corrections of closed months, with the state of their charging."""

from sqlalchemy import BigInteger, Boolean, Column, Integer, String, Text, literal_column

from prorata.store.schema.column_types import ID, MONTH, needed, of, owned, partial_index

_SUMS = ("right", "own", "elsewhere", "cancelled", "placed", "again", "left", "waiting", "to_charge")

correction = owned(
    "correction",
    needed("property_id", ID),
    needed("month", MONTH),
    needed("unit_id", ID),
    needed("tenant_id", ID),
    needed("bill_id", ID),
    needed("line", Integer),
    Column("utility_type", String(16)),
    *(needed(f"{name}_amount", BigInteger) for name in _SUMS),
    needed("description", Text),
    Column("carrier", MONTH),
    needed("household", Text),
    needed("given_up", Boolean),
    of("property", "property_id"),
    partial_index(
        "ix_correction_to_charge", "account_id", "property_id", "carrier", where=literal_column("to_charge_amount <> 0")
    ),
    partial_index("ix_correction_waiting", "account_id", "property_id", where=literal_column("waiting_amount <> 0")),
    key=("property_id", "month", "unit_id", "tenant_id", "bill_id", "line"),
)
"""The corrections of a household for a line of a `month`.

The household is identified by one of its tenants. A row exists if an amount was or has to be charged on invoices of
other months. `carrier` is the month whose invoice carries the amount to charge, and `household` contains the ids of the
household's tenants, separated by spaces. The correction is `given_up` while the household's only invoice of the month
is cancelled.
"""
