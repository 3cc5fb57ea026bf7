"""Bank and ledger files, whose rows are read as incoming payments.

A person is asked about ambiguous formats, as with bills (`number_formats`). Outgoing payments are skipped and
counted: amounts that are negative, in a column for outgoing money, or next to a word for it (`directions`).
Negative amounts in a column for incoming money reverse payments, and are skipped too.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.countries import COUNTRIES
from prorata.domain.files.cell_values import read_amount, read_date
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_currencies import may_be_in
from prorata.domain.files.column_kinds import has_header, plain_day
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.number_formats import Form, date_form, decimal_form
from prorata.domain.files.row_words import SumRow, is_sum_without, sum_name
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank
from prorata.domain.invoices.ledger import FIRST_DAY, TRANSFER
from prorata.domain.limits import LONGEST_PAYMENT_TEXT
from prorata.domain.payments.columns import FIELD_NAMES, FIELDS, MONEY_FIELDS, SEVERAL, fields_of
from prorata.domain.payments.directions import (
    WENT,
    is_above_zero,
    is_below_zero,
    may_say_which_way,
    plain,
    says_which_way,
    ways,
)
from prorata.domain.payments.named_checks import paid_by
from prorata.domain.payments.row_texts import mark_of, mark_of_cells, said
from prorata.domain.problems import shown
from prorata.domain.texts import joined, say

OPEN, CLOSED = FILE_STATES = ("open", "closed")
"""The states of a file: some of its rows wait, or a person finished it."""
_NO_WAY = say(
    "This row does not show whether the money came in or went out, so nothing is recorded. If it came in, enter it "
    "by hand."
)
_NO_DAY_SAID = say("No column is set as the day. Choose the one that contains it.")
_NO_AMOUNT_SAID = say("No column is set as the amount. Choose the one that contains it.")
_TWICE = say("Several columns are set as “{field}”. Keep one of them.")


class Understood(NamedTuple):
    """The meanings of a file's columns, its formats, and the open questions.

    The questions are about the `missing` required fields, fields that several columns have although only one may
    (`doubled`), and `doubtful` columns, which may give the direction of money if no amount does. `is_proposed` is
    true if the file has no header and nobody has chosen the columns' meanings.
    """

    sheet: Sheet
    fields: tuple[str | None, ...]
    amounts: Form
    dates: Form
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    doubtful: tuple[str, ...] = ()
    is_proposed: bool = False

    @property
    def refusal(self) -> str:
        """Explain why the chosen columns don't suffice, in sentences; empty if they do."""
        no_column = {"date": _NO_DAY_SAID, "amount": _NO_AMOUNT_SAID}
        twice = (_TWICE.format(field=FIELD_NAMES[field]) for field in self.doubled)
        return joined([*(no_column[field] for field in self.missing), *twice])

    @property
    def is_open(self) -> bool:
        """True if somebody has to answer a question before the file's rows can be read."""
        how = self.amounts.how, self.dates.how
        return bool(self.missing or self.doubled or self.doubtful or self.is_proposed or "asked" in how)


class BankRow(NamedTuple):
    """An incoming payment in a file, in cents of `currency`.

    `text` is all text of the row besides the name. `source` identifies the row, so that the payment isn't entered
    twice. It is made from the raw cells, whatever their columns mean; a second equal row in the file gets another
    identifier, because it is another payment. Older entries have `former`, which is made from the parsed contents.
    The `method` is a transfer, unless a cell says that it is a check.
    """

    line: int
    day: date
    cents: int
    currency: str
    name: str
    text: str
    reference: str
    source: str
    former: str = ""
    method: str = TRANSFER

    @property
    def marks(self) -> tuple[str, ...]:
        """All identifiers by which a ledger entry from this row may be known."""
        return (self.source, self.former) if self.former else (self.source,)


class ReadRows(NamedTuple):
    """The incoming payments of a file, its problems, and its number of skipped rows.

    Skipped rows are outgoing payments, and rows with an amount of zero or none. `sums` are the rows with the sum of
    other rows.
    """

    rows: tuple[BankRow, ...]
    problems: tuple[RowProblem, ...]
    left_out: int
    sums: tuple[SumRow, ...] = ()


