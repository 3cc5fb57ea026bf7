"""Layouts of other programs' charge files: columns, formats and required names."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Literal, NamedTuple, cast, get_args

from prorata.domain.limits import LONGEST_LAYOUT_NAME
from prorata.domain.utility_names import UTILITY_TYPES

Of = Literal["property", "unit", "tenant", "utility", "system"]
"""The kinds of things that the other program may name in its own way.

Each is one of our records, a utility, or a fact of the whole account.
"""
Rows = Literal["charge", "invoice"]
"""The scope of a row in a charge file: one charge, or a whole invoice."""
WhenLong = Literal["cut", "empty", "problem"]
Seen = Literal["vendor", "names", "template"]
"""The source of a layout.

Either the vendor's own reference describes its lines, or the vendor names its columns but not their order, or others
have published the vendor's template.
"""
WHOLE, CUSTOM, ACCOUNT = "WHOLE", "CUSTOM", "ACCOUNT"
"""The codes that replace a utility or a record.

The first two replace the utility of a row for a whole invoice and of a custom charge. The last one replaces the record
for a fact of the whole account.
"""
UTILITIES = (*UTILITY_TYPES, CUSTOM, WHOLE)
FACTS = (
    "number", "tenant", "invoice-date", "due-date", "post-month", "amount", "amount-taken-off", "total", "description",
    "memo",
)  # fmt: skip
"""The facts that a column may contain besides the other program's names.

`amount` is the amount of the row, `total` the total of the invoice.
"""
DATES: Mapping[str, str] = {
    "MM/DD/YYYY": "{month:02d}/{day:02d}/{year:04d}",
    "M/D/YYYY": "{month}/{day}/{year:04d}",
}
IIF = "iif"
"""The value that replaces a delimiter for a file with tabs and without quotes."""


class BadLayout(ValueError):
    """An invalid layout; the text is a sentence for its author."""


class Column(NamedTuple):
    """A column of a charge file: its name and its contents.

    `holds` is the fact or name that the column contains. If it is empty, the column contains the text `says` in
    every row. `most` is the maximum length, or 0 if there is none. `when_long` states whether a longer value is
    cut, left empty or reported as a problem.
    """

    name: str
    holds: str = ""
    says: str = ""
    most: int = 0
    when_long: WhenLong = "cut"


class Record(NamedTuple):
    """A kind of line in a charge file, written for each row or each invoice.

    An invoice's lines are written in the order in which the layout lists their records. So a record that is written
    for each invoice comes before or after the invoice's rows.
    """

    keyword: str
    per: Literal["row", "invoice"]
    columns: tuple[Column, ...]


class Asked(NamedTuple):
    """A name in the other program that a person has to enter.

    `of` is the kind of record that has the name, such as a property, unit or tenant. `proposes` is a likely name:
    Prorata's own name for that record, or a fixed text for the entire account.
    """

    field: str
    of: Of
    title: str
    hint: str = ""
    columns: tuple[str, ...] = ()
    proposes: str = ""
    is_needed: bool = True
    most: int = LONGEST_LAYOUT_NAME

    @property
    def column(self) -> str:
        """The suggested title of a spreadsheet column for the name."""
        return self.columns[0] if self.columns else self.title

    def proposal(self, ours: str) -> str:
        """Return the likely name of a record in the other program, or "".

        `ours` is Prorata's name for the record.
        """
        if self.of == "system":
            return self.proposes
        return ours if self.proposes else ""


class Layout(NamedTuple):
    """The layout of the charge file that a program imports.

    `takes_credits` is set if the file may contain charges below zero. `how` explains how to import the file.
    """

    system: str
    title: str
    rows: Rows
    delimiter: str
    ends: str
    encoding: str
    dates: str
    first_line: str
    takes_credits: bool
    seen: Seen
    how: str
    asks: tuple[Asked, ...]
    records: tuple[Record, ...]

    def asked_of(self, *kinds: Of) -> tuple[Asked, ...]:
        """List the names that the layout requires for the given kinds of records."""
        return tuple(ask for ask in self.asks if ask.of in kinds)

    def day(self, day: date) -> str:
        """Format a day in the date format of the other program."""
        return DATES[self.dates].format(year=day.year, month=day.month, day=day.day)


def layout_of(system: str, document: Mapping[str, Any]) -> Layout:
    """Build a layout from the parsed contents of its file.

    Raises `BadLayout` if the file is invalid.

    >>> one = {"title": "X", "dates": "M/D/YYYY", "seen": "names", "how": "Upload it.",
    ...        "records": [{"columns": [{"name": "Amount", "holds": "amount"}]}]}
    >>> layout_of("x", one).records[0].columns[0]
    Column(name='Amount', holds='amount', says='', most=0, when_long='cut')
    >>> layout_of("x", one | {"records": [{"columns": [{"name": "Amount", "holds": "money"}]}]})
    Traceback (most recent call last):
    prorata.domain.exports.charge_layouts.BadLayout: x: a column holds money, which is neither a fact nor asked for.
    """
    asks = tuple(_asked(system, entry) for entry in document.get("asks", ()))
    records = tuple(_record(system, entry, {ask.field for ask in asks}) for entry in document.get("records", ()))
    _require(system, bool(records), "there are no records.")
    _require(system, any(record.per == "row" for record in records), "there is no record of a row.")
    _require(system, document.get("dates") in DATES, f"dates are one of {', '.join(DATES)}.")
    rows, seen = document.get("rows", "charge"), document.get("seen")
    _require(system, rows in get_args(Rows) and seen in get_args(Seen), "rows or seen is none of those there are.")
    return Layout(
        system,
        str(document["title"]),
        rows,
        str(document.get("delimiter", ",")),
        str(document.get("ends", ".csv")),
        str(document.get("encoding", "utf-8")),
        str(document["dates"]),
        str(document.get("first-line", "")),
        document.get("credits") is True,
        cast("Seen", seen),
        str(document["how"]),
        asks,
        records,
    )


def _asked(system: str, document: Mapping[str, Any]) -> Asked:
    _require(system, document.get("of") in get_args(Of), f"what is asked is of one of {', '.join(get_args(Of))}.")
    return Asked(
        str(document["field"]),
        document["of"],
        str(document["title"]),
        str(document.get("hint", "")),
        tuple(map(str, document.get("columns", ()))),
        str(document.get("proposes", "")),
        document.get("needed", True) is True,
        int(document.get("most", LONGEST_LAYOUT_NAME)),
    )


def _record(system: str, document: Mapping[str, Any], fields: set[str]) -> Record:
    columns = []
    for entry in document.get("columns", ()):
        column = Column(
            str(entry["name"]), str(entry.get("holds", "")), str(entry.get("says", "")), int(entry.get("most", 0)),
            entry.get("when-long", "cut"),
        )  # fmt: skip
        known = not column.holds or column.holds in fields or column.holds in FACTS
        _require(system, known, f"a column holds {column.holds}, which is neither a fact nor asked for.")
        _require(system, column.when_long in get_args(WhenLong), "what is long is cut, empty or a problem.")
        columns.append(column)
    return Record(str(document.get("keyword", "")), document.get("per", "row"), tuple(columns))


def _require(system: str, fits: object, says: str) -> None:
    if not fits:
        raise BadLayout(f"{system}: {says}")
