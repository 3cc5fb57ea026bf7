"""Background jobs: listing them and their failures, retrying and cancelling them."""

from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.jobs import retries
from prorata.actions.overview import job_lists
from prorata.actions.overview.job_lists import AMONG_FAILED, ShownJob, Wish
from prorata.web.http.cursors import cursor
from prorata.web.http.fields import DateText, line, text
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, Filter, given
from prorata.web.http.response_schemas import Answer, Message, Timestamp

_ONE, _KIND = "/jobs/{id}", ("job",)
JobState = Literal["WAITING", "RUNNING", "FAILED", "DONE", "CANCELLED"]


class Job(Answer):
    """A background job."""

    id: str
    kind: Annotated[str, Meta(description="The kind of work, such as mail or webhook.")]
    says: Annotated[str, Meta(description="A description of the job.")]
    state: Annotated[
        Literal["HELD", "WAITING", "RUNNING", "FAILED", "DONE", "CANCELLED"],
        Meta(description="HELD: it waits until the operator releases outgoing messages."),
    ]
    subject: Annotated[str | None, Meta(description="The id of the record that the job is about.")]
    invoice_number: str | None
    attempts: int
    attempts_allowed: int | None
    due_at: Timestamp
    happened: Annotated[str | None, Meta(description="What went wrong at the last attempt, if it failed.")]
    comes_next: Annotated[str, Meta(description="What happens next, in a sentence.")]
    can_retry: bool
    can_cancel: bool
    created_at: Timestamp
    ended_at: Timestamp | None


class FailedKind(Answer):
    """The number of failed jobs of one kind."""

    kind: str
    number: int


class Jobs(Answer):
    """One page of the list of jobs, and the number of failed jobs by kind."""

    data: list[Job]
    next: Annotated[str | None, Meta(description="The `before` value for the next entries; null at the end.")]
    failed: Annotated[list[FailedKind], Meta(description="The number of failed jobs, by kind.")]


class JobsQuery(Body):
    """Filters and page of a list of jobs.

    If `state` is omitted, the list contains the failed jobs, followed by those that wait or run. Within each of
    these two groups, the oldest job comes first.
    """

    state: JobState | UnsetType = UNSET
    kind: Annotated[str, text(32, least=0)] | UnsetType = UNSET
    q: Annotated[Filter, Meta(description="Only jobs about invoices that match this number, tenant or unit.")] = ""
    day: Annotated[DateText, Meta(description="Only jobs created on or before this day.")] | UnsetType = UNSET
    before: Annotated[str, cursor("job", mark=AMONG_FAILED)] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=100)] = 20


class FailedJobs(Body):
    """The kind of job whose failed jobs are retried."""

    kind: Annotated[str, line(32)]


def _shown(job: ShownJob) -> Job:
    return Job(
        id=job.id,
        kind=job.kind,
        says=job.says,
        state=job.state.upper(),  # type: ignore[arg-type]
        subject=job.subject,
        invoice_number=job.about,
        attempts=job.attempts,
        attempts_allowed=job.attempts_allowed,
        due_at=job.due_at,
        happened=job.happened,
        comes_next=job.comes_next,
        can_retry=job.may_retry,
        can_cancel=job.may_cancel,
        created_at=job.created_at,
        ended_at=job.ended_at,
    )


def _read(call: Call[None, None]) -> Job:
    return _shown(job_lists.read(call.tx, call.caller, call.job_kinds(), call.path["id"]))


def _wish(query: JobsQuery) -> Wish:
    state, day = given(query.state), given(query.day)
    on = date.fromisoformat(day) if day else None
    return Wish(state.lower() if state else None, given(query.kind) or "", query.q, on)


@operation("GET", "/jobs", summary="List jobs", query=JobsQuery, answer=Jobs, at_once=True)
def list_jobs(call: Call[JobsQuery, None]) -> Jobs:
    """List waiting, running and failed jobs, or only the jobs in one `state`.

    Jobs that are done or cancelled are kept for a week.
    """
    query, kinds = call.query, call.job_kinds()
    job_list = job_lists.page(
        call.tx, call.caller, kinds, _wish(query), behind=given(query.before), limit=query.limit
    )  # fmt: skip
    failed = [FailedKind(kind=kind, number=number) for kind, number in job_list.failed.items()]
    return Jobs(data=[_shown(job) for job in job_list.jobs], next=job_list.further, failed=failed)


@operation("GET", _ONE, summary="Read a job", answer=Job, missing=_KIND, at_once=True)
def read_job(call: Call[None, None]) -> Job:
    """Read a job: its purpose, the attempts so far, and what happens next."""
    return _read(call)


@operation(
    "POST", _ONE + "/retry", summary="Try a job again", answer=Job, missing=_KIND, status=200,
    conflict="The job is running, has succeeded, or another job is doing the same work.",
)  # fmt: skip
def retry_job(call: Call[None, None]) -> Job:
    """Run a failed or waiting job at once, and reset its number of attempts."""
    job_lists.retry(call.tx, call.caller, call.job_kinds(), call.path["id"])
    return _read(call)


@operation(
    "POST", _ONE + "/cancel", summary="Cancel a job", answer=Job, missing=_KIND, status=200,
    conflict="The job has ended, or tells someone that their way of signing in was changed.",
)  # fmt: skip
def cancel_job(call: Call[None, None]) -> Job:
    """Cancel a job for good; anything that the job has already sent can't be recalled."""
    job_lists.cancel(call.tx, call.caller, call.job_kinds(), call.path["id"])
    return _read(call)


@operation(
    "POST", "/jobs/retry-failed", summary="Try failed jobs again", body=FailedJobs, answer=Message,
    status=200, example={"kind": "mail"},
    conflict="No jobs of this kind have failed, or they are already being retried.",
)  # fmt: skip
def retry_failed_jobs(call: Call[None, FailedJobs]) -> Message:
    """Retry, one after another, all failed jobs of one kind."""
    number = retries.begin(call.tx, call.caller, call.body.kind)
    return Message(message=f"{number} jobs are tried again.")
