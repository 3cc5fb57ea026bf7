"""Drafts of bills on the command line: the values found, their positions, and questions."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, NamedTuple

import click

from prorata import wiring
from prorata.actions.intake import issuer_lessons, page_lessons
from prorata.cli.api_keys import caller_for
from prorata.domain.files.file_kinds import TABLE_KINDS
from prorata.domain.intake.bill_reading.draft import Draft, Line, Reading
from prorata.domain.intake.bill_reading.pictures import COMPARE
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.domain.money import in_figures
from prorata.domain.usage import written
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.errors import InvalidRequest, Refusal
from prorata.ports.files import IncomingFile, ReadBill
from prorata.settings import read_settings

FIELDS = {
    "issuer": "issuerName",
    "account_number": "accountNumber",
    "bill_number": "billNumber",
    "bill_date": "billDate",
    "due_date": "dueDate",
    "service_start": "servicePeriodStart",
    "service_end": "servicePeriodEnd",
    "service_address": "serviceAddress",
    "total": "totalAmountDue",
    "lines": "amounts",
}
"""The fields of a draft, with their names in the bills file."""
_WIDEST = max(map(len, FIELDS.values()))


class Known(NamedTuple):
    """An account's lessons about issuers' bills, and a function that applies them to a draft.

    A lesson is what Prorata has learned from a bill that somebody confirmed.
    """

    lessons: Sequence[PageLesson]
    applied: Callable[[Draft], Draft]


@contextmanager
def known_to(account: str | None) -> Iterator[Known]:
    """Yield an account's lessons, or no lessons if no account is named.

    The account is named by its id or its owner's e-mail address. Raises `NotFound` if there is no such account.
    """
    if account is None:
        yield Known((), lambda draft: draft)
        return
    with wiring.opened(read_settings()) as database:
        account_id = database.read(lambda tx: caller_for(tx, account).account_id)
        lessons = database.read(lambda tx: page_lessons.known(tx, account_id))
        yield Known(lessons, lambda draft: database.read(lambda tx: issuer_lessons.applied(tx, account_id, draft)))


_A_TABLE = "This is a table of bills. Import it: prorata bills import"


def asked_password() -> str:
    """Ask for a PDF's password without showing what is typed.

    If nobody can be asked, the password is the first line of standard input. It is never an argument, because
    anyone who lists processes sees their arguments.
    """
    if sys.stdin.isatty():
        return str(click.prompt("PDF password", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def read_of(file: IncomingFile, password: str | None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
    """Read a file as a bill.

    Raises `InvalidRequest` if the file can't be read, and `PayloadTooLarge` if it is too large.
    """
    if file.kind is None:
        raise InvalidRequest(file.problem or "")
    if file.kind in TABLE_KINDS:
        raise InvalidRequest(_A_TABLE)
    read = wiring.bill_reader().read(file.data, password, lessons)
    if read.said is not None:
        raise InvalidRequest(read.said)
    return read


def show_each(files: Sequence[IncomingFile], password: str | None, known: Known, *, as_json: bool) -> int:
    """Print the draft of each file of an archive, or the problem with the file.

    Return the exit code, which is 1 if any file has a problem.
    """
    told: list[dict[str, Any]] = []
    for file in files:
        if not as_json:
            click.echo(f"== {file.name}")
        try:
            draft = known.applied(read_of(file, password, known.lessons).draft)
        except Refusal as refused:
            told.append({"name": file.name, "problem": refused.message})
            if not as_json:
                click.echo(refused.message)
            continue
        told.append({"name": file.name, "draft": _as_document(draft)})
        if not as_json:
            show(draft)
    if as_json:
        click.echo(_written({"files": told}))
    return 1 if any("problem" in report for report in told) else 0


def as_json(draft: Draft) -> str:
    """Encode a draft as JSON: amounts as decimal text, boxes in points.

    Boxes are measured from the top left corner of their page.
    """
    return _written(_as_document(draft))


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1)


def _as_document(draft: Draft) -> dict[str, Any]:
    return {
        "pages": draft.pages,
        "fromPicture": draft.from_picture,
        "language": draft.language,
        "currency": draft.currency or None,
        "fields": {name: _field(reading) for name, reading in _readings(draft)},
        "note": draft.note,
        "items": [
            {"name": item.name, "amount": in_figures(item.cents), "kind": item.kind, "choices": list(item.choices)}
            for item in (draft.stated.items if draft.stated else ())
        ],
        "budgetBilling": None
        if draft.budget is None
        else {"used": _told(draft.budget.used), "places": [_box(place) for place in draft.budget.places]},
    }


def show(draft: Draft) -> None:
    """Print a draft, one line per field, and then the questions for a person."""
    for name, reading in _readings(draft):
        where = "".join(f"  [{_where(place)}]" for place in reading.places[:1])
        click.echo(f"{name:<{_WIDEST}}  {reading.surety:<7}  {_in_words(reading)}{where}".rstrip())
    if draft.from_picture:
        click.echo("This bill was read from a picture: compare every value with the page.")
    if draft.note is not None:
        click.echo(draft.note)
    for item in draft.stated.items if draft.stated else ():
        may_be = item.kind or " or ".join(item.choices)
        click.echo(f"  {in_figures(item.cents):>12}  {item.name or 'all of it'}{f'  ({may_be})' if may_be else ''}")
    if draft.budget is not None and draft.budget.used is not None:
        click.echo(f"Budget billing: {in_figures(draft.budget.used)} was used.")
    asked = [(name, reading) for name, reading in _readings(draft) if reading.surety != "found"]
    if asked:
        click.echo("To say or to confirm:")
    for name, reading in asked:
        if reading.reason is not None:
            click.echo(f"  {name}: {reading.reason}")


def _readings(draft: Draft) -> Iterator[tuple[str, Reading[Any]]]:
    return ((name, getattr(draft, field)) for field, name in FIELDS.items())


def _field(reading: Reading[Any]) -> dict[str, Any]:
    return {
        "surety": reading.surety,
        "value": _told(reading.value),
        "choices": [_told(choice) for choice in reading.choices],
        "reason": reading.reason or (COMPARE if reading.surety == "asked" else None),
        "places": [_box(place) for place in reading.places],
    }


def _told(value: object) -> Any:
    """Convert a draft's value to a form that JSON can represent."""
    match value:
        case int():
            return in_figures(value)
        case date():
            return value.isoformat()
        case tuple():
            return [_line(line) for line in value if isinstance(line, Line)]
        case _:
            return value


def _in_words(reading: Reading[Any]) -> str:
    """Format a value of a draft, or its possible values, for one line of output."""
    values = [reading.value] if reading.value is not None else list(reading.choices)
    return " or ".join(_one_in_words(_told(value)) for value in values)


def _one_in_words(told: Any) -> str:
    if isinstance(told, list):
        return ";".join(map(_line_in_words, told))
    return str(told)


def _line_in_words(told: Mapping[str, str]) -> str:
    used = f" ({told['usage']})" if "usage" in told else ""
    return f"{told.get('utilityType') or told['notBilled']}={told['amount']}{used}"


def _line(line: Line) -> dict[str, str]:
    kind = "utilityType" if line.name in UTILITY_TYPES else "notBilled"
    used = {"usage": written(line.usage)} if line.usage else {}
    return {kind: line.name, "amount": in_figures(line.cents), **used}


def _box(place: Place) -> dict[str, float]:
    left, top, right, bottom = (edge / 10 for edge in place[1:])
    return {"page": place.page, "left": left, "top": top, "right": right, "bottom": bottom}


def _where(place: Place) -> str:
    return f"page {place.page}, {place.left / 10:.0f} pt from the left, {place.top / 10:.0f} pt from the top"
