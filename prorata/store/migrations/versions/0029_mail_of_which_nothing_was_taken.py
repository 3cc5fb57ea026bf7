"""mail of which nothing could be taken waits for a person, until somebody has dealt with it"""

import sqlalchemy as sa
from alembic import op

from prorata.store.migrations.steps import change_check

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

HAD = "state in ('received', 'waiting', 'taken', 'nothing', 'refused', 'again', 'report')"
HAS = "state in ('received', 'waiting', 'taken', 'nothing', 'refused', 'again', 'report', 'not taken', 'dealt with')"


def upgrade() -> None:
    change_check("incoming_mail", "ck_incoming_mail_state", HAD, HAS)
    mail = sa.table("incoming_mail", *(sa.column(name) for name in ("account_id", "id", "state", "likeness", "about")))
    content = sa.table("incoming_content", sa.column("account_id"), sa.column("mail_id"))
    is_kept = (  # of what was cleared away, nobody could bring the files
        sa.select(sa.literal_column("1"))
        .select_from(content)
        .where(content.c.account_id == mail.c.account_id, content.c.mail_id == mail.c.id)
        .exists()
    )
    could_not_be_read = (mail.c.state == "nothing", mail.c.likeness.is_(None), mail.c.about.is_(None), is_kept)
    op.execute(sa.update(mail).where(*could_not_be_read).values(state="not taken"))
