"""The command `prorata bills confirm`: a bill's file, with values that a person read.

From a confirmed bill, Prorata learns how to read the issuer's next bills; this knowledge is called a lesson.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from msgspec import Struct

from prorata import wiring
from prorata.actions.intake import documents, page_lessons, sent_documents
from prorata.actions.intake.page_lessons import PointedAt
from prorata.actions.intake.proposed_properties import proposed_for
from prorata.actions.intake.sent_documents import ANY_COUNTRY, ANY_CURRENCY
from prorata.actions.properties import unit_imports
from prorata.cli import bill_drafts
from prorata.cli.api_keys import caller_for, of_account
from prorata.cli.bill_drafts import FIELDS
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.forms import BillForm, FormLine, read_form, written
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.intake.pointing.lessons import FIELDS as LEARNED, PageLesson, not_on_its_pages
from prorata.domain.utility_names import NOT_BILLED_REASONS, UTILITY_TYPES
from prorata.errors import Conflict, InvalidRequest
from prorata.ports.files import BillReader, IncomingFile, ReadBill
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.store.properties.properties import PropertyRow
from prorata.web.http.request_schemas import cents_of

_AMOUNT = re.compile(r"-?[0-9]{1,10}(?:\.[0-9]{1,2})?", re.ASCII)
_AN_E_INVOICE = f"{sent_documents.AN_E_INVOICE} Omit --teach-only."
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_MEANWHILE = "Prorata has learned something else about this issuer in the meantime. Nothing was stored; try again."
_OUTSIDE = "A box must be on a page: its edges are in points, left is less than right, and top is less than bottom."
_WIDEST = 100_000
"""A number of points that is larger than any side of a printed page."""
_WHICH = "Nothing shows which property this bill is for. Specify it with --property."


class At(Struct, forbid_unknown_fields=True):
    """A place on a page: a box's left, top, right and bottom, in points.

    The box is measured from the page's top left corner. Pages are numbered from 1.
    """

    page: int
    box: tuple[float, float, float, float]

    @property
    def place(self) -> Place:
        """The box in tenths of a point, the unit in which the domain measures places.

        Raises `InvalidRequest` if the box is not on a page.
        """
        if not (0 <= self.box[0] <= self.box[2] <= _WIDEST and 0 <= self.box[1] <= self.box[3] <= _WIDEST):
            raise InvalidRequest(_OUTSIDE)
        left, top, right, bottom = (int(10 * edge) for edge in self.box)
        return Place(self.page, left, top, right, bottom)


class Pointed(Struct, forbid_unknown_fields=True):
    """A value of a bill, and its place on a page."""

    value: str
    at: At | list[At]


Said = str | Pointed | None


class LineValues(Struct, forbid_unknown_fields=True, rename="camel"):
    """A bill line: an amount for a utility, or an amount charged to no tenant.

    It may also contain the places of the amount on the pages.
    """

    amount: str
    utility_type: str | None = None
    not_billed: str | None = None
    at: At | list[At] | None = None

    @property
    def kind(self) -> str:
        """The line's utility type, or the reason why no tenant is charged for it.

        Raises `InvalidRequest` if the line has neither of the two, or both.
        """
        kind = self.utility_type or self.not_billed
        known = UTILITY_TYPES if self.utility_type else NOT_BILLED_REASONS
        if kind is None or (self.utility_type and self.not_billed) or kind not in known:
            raise InvalidRequest(
                f"Each of the lines needs a utilityType ({', '.join(UTILITY_TYPES)})"
                f" or notBilled ({', '.join(NOT_BILLED_REASONS)})."
            )
        return kind


class Values(Struct, forbid_unknown_fields=True, rename="camel"):
    """The values that a person read on a bill.

    Days are written as 2026-03-31, and amounts as text with a decimal point.
    """

    issuer_name: Said
    total_amount_due: Said
    bill_date: Said
    lines: list[LineValues]
    due_date: Said = None
    service_period_start: Said = None
    service_period_end: Said = None
    account_number: Said = None
    bill_number: Said = None


_NAMES = {name: FIELDS[name] for name in (*LEARNED, "issuer")}


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@of_account
@click.option(
    "--values", "values_file", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A JSON file with the values on the bill.",
)  # fmt: skip
@click.option("--property", "named", help="The property's id or name, if nothing on the bill identifies it.")
@click.option(
    "--teach-only", is_flag=True, help="Learn from this bill how to read the issuer's next one, without adding a bill."
)
@click.option("--password", is_flag=True, help="Ask for the password of a protected PDF, as `read` does.")
def confirm(
    *, file: Path, account: str, values_file: Path, named: str | None, teach_only: bool, password: bool
) -> None:
    """Confirm FILE, a bill, with the values of a JSON file, as the Inbox does.

    The bill is added, and helps Prorata to read the issuer's next bills.

    The JSON has issuerName, totalAmountDue, billDate and lines, each of which is {"utilityType" or "notBilled",
    "amount"}. If the bill shows them, it also has dueDate, servicePeriodStart, servicePeriodEnd, accountNumber and
    billNumber. A value may be {"value": ..., "at": {"page": 1, "box": [left, top, right, bottom]}}, with the box in
    points from the top left.
    """
    values = _values(values_file.read_bytes())
    reader, opens_with = wiring.bill_reader(), bill_drafts.asked_password() if password else None
    incoming = _the_only(wiring.files_in(file.name, file.read_bytes()))
    with wiring.opened(read_settings()) as database:
        caller = database.read(lambda tx: caller_for(tx, account))
        lessons = database.read(lambda tx: page_lessons.known(tx, caller.account_id))
        read = bill_drafts.read_of(incoming, opens_with, lessons)
        if teach_only and read.draft.stated is not None:
            raise InvalidRequest(_AN_E_INVOICE)
        of = database.read(lambda tx: _property(tx, caller, read, named))
        if of is None and not teach_only:
            raise InvalidRequest(_WHICH)
        form = _form(values, of)
        bill = _checked(form, of)
        _of_its_currency(read, bill, of)
        lesson, stored, drafts = _learned(database, caller, reader, read, bill, values)

        def work(tx: Tx) -> str | None:
            bill_id = None if teach_only else _added(tx, caller, incoming, read, form)
            if not page_lessons.says_nothing(lesson):
                if not page_lessons.is_as_before(tx, caller.account_id, lesson.issuer, stored):
                    raise Conflict(_MEANWHILE)
                page_lessons.teach(tx, caller.account_id, lesson, drafts)
            return bill_id

        bill_id = database.write(work)
    if bill_id is not None:
        click.echo(f"The bill was added: {bill_id}.")
    if read.draft.stated is None:
        click.echo(_taught(lesson, not_on_its_pages(read.pages, page_lessons.shown_by(bill, (), _at(values)))))


def _the_only(files: Sequence[IncomingFile]) -> IncomingFile:
    if files[0].is_packed:
        raise InvalidRequest(
            "A ZIP file can contain several bills, so it can't be confirmed as a whole. Confirm each bill separately."
        )
    return files[0]


def _values(content: bytes) -> Values:
    try:
        return msgspec.json.decode(content, type=Values)
    except msgspec.DecodeError as wrong:
        raise InvalidRequest(f"The values can't be read: {wrong}.") from None


def _property(tx: Tx, caller: Caller, read: ReadBill, named: str | None) -> PropertyRow | None:
    """Find the named property or, if none is named, the property that the bill suggests.

    Return None if the bill suggests none. Raises `NotFound` if there is no property of that name.
    """
    if named is not None:
        return unit_imports.find_property(tx, caller, named)
    return proposed_for(tx, caller, read.draft).property


def _of_its_currency(read: ReadBill, bill: NewBill, of: PropertyRow | None) -> None:
    """Raise `InvalidRequest` if a bill in a foreign currency was not converted.

    The amounts must be in the currency of the property `of`. If the bill is in a different currency, and the
    entered total is a total printed on the bill, nobody has converted it.
    """
    stated = read.draft.total.value, *read.draft.total.choices
    if of is not None and bill.total in stated and documents.is_of_another_currency(read.draft, of):
        raise InvalidRequest(
            f"The bill is in {read.draft.currency}, but {of.name} is billed in {of.currency}. Enter the bill's "
            f"amounts in {of.currency}."
        )


def _said(value: Said) -> str:
    return value.value if isinstance(value, Pointed) else value or ""


def _day(field: str, value: Said) -> str:
    """Return the text of a day, which must be written like 2026-03-31.

    Raises `InvalidRequest` if it is not; the text may be empty.
    """
    text = _said(value)
    if text and _DAY.fullmatch(text) is None:
        raise InvalidRequest(f"{field}: write the date as 2026-03-31, not as {text!r}.")
    return text


def _amount(figures: str, of: PropertyRow | None) -> str:
    """Convert an amount such as 240.10 to the notation that the bill form expects.

    This notation is that of the country of the property `of`. Raises `InvalidRequest` if `figures` is not an amount.
    """
    cents = cents_in(figures)
    if cents is None:
        raise InvalidRequest(f"{figures!r} isn't an amount. Write amounts like 240.10.")
    return written(cents, _country(of))


def cents_in(figures: str) -> int | None:
    """Parse an amount such as -240.10 into cents; return None for other text.

    >>> cents_in("240.1"), cents_in("-0.05"), cents_in("1,234.50")
    (24010, -5, None)
    """
    return cents_of(figures) if _AMOUNT.fullmatch(figures) else None


def _country(of: PropertyRow | None) -> str:
    return ANY_COUNTRY if of is None else of.country


def _form(values: Values, of: PropertyRow | None) -> BillForm:
    return BillForm(
        property_id="" if of is None else of.id,
        issuer_name=_said(values.issuer_name),
        total=_amount(_said(values.total_amount_due), of),
        bill_date=_day("billDate", values.bill_date),
        lines=tuple(FormLine(line.kind, _amount(line.amount, of)) for line in values.lines),
        due_date=_day("dueDate", values.due_date),
        payment_status="UNPAID",
        account_number=_said(values.account_number),
        bill_number=_said(values.bill_number),
        service_start=_day("servicePeriodStart", values.service_period_start),
        service_end=_day("servicePeriodEnd", values.service_period_end),
    )


def _checked(form: BillForm, of: PropertyRow | None) -> NewBill:
    read = read_form(form, _country(of), ANY_CURRENCY if of is None else of.currency)
    if read.bill is None:
        raise InvalidRequest(" ".join(f"{problem.field}: {problem.message}" for problem in read.problems))
    return read.bill


class _Learned(NamedTuple):
    """A bill's lesson, the issuer's earlier lesson as stored, and the drafts of reread bills."""

    lesson: PageLesson
    stored: str | None
    drafts: list[tuple[str, Draft]]


def _learned(
    database: Database, caller: Caller, reader: BillReader, read: ReadBill, bill: NewBill, values: Values
) -> _Learned:
    """Compute what Prorata learns from a bill, without storing anything."""
    account_id, amounts = caller.account_id, bill.amounts or ((bill.utility_types[0], bill.total),)
    before, stored = database.read(lambda tx: page_lessons.before(tx, account_id, bill.issuer_name))
    if not read.pages:
        return _Learned(before or PageLesson(bill.issuer_name, ()), stored, [])
    at = _at(values)
    beyond = {place.page for places in at.values() for place in places} - set(range(1, len(read.pages) + 1))
    if beyond:
        raise InvalidRequest(f"There is no page {min(beyond)} in this file; its last page is {len(read.pages)}.")
    lesson = reader.learn(read.pages, page_lessons.shown_by(bill, amounts, at), before)
    return _Learned(lesson, stored, page_lessons.read_again(database, reader, account_id, lesson))


def _at(values: Values) -> PointedAt:
    return {name: tuple(place.place for place in places) for name, places in _pointed(values) if places}


def _pointed(values: Values) -> Iterator[tuple[str, list[At]]]:
    values_by_name = msgspec.structs.asdict(values)
    snake = {field.encode_name: field.name for field in msgspec.structs.fields(Values)}
    for name, called in _NAMES.items():
        pointed = values_by_name[snake[called]]
        if isinstance(pointed, Pointed):
            yield name, pointed.at if isinstance(pointed.at, list) else [pointed.at]
    for line in values.lines:
        yield line.kind, line.at if isinstance(line.at, list) else [line.at] if line.at else []


def _added(tx: Tx, caller: Caller, file: IncomingFile, read: ReadBill, form: BillForm) -> str:
    """Add the bill as the Inbox does, flagging anything unusual, and return its id."""
    taken = documents.keep(tx, caller, file.name, file.data, "command")
    if taken.is_new:
        documents.note_draft(tx, caller.account_id, taken.row.id, read.draft, read.pages)
    entered = sent_documents.confirm(tx, caller, taken.row.id, form, at=None)
    for flag in entered.flags:
        click.echo(f"To check: {flag.message}")
    assert entered.bill is not None, "its flags are left for later"
    return entered.bill.id


def _taught(lesson: PageLesson, missing: Sequence[str]) -> str:
    """State whether this bill helps to read the issuer's next bill.

    If so, name the values that could not be found on the bill's pages.
    """
    if page_lessons.says_nothing(lesson):
        return page_lessons.NOT_SHOWN
    sentence = f"The next bill from {lesson.issuer} will be read in the same way."
    return f"{sentence} Not on its pages: {', '.join(FIELDS[name] for name in missing)}." if missing else sentence
