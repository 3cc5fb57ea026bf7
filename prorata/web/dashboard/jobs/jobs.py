"""Jobs, which pages call background tasks: what waits, what failed and why, tried again or called off."""

from datetime import date
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.jobs import retries as job_retries
from prorata.actions.overview import job_lists
from prorata.actions.overview.job_lists import Kinds, Wish
from prorata.domain.locale_forms import counted
from prorata.domain.mail.deliveries import MAIL
from prorata.ports import Forms
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import DateText, text

NAMES = {
    MAIL: "Sending e-mails",
    "bulk": "Changing many invoices",
    "overdue": "Marking overdue invoices",
    "remind": "Queueing reminders",
    "retry": "Trying again",
    "tidy": "Clearing away",
    "webhook": "Telling webhooks",
    "webhook slow": "Telling slow webhooks",
}
"""What kinds of jobs are called; another by what it does."""


class JobsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Jobs in which state, of which kind, about which invoices, up to which day, in which order, behind which one."""

    state: Literal["", "waiting", "running", "failed", "done", "cancelled"] = ""
    kind: Annotated[str, text(32, least=0)] = ""
    search: Annotated[str, text(255, least=0)] = ""
    day: DateText | UnsetType = UNSET
    sort: Literal["", "newest", "oldest"] = ""
    behind: Annotated[str, text(64, least=0)] = ""

    @property
    def wish(self) -> Wish:
        """The same, as the action is asked."""
        day = date.fromisoformat(self.day) if self.day is not UNSET else None
        newest_first = None if not self.sort else self.sort == "newest"
        return Wish(self.state or None, self.kind, self.search, day, newest_first)


class BackForm(JobsQuery, kw_only=True):
    """The list on which a button was pressed."""

    @property
    def home(self) -> str:
        """Its address."""
        given = {name: value for name, value in msgspec.to_builtins(self).items() if value}
        return f"/jobs?{urlencode(given)}" if given else "/jobs"


class Again(NamedTuple):
    """Having every failed job of a kind tried again, as it is asked before (`invoice_parts.step`)."""

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
    """What waits, runs or failed."""
    query = ask.query if isinstance(ask.query, JobsQuery) else JobsQuery()
    kinds, parameters = ask.outside.job_kinds(), msgspec.to_builtins(query)
    found = job_lists.page(ask.tx, ask.caller, kinds, query.wish, behind=query.behind)
    values = {
        "found": found,
        "state": query.state or None,
        "query": query,
        "day": query.wish.day,
        "kinds": sorted((name, named(kinds, name)) for name in kinds),
        "again": [_again(kinds, kind, number, ask.write) for kind, number in found.failed.items() if number > 1],
        "cancelling": CANCELLING,
    }
    back = {name: value for name, value in parameters.items() if value}
    return Shown("jobs.html", {**values, "parameters": parameters, "back": back})


@page("POST", "/jobs/{job}/retry", may="write", form=BackForm, again=jobs_page)
def retry_job(ask: Ask[None, BackForm]) -> GoTo:
    """Has it done again."""
    job_lists.retry(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return GoTo(ask.form.home, "It is tried again.")


@page("GET", "/jobs/failed/{kind}/retry", may="write")
def ask_to_retry_jobs(ask: Ask[None, None]) -> Shown:
    """The question, for those whose browser opens no dialog."""
    kinds, kind = ask.outside.job_kinds(), ask.path["kind"]
    asked = _again(kinds, kind, job_retries.number_failed(ask.tx, ask.caller, kind), ask.write)
    question = {"title": asked.title, "lost": " ".join(asked.says), "does": asked.does, "is_grave": False}
    return Shown("confirm.html", {**question, "back": "/jobs?state=failed"})


@page("POST", "/jobs/failed/{kind}/retry", may="write", again=jobs_page)
def retry_jobs(ask: Ask[None, None]) -> GoTo:
    """Has all of them done again."""
    number = job_retries.begin(ask.tx, ask.caller, ask.path["kind"])
    said = f"{counted(number, 'task', ask.write)} {'is' if number == 1 else 'are'} tried again, one after the other."
    return GoTo("/jobs", said)


@page("GET", "/jobs/{job}/cancel", may="write")
def ask_to_cancel_job(ask: Ask[None, None]) -> Shown:
    """The question, for those whose browser opens no dialog."""
    found = job_lists.find(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return Shown("confirm.html", {**CANCELLING, "title": f"Cancel the task that {found}?", "back": "/jobs"})


@page("POST", "/jobs/{job}/cancel", may="write", form=BackForm, again=jobs_page)
def cancel_job(ask: Ask[None, BackForm]) -> GoTo:
    """Calls it off."""
    was = job_lists.cancel(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    late = " It was being done: what it has sent is sent." if was.state == "running" else ""
    return GoTo(ask.form.home, f"The task was cancelled.{late}")


def named(kinds: Kinds, kind: str) -> str:
    """What a kind of job is called."""
    does = kinds[kind].says if kind in kinds else f"of the kind {kind}"
    return NAMES.get(kind) or does[:1].upper() + does[1:]


def _again(kinds: Kinds, kind: str, number: int, write: Forms) -> Again:
    stands = f"{named(kinds, kind)}: {counted(number, 'task', write)} failed."
    says = "Each is tried once more from the beginning, as if it were new."
    if kind == MAIL:
        says += " E-mails go to the address that the person has now, and none of what has arrived is sent again."
    title = f"Have {'the task' if number == 1 else f'all {write.count(number)} tasks'} tried again?"
    does = "Try again" if number == 1 else "Try all again"
    return Again(f"again-{kind}", kind, stands, title, (stands, says), does)


CANCELLING: dict[str, Any] = {
    "lost": "It is not done, now or later. What it has sent already can't be called back.",
    "does": "Cancel the task",
}
