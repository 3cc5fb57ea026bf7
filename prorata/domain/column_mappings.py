"""What somebody said the columns of a file mean, kept by the names in its header, so that the next one needs no asking.

A mapping is by names, however they are capitalised, spaced and ordered: a program that adds nothing to its export and
renames nothing in it is known again.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from prorata.domain.bill_columns import (
    CURRENCY,
    DATE_FIELDS,
    FIELDS,
    MONEY_FIELDS,
    NOTHING,
    REQUIRED,
    HowRead,
    fields_named,
    spelled,
)
from prorata.domain.cells import Cell
from prorata.domain.column_currencies import is_currency
from prorata.domain.sheets import Sheet
from prorata.domain.written_forms import Form, date_form, decimal_form

FIXABLE = ("property", "issuerName", "utilityType")
"""What may be said for every row of a file at once, where no column names it."""
OF_ONE_FILE = ("property",)
"""Of these what is said for one file alone: the export of another house may have the same columns."""
WITH_WORDS = ("property", "utilityType")
"""Fields whose texts somebody may translate: their own names of houses and utilities."""
_BETWEEN = "\x1f"


class ColumnMapping(NamedTuple):
    """What somebody said of a header. `fields` are by `keys_of` its columns; `fixed` holds for every row; `words` are
    what texts of a field mean, by the text as `names.same` compares it; `decimal` and `dates` how the file is written.
    """

    fields: Mapping[str, str] = {}
    fixed: Mapping[str, str] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    decimal: str = ""
    dates: str = ""


def for_the_next(said: ColumnMapping) -> ColumnMapping:
    """What holds of a mapping for the next file with the same columns.

    >>> for_the_next(ColumnMapping(fixed={"property": "Maple Court", "utilityType": "WATER"})).fixed
    {'utilityType': 'WATER'}
    """
    return said._replace(fixed={field: value for field, value in said.fixed.items() if field not in OF_ONE_FILE})


class Understood(NamedTuple):
    """A file as it is read: what each column means, how amounts and dates are written, and what has to be said first:
    fields that it needs and no column has, and those that several columns have.
    """

    sheet: Sheet
    how: HowRead
    amounts: Form
    dates: Form
    missing: tuple[str, ...]
    doubled: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Whether somebody has to say something before its rows can be read."""
        return bool(self.missing or self.doubled or "asked" in (self.amounts.how, self.dates.how))


def keys_of(header: Sequence[str]) -> tuple[str, ...]:
    """What each column of a header is known by: its name, and which one of that name it is; empty for one without.

    >>> keys_of(("Net Amount", "Date", "Date ", "", "€"))
    ('netamount', 'date', 'date 2', '', '€')
    """
    seen: Counter[str] = Counter()
    keys = []
    for name in header:
        key = spelled(name) or name.strip().casefold()
        seen[key] += 1
        keys.append(key if not key or seen[key] == 1 else f"{key} {seen[key]}")
    return tuple(keys)


def mark_of(header: Sequence[str]) -> str:
    """What is the same for two headers with the same columns, in whatever order.

    >>> mark_of(("Datum", "Betrag")) == mark_of(("BETRAG ", "datum", "")), mark_of(("Datum",)) == mark_of(("Betrag",))
    (True, False)
    """
    return sha256(_BETWEEN.join(sorted(filter(None, keys_of(header)))).encode()).hexdigest()


def understood(sheet: Sheet, said: ColumnMapping | None, countries: Collection[str]) -> Understood:
    """How a file is read: as somebody said, else by the names of its columns and by what stands in them. `countries`
    are those of the account's properties.
    """
    said = said or ColumnMapping()
    fields = _fields(said, sheet)
    there = Counter(field for field in fields if field)
    fixed = {field: value for field, value in said.fixed.items() if value and field in FIXABLE and field not in there}
    amounts = decimal_form(_cells(sheet, fields, MONEY_FIELDS), countries, said.decimal)
    dates = date_form(_cells(sheet, fields, DATE_FIELDS), countries, said.dates)
    how = HowRead(fields, fixed, said.words, _value(amounts), _value(dates))
    missing = tuple(field for field in REQUIRED if field not in there and field not in fixed)
    doubled = tuple(field for field, times in there.items() if times > 1 and field != CURRENCY)
    return Understood(sheet, how, amounts, dates, missing, doubled)


def _fields(said: ColumnMapping, sheet: Sheet) -> tuple[str | None, ...]:
    """What each column means: as somebody said, else by its name. A currency that a column plainly names, or that is
    all that stands in its cells, is read where nothing else is said of it, and can't be passed over: it would be taken
    for that of the property.
    """
    chosen = [said.fields.get(key) for key in keys_of(sheet.header)]
    named = fields_named(sheet.header, [field for field in chosen if field])
    owns = (own or (CURRENCY if _holds_currencies(sheet, place) else None) for place, own in enumerate(named))
    return tuple(
        own if field is None or (own == CURRENCY and field not in FIELDS) else field if field in FIELDS else NOTHING
        for field, own in zip(chosen, owns, strict=True)
    )


def _holds_currencies(sheet: Sheet, place: int) -> bool:
    cells = (cells[place] for _, cells in sheet.rows if place < len(cells) and cells[place] is not None)
    first = next(cells, None)
    return all(isinstance(cell, str) and is_currency(cell) for cell in chain((first,), cells))


def _value(form: Form) -> str:
    return "" if form.how == "asked" else form.value


def _cells(sheet: Sheet, fields: Sequence[str | None], wanted: Collection[str]) -> Iterator[tuple[int, Cell]]:
    """The texts of some fields, each where it stands first."""
    places = [place for place, field in enumerate(fields) if field in wanted]
    seen = set[str]()
    for line, cells in sheet.rows:
        for place in places:
            cell = cells[place] if place < len(cells) else None
            if isinstance(cell, str) and cell not in seen:
                seen.add(cell)
                yield line, cell
