"""The tables of disputes: the disputed amount, the last day for an answer, and files."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    literal_column,
)

from prorata.domain.delivery.disputes import STATES
from prorata.store.schema.column_types import DAY, ID, MONTH, TIME, needed, of, one_of, owned, partial_index

dispute = owned(
    "dispute",
    needed("question_id", ID),
    needed("invoice_id", ID),
    needed("charge_id", ID),
    Column("tenant_id", ID),
    Column("bill_id", ID),
    Column("line", Integer),
    Column("corrects_month", MONTH),
    Column("corrects_tenant", ID),
    needed("charged", BigInteger),
    Column("issued", BigInteger),
    needed("amount", BigInteger),
    needed("answer_by", DAY),
    Column("opened_by", Text),
    needed("state", String(16)),
    Column("ended_at", TIME),
    Column("ended_by", Text),
    Column("reason", Text),
    Column("corrected", BigInteger),
    Column("carrier", MONTH),
    Column("credited", BigInteger),
    Column("is_pending", Boolean),
    needed("updated_at", TIME),
    one_of("state", STATES),
    CheckConstraint("amount > 0 and amount <= abs(charged)", name="amount"),
    CheckConstraint("(state = 'OPEN') = (ended_at is null)", name="ended"),
    CheckConstraint("(state = 'CORRECTED') = (corrected is not null)", name="corrected"),
    of("tenant_question", "question_id"),
    partial_index(
        "ix_dispute_open",
        "account_id",
        "invoice_id",
        "charge_id",
        "tenant_id",
        where=literal_column("state = 'OPEN'"),
        unique=True,
    ),
    partial_index("ix_dispute_corrected", "account_id", "bill_id", where=literal_column("state = 'CORRECTED'")),
    Index("ix_dispute_invoice", "account_id", "invoice_id", "question_id"),
    Index("ix_dispute_updated", "account_id", "updated_at", "question_id"),
    key=("question_id",),
)
"""The facts that make a question a dispute, with amounts in cents.

`amount` is the disputed part of a charge that amounted to `charged` at that time. The dispute belongs to the tenant of
the invoice; `bill_id`, `line` and the corrected month and tenant are those of the charge. `issued` is the amount that
invoices had charged for that line by then, including corrections. `opened_by` is the name of the person who opened the
dispute on a tenant's behalf, or NULL if the tenant did. `corrected` is the amount by which the charge was corrected
when the dispute ended. `carrier` is the month whose invoice carries the correction, or NULL if a future invoice will.
`credited` is the part of the correction that credits by hand make up. `is_pending` is true while part of the correction
is on no invoice that was sent.
"""

dispute_file = owned(
    "dispute_file",
    needed("question_id", ID),
    needed("number", Integer),
    needed("name", Text),
    needed("kind", String(8)),
    needed("size", Integer),
    needed("content", LargeBinary),
    of("tenant_question", "question_id"),
    key=("question_id", "number"),
)
"""The files that came with disputes, numbered from 1.

The kind of a file is determined from its content.
"""
