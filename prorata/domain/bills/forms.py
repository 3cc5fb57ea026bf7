"""Reading a bill form as a person typed it.

The result is a bill, or the problems of each field. The form's fields are read by the same functions as the columns
of a bills file, so that both accept the same input.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import NamedTuple, TypeVar

from prorata.domain.bills.bills import NewBill, NewLine, difference_of, may_be_spread
from prorata.domain.bills.line_names import read_name
from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import read_amount, read_date, read_status, read_text
from prorata.domain.files.cells import Unclear
from prorata.domain.files.month_cells import read_billing_month
from prorata.domain.files.usage_cells import read_number, read_unit
from prorata.domain.limits import (
    LONGEST_BILL_NOTES,
    LONGEST_BILL_NUMBER,
    LONGEST_ISSUER,
    LONGEST_SERVICE_DAYS,
    LONGEST_UNSPREAD,
)
from prorata.domain.locale_forms import PLAIN
from prorata.domain.money import in_figures
from prorata.domain.number_parsing import written_plainly
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.domain.usage import Usage
from prorata.domain.utility_names import NOT_BILLED_REASONS, UTILITY_TYPES

_EACH_OR_NONE = say("Enter how much of the total this is, or leave out all amounts if tenants pay the whole total.")
FOR_THE_SAME = say("Two amounts are for the same thing. Combine them into one.")
"""The error message for two lines with the same utility or unbilled reason."""
_EMPTY = say("This is required. Enter it as it appears on the bill.")
T = TypeVar("T")


class FormLine(NamedTuple):
    """A form line as typed: a utility type or unbilled reason, and its amount.

    For a utility, it also has the usage, its unit, the unit price, and the name that tenants see. Fields that were not
    given are empty.
    """

    kind: str
    amount: str = ""
    used: str = ""
    unit: str = ""
    price: str = ""
    name: str = ""

    @property
    def has_usage(self) -> bool:
        """True if the line's usage, its unit or its price was typed."""
        return any(text.strip() for text in (self.used, self.unit, self.price))


class BillForm(NamedTuple):
    """A bill's form fields as typed; an empty string means not given."""

    property_id: str
    issuer_name: str
    total: str
    bill_date: str
    lines: tuple[FormLine, ...]
    due_date: str = ""
    billing_month: str = ""
    payment_status: str = ""
    account_number: str = ""
    bill_number: str = ""
    service_start: str = ""
    service_end: str = ""
    notes: str = ""
    spread: bool = False


class ReadForm(NamedTuple):
    """The bill read from a form, or None with all of its problems."""

    bill: NewBill | None
    problems: tuple[Problem, ...]


def read_form(form: BillForm, country: str, currency: str, *, may_differ: bool = False) -> ReadForm:
    """Read a form for a property of this country and currency, with problems by field.

    Either every line has an amount, or none has. If none has, the total becomes the amount of the only line, or it
    is divided equally among the lines and marked as estimated. The amounts must add up to the total. If
    `may_differ` is set, a bill whose amounts don't add up is returned anyway, unless it has other problems; the
    difference must be resolved before the bill is stored (`bills.with_difference`).

    >>> form = BillForm("prop_1", "City", "$120.00", "3/14/2026", (FormLine("WATER", "80"), FormLine("SEWER", "40.00")))
    >>> read_form(form, "US", "USD").bill.amounts
    (('WATER', 8000), ('SEWER', 4000))
    >>> read_form(form._replace(total="130", issuer_name=""), "US", "USD").problems[1].message
    'The amounts add up to $120.00, but the total is $130.00. Change one of them.'
    """
    reader = _Reader(country, currency)
    issuer = reader.needed("issuerName", form.issuer_name, partial(read_text, longest=LONGEST_ISSUER))
    total = reader.needed("totalAmountDue", form.total, reader.amount)
    types, amounts = _lines(reader, form.lines)
    bill_date = reader.needed("billDate", form.bill_date, reader.day)
    due_date = reader.read("dueDate", form.due_date, reader.day)
    start, end = _days_of_service(reader, form)
    number = partial(read_text, longest=LONGEST_BILL_NUMBER)
    bill = NewBill(
        property_id=form.property_id,
        issuer_name=issuer or "",
        utility_types=types,
        total=total or 0,
        bill_date=bill_date or date.min,
        due_date=due_date,
        payment_status=reader.read("paymentStatus", form.payment_status, read_status) or "UNPAID",
        notes=reader.read("notes", form.notes, partial(read_text, longest=LONGEST_BILL_NOTES, several_lines=True)),
        account_number=reader.read("accountNumber", form.account_number, number),
        bill_number=reader.read("billNumber", form.bill_number, number),
        service_start=start,
        service_end=end,
        billing_month=reader.read("billingMonth", form.billing_month, read_billing_month),
        amounts=amounts,
        usages=tuple(_usages(reader, form.lines)),
        names=tuple(_names(reader, form.lines)),
        spread=form.spread,
    )
    _may_be_spread(reader, bill)
    if total is not None and difference_of(bill) and (reader.problems or not may_differ):
        reader.refuse("totalAmountDue", _differs(bill, reader))
    return ReadForm(None if reader.problems else bill, tuple(reader.problems))


