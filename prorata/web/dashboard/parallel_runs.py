"""A parallel run: what the old way charged a month's units, brought or pasted, beside what we charge."""

from typing import Annotated

from msgspec import Struct

from prorata.actions import access, parallel_runs
from prorata.domain.bill_files import RowProblem
from prorata.domain.charge_files import ReadCharges, read_charges
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.audit import Caller
from prorata.store.properties import PropertyRow
from prorata.web.dashboard.pages import Answered, Shown, Steps, page_of_steps
from prorata.web.fields import text

MOST_BYTES = 1024 * 1024
MOST_PROBLEMS_SHOWN = 20
_WORKBOOK = b"PK\x03\x04"


class Pasted(Struct, kw_only=True, forbid_unknown_fields=True):
    """Units and amounts, copied out of a spreadsheet."""

    pasted: Annotated[str, text(500_000, least=0)] = ""


@page_of_steps("GET", "/properties/{id}/months/{month}/compare", may="read")
async def compare_page(steps: Steps) -> Answered:
    """Where the old amounts are brought."""
    return Shown("compare.html", {"property": await _property(steps), "month": steps.path["month"], "run": None})


@page_of_steps(
    "POST", "/properties/{id}/months/{month}/compare", may="read", form=Pasted, again=compare_page,
    most_bytes=2 * MOST_BYTES,
)  # fmt: skip
async def compare_month(steps: Steps) -> Answered:
    """The two ways side by side; nothing is written."""
    row, caller = await _property(steps), _caller(steps)
    read = await steps.think(lambda: _charges(steps, row))
    if read.problems:
        raise InvalidRequest.because([Problem("pasted", _told(read.problems))])
    run = await steps.read(lambda tx: parallel_runs.compare(tx, caller, row.id, steps.path["month"], read.charges))
    values = {"property": row, "month": run.month, "run": run}
    return Shown("compare.html", values, {"pasted": steps.form.pasted})


def _charges(steps: Steps, row: PropertyRow) -> ReadCharges:
    """What was brought, as units and amounts."""
    file = steps.files.get("file")
    content = file.content if file else steps.form.pasted.encode()
    if not content.strip():
        raise InvalidRequest.because([Problem("pasted", "Paste the units and their amounts, or choose a file.")])
    if content.startswith(_WORKBOOK):
        said = "This is a workbook. Copy its two columns into the field above, or save it as CSV."
        raise InvalidRequest.because([Problem("file", said)])
    return read_charges(steps.outside.read_sheet(content), country=row.country, currency=row.currency)


def _told(problems: tuple[RowProblem, ...]) -> str:
    told = [f"Line {one.line}: {one.message}" for one in problems[:MOST_PROBLEMS_SHOWN]]
    if len(problems) > MOST_PROBLEMS_SHOWN:
        told.append(f"And {len(problems) - MOST_PROBLEMS_SHOWN} more.")
    return " ".join(told)


async def _property(steps: Steps) -> PropertyRow:
    caller = _caller(steps)
    return await steps.read(lambda tx: access.property_(tx, caller, steps.path["id"]))


def _caller(steps: Steps) -> Caller:
    assert steps.person is not None, "the page is for people who are signed in"
    return Caller(steps.person.account_id, steps.person.member_id)
