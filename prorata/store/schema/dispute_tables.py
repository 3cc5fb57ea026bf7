"""The tables of disputes: the disputed amount, the time to answer, and files."""

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
"""What makes a question a dispute: the `amount` in question of a charge that came to `charged` then, in cents.
It is of the tenant whom the invoice was for; `bill_id`, `line` and what it corrects are the charge's. `issued` is what
invoices had charged of that line by then, corrections too. `opened_by` is the name of who opened it on a tenant's
behalf, NULL the tenant. `corrected` is by how much the charge was corrected at its end, and `carrier` the month whose
invoice has that, NULL one that is to come; `credited` of it are credits by hand, and it `is_pending` while part of it
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
"""A file that came with a dispute, told by what it holds; they are numbered from 1."""
