"""A parallel run: what the old way charged a month's units, brought or pasted, beside what we charge."""

from typing import Annotated

from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.months import parallel_runs
from prorata.domain.accounts.login_throttling import COMPARISONS_OF_A_MEMBER, MINUTES
from prorata.domain.files.sheets import RowProblem, Sheet
from prorata.domain.months.former_charges import read_charges
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, Shown, page
from prorata.web.dashboard.months.months import month_of_address
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_PARALLEL_RUN_BYTES, MOST_PARALLEL_RUN_PROBLEMS


class Pasted(Struct, kw_only=True, forbid_unknown_fields=True):
    """Units and amounts, copied out of a spreadsheet."""

    pasted: Annotated[str, text(500_000, least=0)] = ""


@page("GET", "/properties/{id}/months/{month}/compare", may="read")
async def compare_page(steps: Steps) -> Answered:
    """Where the old amounts are brought."""
    month = month_of_address(steps.path["month"])
    return Shown("compare.html", {"property": await _property(steps), "month": month, "run": None})


@page(
    "POST", "/properties/{id}/months/{month}/compare", may="read", form=Pasted, again=compare_page,
    most_bytes=2 * MOST_PARALLEL_RUN_BYTES,
)  # fmt: skip
async def compare_month(steps: Steps) -> Answered:
    """The two ways side by side; nothing is written."""
    row, caller, month = await _property(steps), steps.caller, month_of_address(steps.path["month"])
    await steps.throttle(f"comparisons of {caller.actor}", COMPARISONS_OF_A_MEMBER, MINUTES)
    read = read_charges(await _sheet(steps), country=row.country, currency=row.currency)
    if read.problems:
        raise InvalidRequest.because([Problem("file" if steps.files.get("file") else "pasted", _told(read.problems))])
    write = steps.forms
    run = await steps.read(lambda tx: parallel_runs.compare(tx, caller, row.id, month, read.charges, write))
    values = {"property": row, "month": run.month, "run": run}
    return Shown("compare.html", values, {"pasted": steps.form.pasted})


async def _sheet(steps: Steps) -> Sheet:
    """What was brought, or pasted. What can't be read is told beside its field."""
    file = steps.files.get("file")
    content, field = (file.content, "file") if file else (steps.form.pasted.encode(), "pasted")
    if not content.strip():
        raise InvalidRequest.because([Problem("pasted", say("Paste the units and their amounts, or choose a file."))])
    try:
        return await steps.read_table("charges", content)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem(field, refused.message)]) from None


def _told(problems: tuple[RowProblem, ...]) -> str:
    told = [f"Line {one.line}: {one.message}" for one in problems[:MOST_PARALLEL_RUN_PROBLEMS]]
    if len(problems) > MOST_PARALLEL_RUN_PROBLEMS:
        told.append(say("And {most} more.", most=len(problems) - MOST_PARALLEL_RUN_PROBLEMS))
    return " ".join(told)


async def _property(steps: Steps) -> PropertyRow:
    caller = steps.caller
    return await steps.read(lambda tx: access.property_(tx, caller, steps.path["id"]))
