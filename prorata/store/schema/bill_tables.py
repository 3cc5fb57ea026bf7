"""The tables of bills: each bill as received, and its lines to be split."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    literal_column,
)

from prorata.domain.bills.flags import FLAG_KINDS
from prorata.domain.limits import LARGEST_AMOUNT
from prorata.domain.utility_names import NOT_BILLED_REASONS, PAYMENT_STATUSES, UTILITY_TYPES
from prorata.store.schema.column_types import (
    DAY,
    ID,
    MONTH,
    ORDER,
    TIME,
    bytewise,
    indexed_by_change,
    needed,
    of,
    one_of,
    owned,
    partial_index,
)

bill = owned(
    "bill",
    needed("property_id", ID),
    needed("issuer_name", ORDER),
    needed("utility_types", Text),
    needed("total", BigInteger),
    needed("bill_date", DAY),
    Column("due_date", DAY),
    needed("payment_status", String(16)),
    Column("notes", Text),
    Column("account_number", ORDER),
    Column("bill_number", ORDER),
    Column("service_start", DAY),
    Column("service_end", DAY),
    Column("chosen_month", MONTH),
    needed("guessed", Boolean),
    needed("fingerprint", bytewise(64)),
    needed("repetition", Integer),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    Column("first_month", MONTH),
    needed("corrected", Boolean),
    Column("usage", Text),
    Column("line_names", Text),
    UniqueConstraint("account_id", "fingerprint", "repetition", name="fingerprint"),
    CheckConstraint(f"total between -{LARGEST_AMOUNT} and {LARGEST_AMOUNT}", name="total"),
    one_of("payment_status", PAYMENT_STATUSES),
    of("property", "property_id"),
    Index("ix_bill_property", "account_id", "property_id", "bill_date"),
    Index("ix_bill_number", "account_id", "property_id", "bill_number"),
    Index("ix_bill_own_number", "account_id", "bill_number"),
    Index("ix_bill_account_number", "account_id", "account_number"),
    Index("ix_bill_issuer", "account_id", "issuer_name", "id"),
    Index("ix_bill_total", "account_id", "total", "id"),
    Index("ix_bill_due_date", "account_id", "due_date", "id"),
    Index("ix_bill_first_month", "account_id", "first_month", "id"),
    Index("ix_bill_status", "account_id", "payment_status", "id"),
    partial_index("ix_bill_guessed", "account_id", "id", where=literal_column("guessed = true")),
)
"""The bills, without their lines.

`first_month` is the first month of the bill's lines, held or not, by which lists are sorted. `usage` is the usage of
each utility according to the bill, in the form written by `domain.usage`. `line_names` are the names that tenants
see for lines, in the form written by `domain.bills.line_names`. Neither changes an amount, and neither is a part of any
fingerprint.
"""
indexed_by_change(bill)
Index("ix_bill_list", bill.c.account_id, bill.c.bill_date.desc(), bill.c.id)

bill_line = owned(
    "bill_line",
    needed("bill_id", ID),
    needed("number", Integer),
    needed("property_id", ID),
    needed("month", MONTH),
    Column("utility_type", String(16)),
    Column("not_billed", String(24)),
    needed("amount", BigInteger),
    needed("owner_amount", BigInteger),
    needed("charged", Boolean),
    Column("days", Integer),
    Column("of_days", Integer),
    one_of("utility_type", UTILITY_TYPES),
    one_of("not_billed", NOT_BILLED_REASONS),
    CheckConstraint("(utility_type is null) <> (not_billed is null)", name="kind"),
    of("bill", "bill_id"),
    Index("ix_bill_line_month", "account_id", "property_id", "month"),
    Index("ix_bill_line_cost", "account_id", "month", "property_id", "utility_type", "amount"),
    partial_index(
        "ix_bill_line_uncharged",
        "account_id",
        "property_id",
        "month",
        where=literal_column("charged = 0"),
        postgresql_where=literal_column("NOT charged"),
    ),
    key=("bill_id", "number"),
)

held_line = owned(
    "held_line",
    needed("bill_id", ID),
    needed("number", Integer),
    needed("property_id", ID),
    needed("month", MONTH),
    Column("utility_type", String(16)),
    Column("not_billed", String(24)),
    needed("amount", BigInteger),
    Column("days", Integer),
    Column("of_days", Integer),
    one_of("utility_type", UTILITY_TYPES),
    one_of("not_billed", NOT_BILLED_REASONS),
    CheckConstraint("(utility_type is null) <> (not_billed is null)", name="kind"),
    of("bill", "bill_id"),
    Index("ix_held_line_month", "account_id", "property_id", "month"),
    key=("bill_id", "number"),
)
"""The lines of held bills.

They have a table of their own, so that no statement for bill lines sums or splits them.
"""

bill_flag = owned(
    "bill_flag",
    needed("bill_id", ID),
    needed("number", Integer),
    needed("property_id", ID),
    needed("kind", String(16)),
    needed("message", Text),
    needed("about", Text),
    needed("found_at", TIME),
    Column("accepted_at", TIME),
    Column("accepted_by", ID),
    Column("reason", Text),
    one_of("kind", FLAG_KINDS),
    CheckConstraint(
        "(accepted_at is null) = (accepted_by is null) and (accepted_at is null) = (reason is null)", name="accepted"
    ),
    of("bill", "bill_id"),
    partial_index(
        "ix_bill_flag_open", "account_id", "property_id", "bill_id", where=literal_column("accepted_at is null")
    ),
    key=("bill_id", "number"),
)
"""The flags of bills.

`about` contains the ids of the other bills that a flag refers to, joined by `;`. A flag without `accepted_at` is open.
"""
