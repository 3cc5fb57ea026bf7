"""Background jobs, which pages call tasks: listing, retrying and cancelling them."""

from datetime import date
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.jobs import retries as job_retries
from prorata.actions.overview import job_lists
from prorata.actions.overview.job_lists import Kinds, Wish
from prorata.domain.mail.deliveries import MAIL
from prorata.domain.texts import joined, say, say_n
from prorata.ports import Forms
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import DateText, text

NAMES = {
    MAIL: say("Sending e-mails"),
    "bulk": say("Changing many invoices"),
    "overdue": say("Marking overdue invoices"),
    "remind": say("Scheduling reminders"),
    "announce": say("Announcing rule changes"),
    "retry": say("Trying again"),
    "tidy": say("Cleaning up"),
    "webhook": say("Sending webhooks"),
    "webhook slow": say("Sending slow webhooks"),
}
"""The display names of kinds of jobs.

A kind without a name here is shown by its purpose.
"""


class JobsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters, order and cursor of the list of jobs."""

    state: Literal["", "waiting", "running", "failed", "done", "cancelled"] = ""
    kind: Annotated[str, text(32, least=0)] = ""
    search: Annotated[str, text(255, least=0)] = ""
    day: DateText | UnsetType = UNSET
    sort: Literal["", "newest", "oldest"] = ""
    behind: Annotated[str, text(64, least=0)] = ""

    @property
    def wish(self) -> Wish:
        """Convert the query to a search for jobs."""
        day = date.fromisoformat(self.day) if self.day is not UNSET else None
        newest_first = None if not self.sort else self.sort == "newest"
        return Wish(self.state or None, self.kind, self.search, day, newest_first)


class BackForm(JobsQuery, kw_only=True):
    """The filters and cursor of the list to show after a button was pressed."""

    @property
    def home(self) -> str:
        """The address of the list of jobs, with these filters and this cursor."""
        given = {name: value for name, value in msgspec.to_builtins(self).items() if value}
        return f"/jobs?{urlencode(given)}" if given else "/jobs"


class Again(NamedTuple):
    """The question that is asked before all failed jobs of a kind are retried.

    It has the fields that the template macro `invoice_parts.step` shows.
    """

    name: str
    kind: str
    stands: str
    title: str
    says: tuple[str, ...]
    does: str
    asks: bool = True
    is_grave: bool = False


@page("GET", "/jobs", may="read", query=JobsQuery)
def jobs_page(ask: Ask[Any, None]) -> Shown:
    """Show the jobs that wait, run or have failed, or those that the filters find."""
    query = ask.query if isinstance(ask.query, JobsQuery) else JobsQuery()
    kinds, parameters = ask.outside.job_kinds(), msgspec.to_builtins(query)
    job_list = job_lists.page(ask.tx, ask.caller, kinds, query.wish, behind=query.behind)
    values = {
        "found": job_list,
        "state": query.state or None,
        "query": query,
        "day": query.wish.day,
        "kinds": sorted((name, named(kinds, name)) for name in kinds),
        "again": [_again(kinds, kind, number, ask.write) for kind, number in job_list.failed.items() if number > 1],
        "cancelling": CANCELLING,
    }
    back = {name: value for name, value in parameters.items() if value}
    return Shown("jobs.html", {**values, "parameters": parameters, "back": back})


@page("POST", "/jobs/{job}/retry", may="write", form=BackForm, again=jobs_page)
def retry_job(ask: Ask[None, BackForm]) -> GoTo:
    """Retry the job."""
    job_lists.retry(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return GoTo(ask.form.home, say("The task is being retried."))


@page("GET", "/jobs/failed/{kind}/retry", may="write")
def ask_to_retry_jobs(ask: Ask[None, None]) -> Shown:
    """Ask to confirm retrying all failed jobs of a kind, for browsers without dialogs."""
    kinds, kind = ask.outside.job_kinds(), ask.path["kind"]
    asked = _again(kinds, kind, job_retries.number_failed(ask.tx, ask.caller, kind), ask.write)
    question = {"title": asked.title, "lost": joined(asked.says), "does": asked.does, "is_grave": False}
    return Shown("confirm.html", {**question, "back": "/jobs?state=failed"})


@page("POST", "/jobs/failed/{kind}/retry", may="write", again=jobs_page)
def retry_jobs(ask: Ask[None, None]) -> GoTo:
    """Retry all failed jobs of a kind."""
    number = job_retries.begin(ask.tx, ask.caller, ask.path["kind"])
    message = say_n(
        "{n} task is being tried again.",
        "{n} tasks are being tried again, one after another.",
        number,
        n=ask.write.count(number),
    )
    return GoTo("/jobs", message)


@page("GET", "/jobs/{job}/cancel", may="write")
def ask_to_cancel_job(ask: Ask[None, None]) -> Shown:
    """Ask to confirm cancelling a job, for browsers without dialogs."""
    task = job_lists.find(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return Shown("confirm.html", {**CANCELLING, "title": say("Cancel the task “{task}”?", task=task), "back": "/jobs"})


@page("POST", "/jobs/{job}/cancel", may="write", form=BackForm, again=jobs_page)
def cancel_job(ask: Ask[None, BackForm]) -> GoTo:
    """Cancel the job."""
    was = job_lists.cancel(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    late = say("It was already running, so anything it had sent stays sent.") if was.state == "running" else ""
    return GoTo(ask.form.home, joined([say("The task was cancelled."), late]))


def named(kinds: Kinds, kind: str) -> str:
    """Return the name of a kind of job, in words."""
    return NAMES.get(kind) or (kinds[kind].says if kind in kinds else say("of the kind {kind}", kind=kind))


def _again(kinds: Kinds, kind: str, number: int, write: Forms) -> Again:
    stands = say_n(
        "{kind}: {n} task failed.", "{kind}: {n} tasks failed.", number, n=write.count(number), kind=named(kinds, kind)
    )
    says = joined(
        [
            say("Each one starts from the beginning, as if it were new."),
            say("E-mails go to people’s current addresses, and anything that has already arrived isn’t sent again.")
            if kind == MAIL
            else "",
        ]
    )
    title = say_n("Try the task again?", "Try all {n} tasks again?", number, n=write.count(number))
    does = say("Try again") if number == 1 else say("Try all again")
    return Again(f"again-{kind}", kind, stands, title, (stands, says), does)


CANCELLING: dict[str, Any] = {
    "lost": say("It won’t be done, now or later. What it already sent can’t be taken back."),
    "does": say("Cancel the task"),
}
