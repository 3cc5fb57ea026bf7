"""bills over several months: how many days of its service a line is for, where they are spread over them"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("bill_line", "held_line"):
        for name in ("days", "of_days"):
            op.add_column(table, sa.Column(name, sa.Integer(), nullable=True))
