"""A bills file: its header and raw rows become bills and problems, all of them at once (decisions section 9).

Nothing is written here, and nothing is guessed: a row is a bill, or it says what is wrong with it and what to do.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from difflib import get_close_matches
from functools import partial
from operator import itemgetter
from typing import NamedTuple, TypeVar

from prorata.domain.bill_file_values import (
    Cell,
    Unclear,
    read_amount,
    read_amounts,
    read_billing_month,
    read_date,
    read_status,
    read_text,
    read_types,
)
from prorata.domain.bills import NOT_BILLED_REASONS, NewBill
from prorata.domain.countries import COUNTRIES
from prorata.domain.problems import shown

__all__ = ["Cell", "FileBill", "KnownProperty", "ReadFile", "RowProblem", "Sheet", "find_header", "read_bills"]

HEADER_WITHIN = 20
"""The header is looked for in so many first rows; a title may stand above it."""
FEWEST_KNOWN_COLUMNS = 2
"""A row that names fewer columns than this is no header."""
MOST_CANDIDATES = 5
"""Properties that an ambiguous name lists."""
LONGEST_ISSUER, LONGEST_NUMBER, LONGEST_NOTES = 255, 100, 2000
LONGEST_PROPERTY = 1000
LONGEST_SERVICE_DAYS = 400
ALIKE = 0.86
"""From here on a column's name is taken for a slip of the pen (difflib's ratio)."""

_REQUIRED = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
_SYNONYMS = {
    "property": "propertyid propertyname building buildingname premises",
    "issuerName": "issuer provider providername vendor vendorname supplier suppliername biller billername payee "
    "company utilitycompany utilityprovider",
    "utilityType": "utility utilities utilitytypes type types service services servicetype billtype",
    "totalAmountDue": "total totalamount totaldue amount amountdue billtotal billamount totalbill invoicetotal "
    "invoiceamount totalcharges",
    "amounts": "breakdown amountbreakdown amountsbytype amountbytype amountsbyutilitytype",
    "billDate": "date billingdate dateofbill invoicedate issuedate dateissued statementdate",
    "dueDate": "due datedue dueby duebydate payby paybydate paymentdue paymentduedate",
    "billingMonth": "month billmonth",
    "paymentStatus": "status billstatus",
    "accountNumber": "account accountno accountid acct acctno acctnumber customernumber customerno",
    "billNumber": "bill billno billid invoice invoicenumber invoiceno statementnumber statementno",
    "servicePeriodStart": "servicestart servicestartdate servicefrom serviceperiodfrom periodstart periodfrom "
    "billingperiodstart startdate fromdate",
    "servicePeriodEnd": "serviceend serviceenddate serviceto serviceperiodto periodend periodto billingperiodend "
    "enddate todate",
    "notes": "note comment comments remark remarks memo",
}
_COLUMN_OF = {name.lower(): name for name in _SYNONYMS}
_COLUMN_OF.update((synonym, name) for name, synonyms in _SYNONYMS.items() for synonym in synonyms.split())
_OTHER_COLUMNS = frozenset(["paymentdate", "paiddate", "datepaid", "accountname", "billingaddress"])
_NOT_WORDS = re.compile(r"[\W_]+")

_read_issuer = partial(read_text, longest=LONGEST_ISSUER)
_read_number = partial(read_text, longest=LONGEST_NUMBER)
_read_notes = partial(read_text, longest=LONGEST_NOTES, several_lines=True)

T = TypeVar("T")
Row = tuple[int, tuple[Cell, ...]]
KnownIn = Callable[[Sequence[Cell]], int]


class Sheet(NamedTuple):
    """What a file gives: a header, the rows below it with their source lines, and the names of sheets left unread."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    header_line: int = 1
    unread: tuple[str, ...] = ()


class KnownProperty(NamedTuple):
    """A property of the account that a row may name. `address` is one line."""

    id: str
    name: str
    address: str
    country: str
    currency: str


class RowProblem(NamedTuple):
    """What is wrong with one line, in a column as the file names it, or in the line as a whole."""

    line: int
    column: str | None
    message: str


