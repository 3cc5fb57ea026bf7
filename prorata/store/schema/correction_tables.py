"""The table of corrections: a closed month's correct amounts, and the outcome of each difference."""

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
"""A household's account of a line of a `month`, by one of its tenants, as long as something was, or is, to be charged
elsewhere; `carrier` is the month in which what is to be charged stands, and `household` has the ids of its
tenants, with a space between. It is `given_up` while its only invoice of the month is cancelled.
"""