class SoFar(NamedTuple):
    """The readable contents of an unfinished form; amounts are in cents.

    `amounts` is the sum of the lines' readable amounts, or None if no line has one. `unread` is the number of
    amounts that were typed but can't be read. `bill` contains only dates and months; it is None until they
    determine a billing month.
    """

    total: int | None
    amounts: int | None
    unread: int
    bill: NewBill | None


def read_so_far(form: BillForm, country: str, currency: str) -> SoFar:
    """Read a form that somebody is still filling in, ignoring everything unreadable.

    >>> form = BillForm("prop_1", "", "120", "2026-04-01", (FormLine("WATER", "80"), FormLine("SEWER", "4x")))
    >>> read = read_so_far(form, "US", "USD")
    >>> read.total, read.amounts, read.unread, read.bill.bill_date
    (12000, 8000, 1, datetime.date(2026, 4, 1))
    """
    reader = _Reader(country, currency)
    typed = [line.amount for line in form.lines if line.amount.strip()]
    cents = [amount for amount in (reader.read("", text, reader.amount) for text in typed) if amount is not None]
    total, unread = reader.read("", form.total, reader.amount), len(typed) - len(cents)
    return SoFar(total, sum(cents) if cents else None, unread, _dated(reader, form, total or 0))


class _Reader:
    """A reader of the individual fields of a form, which collects the fields' problems."""

    def __init__(self, country: str, currency: str) -> None:
        self.problems: list[Problem] = []
        self.amount: Callable[[str], int] = partial(read_amount, country=COUNTRIES[country], currency=currency)
        self.said: Callable[[int], str] = partial(_said, country=country, currency=currency)
        self.day: Callable[[str], date] = partial(read_date, country=COUNTRIES[country])
        self.number: Callable[[str], Decimal] = partial(read_number, country=COUNTRIES[country])
        self.price: Callable[[str], Decimal] = partial(self.number, currency=currency)

    def needed(self, field: str, text: str, reader: Callable[[str], T | None]) -> T | None:
        """Read a required field of the form.

        If the field is empty or can't be read, the result is None, and a problem is added.
        """
        if not text.strip():
            self.refuse(field, _EMPTY)
        return self.read(field, text, reader)

    def read(self, field: str, text: str, reader: Callable[[str], T | None]) -> T | None:
        """Read an optional field of the form.

        The result is None if the field is empty. If the field can't be read, the result is also None, and a problem
        is added.
        """
        try:
            return reader(text.strip()) if text.strip() else None
        except Unclear as unclear:
            self.refuse(field, unclear.why)
            return None

    def refuse(self, field: str, message: str) -> None:
        """Add a problem of a field, with this message."""
        self.problems.append(Problem(field, message))


