"""Jobs: what is done in the background, what failed and why, tried again or called off."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions import job_lists
from prorata.web.dashboard.pages import Ask, GoTo, Shown, page
from prorata.web.fields import text


class JobsQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Jobs in which state, and behind which one."""

    state: Literal["waiting", "running", "failed", "done", "cancelled"] | UnsetType = UNSET
    behind: Annotated[str, text(64, least=0)] = ""


@page("GET", "/jobs", may="read", query=JobsQuery)
def jobs_page(ask: Ask[Any, None]) -> Shown:
    """What waits, runs or failed."""
    query = ask.query if isinstance(ask.query, JobsQuery) else JobsQuery()
    state = query.state if query.state is not UNSET else None
    found = job_lists.page(ask.tx, ask.caller, ask.outside.job_kinds(), state=state, behind=query.behind)
    values = {"found": found, "state": state, "query": query, "cancelling": CANCELLING}
    return Shown("jobs.html", {**values, "parameters": msgspec.to_builtins(query)})


@page("POST", "/jobs/{job}/retry", may="write", again=jobs_page)
def retry_job(ask: Ask[None, None]) -> GoTo:
    """Has it done again."""
    job_lists.retry(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return GoTo("/jobs", "It is tried again.")


@page("GET", "/jobs/{job}/cancel", may="write")
def ask_to_cancel_job(ask: Ask[None, None]) -> Shown:
    """The question, for those whose browser opens no dialog."""
    found = job_lists.find(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    return Shown("confirm.html", {**CANCELLING, "title": f"Cancel the job that {found}?", "back": "/jobs"})


@page("POST", "/jobs/{job}/cancel", may="write", again=jobs_page)
def cancel_job(ask: Ask[None, None]) -> GoTo:
    """Calls it off."""
    was = job_lists.cancel(ask.tx, ask.caller, ask.outside.job_kinds(), ask.path["job"])
    late = " It was being done: what it has sent is sent." if was.state == "running" else ""
    return GoTo("/jobs", f"The job was cancelled.{late}")


CANCELLING: dict[str, Any] = {
    "lost": "It is not done, now or later. What it has sent already can't be called back.",
    "does": "Cancel the job",
}
