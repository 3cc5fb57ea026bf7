"""An account's jobs, as its members list, retry and cancel them."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple, Protocol

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.jobs import jobs
from prorata.actions.jobs.retries import RETRY
from prorata.actions.limits import MOST_JOBS_LISTED, MOST_JOBS_SOUGHT
from prorata.actions.mail import account_mail
from prorata.domain.audit.verbs import Verb
from prorata.domain.due_times import end_of_day
from prorata.domain.jobs.jobs import (
    CANCELLED,
    DONE,
    FAILED,
    RUNNING,
    WAITING,
    comes_next,
    happened_in_words,
    may_cancel,
)
from prorata.domain.mail.deliveries import MAIL
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.ids import first_at, is_id
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.jobs import jobs as stored, outbound_hold
from prorata.store.jobs.jobs import JobRow
from prorata.store.jobs.outbound_hold import HoldRow
from prorata.store.overview import job_lists as stored_lists
from prorata.store.overview.job_lists import UNDER_WAY, ListedJob

AMONG_FAILED = "failed."
"""The prefix of a cursor's id if the page ended among the failed jobs at the beginning of a list.

The job may be in another state when the next page is requested.
"""


class JobKind(Protocol):
    """The facts about a kind of job that a list of jobs shows.

    `worker.kinds.Kind` provides them.
    """

    @property
    def says(self) -> str: ...  # noqa: D102
    @property
    def attempts(self) -> int: ...  # noqa: D102
    @property
    def leaves_the_house(self) -> bool: ...  # noqa: D102
    @property
    def called_off(self) -> Callable[[Tx, JobRow], None]: ...  # noqa: D102
    @property
    def tried_again(self) -> Callable[[Tx, JobRow], None]: ...  # noqa: D102


Kinds = Mapping[str, JobKind]


class ShownJob(NamedTuple):
    """A job as members and programs see it: its purpose, attempts and next step.

    `state` is `held` for a job that does nothing until the operator releases outgoing messages. In a list, a job that
    sends a message has its `address`, and the `property_id` of the property whose rule change it announces.
    """

    id: str
    kind: str
    says: str
    state: str
    subject: str | None
    about: str | None
    attempts: int
    attempts_allowed: int | None
    due_at: str
    created_at: str
    ended_at: str | None
    happened: str | None
    comes_next: str
    is_due_later: bool
    may_retry: bool
    may_cancel: bool
    address: str | None = None
    property_id: str | None = None


class Wish(NamedTuple):
    """A request for a list of jobs.

    `state` is None for all jobs that are not done. `kind` limits the list to one kind of job, and `text` to jobs
    about invoices that match this search text; empty means no limit. `day` limits it to jobs queued up to that day in
    the account's time zone. If `newest_first` is None, the order depends on the state.
    """

    state: str | None = None
    kind: str = ""
    text: str = ""
    day: date | None = None
    newest_first: bool | None = None


class JobList(NamedTuple):
    """A page of jobs.

    `further` is the cursor of the next page, or None at the end. `failed` maps each kind of job to the number of
    failed jobs. `trying` is set while failed jobs are being retried together. `is_cut` is set if more invoices match
    the search text than were examined, so that jobs about the others may be missing.
    """

    jobs: list[ShownJob]
    further: str | None
    hold: HoldRow | None
    failed: dict[str, int]
    trying: bool
    is_cut: bool = False


def page(
    tx: Tx, caller: Caller, kinds: Kinds, wish: Wish, *, behind: str | None = None, limit: int = MOST_JOBS_LISTED
) -> JobList:
    """List one page of the account's jobs, beginning after the cursor `behind`.

    With a state, the page lists the jobs in that state; those that have ended are sorted from newest to oldest.
    Without a state, it lists failed jobs and then those that wait or run, oldest first unless another order is
    requested. With a search text, it lists jobs about at most `MOST_JOBS_SOUGHT` invoices that match the text.
    """
    sought = _sought(tx, caller, wish.text)
    rows = _rows(tx, caller, wish, sought, behind or "", limit + 1)
    last = rows[limit - 1] if len(rows) > limit else None
    further = last and (AMONG_FAILED if wish.state is None and last.state == FAILED else "") + last.id
    hold = outbound_hold.found(tx)
    its_invoices = [row.subject for row in rows if row.subject and is_id(row.subject, "inv")]
    numbers = {row.id: row.number for row in stored_invoices.summaries(tx, caller.account_id, its_invoices)}
    shown = [_shown(tx, row, kinds.get(row.kind), hold, numbers) for row in rows[:limit]]
    trying = stored_lists.listed(tx, account_id=caller.account_id, state=UNDER_WAY, kind=RETRY, limit=1)
    failed = stored_lists.failed_of_kinds(tx, caller.account_id)
    return JobList(shown, further, hold, failed, bool(trying), sought is not None and len(sought) > MOST_JOBS_SOUGHT)


def _sought(tx: Tx, caller: Caller, text: str) -> list[str] | None:
    """Return the ids of invoices that match the search text; None without a text.

    One more than the limit is returned, to tell if more match.
    """
    if not text.strip():
        return None
    return invoice_lists.ids_of(tx, caller, invoice_lists.Wish({}, text), most=MOST_JOBS_SOUGHT + 1)


def _rows(tx: Tx, caller: Caller, wish: Wish, sought: list[str] | None, cursor: str, more: int) -> list[ListedJob]:
    """Return the rows of a page.

    If no state is requested, failed jobs come first, because they need a person.
    """
    behind = cursor.removeprefix(AMONG_FAILED) or None
    about: dict[str, Any] = {"account_id": caller.account_id, "kind": wish.kind or None}
    about["until"] = _until(tx, caller, wish)
    if sought is not None:
        about["subjects"] = sought[:MOST_JOBS_SOUGHT]
    about["newest_first"] = wish.state in (DONE, CANCELLED) if wish.newest_first is None else wish.newest_first
    if wish.state is not None:
        return stored_lists.listed(tx, **about, state=wish.state, limit=more, behind=behind)
    if behind == cursor:
        return stored_lists.listed(tx, **about, state=UNDER_WAY, limit=more, behind=behind)
    failed = stored_lists.listed(tx, **about, state=FAILED, limit=more, behind=behind)
    left = more - len(failed)
    return failed + (stored_lists.listed(tx, **about, state=UNDER_WAY, limit=left) if left else [])


def _until(tx: Tx, caller: Caller, wish: Wish) -> str | None:
    """Return an id that sorts after those of all jobs queued on the requested day."""
    if wish.day is None:
        return None
    ends = end_of_day(wish.day, account_actions.the_account(tx, caller).timezone)
    return first_at("job", int(ends.timestamp()) * 1000)


def find(tx: Tx, caller: Caller, kinds: Kinds, job_id: str) -> str:
    """Return a phrase that describes what a job does.

    Raises `NotFound` if there is no such job.
    """
    row = _find(tx, caller, job_id)
    return kinds[row.kind].says if row.kind in kinds else say("is of the kind {kind}", kind=row.kind)


def read(tx: Tx, caller: Caller, kinds: Kinds, job_id: str) -> ShownJob:
    """Load a job as a list shows it.

    Raises `NotFound` if there is no such job.
    """
    row = _find(tx, caller, job_id)
    its_invoice = [row.subject] if row.subject and is_id(row.subject, "inv") else []
    numbers = {summary.id: summary.number for summary in stored_invoices.summaries(tx, caller.account_id, its_invoice)}
    return _shown(tx, row, kinds.get(row.kind), outbound_hold.found(tx), numbers)


def _shown(
    tx: Tx, row: JobRow | ListedJob, kind: JobKind | None, hold: HoldRow | None, numbers: dict[str, str]
) -> ShownJob:
    held = hold is not None and kind is not None and kind.leaves_the_house
    is_held = held and row.state == "waiting"
    later = row.state == "waiting" and not is_held and row.due_at > tx.now
    gone = row.lease_until is not None and row.lease_until < tx.now
    known, tried = kind is not None, row.attempts > 0
    return ShownJob(
        id=row.id,
        kind=row.kind,
        says=_says(row.kind, kind, numbers.get(row.subject or "")),
        state="held" if is_held else row.state,
        subject=row.subject,
        about=numbers.get(row.subject or ""),
        attempts=row.attempts,
        attempts_allowed=kind.attempts if kind else None,
        due_at=row.due_at,
        created_at=row.created_at,
        ended_at=row.ended_at,
        happened=happened_in_words(row.last_error),
        comes_next=comes_next(row.state, held=is_held, later=later, tried=tried, abandoned=gone, known=known),
        is_due_later=later,
        may_retry=row.state == FAILED or later,
        may_cancel=may_cancel(row.state) and not _must_go(tx, row),
        address=row.mail_address if isinstance(row, ListedJob) else None,
        property_id=row.property_id if isinstance(row, ListedJob) else None,
    )


def _says(named: str, kind: JobKind | None, about: str | None) -> str:
    if named == MAIL and about:
        return say("sends by e-mail")  # this job does none of the other things its kind may do
    return kind.says if kind else say("is of the kind {kind}", kind=named)


def retry(tx: Tx, caller: Caller, kinds: Kinds, job_id: str) -> JobRow:
    """Retry a failed job, or run a waiting one at once; count its attempts anew.

    Raises everything that `jobs.retry` raises.
    """
    job = _find(tx, caller, job_id)
    if job.kind in kinds:
        kinds[job.kind].tried_again(tx, job)
    row = jobs.retry(tx, caller.account_id, job.id)
    audit.record(tx, caller, Verb.RETRY_JOB, row.subject or row.id, before=_Noted(job.kind, job.state))
    return row


def cancel(tx: Tx, caller: Caller, kinds: Kinds, job_id: str) -> JobRow:
    """Cancel a job for good; return the job's row as it was before.

    Raises `NotFound` if there is no such job, and `Conflict` if it has ended. `Conflict` is also raised for an e-mail
    that notifies a person of a change to how they sign in, so that nobody can hide the change from that person.
    """
    job = _find(tx, caller, job_id)
    if _must_go(tx, job):
        raise Conflict(
            say("This e-mail tells someone that the way they sign in has changed, so it can't be cancelled.")
        )
    if job.kind in kinds:
        kinds[job.kind].called_off(tx, job)
    row = jobs.cancel(tx, caller.account_id, job.id)
    audit.record(tx, caller, Verb.CANCEL_JOB, row.subject or row.id, before=_Noted(job.kind, job.state))
    return row


def _must_go(tx: Tx, row: JobRow | ListedJob) -> bool:
    under_way = row.kind == MAIL and row.state in (WAITING, RUNNING)
    return under_way and account_mail.is_notice(tx, row.account_id, row.subject)


class _Noted(NamedTuple):
    """The audit note of a job that a person retried or canceled."""

    kind: str
    state: str


def _find(tx: Tx, caller: Caller, job_id: str) -> JobRow:
    return access.the_one(stored.find, tx, caller, job_id, "job", "job")