def _dated(reader: _Reader, form: BillForm, total: int) -> NewBill | None:
    day = reader.read("", form.bill_date, reader.day)
    start, end = _days_of_service(reader, form)
    month = reader.read("", form.billing_month, read_billing_month)
    if start is None or end is None or end < start or (end - start).days >= LONGEST_SERVICE_DAYS:
        start = end = None
    if month is None and start is None and day is None:
        return None
    spread = form.spread and month is None and may_be_spread(start, end)
    return NewBill(
        form.property_id, "", (), total, day or date.min, service_start=start, service_end=end, billing_month=month,
        spread=spread,
    )  # fmt: skip


def _differs(bill: NewBill, reader: _Reader) -> str:
    come_to, total = reader.said(bill.total - difference_of(bill)), reader.said(bill.total)
    return say(
        "The amounts add up to {come_to}, but the total is {total}. Change one of them.", come_to=come_to, total=total
    )


def _lines(reader: _Reader, lines: Sequence[FormLine]) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """Return the utility types of the lines, and the amounts of all lines.

    The amounts are empty if no line has one, or if there are problems.
    """
    kinds = [line.kind for line in lines]
    types = tuple(kind for kind in kinds if kind in UTILITY_TYPES)
    if set(kinds) - {*UTILITY_TYPES, *NOT_BILLED_REASONS}:
        reader.refuse(
            "lines", say("A line must have a utility type, or a reason not to bill it. Choose one from the list.")
        )
    elif not types:
        reader.refuse("lines", say("Say what the bill is for: enter at least one utility."))
    if len(set(kinds)) < len(kinds):
        reader.refuse("lines", FOR_THE_SAME)
    before = len(reader.problems)
    given = [reader.read(f"lines.{place}.amount", line.amount, reader.amount) for place, line in enumerate(lines)]
    blank = [place for place, line in enumerate(lines) if not line.amount.strip()]
    if len(blank) == len(lines) and len(types) == len(lines):
        return types, ()
    for place in blank:
        reader.refuse(f"lines.{place}.amount", _EACH_OR_NONE)
    if len(reader.problems) > before:
        return types, ()
    return types, tuple((kind, amount) for kind, amount in zip(kinds, given, strict=True) if amount is not None)


def _usages(reader: _Reader, lines: Sequence[FormLine]) -> Iterator[tuple[str, Usage]]:
    """Yield each utility for which usage was typed, with its usage."""
    for place, line in enumerate(lines):
        if line.kind not in UTILITY_TYPES or not line.has_usage:
            continue
        field = f"lines.{place}."
        used = reader.needed(f"{field}used", line.used, reader.number)
        unit = reader.needed(f"{field}unit", line.unit, read_unit)
        price = reader.read(f"{field}price", line.price, reader.price)
        if used is not None and unit is not None:
            yield line.kind, Usage(used, unit, price)


def _names(reader: _Reader, lines: Sequence[FormLine]) -> Iterator[tuple[str, str]]:
    """Yield each utility for which a name was typed, with the name."""
    for place, line in enumerate(lines):
        name = reader.read(f"lines.{place}.name", line.name, read_name)
        if name and line.kind not in UTILITY_TYPES:
            reader.refuse(f"lines.{place}.name", say("Only a part that tenants pay can have a name for them."))
        elif name:
            yield line.kind, name


def _days_of_service(reader: _Reader, form: BillForm) -> tuple[date | None, date | None]:
    """Read the service period, which needs both a first and a last day, in order."""
    start = reader.read("servicePeriodStart", form.service_start, reader.day)
    end = reader.read("servicePeriodEnd", form.service_end, reader.day)
    if bool(form.service_start.strip()) != bool(form.service_end.strip()):
        missing = "servicePeriodEnd" if form.service_start.strip() else "servicePeriodStart"
        reader.refuse(missing, say("Enter both the first and the last day of service, or neither."))
    if start and end and start > end:
        reader.refuse("servicePeriodEnd", say("The service ends before it starts. Change one of the two days."))
    if start and end and (end - start).days >= LONGEST_SERVICE_DAYS:
        reader.refuse(
            "servicePeriodEnd",
            say(
                "A service period can have at most {most} days. Change one of the two days.", most=LONGEST_SERVICE_DAYS
            ),
        )
    return start, end


