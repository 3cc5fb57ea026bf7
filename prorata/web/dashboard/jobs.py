"""Jobs: what is done in the background, what failed and why, tried again or called off."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from prorata.actions import job_lists
from prorata.web.dashboard.pages import Ask, GoTo, Shown, page
from prorata.web.fields import text


class JobsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Jobs in which state, about which invoices, and behind which one."""

    state: Literal["", "waiting", "running", "failed", "done", "cancelled"] = ""
    search: Annotated[str, text(255, least=0)] = ""
    behind: Annotated[str, text(64, least=0)] = ""


class BackForm(JobsQuery, kw_only=True):
    """The list on which a button was pressed."""

    @property
    def home(self) -> str:
        """Its address."""
        given = {name: value for name, value in msgspec.to_builtins(self).items() if value}
        return f"/jobs?{urlencode(given)}" if given else "/jobs"


@page("GET", "/jobs", may="read", query=JobsQuery)
def jobs_page(ask: Ask[Any, None]) -> Shown:
    """What waits, runs or failed."""
    query = ask.query if isinstance(ask.query, JobsQuery) else JobsQuery()
    state = query.state or None
    found = job_lists.page(
        ask.tx, ask.caller, ask.outside.job_kinds(), state=state, behind=query.behind, text=query.search
    )
    values = {"found": found, "state": state, "query": query, "cancelling": CANCELLING}
    parameters = msgspec.to_builtins(query)
    back = {name: value for name, value in parameters.items() if value}
    return Shown("jobs.html", {**values, "parameters": parameters, "back": back})


@page("POST", "/jobs/{job}/retry", may="write", form=BackForm, again=jobs_page)
def retry_job(ask: Ask[None, BackForm]) -> GoTo:
    """Has it done again."""
    job_lists.retry(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return GoTo(ask.form.home, "It is tried again.")


@page("GET", "/jobs/{job}/cancel", may="write")
def ask_to_cancel_job(ask: Ask[None, None]) -> Shown:
    """The question, for those whose browser opens no dialog."""
    found = job_lists.find(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return Shown("confirm.html", {**CANCELLING, "title": f"Cancel the job that {found}?", "back": "/jobs"})


@page("POST", "/jobs/{job}/cancel", may="write", form=BackForm, again=jobs_page)
def cancel_job(ask: Ask[None, BackForm]) -> GoTo:
    """Calls it off."""
    was = job_lists.cancel(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    late = " It was being done: what it has sent is sent." if was.state == "running" else ""
    return GoTo(ask.form.home, f"The job was cancelled.{late}")


CANCELLING: dict[str, Any] = {
    "lost": "It is not done, now or later. What it has sent already can't be called back.",
    "does": "Cancel the job",
}
