"""What a disputed charge corrects, what its line had come to by then, and what of a correction may still change."""

import sqlalchemy as sa
from alembic import op

revision = "disputed_lines"
down_revision = "corrected_disputes"
branch_labels = None
depends_on = None

_CORRECTS = """
update dispute set
    corrects_month = (select corrects_month from charge
                      where charge.account_id = dispute.account_id and charge.id = dispute.charge_id),
    corrects_tenant = (select corrects_tenant from charge
                       where charge.account_id = dispute.account_id and charge.id = dispute.charge_id)
where bill_id is not null
"""


def _bytewise(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("dispute")}
    new: dict[str, sa.types.TypeEngine[str] | sa.types.TypeEngine[int] | sa.types.TypeEngine[bool]] = {
        "corrects_month": _bytewise(7), "corrects_tenant": _bytewise(64), "issued": sa.BigInteger(),
        "credited": sa.BigInteger(), "is_pending": sa.Boolean(),
    }  # fmt: skip
    for name, kind in new.items():
        if name not in there:
            op.add_column("dispute", sa.Column(name, kind))
    op.execute("update dispute set issued = charged")
    op.execute(_CORRECTS)
    op.execute(sa.text("update dispute set is_pending = :yes where state = 'CORRECTED'").bindparams(yes=True))