class FileBill(NamedTuple):
    """A bill and the line it stands in."""

    line: int
    bill: NewBill


class ReadFile(NamedTuple):
    """The good rows as bills, and every problem of the others."""

    bills: tuple[FileBill, ...]
    problems: tuple[RowProblem, ...]


def read_bills(sheet: Sheet, properties: Sequence[KnownProperty]) -> ReadFile:
    """The bills of a file and every problem with it. Blank rows are passed over; under a bad header nothing is read."""
    columns, problems = _columns(sheet)
    if columns is None:
        return ReadFile((), tuple(problems))
    bills = []
    finder = _PropertyFinder(properties)
    for line, cells in sheet.rows:
        if all(_is_blank(cell) for cell in cells):
            continue
        row = _Row(line, cells, columns, sheet.header)
        bill = _bill(row, finder)
        problems.extend(row.problems)
        if bill is not None and not row.problems:
            bills.append(FileBill(line, bill))
    if not bills and not problems:
        problems.append(RowProblem(sheet.header_line, None, "There are no bills below the header. Add a row for each."))
    return ReadFile(tuple(bills), tuple(problems))


def find_header(rows: Iterable[Row], known_in: KnownIn | None = None) -> int | None:
    """Which of the rows is the header: the one of the first rows that names most columns, or None. `known_in` counts
    the columns that a row names; without it they are those of bills.
    """
    best, most = None, FEWEST_KNOWN_COLUMNS - 1
    for index, (_, cells) in zip(range(HEADER_WITHIN), rows, strict=False):
        known = (known_in or known_columns)(cells)
        if known > most:
            best, most = index, known
    return best


def known_columns(cells: Sequence[Cell]) -> int:
    """How many different columns of a bills file a row of cells names."""
    return len({_COLUMN_OF.get(_spelled(cell)) for cell in cells if isinstance(cell, str)} - {None})


def unknown_columns(sheet: Sheet) -> tuple[str, ...]:
    """The columns of a bills file that nothing is read from, as the file names them."""
    return tuple(shown(name.strip()) for name in sheet.header if name.strip() and _spelled(name) not in _COLUMN_OF)


def _spelled(name: str) -> str:
    """A column's name without case, spaces, underscores, hyphens and dots.

    >>> _spelled("Bill_Date "), _spelled("Account #")
    ('billdate', 'accountnumber')
    """
    return _NOT_WORDS.sub("", name.replace("#", "number").casefold())


