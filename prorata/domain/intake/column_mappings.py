"""The meanings of a bills file's columns: chosen by a person, or known by name.

Meanings that remain unclear become questions to a person.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from prorata.domain.bills.columns import (
    CURRENCY,
    DATE_FIELDS,
    FIELDS,
    MONEY_FIELDS,
    NOTHING,
    REQUIRED,
    HowRead,
    dated_by,
    doubled,
    fields_named,
    has_amount_columns,
    listed,
    needed,
)
from prorata.domain.files.cells import Cell
from prorata.domain.files.column_currencies import is_currency, is_plain_currency
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.number_formats import Form, date_form, decimal_form
from prorata.domain.files.row_words import SumRow, is_sum_without, sum_name
from prorata.domain.files.sheets import Sheet, is_blank, without
from prorata.domain.problems import shown
from prorata.domain.texts import say_n

LISTS = ("amounts", "usageAndPrice")
"""The fields whose cells list amounts or usages by utility."""
_IN_A_LIST = re.compile(r"[=@]\s*([^\s;]+)")
FIXABLE = ("property", "issuerName", "utilityType", "spread")
"""The fields that a person can set for all rows when no column contains them.

`spread` then applies to each row that can be spread.
"""
OF_ONE_FILE = ("property",)
"""The fields whose fixed values apply to one file only.

Another house's export may have the same columns.
"""
WITH_WORDS = ("property", "utilityType")
"""The fields whose texts a person may map, such as their own names of utilities."""
_Holds = Literal["", "perhaps", "currencies"]


def for_the_next(mapping: ColumnMapping) -> ColumnMapping:
    """Return the part of a mapping that also applies to later files.

    Fixed values that belong to one file only, such as its property, are left out.

    >>> for_the_next(ColumnMapping(fixed={"property": "Maple Court", "utilityType": "WATER"})).fixed
    {'utilityType': 'WATER'}
    """
    return mapping._replace(fixed={field: value for field, value in mapping.fixed.items() if field not in OF_ONE_FILE})


class Understood(NamedTuple):
    """An interpreted file: its columns' meanings, its formats, and the open questions.

    The questions are about required fields that no column has, and fields that several columns have. `currencies`
    are the names of columns that are read as the currency although somebody chose another meaning. `sums` are the
    rows of sums, which were removed from the sheet.
    """

    sheet: Sheet
    how: HowRead
    amounts: Form
    dates: Form
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    currencies: tuple[str, ...] = ()
    sums: tuple[SumRow, ...] = ()

    @property
    def is_open(self) -> bool:
        """True if somebody has to answer a question before the file's rows can be read."""
        return bool(self.missing or self.doubled or "asked" in (self.amounts.how, self.dates.how))


def understood(sheet: Sheet, mapping: ColumnMapping | None, countries: Collection[str]) -> Understood:
    """Interpret a file by the chosen mapping, and otherwise by its column names and contents.

    `countries` are those of the account's properties.

    >>> rows = ((2, ("Maple", "80.10", "2026-03-01")), (3, ("Total for March", "80.10", None)))
    >>> read = understood(Sheet(("House", "Amount", "Date"), rows, 1), None, ["US"])
    >>> len(read.sheet.rows), read.sums
    (1, (SumRow(line=3, name='Total for March'),))
    """
    mapping = mapping or ColumnMapping()
    fields = _fields(mapping, sheet)
    sums = tuple(_sums(sheet, fields))
    sheet = without(sheet, {sum_row.line for sum_row in sums})
    there = Counter(field for field in fields if field)
    by_columns = {"utilityType"} if has_amount_columns(fields) else set[str]()
    known = {*there, *by_columns}
    fixed = {
        field: value for field, value in mapping.fixed.items() if value and field in FIXABLE and field not in known
    }
    amounts = decimal_form(_amounts(sheet, fields), countries, mapping.decimal)
    dates = date_form(_cells(sheet, fields, DATE_FIELDS), countries, mapping.dates)
    how = HowRead(fields, fixed, mapping.words, _value(amounts), _value(dates))
    missing = tuple(field for field in needed(fields) if field not in there and field not in fixed)
    in_spite = tuple(_in_spite(mapping, sheet.header, fields))
    return Understood(sheet, how, amounts, dates, missing, doubled(fields), in_spite, sums)


