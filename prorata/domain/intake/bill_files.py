"""Reading a bills file: each row becomes a bill or a problem.

The format is in docs/decisions.md#bills-file. Nothing is stored or guessed here. The problem of a row says what is
wrong and how a person can correct it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from operator import itemgetter
from typing import NamedTuple, TypeVar

from prorata.domain.billing_calendar import Month, last_day
from prorata.domain.bills.bills import NewBill, may_be_spread
from prorata.domain.bills.columns import AMOUNT_FOR, HowRead, columns_of, dated_by, has_amount_columns, needed
from prorata.domain.bills.line_names import own_names, own_names_in_headers, read_names
from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import (
    read_amount,
    read_amounts,
    read_date,
    read_status,
    read_text,
    read_types,
    read_yes_or_no,
)
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.month_cells import read_billing_month
from prorata.domain.files.row_words import is_dash
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank
from prorata.domain.files.usage_cells import read_usages
from prorata.domain.intake.row_currencies import Currencies
from prorata.domain.labels import same
from prorata.domain.limits import (
    LONGEST_BILL_NOTES,
    LONGEST_BILL_NUMBER,
    LONGEST_ISSUER,
    LONGEST_SERVICE_DAYS,
    LONGEST_UNSPREAD,
)
from prorata.domain.problems import shown
from prorata.domain.properties.property_names import KnownProperty, PropertyFinder
from prorata.domain.texts import say
from prorata.domain.usage import Usage
from prorata.domain.utility_names import NOT_BILLED_REASONS

_read_issuer = partial(read_text, longest=LONGEST_ISSUER)
_read_number = partial(read_text, longest=LONGEST_BILL_NUMBER)
_read_notes = partial(read_text, longest=LONGEST_BILL_NOTES, several_lines=True)

T = TypeVar("T")


class FileBill(NamedTuple):
    """A bill, and its line number in the file."""

    line: int
    bill: NewBill


class ReadFile(NamedTuple):
    """The bills of a file's correct rows, and all problems of the other rows."""

    bills: tuple[FileBill, ...]
    problems: tuple[RowProblem, ...]


def read_bills(sheet: Sheet, properties: Sequence[KnownProperty], how: HowRead) -> ReadFile:
    """Read the bills of a file, and all of its problems.

    Blank rows are skipped. If the header is faulty, no rows are read. `how` gives the meanings of the columns and
    the formats of numbers and dates.
    """
    columns, problems = columns_of(sheet, how)
    if columns is None:
        return ReadFile((), tuple(problems))
    bills = []
    finder = PropertyFinder(properties)
    layout = _Layout(sheet.header, columns, Currencies(sheet, columns, how), how)
    for line, cells in sheet.rows:
        if all(is_blank(cell) for cell in cells):
            continue
        row = _Row(line, cells, layout)
        bill = _bill(row, finder)
        problems.extend(row.problems)
        if bill is not None and not row.problems:
            bills.append(FileBill(line, bill))
    if not bills and not problems:
        problems.append(
            RowProblem(sheet.header_line, None, say("There are no bills below the header. Add a row for each bill."))
        )
    return ReadFile(tuple(bills), tuple(problems))


class _Layout(NamedTuple):
    """The facts shared by a file's rows: column positions and stated currencies."""

    header: tuple[str, ...]
    columns: dict[str, int]
    currencies: Currencies
    how: HowRead