def _may_be_spread(reader: _Reader, bill: NewBill) -> None:
    """Add a problem if a bill is marked as spread but can't be.

    A spread bill needs a long service period and must not have a chosen billing month.
    """
    if bill.spread and bill.billing_month is not None:
        reader.refuse(
            "spread",
            say(
                "A bill is either billed in one month or spread over the months of its service. Clear this checkbox, "
                "or let the dates decide the month."
            ),
        )
    elif bill.spread and not may_be_spread(bill.service_start, bill.service_end):
        reader.refuse(
            "spread",
            say(
                "Only a bill for more than {most} days of service can be spread over its months. Clear this "
                "checkbox, or change the first or last day of service.",
                most=LONGEST_UNSPREAD,
            ),
        )


def written(cents: int, country: str) -> str:
    """Format an amount for the form, with the decimal mark of the property's country.

    The form reads the result back as the same amount.

    >>> written(1234_50, "US"), written(1234_50, "DE")
    ('1234.50', '1234,50')
    """
    return in_figures(cents).replace(".", "," if COUNTRIES[country].decimal_marks == "," else ".")


def _said(cents: int, country: str, currency: str) -> str:
    """Format an amount for a sentence, in the format of the property's country.

    >>> _said(1234_50, "US", "USD"), _said(1234_50, "DE", "EUR")
    ('$1,234.50', '€1.234,50')
    """
    text = PLAIN.money(cents, currency)
    return text.translate(_COMMA_FOR_POINT) if COUNTRIES[country].decimal_marks == "," else text


_COMMA_FOR_POINT = str.maketrans(",.", ".,")


def as_form(bill: NewBill, lines: Sequence[NewLine], *, guessed: bool, country: str) -> BillForm:
    """Fill the form from a bill; amounts that the bill did not state stay empty.

    If `guessed` is True, the bill stated no amounts for its lines. The example shows the issuer, the total and the
    bill date.

    >>> bill = NewBill("prop_1", "City", ("WATER",), 120_00, date(2026, 3, 14))
    >>> as_form(bill, [NewLine("WATER", None, 120_00)], guessed=False, country="US")[1:4]
    ('City', '120.00', '2026-03-14')
    """
    own, usages, names = not guessed and len(lines) > 1, dict(bill.usages), dict(bill.names)
    return BillForm(
        property_id=bill.property_id,
        issuer_name=bill.issuer_name,
        total=written(bill.total, country),
        bill_date=bill.bill_date.isoformat(),
        lines=tuple(
            FormLine(
                line.utility_type or line.not_billed or "",
                written(line.amount, country) if own else "",
                *as_typed(usages.get(line.utility_type or ""), country),
                names.get(line.utility_type or "", ""),
            )
            for line in lines
        ),
        due_date=_text(bill.due_date),
        billing_month=bill.billing_month or "",
        payment_status=bill.payment_status,
        account_number=bill.account_number or "",
        bill_number=bill.bill_number or "",
        service_start=_text(bill.service_start),
        service_end=_text(bill.service_end),
        notes=bill.notes or "",
        spread=bill.spread,
    )


def as_typed(usage: Usage | None, country: str) -> tuple[str, str, str]:
    """Format a bill's usage for the form: quantity, unit and price per unit.

    The numbers have the decimal mark of the property's country.

    >>> as_typed(Usage(Decimal("412.5"), "kWh", Decimal("0.284")), "DE"), as_typed(None, "US")
    (('412,5', 'kWh', '0,284'), ('', '', ''))
    """
    if usage is None:
        return "", "", ""
    mark = "," if COUNTRIES[country].decimal_marks == "," else "."
    price = "" if usage.price is None else written_plainly(usage.price, mark)
    return written_plainly(usage.used, mark), usage.unit, price


def _text(day: date | None) -> str:
    return day.isoformat() if day else ""
