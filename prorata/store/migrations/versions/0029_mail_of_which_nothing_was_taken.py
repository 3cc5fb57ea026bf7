"""mail of which nothing could be taken waits for a person, until somebody has dealt with it"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

HAD = "state in ('received', 'waiting', 'taken', 'nothing', 'refused', 'again', 'report')"
HAS = "state in ('received', 'waiting', 'taken', 'nothing', 'refused', 'again', 'report', 'not taken', 'dealt with')"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _in_the_schema_of_sqlite()
    else:
        op.drop_constraint(op.f("ck_incoming_mail_state"), "incoming_mail", type_="check")
        op.create_check_constraint(op.f("ck_incoming_mail_state"), "incoming_mail", HAS)
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


def _in_the_schema_of_sqlite() -> None:
    """SQLite's own way to change constraints without writing a table again (ALTER TABLE, section 8)."""
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    named = "FROM sqlite_schema WHERE type = 'table' AND name = 'incoming_mail'"
    written = connection.exec_driver_sql(f"SELECT sql {named}").scalar_one()
    assert written.count(HAD) == 1, "the table of mail that came in does not say what becomes of it"
    update = sa.text("UPDATE sqlite_schema SET sql = :sql WHERE type = 'table' AND name = 'incoming_mail'")
    connection.execute(update, {"sql": written.replace(HAD, HAS)})
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
