"""Lists of jobs for members and for the operator: by state, kind, records and time."""

from functools import cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, func, literal_column, or_, select

from prorata.domain.jobs.jobs import FAILED, STATES
from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, columns_for, is_one_of, returns, returns_one, returns_pairs
from prorata.store.schema import job_tables
from prorata.store.schema.job_tables import job
from prorata.store.schema.joins import named_by
from prorata.store.schema.mail_tables import mail
from prorata.store.schema.tables import account, invoice, rule_announcement

UNDER_WAY = "under way"
"""The value of `state` that selects jobs that are waiting or running."""


class ListedJob(NamedTuple):
    """A job in a list, with the name of its account.

    A job that sends a message also has the message's kind, its recipient's name and address, and the number of its
    invoice. If the message announces a rule change, the job also has the property's id.
    """

    account_id: str
    id: str
    kind: str
    state: str
    subject: str | None
    due_at: str
    attempts: int
    lease_until: str | None
    last_error: str | None
    created_at: str
    ended_at: str | None
    account_name: str
    mail_kind: str | None
    mail_to: str | None
    mail_address: str | None
    invoice_number: str | None
    property_id: str | None


_mine = job.c.account_id == bindparam("account")
_CONDITIONS: dict[str, ColumnElement[bool]] = {
    "account": _mine,
    "subjects": is_one_of(job.c.subject, "subjects"),
    "kind": job.c.kind == bindparam("kind"),
    "until": job.c.id < bindparam("until"),
}


@cache
def _listed(state: str | None, filters: frozenset[str], *, newest_first: bool = False) -> Statement[ListedJob]:
    """Build the statement that lists jobs in a state, limited by the `filters` of `_CONDITIONS`.

    If `state` is None, the statement lists jobs that wait, run or have failed; if it is `UNDER_WAY`, jobs that wait
    or run. The state is written into the statement, so that a partial index can be used. A job that sends a message
    has the message's id as its key. If `filters` contains "behind", the list begins after a job's id.
    """
    statement = (
        select(
            *columns_for(
                ListedJob,
                job,
                account_name=account.c.name,
                mail_kind=mail.c.kind,
                mail_to=mail.c.to_name,
                mail_address=mail.c.to_address,
                invoice_number=invoice.c.number,
                property_id=rule_announcement.c.property_id,
            )
        )
        .join(account, account.c.id == job.c.account_id)
        .outerjoin(mail, named_by(mail, job.c.unique_key))
        .outerjoin(invoice, named_by(invoice, mail.c.invoice_id))
        .outerjoin(rule_announcement, named_by(rule_announcement, mail.c.occasion))
        .where(*(condition for name, condition in _CONDITIONS.items() if name in filters))
        .order_by(job.c.id.desc() if newest_first else job.c.id)
        .limit(bindparam("limit"))
    )
    if "behind" in filters:
        statement = statement.where(job.c.id < bindparam("behind") if newest_first else job.c.id > bindparam("behind"))
    if state is None:
        statement = statement.where(or_(job_tables.WAITING, job_tables.RUNNING, job_tables.FAILED))
    elif state == UNDER_WAY:
        statement = statement.where(or_(job_tables.WAITING, job_tables.RUNNING))
    else:
        assert state in STATES, "it is written into the statement"
        statement = statement.where(job.c.state == literal_column(f"'{state}'"))
    if state == FAILED and "kind" not in filters:
        statement = statement.where(job.c.kind > literal_column("''"))  # always true: it makes SQLite use the index
    return returns(ListedJob, statement)


_FAILED_OF_KINDS = returns_pairs(
    select(job.c.kind, func.count()).where(_mine, job_tables.FAILED).group_by(job.c.kind).order_by(job.c.kind)
)
_FAILED_OF_KIND = returns_one(
    select(job.c.id)
    .where(
        _mine, job_tables.FAILED, job.c.kind == bindparam("kind"), job.c.ended_at <= bindparam("until"),
        job.c.id > bindparam("behind"),
    )
    .order_by(job.c.id)
    .limit(bindparam("limit"))
)  # fmt: skip


def listed(
    tx: Tx,
    *,
    account_id: str | None,
    state: str | None,
    limit: int,
    behind: str | None = None,
    subjects: list[str] | None = None,
    kind: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
) -> list[ListedJob]:
    """List up to `limit` jobs, oldest or newest first.

    If `state` is None, jobs that wait, run or have failed are listed; if it is `UNDER_WAY`, jobs that wait or run.
    The other arguments limit the list, unless they are None: to an account, to jobs that follow `behind` in the
    list, to ids lower than `until`, to the records `subjects`, or to a kind.
    """
    given = {
        "account": account_id, "behind": behind, "subjects": subjects, "kind": kind, "until": until,
    }  # fmt: skip
    filters = {name: value for name, value in given.items() if value is not None}
    return tx.all(_listed(state, frozenset(filters), newest_first=newest_first), limit=limit, **filters)


def failed_of_kinds(tx: Tx, account_id: str) -> dict[str, int]:
    """Count, by kind, the account's jobs that have failed and wait for a person."""
    return dict(tx.all(_FAILED_OF_KINDS, account=account_id))


def failed_of_kind(tx: Tx, account_id: str, kind: str, *, until: str, behind: str, limit: int) -> list[str]:
    """List the ids of a kind's jobs that failed at a timestamp or earlier.

    Up to `limit` ids after the id `behind` are listed, in their order.
    """
    return tx.all(_FAILED_OF_KIND, account=account_id, kind=kind, until=until, behind=behind, limit=limit)