class _Row:
    """A row of a bills file being read: its cells by column, and its problems."""

    def __init__(self, line: int, cells: tuple[Cell, ...], layout: _Layout) -> None:
        header, columns, self._currencies, how = layout
        self.too_long = any(not is_blank(cell) and not isinstance(cell, Unclear) for cell in cells[len(header) :])
        given = {place for place, cell in enumerate(cells) if not is_blank(cell)}
        self.cells: dict[str, Cell] = {field: value for field, value in how.fixed.items() if field not in columns}
        self.cells |= {column: cells[place] for column, place in columns.items() if place in given}
        self._utility = self.cells.get("utilityType")
        for field, meant in how.words.items():
            if isinstance(cell := self.cells.get(field), str):
                self.cells[field] = meant.get(same(cell)) or cell
        self.decimal, self.dates = how.decimal, how.dates
        self._line, self._given, self._columns, self._header = line, cells, columns, header
        self.fields, self._needed = how.fields, needed(how.fields)
        self._problems: list[tuple[int, RowProblem]] = []

    @property
    def problems(self) -> list[RowProblem]:
        """The problems of the row, in the order of its columns."""
        return [problem for _, problem in sorted(self._problems, key=itemgetter(0))]

    def read(self, column: str, reader: Callable[[Cell], T | None]) -> T | None:
        """Read a cell of the row; return None if the cell is empty or unclear.

        An unclear cell is a problem of the row, and so is an empty cell that is required.
        """
        cell = self.cells.get(column)
        if cell is None:
            if column in self._needed:
                self.refuse(column, say("This cell is required but empty."))
            return None
        if isinstance(cell, Unclear):
            self.refuse(column, str(cell))
            return None
        try:
            return reader(cell)
        except Unclear as unclear:
            self.refuse(column, str(unclear))
            return None

    def read_parts(self, reader: Callable[[Cell], int]) -> dict[str, int] | None:
        """Sum the amounts of the row's utility columns, by utility or unbilled reason.

        Sums of zero are left out. Return None if a cell is unclear; each unclear cell becomes a problem of the
        row.
        """
        counter, before = Counter[str](), len(self._problems)
        for place, field in enumerate(self.fields):
            cell = self._given[place] if field in AMOUNT_FOR and place < len(self._given) else None
            if field is None or is_blank(cell) or is_dash(cell):
                continue
            try:
                counter[AMOUNT_FOR[field]] += reader(cell)
            except Unclear as unclear:
                self._refuse_at(place, field, str(unclear))
        return {kind: cents for kind, cents in counter.items() if cents} if len(self._problems) == before else None

    def own_names(self, types: tuple[str, ...]) -> Mapping[str, str]:
        """Map utility types to names in the header or cell that say more."""
        headers = [
            (AMOUNT_FOR[field], self._header[place])
            for place, field in enumerate(self.fields)
            if field and field in AMOUNT_FOR and place < len(self._given) and not is_blank(self._given[place])
        ]
        cell = self._utility if isinstance(self._utility, str) else ""
        found = own_names_in_headers(headers) if headers else own_names(cell, types)
        return {kind: name for kind, name in found.items() if kind in types}

    def refuse(self, column: str | None, message: str) -> None:
        """Add a problem of a column, or of the row as a whole."""
        self._refuse_at(self._columns.get(column, len(self._header)) if column is not None else -1, column, message)

    def refuse_other_currencies(self, currency: str) -> None:
        """Add a problem for each currency named in the row other than the property's currency."""
        for place, field, message in self._currencies.problems(self._given, currency):
            self._refuse_at(place, field, message)

    def _refuse_at(self, place: int, column: str | None, message: str) -> None:
        name = shown(self._header[place].strip()) if 0 <= place < len(self._header) else column
        self._problems.append((place, RowProblem(self._line, name or column, message)))


def _bill(row: _Row, finder: PropertyFinder) -> NewBill | None:
    """Read the bill of a row; the result is unusable if the row gets problems.

    If the row's property is unknown, the cells whose format differs by country are read in the format of the
    country that all properties share, if there is one.
    """
    if row.too_long:
        row.refuse(
            None,
            say("This row has more cells than the header. Put double quotes around any text that contains separators."),
        )
        return None
    known_property = row.read("property", finder.find)
    customs = (known_property.country, known_property.currency) if known_property else finder.only_customs
    issuer = row.read("issuerName", _read_issuer)
    types = row.read("utilityType", read_types) or ()
    total, amounts = _money(row, types, customs)
    if has_amount_columns(row.fields):
        types = tuple(kind for kind, _ in amounts if kind not in NOT_BILLED_REASONS)
    bill_date, due_date, start, end = _days(row, customs)
    month = row.read("billingMonth", read_billing_month)
    return NewBill(
        property_id=known_property.id if known_property else "",
        issuer_name=issuer or "",
        utility_types=types,
        total=total or 0,
        bill_date=bill_date or _day_of(row, month, end),
        due_date=due_date,
        payment_status=row.read("paymentStatus", read_status) or "UNPAID",
        notes=row.read("notes", _read_notes),
        account_number=row.read("accountNumber", _read_number),
        bill_number=row.read("billNumber", _read_number),
        service_start=start,
        service_end=end,
        billing_month=month,
        amounts=amounts if len(amounts) > 1 or "amounts" in row.cells else (),
        usages=_usages(row, types, customs),
        names=_names(row, types),
        spread=_spread(row, start, end),
    )