def _sums(sheet: Sheet, fields: Sequence[str | None]) -> Iterator[SumRow]:
    """Yield the rows of sums, which begin with a word such as "Total".

    In the column that gives the dates of the bills, these rows have no date, or a word such as "Total" in its
    place.
    """
    day = dated_by(fields)
    if day in fields:
        place = fields.index(day)
        for line, cells in sheet.rows:
            if is_sum_without(cells, place):
                yield SumRow(line, shown(sum_name(cells)))


def _in_spite(mapping: ColumnMapping, header: Sequence[str], fields: Sequence[str | None]) -> Iterator[str]:
    """Yield the names of columns read as the currency although somebody chose another meaning."""
    for name, key, field in zip(header, keys_of(header), fields, strict=True):
        if field == CURRENCY != mapping.fields.get(key, CURRENCY):
            yield shown(name.strip())


def in_spite_in_words(names: Sequence[str]) -> str:
    """Explain why columns are read as the currency despite another chosen meaning.

    >>> in_spite_in_words(["Whrg"])
    'Whrg is read as the currency, whatever you chose, because of its name or its contents.'
    """
    return say_n(
        "{listed} is read as the currency, whatever you chose, because of its name or its contents.",
        "{listed} are read as the currency, whatever you chose, because of their names or their contents.",
        len(names),
        listed=listed(names),
    )


def _fields(mapping: ColumnMapping, sheet: Sheet) -> tuple[str | None, ...]:
    """Return the meaning of each column: as chosen, or by its name."""
    chosen = [mapping.fields.get(key) for key in keys_of(sheet.header)]
    given = [field for field, value in mapping.fixed.items() if value]
    named = fields_named(sheet.header, [*filter(None, chosen), *given])
    return tuple(
        _field(chosen_field, own, _currencies_in(sheet, place))
        for place, (chosen_field, own) in enumerate(zip(chosen, named, strict=True))
    )


def _field(chosen: str | None, own: str | None, holds: _Holds) -> str | None:
    """Decide the meaning of a column from the chosen meaning, its name and its contents.

    A column that clearly contains currencies is read as the currency, unless its name means a field that every
    bill needs. A person can't choose to skip a column whose name means the currency, because the bills would then
    be read in the property's currency.
    """
    if holds == "currencies" and not (own in REQUIRED and chosen in (None, own)):
        return CURRENCY
    if chosen is None:
        return own or (CURRENCY if holds else None)
    if chosen in FIELDS:
        return chosen
    return CURRENCY if own == CURRENCY else NOTHING


def _currencies_in(sheet: Sheet, place: int) -> _Holds:
    """Determine whether a column contains only currencies.

    The result is "currencies" if at least one of them is unambiguous, "perhaps" if none is, and "" if the column
    has other contents or none.
    """
    cells = (cells[place] for _, cells in sheet.rows if place < len(cells) and not is_blank(cells[place]))
    holds: _Holds = ""
    for cell in cells:
        if not isinstance(cell, str) or not is_currency(cell):
            return ""
        if holds != "currencies":
            holds = "currencies" if is_plain_currency(cell) else "perhaps"
    return holds


def _value(form: Form) -> str:
    return "" if form.how == "asked" else form.value


def _amounts(sheet: Sheet, fields: Sequence[str | None]) -> Iterator[tuple[int, Cell]]:
    """Yield each distinct amount as written, also those in lists such as "WATER=80.00;SEWER=40.10"."""
    yield from _cells(sheet, fields, MONEY_FIELDS)
    for line, listed_amounts in _cells(sheet, fields, LISTS):
        yield from ((line, amount) for amount in _IN_A_LIST.findall(str(listed_amounts)))


def _cells(sheet: Sheet, fields: Sequence[str | None], wanted: Collection[str]) -> Iterator[tuple[int, Cell]]:
    """Yield each distinct text in the columns of the wanted fields, with its line number.

    The number is that of the first line that contains the text.
    """
    places = [place for place, field in enumerate(fields) if field in wanted]
    seen = set[str]()
    for line, cells in sheet.rows:
        for place in places:
            cell = cells[place] if place < len(cells) else None
            if isinstance(cell, str) and cell not in seen:
                seen.add(cell)
                yield line, cell
