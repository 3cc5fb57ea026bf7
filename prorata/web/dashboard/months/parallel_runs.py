"""A parallel run: what the old way charged a month's units, brought or pasted, beside what we charge."""

from collections.abc import Sequence
from typing import Any

from prorata.actions.accounts import access
from prorata.actions.months import parallel_runs
from prorata.domain.accounts.login_throttling import COMPARISONS_OF_A_MEMBER, MINUTES
from prorata.domain.files.column_kinds import has_header
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.grouped_problems import of_rows
from prorata.domain.files.number_formats import MARK_NAMES
from prorata.domain.files.sheets import RowProblem, Sheet, with_header_in
from prorata.domain.files.tables_as_text import as_text
from prorata.domain.months.former_charges import read_charges
from prorata.domain.months.former_columns import FIELD_NAMES, FIELDS, Understood, understood, why_none
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say, say_n
from prorata.errors import InvalidRequest
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.kernel import file_columns
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, Shown, page
from prorata.web.dashboard.months.months import month_of_address
from prorata.web.http.limits import MOST_PARALLEL_RUN_BYTES, MOST_PARALLEL_RUN_PROBLEMS


@page("GET", "/properties/{id}/months/{month}/compare", may="read")
async def compare_page(steps: Steps) -> Answered:
    """Where the old amounts are brought; what was said of their columns stays where something is wrong with it."""
    row, month = await _property(steps), month_of_address(steps.path["month"])
    line, asked = _line(steps), None
    if line is not None:
        sheet = with_header_in(await _sheet(steps), line)
        asked = _asked(understood(sheet, None, country=row.country, currency=row.currency), steps.typed["pasted"])
    return Shown("compare.html", {"property": row, "month": month, "run": None, "asked": asked})


@page(
    "POST", "/properties/{id}/months/{month}/compare", may="read", own_fields=True, again=compare_page,
    most_bytes=2 * MOST_PARALLEL_RUN_BYTES,
)  # fmt: skip
async def compare_month(steps: Steps) -> Answered:
    """The two ways side by side, or what has to be said of the columns first; nothing is written."""
    await steps.throttle(f"comparisons of {steps.caller.actor}", COMPARISONS_OF_A_MEMBER, MINUTES)
    return await _compared(steps, await _understood(steps))


@page(
    "POST", "/properties/{id}/months/{month}/compare/remembered", may="write", own_fields=True, again=compare_page,
    most_bytes=2 * MOST_PARALLEL_RUN_BYTES,
)  # fmt: skip
async def compare_and_remember(steps: Steps) -> Answered:
    """The same, and what was said of the columns is remembered for files with the same."""
    await steps.throttle(f"comparisons of {steps.caller.actor}", COMPARISONS_OF_A_MEMBER, MINUTES)
    found, caller = await _understood(steps), steps.caller
    said = _said(steps, found.sheet)
    if said is not None and not found.is_open:
        await steps.write(lambda tx: parallel_runs.remember(tx, caller, found.sheet, said))
    return await _compared(steps, found)


async def _understood(steps: Steps) -> Understood:
    """How what was brought is read. Raises `InvalidRequest` beside its field."""
    row, caller, sheet, line = await _property(steps), steps.caller, await _sheet(steps), _line(steps)
    sheet = sheet if line is None else with_header_in(sheet, line)
    said, is_fixed = _said(steps, sheet), line is not None
    found = await steps.read(lambda tx: parallel_runs.read_as(tx, caller, row, sheet, said, is_fixed=is_fixed))
    wrong = why_none(sheet) or (found.refusal if said else "")
    if wrong:
        raise InvalidRequest.because([Problem("file" if steps.files.get("file") else "pasted", wrong)])
    return found


def _line(steps: Steps) -> int | None:
    """The line of the header that a form names; None where none does, or a file was brought."""
    line = steps.typed.get("line", "")
    return int(line) if line.isdecimal() and not steps.files.get("file") else None


def _said(steps: Steps, sheet: Sheet) -> ColumnMapping | None:
    """What a form says of the columns; None where it says nothing of them."""
    is_said = _line(steps) is not None and any(name.startswith("column.") for name in steps.typed)
    return file_columns.mapping_of(steps.typed, sheet.header, FIELDS) if is_said else None


async def _compared(steps: Steps, found: Understood) -> Answered:
    row, caller, month = await _property(steps), steps.caller, month_of_address(steps.path["month"])
    pasted = as_text(found.sheet, row.country) if steps.files.get("file") else steps.typed.get("pasted", "")
    asked = _asked(found, pasted)
    if found.is_open:
        told: dict[str, Any] = {"property": row, "month": month, "run": None, "asked": asked}
        return Shown("compare.html", told, {"pasted": pasted})
    read = read_charges(found, country=row.country, currency=row.currency)
    if read.problems:
        raise InvalidRequest.because([Problem("file" if steps.files.get("file") else "pasted", _told(read.problems))])
    write = steps.forms
    run = await steps.read(lambda tx: parallel_runs.compare(tx, caller, row.id, month, read.charges, write))
    values: dict[str, Any] = {"property": row, "month": run.month, "run": run, "asked": asked, "read": read}
    return Shown("compare.html", values, {"pasted": pasted})


def _asked(found: Understood, pasted: str) -> dict[str, Any]:
    """What a form needs that says what the columns of what was `pasted` are."""
    return {
        "pasted": pasted,
        "found": found,
        "lines": file_columns.lines_of(found.sheet),
        "columns": file_columns.columns_of(found.sheet, found.fields),
        "rows": file_columns.first_rows_of(found.sheet),
        "names": FIELD_NAMES,
        "marks": MARK_NAMES,
        "has_names": has_header(found.sheet),
    }


async def _sheet(steps: Steps) -> Sheet:
    """What was brought, or pasted. What can't be read is told beside its field."""
    file, pasted = steps.files.get("file"), steps.typed.get("pasted", "")
    content, field = (file.content, "file") if file else (pasted.encode(), "pasted")
    if not content.strip():
        raise InvalidRequest.because([Problem("pasted", say("Paste the units and their amounts, or choose a file."))])
    try:
        return await steps.read_table("charges", content)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem(field, refused.message)]) from None


def _told(problems: Sequence[RowProblem]) -> str:
    """What is wrong, each once with its lines."""
    together = of_rows(problems)
    told = [
        say_n(
            "Line {lines}: {message}",
            "Lines {lines}: {message}",
            len(one.lines),
            lines=one.where,
            message=one.message,
        )
        for one in together[:MOST_PARALLEL_RUN_PROBLEMS]
    ]
    if len(together) > MOST_PARALLEL_RUN_PROBLEMS:
        told.append(say("And {most} more.", most=len(together) - MOST_PARALLEL_RUN_PROBLEMS))
    return joined(told)


async def _property(steps: Steps) -> PropertyRow:
    caller = steps.caller
    return await steps.read(lambda tx: access.property_(tx, caller, steps.path["id"]))
