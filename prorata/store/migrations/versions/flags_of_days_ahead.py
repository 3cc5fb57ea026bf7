"""Flags of bills that are dated, or for days, long after today."""

from prorata.store.migrations.steps import change_check

revision = "flags_of_days_ahead"
down_revision = "names_of_bill_lines"
branch_labels = None
depends_on = None

_KINDS = "kind in ('duplicate', 'overlap', 'gap', 'unusualAmount', 'dueBeforeBilled', 'doesNotSum'"


def upgrade() -> None:
    """Allow the new kind of flag."""
    change_check("bill_flag", "ck_bill_flag_kind", f"{_KINDS})", f"{_KINDS}, 'inFuture')")