def _is_blank(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _columns(sheet: Sheet) -> tuple[dict[str, int] | None, list[RowProblem]]:
    """Where each column stands, or None when the header can't be used, and what is wrong with it."""
    places: dict[str, list[int]] = defaultdict(list)
    unknown = []
    for place, name in enumerate(sheet.header):
        column = _COLUMN_OF.get(_spelled(name))
        if column is not None:
            places[column].append(place)
        elif name.strip():
            unknown.append(place)
    faults = []
    missing = [column for column in _REQUIRED if column not in places]
    if missing:
        faults.append(f"The header lacks {_listed(missing)}. Add what is missing.")
    for column, found in places.items():
        if len(found) > 1:
            names = _listed([f"“{shown(sheet.header[place].strip())}”" for place in found])
            faults.append(f"The columns {names} all mean {column}. Keep one of them.")
    problems = [RowProblem(sheet.header_line, None, " ".join(faults))] if faults else []
    problems.extend(_slips(sheet, unknown, places.keys()))
    problems.extend(
        RowProblem(sheet.header_line, None, f"The sheet “{shown(name)}” was not read. Import it as a file of its own.")
        for name in sheet.unread
    )
    return (None if faults else {column: found[0] for column, found in places.items()}), problems


def _slips(sheet: Sheet, unknown: Sequence[int], present: Iterable[str]) -> Iterator[RowProblem]:
    """A problem for each unknown column that holds something and whose name is almost that of a column not there."""
    there = set(present)
    absent = [spelling for spelling, column in _COLUMN_OF.items() if column not in there]
    for place in unknown:
        name = sheet.header[place].strip()
        alike = get_close_matches(_spelled(name)[:LONGEST_NUMBER], absent, n=1, cutoff=ALIKE)
        if not alike or _spelled(name) in _OTHER_COLUMNS:
            continue
        if any(place < len(cells) and not _is_blank(cells[place]) for _, cells in sheet.rows):
            meant = _COLUMN_OF[alike[0]]
            message = f"This column is not known. If it is meant to be {meant}, name it so; if not, remove it."
            yield RowProblem(sheet.header_line, shown(name), message)


def _listed(words: Sequence[str]) -> str:
    """Words as a sentence has them.

    >>> _listed(["property", "issuerName", "billDate"])
    'property, issuerName and billDate'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


class _PropertyFinder:
    """Finds the property that a cell names; each name in the file is looked up once."""

    def __init__(self, properties: Sequence[KnownProperty]) -> None:
        self._properties = properties
        self._ids = {each.id: index for index, each in enumerate(properties)}
        self._names: dict[str, set[int]] = defaultdict(set)
        self._names_with_address: dict[str, set[int]] = defaultdict(set)
        for index, each in enumerate(properties):
            self._names[_folded(each.name)].add(index)
            parts = [part for part in each.address.split(",") if part.strip()]
            for count in range(1, len(parts) + 1):
                self._names_with_address[_words(f"{each.name} {' '.join(parts[:count])}")].add(index)
        self._found: dict[str, KnownProperty | Unclear] = {}
        customs = {(each.country, each.currency) for each in properties}
        self.only_customs = customs.pop() if len(customs) == 1 else None

    def find(self, cell: Cell) -> KnownProperty:
        """The one property that a cell names by id, by name, or by name and the address or its first parts."""
        text = read_text(cell, LONGEST_PROPERTY) or ""
        if text in self._ids:
            return self._properties[self._ids[text]]
        name = _folded(text)
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._search(name)
        if isinstance(found, Unclear):
            raise Unclear(str(found))
        return found

    def _search(self, name: str) -> KnownProperty | Unclear:
        indexes = self._names.get(name, set()) | self._names_with_address.get(_words(name), set())
        if not indexes:
            return Unclear(
                "No property has this id, name, or name with address. Write one of them as Prorata shows it."
            )
        if len(indexes) == 1:
            return self._properties[next(iter(indexes))]
        candidates = [self._properties[index] for index in sorted(indexes)[:MOST_CANDIDATES]]
        labels = [f"{shown(each.name)}, {shown(each.address)}" for each in candidates]
        if len(set(labels)) < len(labels):
            labels = [f"{label} ({each.id})" for label, each in zip(labels, candidates, strict=True)]
        more = len(indexes) - len(candidates)
        listed = "; ".join(labels) + (f"; and {more:,} more" if more else "")
        return Unclear(f"Several properties match. Write the name with its address, or the id: {listed}.")


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _words(name: str) -> str:
    """A name with its address, however it is punctuated."""
    return " ".join(_NOT_WORDS.sub(" ", unicodedata.normalize("NFC", name).casefold()).split())


class _Row:
    """One row as it is read: takes each cell by its column and collects what is wrong with it."""

    def __init__(self, line: int, cells: tuple[Cell, ...], columns: dict[str, int], header: tuple[str, ...]) -> None:
        self.too_long = any(not _is_blank(cell) for cell in cells[len(header) :])
        given = {place for place, cell in enumerate(cells) if not _is_blank(cell)}
        self.cells = {column: cells[place] for column, place in columns.items() if place in given}
        self._line, self._columns, self._header = line, columns, header
        self._problems: list[tuple[int, RowProblem]] = []

    @property
    def problems(self) -> list[RowProblem]:
        """What is wrong with the row, in the order of its columns."""
        return [problem for _, problem in sorted(self._problems, key=itemgetter(0))]

    def read(self, column: str, reader: Callable[[Cell], T | None]) -> T | None:
        """What the reader makes of a cell; None, and a problem where the cell is bad or is required and empty."""
        cell = self.cells.get(column)
        if cell is None:
            if column in _REQUIRED:
                self.refuse(column, "This cell is empty, and is required.")
            return None
        if isinstance(cell, Unclear):
            self.refuse(column, str(cell))
            return None
        try:
            return reader(cell)
        except Unclear as unclear:
            self.refuse(column, str(unclear))
            return None

    def refuse(self, column: str | None, message: str) -> None:
        """Adds a problem with a column, or with the row as a whole."""
        place = self._columns.get(column, len(self._header)) if column is not None else -1
        name = shown(self._header[place].strip()) if 0 <= place < len(self._header) else column
        self._problems.append((place, RowProblem(self._line, name, message)))


def _bill(row: _Row, finder: _PropertyFinder) -> NewBill | None:
    """The bill of a row, which counts only if the row has no problems. Where the property is not found, what needs its
    country is read in the country of all properties, if that is one.
    """
    if row.too_long:
        row.refuse(
            None, "This row has more cells than the header. Put double quotes around a text that holds separators."
        )
        return None
    found = row.read("property", finder.find)
    customs = (found.country, found.currency) if found else finder.only_customs
    issuer = row.read("issuerName", _read_issuer)
    types = row.read("utilityType", read_types) or ()
    total, amounts = _money(row, types, customs)
    bill_date, due_date, start, end = _days(row, customs)
    return NewBill(
        property_id=found.id if found else "",
        issuer_name=issuer or "",
        utility_types=types,
        total=total or 0,
        bill_date=bill_date or date.min,
        due_date=due_date,
        payment_status=row.read("paymentStatus", read_status) or "UNPAID",
        notes=row.read("notes", _read_notes),
        account_number=row.read("accountNumber", _read_number),
        bill_number=row.read("billNumber", _read_number),
        service_start=start,
        service_end=end,
        billing_month=row.read("billingMonth", read_billing_month),
        amounts=amounts,
    )


def _money(
    row: _Row, types: tuple[str, ...], customs: tuple[str, str] | None
) -> tuple[int | None, tuple[tuple[str, int], ...]]:
    """The total and the amounts of a row, which have to name its types and sum to it."""
    if customs is None:
        row.read("totalAmountDue", lambda _: None)
        return None, ()
    country, currency = COUNTRIES[customs[0]], customs[1]
    total = row.read("totalAmountDue", partial(read_amount, country=country, currency=currency))
    amounts = row.read("amounts", partial(read_amounts, country=country, currency=currency)) or ()
    if amounts and types and {name for name, _ in amounts} - set(NOT_BILLED_REASONS) != set(types):
        row.refuse("amounts", "The utility types here have to be those of utilityType, each of them and no other.")
    if amounts and total is not None and sum(amount for _, amount in amounts) != total:
        row.refuse("amounts", "These amounts do not add up to totalAmountDue. Change one of them.")
    return total, amounts


def _days(row: _Row, customs: tuple[str, str] | None) -> tuple[date | None, date | None, date | None, date | None]:
    """The bill date, the due date and the service period of a row, whose two ends come together and in order."""
    reader: Callable[[Cell], date | None] = lambda _: None  # noqa: E731
    if customs is not None:
        reader = partial(read_date, country=COUNTRIES[customs[0]])
    bill_date, due_date = row.read("billDate", reader), row.read("dueDate", reader)
    start, end = row.read("servicePeriodStart", reader), row.read("servicePeriodEnd", reader)
    ends = ("servicePeriodStart", "servicePeriodEnd")
    for given, other in (ends, ends[::-1]):
        if given in row.cells and other not in row.cells:
            row.refuse(other, f"{ends[0]} and {ends[1]} go together. Give both or neither.")
    if start and end and start > end:
        row.refuse("servicePeriodEnd", "The service period ends before it starts. Change one of the two dates.")
    if start and end and (end - start).days >= LONGEST_SERVICE_DAYS:
        row.refuse("servicePeriodEnd", f"A service period has at most {LONGEST_SERVICE_DAYS} days. Change a date.")
    return bill_date, due_date, start, end
