"""The tables of month runs: the state of each property's month, and each day's result."""

from sqlalchemy import Column, Index, Integer, String, Text

from prorata.domain.months.runs import STATES
from prorata.store.schema.column_types import DAY, ID, MONTH, TIME, needed, of, one_of, owned

month_run = owned(
    "month_run",
    needed("property_id", ID),
    needed("month", MONTH),
    needed("state", String(8)),
    needed("invoices", Integer),
    Column("why", Text),
    needed("since", TIME),
    one_of("state", STATES),
    of("property", "property_id"),
    Index("ix_month_run_state", "account_id", "state", "month", "property_id"),
    key=("property_id", "month"),
)
month_round = owned(
    "month_round",
    needed("day", DAY),
    needed("sent_months", Integer),
    needed("sent_invoices", Integer),
    needed("proposed_months", Integer),
    Column("property_id", ID),
    key=("day",),
)