def _names(row: _Row, types: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Read the names that tenants see for a row's lines, by default the file's words."""
    given = row.read("names", read_names) or ()
    if types and {kind for kind, _ in given} - set(types):
        row.refuse("names", say("The utility types here must be among those in utilityType."))
    return tuple((dict(row.own_names(types)) | dict(given)).items())


def _money(
    row: _Row, types: tuple[str, ...], customs: tuple[str, str] | None
) -> tuple[int | None, tuple[tuple[str, int], ...]]:
    """Read a row's total, and its amounts by utility type.

    The amounts must be for the row's utility types, and add up to the total; otherwise the row gets a problem.
    """
    if customs is None:
        row.read("totalAmountDue", lambda _: None)
        return None, ()
    country, currency = COUNTRIES[customs[0]], customs[1]
    row.refuse_other_currencies(currency)
    total = row.read("totalAmountDue", partial(read_amount, country=country, currency=currency, decimal=row.decimal))
    if has_amount_columns(row.fields):
        return _in_columns(
            row, types, total, partial(read_amount, country=country, currency=currency, decimal=row.decimal)
        )
    read_parts = partial(read_amounts, country=country, currency=currency, decimal=row.decimal)
    amounts = row.read("amounts", read_parts) or ()
    if amounts and types and {name for name, _ in amounts} - set(NOT_BILLED_REASONS) != set(types):
        row.refuse("amounts", say("The utility types here must be exactly those in utilityType."))
    if amounts and total is not None and sum(amount for _, amount in amounts) != total:
        row.refuse("amounts", say("These amounts do not add up to totalAmountDue. Change one of them."))
    return total, amounts


def _in_columns(
    row: _Row, types: tuple[str, ...], total: int | None, reader: Callable[[Cell], int]
) -> tuple[int | None, tuple[tuple[str, int], ...]]:
    """Read a row of a file that has one column of amounts per utility type.

    Return the total, which is the sum of the amounts, and the amounts by utility type. A `total` read from the
    row's own column becomes a problem of the row if it differs from this sum.
    """
    parts = row.read_parts(reader)
    if parts is None:
        return total, ()
    kinds = [kind for kind in parts if kind not in NOT_BILLED_REASONS]
    if not kinds:
        row.refuse(None, say("No utility has an amount in this row."))
    if types and set(types) != set(kinds):
        row.refuse(
            "utilityType",
            say(
                "The amount columns are for other utilities than the ones in this cell. Change the columns or this "
                "cell."
            ),
        )
    if total is not None and total != sum(parts.values()):
        row.refuse(
            "totalAmountDue",
            say("The amounts of the utilities in this row do not add up to its total. Correct one of them."),
        )
    return sum(parts.values()), tuple(parts.items())


def _day_of(row: _Row, month: Month | None, service_end: date | None) -> date:
    """Determine the day for a bill that has no bill date.

    It is the last day of the billing month or the end of the service period, depending on the file's columns; see
    `dated_by`.
    """
    days = {"billingMonth": last_day(month) if month is not None else None, "servicePeriodEnd": service_end}
    return days.get(dated_by(row.fields)) or date.min


def _usages(row: _Row, types: tuple[str, ...], customs: tuple[str, str] | None) -> tuple[tuple[str, Usage], ...]:
    """Read the usage stated in a row for each of its utility types."""
    if customs is None:
        return ()
    reader = partial(read_usages, country=COUNTRIES[customs[0]], currency=customs[1], decimal=row.decimal)
    usages = row.read("usageAndPrice", reader) or ()
    if types and {kind for kind, _ in usages} - set(types):
        row.refuse("usageAndPrice", say("The utility types here must be among those in utilityType."))
    return usages


def _days(row: _Row, customs: tuple[str, str] | None) -> tuple[date | None, date | None, date | None, date | None]:
    """Read a row's bill date, due date, and service period's start and end.

    `customs` are the country and currency of the row's property; without them, no dates are read. A period that
    lacks its first or last day, ends before it starts, or is too long becomes a problem of the row.
    """
    reader: Callable[[Cell], date | None] = lambda _: None  # noqa: E731
    if customs is not None:
        reader = partial(read_date, country=COUNTRIES[customs[0]], order=row.dates)
    bill_date, due_date = row.read("billDate", reader), row.read("dueDate", reader)
    start, end = row.read("servicePeriodStart", reader), row.read("servicePeriodEnd", reader)
    ends = ("servicePeriodStart", "servicePeriodEnd")
    for given, other in (ends, ends[::-1]):
        if given in row.cells and other not in row.cells:
            row.refuse(
                other, say("{ends} and {ends_2} go together. Enter both or neither.", ends=ends[0], ends_2=ends[1])
            )
    if start and end and start > end:
        row.refuse("servicePeriodEnd", say("The service period ends before it starts. Change one of the two dates."))
    if start and end and (end - start).days >= LONGEST_SERVICE_DAYS:
        row.refuse(
            "servicePeriodEnd",
            say(
                "A service period can have at most {most} days. Change one of the two dates.", most=LONGEST_SERVICE_DAYS
            ),
        )
    return bill_date, due_date, start, end


def _spread(row: _Row, start: date | None, end: date | None) -> bool:
    """Decide whether the bill of a row is spread, by the row's `spread` cell.

    If the file has no such column, because a person chose spreading for all rows, a bill is spread only if that is
    possible: it must have a long service period and no billing month.
    """
    if not row.read("spread", read_yes_or_no):
        return False
    if "spread" not in row.fields:
        return may_be_spread(start, end) and "billingMonth" not in row.cells
    if "billingMonth" in row.cells:
        row.refuse(
            "spread",
            say("A bill is either billed in one month or spread over its months. Leave one of the two cells empty."),
        )
    elif not may_be_spread(start, end) and (end is not None or "servicePeriodEnd" not in row.cells):
        row.refuse(
            "spread",
            say(
                "Only a bill for more than {most} days of service can be spread over its months. Enter no, or "
                "correct servicePeriodStart and servicePeriodEnd.",
                most=LONGEST_UNSPREAD,
            ),
        )
    return True