def understood(
    sheet: Sheet, mapping: ColumnMapping | None, countries: Collection[str], currency: str = ""
) -> Understood:
    """Determine the meanings of a file's columns: as chosen, or by names and contents.

    `currency` is that of the account's properties. If no amount shows its direction, a person is asked about a
    column that may give the direction of money.
    """
    is_proposed = mapping is None and not has_header(sheet)
    fields, doubtful = _with_direction(sheet, fields_of(sheet, mapping, currency), mapping)
    there = Counter(field for field in fields if field)
    mapping = mapping or ColumnMapping()
    amounts = decimal_form(_cells(sheet, fields, MONEY_FIELDS), countries, mapping.decimal)
    dates = _dates_of(sheet, fields, countries, mapping.dates)
    missing = [] if there["date"] else ["date"]
    if not (there["amount"] or there["received"]):
        missing.append("amount")
    doubled = tuple(field for field, times in there.items() if times > 1 and field not in SEVERAL)
    return Understood(sheet, fields, amounts, dates, tuple(missing), doubled, doubtful, is_proposed)


def _with_direction(
    sheet: Sheet, fields: tuple[str | None, ...], mapping: ColumnMapping | None
) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """Add the column that gives the direction of money, or name the doubtful ones.

    A column is added to `fields` if all its values are directions. Doubtful columns are named only if no amount
    shows its direction itself. Columns whose meanings somebody has chosen (`mapping`) are left out.
    """
    if "direction" in fields:
        return fields, ()
    keys = keys_of(sheet.header)
    unsaid = [place for place, key in enumerate(keys) if key and (mapping is None or key not in mapping.fields)]
    texts = {place: _ways_said(sheet, place) for place in unsaid if fields[place] in (None, *SEVERAL)}
    for place, its_texts in texts.items():
        if fields[place] is None and says_which_way(sheet.header[place], its_texts):
            return (*fields[:place], "direction", *fields[place + 1 :]), ()
    if _has_signs(sheet, fields):
        return fields, ()
    names = [shown(sheet.header[place].strip()) for place, its_texts in texts.items() if may_say_which_way(its_texts)]
    return fields, tuple(names)


def _ways_said(sheet: Sheet, place: int) -> list[str]:
    """Return the distinct normalized texts of a column; each number or day becomes `#0`."""
    cells = (_at(cells, place) for _, cells in sheet.rows)
    return list(dict.fromkeys(filter(None, ("#0" if _is_number(cell) else plain(cell) for cell in cells))))


def _is_number(cell: Cell) -> bool:
    return not is_blank(cell) and not isinstance(cell, str)


def _has_signs(sheet: Sheet, fields: Sequence[str | None]) -> bool:
    """True if the amounts themselves show their direction, by their column or sign."""
    if "received" in fields or "paidOut" in fields:
        return True
    places = [place for place, field in enumerate(fields) if field == "amount"]
    return any(is_below_zero(_at(cells, place)) for _, cells in sheet.rows for place in places)


