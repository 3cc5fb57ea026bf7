"""a message that waits is written anew where what it says of its invoice is not so any more"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mail_content", sa.Column("rests_on", sa.Text(), nullable=True))
