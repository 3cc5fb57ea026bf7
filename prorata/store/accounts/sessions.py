"""Sessions of signed-in people.

Only the keyed hash of a session's token is stored. With this hash, the session and its account are found.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, literal_column, or_, select, update

from prorata.domain.callers import Person
from prorata.domain.intake.documents import OPEN
from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, columns_for, returns
from prorata.store.schema.document_tables import document
from prorata.store.schema.joins import named_by
from prorata.store.schema.sign_in_tables import session
from prorata.store.schema.tables import account, dispute, member
from prorata.store.schema.tenant_page_tables import tenant_question


class SessionRow(NamedTuple):
    """A person's session in one browser.

    The session ends at `expires_at`, even if it is in use.
    """

    account_id: str
    id: str
    member_id: str
    token_hash: str
    created_at: str
    last_seen_at: str
    expires_at: str
    user_agent: str
    address: str


_mine = session.c.account_id == bindparam("account")
_of_member = session.c.member_id == bindparam("member")
_lives = (session.c.expires_at > bindparam("now"), session.c.last_seen_at > bindparam("idle_since"))
_WAITING_DOCUMENTS = (
    select(func.count())
    .where(
        document.c.account_id == session.c.account_id,
        or_(*(document.c.state == literal_column(f"'{state}'") for state in OPEN)),
    )
    .correlate(session)
    .scalar_subquery()
)
_UNANSWERED = (
    select(func.count())
    .where(tenant_question.c.account_id == session.c.account_id, tenant_question.c.answered_at.is_(None))
    .correlate(session)
    .scalar_subquery()
)
_ANSWERED_DISPUTES = (
    select(func.count())
    .select_from(dispute.join(tenant_question, named_by(tenant_question, dispute.c.question_id)))
    .where(
        dispute.c.account_id == session.c.account_id,
        dispute.c.state == literal_column("'OPEN'"),
        tenant_question.c.answered_at.is_not(None),
    )
    .correlate(session)
    .scalar_subquery()
)
_FIND = returns(
    Person,
    select(
        *columns_for(
            Person,
            session,
            member,
            account,
            session_id=session.c.id,
            is_verified=member.c.verified_at.is_not(None),
            account_name=account.c.name,
            locale=func.coalesce(func.nullif(member.c.locale, literal_column("''")), account.c.locale),
            seen_at=session.c.last_seen_at,
            waiting_documents=_WAITING_DOCUMENTS,
            waiting_questions=_UNANSWERED + _ANSWERED_DISPUTES,
        )
    )
    .join(member, named_by(member, session.c.member_id))
    .join(account, account.c.id == session.c.account_id)
    .where(session.c.token_hash == bindparam("token_hash"), *_lives),
)
_ALL = returns(
    SessionRow, select(session).where(_mine, _of_member, *_lives).order_by(session.c.last_seen_at.desc(), session.c.id)
)
_ADD = adds(session)
_NOTE_SEEN = changes(
    update(session)
    .where(_mine, session.c.id == bindparam("id"), session.c.last_seen_at < bindparam("before"))
    .values(last_seen_at=bindparam("at"))
)
_RENEW = changes(
    update(session)
    .where(_mine, _of_member, session.c.id == bindparam("was"))
    .values(id=bindparam("id"), token_hash=bindparam("token_hash"))
)
_END = changes(delete(session).where(_mine, _of_member, session.c.id == bindparam("id")))
_END_OTHERS = changes(delete(session).where(_mine, _of_member, session.c.id != bindparam("but")))
_FORGET = changes(
    delete(session).where(
        _mine, _of_member, (session.c.expires_at <= bindparam("now")) | (session.c.last_seen_at <= bindparam("idle"))
    )
)
_END_ALL = changes(delete(session))


def add(tx: Tx, row: SessionRow) -> None:
    """Add the session of a person who has just signed in."""
    tx.run(_ADD, **row._asdict())


def find(tx: Tx, token_hash: str, *, idle_since: str) -> Person | None:
    """Find the person who is signed in by the session with this token hash.

    The session may be of any account. Return None if the session has expired, or was last used before `idle_since`.
    """
    row = tx.one(_FIND, token_hash=token_hash, now=tx.now, idle_since=idle_since)
    return row._replace(is_verified=bool(row.is_verified)) if row else None


def all_of(tx: Tx, account_id: str, member_id: str, *, idle_since: str) -> list[SessionRow]:
    """List a member's sessions that have not ended, most recently used first."""
    return tx.all(_ALL, account=account_id, member=member_id, now=tx.now, idle_since=idle_since)


def note_seen(tx: Tx, account_id: str, session_id: str, before: str) -> None:
    """Record that a session is used now.

    Nothing is recorded if the last recorded use is at or after `before`.
    """
    tx.run(_NOTE_SEEN, account=account_id, id=session_id, at=tx.now, before=before)


def renew(tx: Tx, account_id: str, member_id: str, was: str, token_hash: str) -> None:
    """Give a session a new id and token, so that the old token is invalid.

    Nothing else in the session changes.
    """
    tx.run(_RENEW, account=account_id, member=member_id, was=was, id=tx.new_id("sess"), token_hash=token_hash)


def end(tx: Tx, account_id: str, member_id: str, session_id: str) -> bool:
    """End a session of a member; return False if it does not exist."""
    return tx.run(_END, account=account_id, member=member_id, id=session_id) == 1


def end_others(tx: Tx, account_id: str, member_id: str, but: str = "") -> int:
    """End a member's sessions, except the session `but`, if given.

    Return the number of sessions ended.
    """
    return tx.run(_END_OTHERS, account=account_id, member=member_id, but=but)


def forget_ended(tx: Tx, account_id: str, member_id: str, *, idle_since: str) -> None:
    """Delete a member's sessions that have ended."""
    tx.run(_FORGET, account=account_id, member=member_id, now=tx.now, idle=idle_since)


def end_all(tx: Tx) -> int:
    """End every session of every account after the database was restored."""
    return tx.run(_END_ALL)


def end_all_as_sql() -> str:
    """Return the SQL by which PostgreSQL ends every session while a database is restored.

    The SQL is run in the transaction that restores the database. It does nothing if the restored schema is so old
    that it has no table of sessions.
    """
    end = "DELETE FROM public.session"
    return f"DO $ended$ BEGIN IF to_regclass('public.session') IS NOT NULL THEN {end}; END IF; END $ended$;\n"