def _cells(sheet: Sheet, fields: Sequence[str | None], wanted: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield each distinct text in the columns of the given fields, with its first line."""
    places = [place for place, field in enumerate(fields) if field in wanted]
    seen = set[str]()
    for line, cells in sheet.rows:
        for place in places:
            cell = _at(cells, place)
            if isinstance(cell, str) and cell not in seen:
                seen.add(cell)
                yield line, cell


def _dates_of(sheet: Sheet, fields: Sequence[str | None], countries: Collection[str], chosen: str) -> Form:
    """Infer the order of day and month, with an example as the file has it."""
    plain = {(line, plain_day(text)): text for line, text in _cells(sheet, fields, ("date",))}
    form = date_form(plain, countries, chosen)
    return form._replace(example=plain.get((form.line, form.example), ""))


def currency_of(sheet: Sheet, fields: Sequence[str | None], usual: str, others: Collection[str]) -> str:
    """Return the currency of a file: `usual`, unless the file names one of `others`.

    Both are currencies of the account's properties. One of `others` counts if the file's currency column names it in
    every row or, if there is no such column, if the names of the columns give it.

    >>> sheet = Sheet(("Date", "Amount", "Ccy"), ((2, ("2026-03-05", "45.00", "EUR")),))
    >>> currency_of(sheet, ("date", "amount", "currency"), "USD", ["EUR"]), currency_of(sheet, (), "USD", ["GBP"])
    ('EUR', 'USD')
    >>> currency_of(Sheet(("Date", "Amount (EUR)"), ()), ("date", None), "USD", ["EUR", "GBP"])
    'EUR'
    """
    places = [place for place, field in enumerate(fields) if field == "currency"]
    currencies = {said(_at(cells, place)).upper() for _, cells in sheet.rows for place in places} - {""}
    if currencies:
        return next((other for other in others if currencies == {other}), usual)
    if all(may_be_in(name, usual) for name in sheet.header):
        return usual
    fitting = [other for other in others if all(may_be_in(name, other) for name in sheet.header)]
    return fitting[0] if len(fitting) == 1 else usual


def read_rows(understanding: Understood, country: str, currency: str, today: date) -> ReadRows:
    """Read the payments of a file.

    `country` and `currency` are those of the account's properties. An amount whose sign or column names another
    currency is a problem, and so is a day after `today`. The last line of the example shows the payments, the
    number of skipped rows, and the lines with problems.

    >>> sheet = Sheet(("Date", "Amount", "Details"), ((2, ("2026-03-05", "45.00", "Ann Lee MAPLE-1-2026-02")),
    ...               (3, ("2026-03-06", "-9.90", "Fee")), (4, ("2026-03-06", "soon", "?"))))
    >>> read = read_rows(understood(sheet, None, ["US"]), "US", "USD", date(2026, 3, 9))
    >>> [(row.line, row.cents, row.text) for row in read.rows], read.left_out, [one.line for one in read.problems]
    ([(2, 4500, 'Ann Lee MAPLE-1-2026-02')], 1, [4])
    """
    places: dict[str, list[int]] = {field: [] for field in FIELDS}
    for place, field in enumerate(understanding.fields):
        if field:
            places[field].append(place)
    reading = _Reading(understanding, places, country, currency, today)
    sums = []
    for line, cells in understanding.sheet.rows:
        if is_sum_without(cells, places["date"][0]):
            sums.append(SumRow(line, shown(sum_name(cells))))
        elif not all(is_blank(cell) for cell in cells):
            reading.read(line, cells)
    return ReadRows(tuple(reading.rows), tuple(reading.problems), reading.left_out, tuple(sums))


class _Reading:
    """A reader that turns rows into payments or problems."""

    def __init__(
        self, understanding: Understood, places: Mapping[str, list[int]], country: str, currency: str, today: date
    ) -> None:
        self.found, self.places, self.today = understanding, places, today
        self.country, self.currency = COUNTRIES[country], currency
        self.decimal = "" if understanding.amounts.how == "asked" else understanding.amounts.value
        self.order = "" if understanding.dates.how == "asked" else understanding.dates.value
        self.rows: list[BankRow] = []
        self.problems: list[RowProblem] = []
        self.left_out = 0
        self.seen: Counter[str] = Counter()
        self.has_signs = _has_signs(understanding.sheet, understanding.fields)
        self.has_some = {field for field in ("received", "paidOut") if self._has_some(field)}
        self.ways = {place: ways(_ways_said(understanding.sheet, place)) for place in places["direction"]}

    def read(self, line: int, cells: Sequence[Cell]) -> None:
        """Read a row, and record a payment, a problem, or a skipped row."""
        place = self.places["date"][0]
        try:
            cents = self._cents(cells)
            if cents <= 0:
                self.left_out += 1
                return
            day = self._day(_at(cells, place))
        except _At as wrong:
            self._problem(line, wrong.place, wrong.says)
            return
        except Unclear as wrong:
            self._problem(line, place, str(wrong))
            return
        currency = self._texts(cells, "currency").upper() or self.currency
        if currency != self.currency:
            self._problem(
                line,
                self.places["currency"][0],
                say("This row’s amount is not in {currency}.", currency=self.currency),
            )
            return
        name, reference = self._texts(cells, "name"), self._texts(cells, "reference")
        text = " ".join(filter(None, (self._texts(cells, "invoice"), self._texts(cells, "text"))))[
            :LONGEST_PAYMENT_TEXT
        ]
        source = self._counted(mark_of_cells(cells))
        former = self._counted(mark_of(day.isoformat(), str(cents), currency, name, text, reference))
        method = paid_by(self.found.sheet.header, self.found.fields, cells)
        self.rows.append(BankRow(line, day, cents, currency, name, text, reference, source, former, method))

    def _counted(self, mark: str) -> str:
        self.seen[mark] += 1
        return f"file:{mark}:{self.seen[mark]}"

    def _day(self, cell: Cell) -> date:
        """Read the day of a row.

        Raises `Unclear` if the day is missing, unclear or implausible.
        """
        if is_blank(cell):
            raise Unclear(say("This row has no date."))
        day = read_date(plain_day(cell) if isinstance(cell, str) else cell, self.country, self.order)
        if not FIRST_DAY <= day <= self.today:
            raise Unclear(say("The date of a payment must be between the year 2000 and today."))
        return day

    def _cents(self, cells: Sequence[Cell]) -> int:
        """Read the amount of a row in cents, negative for outgoing money.

        The amount is in the amount column, or in the columns for incoming and outgoing money. The result is
        positive only if no part of the row marks the money as outgoing.

        In a column that also has positive amounts, a negative amount is a reversal. Otherwise, the sign means nothing:
        money in the outgoing column is outgoing, and a person is asked about negative amounts in the incoming
        column.

        Raises `_At` if an amount can't be read, or if its direction is unclear.
        """
        amount, came, went = (self._first(cells, field) for field in ("amount", "received", "paidOut"))
        if amount < 0:
            return amount
        if came < 0 and "received" not in self.has_some:
            raise _At(self.places["received"][0], _NO_WAY)
        if went and (came > 0 or (went < 0 and "paidOut" in self.has_some)):
            raise _At(self.places["paidOut"][0], _NO_WAY)
        cents = amount or came or -abs(went)
        return -cents if cents > 0 and (came < 0 or (went and not came) or self._went(cells)) else cents

    def _has_some(self, field: str) -> bool:
        """True if the columns of a field contain a positive amount."""
        places = self.places[field]
        return any(is_above_zero(_at(cells, place)) for _, cells in self.found.sheet.rows for place in places)

    def _first(self, cells: Sequence[Cell], field: str) -> int:
        """Read a field's first nonzero amount.

        Raises `_At` if an amount can't be read.
        """
        for place in self.places[field]:
            cell = _at(cells, place)
            if is_blank(cell):
                continue
            if not may_be_in(self.found.sheet.header[place], self.currency):
                raise _At(place, say("This column is not in {currency}.", currency=self.currency))
            try:
                cents = read_amount(cell, self.country, self.currency, self.decimal)
            except Unclear as wrong:
                raise _At(place, str(wrong)) from None
            if cents:
                return cents
        return 0

    def _went(self, cells: Sequence[Cell]) -> bool:
        """True if a direction column marks the money of a row as outgoing.

        Raises `_At` if the row's word is unclear and the amounts don't show their direction themselves.
        """
        for place, known in self.ways.items():
            way = known.get(plain(_at(cells, place)))
            if way is None and not self.has_signs:
                raise _At(place, _NO_WAY)
            if way == WENT:
                return True
        return False

    def _texts(self, cells: Sequence[Cell], field: str) -> str:
        """Join the texts in the columns of a field with single spaces."""
        texts = (said(_at(cells, place)) for place in self.places[field])
        return " ".join(filter(None, texts))[:LONGEST_PAYMENT_TEXT]

    def _problem(self, line: int, place: int, says: str) -> None:
        self.problems.append(RowProblem(line, shown(self.found.sheet.header[place].strip()) or None, says))


class _At(Exception):
    """Raised for a problem with the cell at a position of a row."""

    def __init__(self, place: int, says: str) -> None:
        super().__init__(says)
        self.place, self.says = place, says


def _at(cells: Sequence[Cell], place: int) -> Cell:
    return cells[place] if place < len(cells) else None
