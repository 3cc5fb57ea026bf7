"""A file of bills: brought by a browser, looked at first, then imported as a whole or as far as it is good.

Between the two steps the file lies in the page, packed, and nowhere else: nothing is kept of what nobody imported, and
whatever comes back is read and checked again from its first byte.
"""

from typing import Annotated

from msgspec import Struct

from prorata.actions import bill_flags, bill_imports
from prorata.actions.bill_imports import BillsFile, ImportReport
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.ports import Forms
from prorata.web.dashboard.packed import MOST_BYTES, MOST_FORM_BYTES, TOO_LARGE, packed, unpacked
from prorata.web.dashboard.pages import Answered, Ask, Download, GoTo, Shown, Steps, page, page_of_steps
from prorata.web.fields import text

MOST_PROBLEMS_SHOWN = 100
_SAMPLE = (
    "property,issuerName,utilityType,totalAmountDue,amounts,billDate,dueDate,billingMonth,accountNumber,billNumber\r\n"
    "Maple Court,Aqua Water Co.,WATER,320.10,,2026-03-14,2026-04-04,,A-100,88121\r\n"
    "Maple Court,City of Springfield,WATER;SEWER,180.10,WATER=100.00;SEWER=80.10,2026-03-20,,2026-03,,\r\n"
)


class Looked(Struct, kw_only=True, forbid_unknown_fields=True):
    """A file that was looked at: what it is called, what it holds, and what of it is wanted."""

    name: Annotated[str, text(1_000, least=0)] = ""
    packed: Annotated[str, text(MOST_FORM_BYTES)]
    take_good_rows: bool = False


@page_of_steps("GET", "/import/bills", may="write")
async def bills_file_page(_steps: Steps) -> Answered:
    """Where a file is chosen."""
    return Shown("bill_import.html", {"report": None, "name": "", "packed": "", "most": MOST_PROBLEMS_SHOWN})


@page("GET", "/import/bills/sample", may="read")
def sample_of_a_bills_file(_ask: Ask[None, None]) -> Download:
    """A file to begin with."""
    return Download("bills.csv", "text/csv; charset=utf-8", _SAMPLE.encode())


@page_of_steps("POST", "/import/bills", may="write", again=bills_file_page, most_bytes=MOST_FORM_BYTES)
async def look_at_bills_file(steps: Steps) -> Answered:
    """What importing the file would do."""
    file = steps.files.get("file")
    if file is None or not file.content:
        raise InvalidRequest.because([Problem("file", "Choose a file with bills in it.")])
    if len(file.content) > MOST_BYTES:
        raise InvalidRequest.because([Problem("file", TOO_LARGE)])
    bills_file = await _read(steps, file.content)
    caller = steps.caller
    report = await steps.read(lambda tx: bill_imports.preview(tx, caller, bills_file, hold=True, write=steps.forms))
    held = await steps.think(lambda: packed(file.content))
    return await _found(steps, bills_file, report, file.name, held)


@page_of_steps("POST", "/import/bills/add", may="write", form=Looked, again=bills_file_page, most_bytes=MOST_FORM_BYTES)
async def import_bills_file(steps: Steps) -> Answered:
    """Adds its bills: all of them, or the good ones."""
    form: Looked = steps.form
    bills_file = await _read(steps, await steps.think(lambda: unpacked(form.packed)))
    caller, write, good = steps.caller, steps.forms, form.take_good_rows
    report = await steps.read(
        lambda tx: bill_imports.preview(tx, caller, bills_file, take_good_rows=good, hold=True, write=write)
    )
    if report.added:
        report = await steps.write(
            lambda tx: bill_imports.import_bills(
                tx, caller, bills_file, dry_run=False, take_good_rows=good, hold=True, write=write
            )
        )
    if report.problems and not form.take_good_rows:
        return (await _found(steps, bills_file, report, form.name, form.packed))._replace(status=409)
    only = "?only=flagged" if report.flagged else "?only=waiting" if report.waiting else ""
    return GoTo(f"/bills{only}", _sentence(report, steps.forms))


async def _found(steps: Steps, file: BillsFile, report: ImportReport, name: str, held: str) -> Shown:
    """What adding the file would do: what is new by property and month, and what is wrong or not read."""
    caller = steps.caller
    new = await steps.read(lambda tx: bill_imports.new_bills(tx, caller, file))
    flags = [flag for row in report.flagged[:MOST_PROBLEMS_SHOWN] for flag in row.flags]
    about = await steps.read(lambda tx: bill_flags.named(tx, caller, flags))
    values = {"report": report, "name": name, "packed": held, "most": MOST_PROBLEMS_SHOWN, "about": about}
    return Shown("bill_import.html", {**values, "new": new, "unknown": file.unknown})


async def _read(steps: Steps, content: bytes) -> BillsFile:
    """The rows of a file. What can't be read is told beside the field it was chosen in."""
    try:
        return BillsFile(await steps.read_table("bills", content))
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None


def _sentence(report: ImportReport, write: Forms) -> str:
    said = [f"{_counted(report.added, 'bill was', 'bills were', write)} added."]
    if report.skipped:
        said.append(f"{_counted(len(report.skipped), 'was', 'were', write)} there already.")
    if report.problems:
        rows = len({problem.line for problem in report.problems})
        said.append(f"{_counted(rows, 'row', 'rows', write)} with problems left out.")
    waiting = sum(one.bills for one in report.waiting)
    if waiting:
        said.append(
            f"{_counted(waiting, 'bill waits', 'bills wait', write)}: the invoices of the month were sent before."
        )
    if report.flagged:
        flagged = f"{_counted(len(report.flagged), 'of them is', 'of them are', write)} flagged"
        said.append(f"{flagged}, and held until you accept what is right." if report.held else f"{flagged}.")
    return " ".join(said)


def _counted(number: int, one: str, many: str, write: Forms) -> str:
    return f"{write.count(number)} {one if number == 1 else many}"
