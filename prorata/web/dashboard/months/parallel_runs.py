"""Parallel runs: a former program's charges, compared with Prorata's for the same months.

The former charges are uploaded or pasted, for one month or for many.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from prorata.actions.accounts import access
from prorata.actions.months import parallel_runs
from prorata.actions.months.parallel_runs import ComparedMonth
from prorata.actions.properties import properties
from prorata.domain.accounts.login_throttling import COMPARISONS_OF_A_MEMBER, MINUTES
from prorata.domain.groups import added_up, grouped
from prorata.domain.months.parallel_runs import Finding, together
from prorata.domain.utility_names import LINE_NAMES
from prorata.errors import InvalidRequest
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, Shown, page
from prorata.web.dashboard.months.former_files import FormerFile, asked_of, brought, read_of
from prorata.web.dashboard.months.months import month_of_address
from prorata.web.http.limits import MOST_REASONS_SHOWN, MOST_UPLOAD_FORM_BYTES

_OF_ONE = "/properties/{id}/months/{month}/compare"
_OF_MANY = "/import/charges"


@page("GET", _OF_ONE, may="read")
async def compare_page(steps: Steps) -> Answered:
    """Show the form in which a person uploads or pastes a month's former charges.

    If the form was refused, it still contains the file and the answers about the file's columns.
    """
    row, month = await _property(steps), month_of_address(steps.path["month"])
    file = await _as_it_was(steps)
    return _shown_of_one(row, month, asked_of(steps.forms, file) if file else {})


@page(
    "POST", _OF_ONE, may="read", own_fields=True, again=compare_page, most_bytes=MOST_UPLOAD_FORM_BYTES,
)  # fmt: skip
async def compare_month(steps: Steps) -> Answered:
    """Compare both programs' charges for a month, or first ask about the file's columns.

    Nothing is saved.
    """
    await _throttle(steps)
    return await _compared_month(steps, await _brought(steps))


@page(
    "POST", f"{_OF_ONE}/remembered", may="write", own_fields=True, again=compare_page,
    most_bytes=MOST_UPLOAD_FORM_BYTES,
)  # fmt: skip
async def compare_and_remember(steps: Steps) -> Answered:
    """Compare a month's charges, and remember the answers about the file's columns.

    The answers then apply to later files with the same columns.
    """
    await _throttle(steps)
    return await _compared_month(steps, await _remembered(steps, await _brought(steps)))


@page("GET", _OF_MANY, may="read")
async def compare_many_page(steps: Steps) -> Answered:
    """Show the form for the former charges of many months and properties."""
    file = await _as_it_was(steps)
    return _shown_of_many(asked_of(steps.forms, file) if file else {})


@page("POST", _OF_MANY, may="read", own_fields=True, again=compare_many_page, most_bytes=MOST_UPLOAD_FORM_BYTES)
async def compare_months(steps: Steps) -> Answered:
    """Compare both programs' charges for each property and month in a file.

    Nothing is saved.
    """
    await _throttle(steps)
    return await _compared_months(steps, await _brought(steps))


@page(
    "POST", f"{_OF_MANY}/remembered", may="write", own_fields=True, again=compare_many_page,
    most_bytes=MOST_UPLOAD_FORM_BYTES,
)  # fmt: skip
async def compare_months_and_remember(steps: Steps) -> Answered:
    """Compare many months' charges, and remember the answers about the file's columns.

    The answers then apply to later files with the same columns.
    """
    await _throttle(steps)
    return await _compared_months(steps, await _remembered(steps, await _brought(steps)))


async def _throttle(steps: Steps) -> None:
    await steps.throttle(f"comparisons of {steps.caller.actor}", COMPARISONS_OF_A_MEMBER, MINUTES)


async def _brought(steps: Steps, *, refuses: bool = True) -> FormerFile:
    """Read the form's file of former charges.

    If the address names a property and month, all rows are for these. Otherwise, if the account has only one property,
    all rows are for that property. Raises `InvalidRequest` if the file can't be read or, if `refuses` is set, if the
    answers about its columns can't all be right.
    """
    caller, given = steps.caller, {}
    houses = await steps.read(lambda tx: properties.that_rows_name(tx, caller))
    if "id" in steps.path:
        row = await _property(steps)
        given = {"property": row.id, "month": month_of_address(steps.path["month"])}
        houses.sort(key=lambda known_property: known_property.id != row.id)
    elif len(houses) == 1:
        given = {"property": houses[0].id}
    return await brought(steps, houses, given, refuses=refuses)


async def _as_it_was(steps: Steps) -> FormerFile | None:
    """Read the file of a form that was refused, in order to show it again.

    Return None if the form contained no file that can be read.
    """
    if not steps.typed.get("packed"):
        return None
    try:
        return await _brought(steps, refuses=False)
    except InvalidRequest:
        return None


async def _remembered(steps: Steps, file: FormerFile) -> FormerFile:
    """Remember the meaning of the file's columns for later files, and return the file.

    Nothing is remembered while a question about the file is open.
    """
    caller = steps.caller
    if not file.is_open:
        await steps.write(lambda tx: parallel_runs.remember(tx, caller, file.found.sheet, file.said))
    return file


async def _compared_month(steps: Steps, file: FormerFile) -> Answered:
    row, caller, month = await _property(steps), steps.caller, month_of_address(steps.path["month"])
    if file.is_open:
        return _shown_of_one(row, month, asked_of(steps.forms, file), steps.typed)
    read = await read_of(steps, file)
    asked = asked_of(steps.forms, file, read)
    if read.problems and not _leaves_out(steps, asked):
        return _shown_of_one(row, month, asked, steps.typed, status=InvalidRequest.status)
    its = [charge for charge in read.charges if (charge.house, charge.month) == (row.id, month)]
    others = len({(charge.house, charge.month) for charge in read.charges} - {(row.id, month)})
    if read.charges and not its:
        return _shown_of_one(row, month, asked | {"others": others}, steps.typed)
    write = steps.forms
    run = await steps.read(lambda tx: parallel_runs.compare(tx, caller, row.id, month, its, write))
    return _shown_of_one(row, run.month, asked | {"others": others, "run": run}, steps.typed)


async def _compared_months(steps: Steps, file: FormerFile) -> Answered:
    caller, write = steps.caller, steps.forms
    if file.is_open:
        return _shown_of_many(asked_of(steps.forms, file), steps.typed)
    read = await read_of(steps, file)
    asked = asked_of(steps.forms, file, read)
    if read.problems and not _leaves_out(steps, asked):
        return _shown_of_many(asked, steps.typed, status=InvalidRequest.status)
    months = await steps.read(lambda tx: parallel_runs.compare_many(tx, caller, read.charges, write))
    told = {"months": months, "sums": _sums(months), "reasons": _reasons(months)}
    return _shown_of_many(asked | told, steps.typed)


def _sums(months: Sequence[ComparedMonth]) -> list[tuple[str, int, int, int]]:
    """Sum both programs' charges by currency, for the months that have bills.

    Each sum is a tuple of the currency, the other program's charges, Prorata's charges to tenants, and Prorata's
    amounts for vacant units. The last sum leaves out vacant units that the other program charges.
    """
    there = [month for month in months if month.outcome != "no bills"]
    theirs = added_up((month.property.currency, month.theirs) for month in there)
    ours = added_up((month.property.currency, month.ours - month.vacant) for month in there)
    vacant = added_up((month.property.currency, month.vacant) for month in there)
    return [(currency, cents, ours[currency], vacant[currency]) for currency, cents in theirs.items()]


def _reasons(months: Sequence[ComparedMonth]) -> list[tuple[str, dict[str, list[str]], Finding]]:
    """List the main reasons for differences between the programs that occur in several months.

    Reasons that a person should look at first come first, followed by the most frequent ones. Each reason comes
    with the months in which it occurs, by the property's name, and with one finding that sums up all of these
    months.
    """
    told = grouped((finding.reason, (month, finding)) for month in months for finding in month.findings)
    several = [its for its in told.items() if len(its[1]) > 1]
    several.sort(key=lambda its: (its[1][0][1].order, -len(its[1])))
    return [
        (
            reason,
            grouped((month.property.name, month.month) for month, _ in its),
            together([finding for _, finding in its]),
        )
        for reason, its in several[:MOST_REASONS_SHOWN]
    ]


def _leaves_out(steps: Steps, asked: Mapping[str, Any]) -> bool:
    """True if a person agreed to leave out the rows that now have problems.

    The number of these rows must be the one that the person saw, and at least one other row must have a charge.
    """
    return bool(asked["read"].charges) and steps.typed.get("left_out") == str(asked["bad"])


def _shown_of_one(
    row: PropertyRow, month: str, asked: Mapping[str, Any], typed: Mapping[str, str] | None = None, *, status: int = 200
) -> Shown:
    values = {
        "property": row, "month": month, "run": None, "asked": None, "read": None, "others": None, "problems": (),
        "kinds": LINE_NAMES,
    }  # fmt: skip
    return Shown("compare.html", values | dict(asked), {"pasted": (typed or {}).get("pasted", "")}, status)


def _shown_of_many(asked: Mapping[str, Any], typed: Mapping[str, str] | None = None, *, status: int = 200) -> Shown:
    values: dict[str, Any] = {"asked": None, "read": None, "problems": (), "months": None}
    return Shown("compare_many.html", values | dict(asked), {"pasted": (typed or {}).get("pasted", "")}, status)


async def _property(steps: Steps) -> PropertyRow:
    caller = steps.caller
    return await steps.read(lambda tx: access.property_(tx, caller, steps.path["id"]))
