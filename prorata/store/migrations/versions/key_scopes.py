"""Keys that may manage members, keys and settings; and the resources that a key reaches, none for all."""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import change_check

revision = "key_scopes"
down_revision = "disputed_lines"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if "scopes" in {column["name"] for column in sa.inspect(op.get_bind()).get_columns("api_key")}:
        return
    op.add_column("api_key", sa.Column("scopes", sa.Text(), nullable=False, server_default=""))
    change_check(
        "api_key",
        "ck_api_key_permission",
        "permission in ('READ', 'FULL')",
        "permission in ('READ', 'FULL', 'ADMIN')",
    )
