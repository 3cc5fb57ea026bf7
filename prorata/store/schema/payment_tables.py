"""The table of the entries in invoices' ledgers, and the rows recorded as payments."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)

from prorata.domain.invoices.ledger import KINDS, METHODS
from prorata.domain.payments.files import FILE_STATES
from prorata.store.limits import LONGEST_PAYMENT_SOURCE
from prorata.store.schema.column_types import DAY, ID, TIME, bytewise, needed, of, one_of, owned

payment = owned(
    "payment",
    needed("invoice_id", ID),
    needed("kind", String(8)),
    needed("amount", BigInteger),
    needed("day", DAY),
    needed("at", TIME),
    needed("method", String(8)),
    Column("provider", String(16)),
    Column("reference", Text),
    Column("note", Text),
    Column("source", bytewise(LONGEST_PAYMENT_SOURCE)),
    Column("reverses", ID),
    needed("actor", ID),
    needed("created_at", TIME),
    UniqueConstraint("account_id", "source", name="source"),
    UniqueConstraint("account_id", "reverses", "invoice_id", name="reverses"),
    one_of("kind", KINDS),
    one_of("method", METHODS),
    CheckConstraint("amount > 0 or (amount < 0 and kind in ('CARRY', 'REVERSAL'))", name="amount"),
    CheckConstraint("(kind = 'REVERSAL') = (reverses is not null)", name="reversal"),
    of("invoice", "invoice_id"),
    Index("ix_payment_latest", "account_id", "id", "invoice_id"),
    Index("ix_payment_updated", "account_id", "created_at", "id", "invoice_id"),
    Index("ix_payment_reference", "account_id", "reference", "day"),
    Index("ix_payment_day", "account_id", "day", "amount"),
    key=("invoice_id", "id"),
)
"""The entries of ledgers.

`source` identifies the provider's payment or the row of a file from which the entry was made, so that it is recorded
only once. `at` is the moment at which the money moved, and `day` that moment in the account's time zone. `actor` is the
person who entered it. A carried credit consists of two entries with the same id, one in the ledger of each invoice, and
so does its reversal.
"""

recorded_row = owned("recorded_row", needed("source", bytewise(LONGEST_PAYMENT_SOURCE)), key=("source",))
"""The rows of files that were recorded as payments for properties deleted later.

`source` is a digest of the row's cells; nothing else about the payment is stored.
"""

payment_file = owned(
    "payment_file",
    needed("name", Text),
    needed("digest", bytewise(64)),
    needed("content", LargeBinary),
    needed("sheet", LargeBinary),
    needed("rows", Integer),
    needed("recorded", Integer),
    Column("choices", Text),
    needed("state", String(8)),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    UniqueConstraint("account_id", "digest", name="digest"),
    one_of("state", FILE_STATES),
    Index("ix_payment_file_state", "account_id", "state", "id"),
)
"""Bank statements in their original form, with their packed cells.

`choices` contains the meanings that a person chose for the columns, as JSON. `recorded` is the number of rows that were
recorded as payments.
"""
