"""The columns of a bills file: their meanings, and missing or duplicate columns."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.files.cells import Cell
from prorata.domain.files.column_currencies import without_currency
from prorata.domain.files.column_names import BILL_COLUMNS, ColumnNames, looked_for, utility_named
from prorata.domain.files.column_taxes import without_taxes
from prorata.domain.files.sheets import FEWEST_COLUMNS, HEADER_WITHIN, KnownIn, Row, RowProblem, Sheet
from prorata.domain.limits import LONGEST_BILL_COLUMN_NAME
from prorata.domain.problems import shown
from prorata.domain.texts import say
from prorata.domain.utility_names import LINE_NAMES

REQUIRED = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
IN_A_CURRENCY = ("totalAmountDue", "amounts")
"""The money fields, whose column names may include a currency."""
_NAMES = ColumnNames(BILL_COLUMNS, whole=IN_A_CURRENCY)
_SERVICE_DAYS = ("servicePeriodStart", "servicePeriodEnd")
_FROM_TO = (("from", "to"), ("from", "through"), ("from", "thru"), ("von", "bis"), ("du", "au"), ("de", "a"))
"""Pairs of names for the first and last day of service.

The names of a pair are recognized only together. The names are written in the form that `looked_for` returns.
"""
AMOUNT_FOR: Mapping[str, str] = {f"amount:{kind}": kind for kind in LINE_NAMES}
"""The fields for columns with the amounts of one utility or one unbilled reason.

Each row of such a file is a bill with a line for each of these columns.
"""
_BEHIND = _NAMES.fields.index("amounts") + 1
FIELDS = (*_NAMES.fields[:_BEHIND], *AMOUNT_FOR, *_NAMES.fields[_BEHIND:])
"""The fields that a bills file may contain, in the order people expect."""
_OF_AN_AMOUNT = (
    "amount amounts amt bill bills charge charges cost costs total due for of in betrag kosten rechnung summe "
    "importe coste factura montant cout facture"
)
"""The words that may surround a utility in the name of its amount column."""
_WORD = re.compile(r"[^\W_]+")
MONEY_FIELDS = ("totalAmountDue", *AMOUNT_FOR)
DATE_FIELDS = ("billDate", "dueDate", "servicePeriodStart", "servicePeriodEnd")
CURRENCY = "currency"
"""The field that several columns may contain; each must match the property's currency."""
NOTHING = ""
"""The value of a column that a person has excluded from reading."""


class HowRead(NamedTuple):
    """The settings for reading a file's rows.

    `fields` contains the field of each column: None if the field is unknown, or `NOTHING` if a person has excluded
    the column. `fixed` contains values for rows that lack a field. `words` maps words in the file to their
    meanings, separately for each field. `decimal` is the decimal mark, and `dates` is DMY or MDY, the order of day
    and month. If `decimal` or `dates` is empty, each row is read in the format of its property's country.
    """

    fields: tuple[str | None, ...]
    fixed: Mapping[str, str] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    decimal: str = ""
    dates: str = ""


class Columns(NamedTuple):
    """The position of each field's column, and the problems of the header.

    The positions are None if the header is unusable.
    """

    places: dict[str, int] | None
    problems: list[RowProblem]


def field_named(name: str) -> str | None:
    """Return the field that a column name means; None for an unknown name.

    The name of a column of amounts may include any currency.

    >>> field_named("Bill Date"), field_named("Datum"), field_named("Farbe")
    ('billDate', 'billDate', None)
    >>> field_named("Amount (EUR)"), field_named("USD Date") is None
    ('totalAmountDue', True)
    """
    return _NAMES.field(name) or _of_money(name)


def _of_money(name: str) -> str | None:
    """Return the amount field that a column name means, ignoring any currency in the name."""
    field = _NAMES.field(without_currency(name)) if len(name) <= LONGEST_BILL_COLUMN_NAME else None
    return field if field in IN_A_CURRENCY else None


def amount_for(name: str) -> str | None:
    """Return the amount field of a column named after a utility; None for other names.

    The name may also contain a currency, words such as "amount" or "bill", and that the amount includes taxes, but no
    other words.

    >>> [amount_for(name) for name in ("Water incl. VAT", "Amount for gas", "Müll (EUR)", "Water usage", "Amount")]
    ['amount:WATER', 'amount:GAS', 'amount:GARBAGE', None, None]
    """
    if len(name) > LONGEST_BILL_COLUMN_NAME:
        return None
    words = _WORD.findall(without_taxes(without_currency(name)))
    kind = utility_named(" ".join(word for word in words if looked_for(word) not in _OF_AN_AMOUNT.split()))
    return f"amount:{kind}" if kind else None


def has_amount_columns(fields: Collection[str | None]) -> bool:
    """True if a file has columns for the amounts of individual utilities."""
    return not AMOUNT_FOR.keys().isdisjoint(fields)


def needed(fields: Collection[str | None]) -> tuple[str, ...]:
    """List the fields that every row needs in a file with these columns.

    If the file has amount columns named after utilities, it needs no columns for the utility and the total.

    >>> needed(("property", "amount:WATER", "billingMonth")), needed(("property", "amount:WATER"))
    (('property', 'issuerName', 'billingMonth'), ('property', 'issuerName', 'billDate'))
    """
    others = ("property", "issuerName") if has_amount_columns(fields) else REQUIRED[:-1]
    return (*others, dated_by(fields))


def dated_by(fields: Collection[str | None]) -> str:
    """Return the field that supplies the bill dates in a file with these columns.

    The field is the bill date if the file has a column for it. Otherwise, it is the last day of service. If a file
    without bill dates has amount columns named after utilities and a column for the billing month, the last day of
    this month is used instead of the last day of service. If the file has none of these columns, the result is
    `billDate`, which is reported as missing.

    >>> dated_by(("servicePeriodEnd", "billingMonth")), dated_by(("servicePeriodEnd", "billingMonth", "amount:GAS"))
    ('servicePeriodEnd', 'billingMonth')
    >>> dated_by(("billingMonth",))
    'billDate'
    """
    others = ("billingMonth", "servicePeriodEnd") if has_amount_columns(fields) else ("servicePeriodEnd",)
    return next((field for field in ("billDate", *others) if field in fields), "billDate")


def doubled(fields: Collection[str | None]) -> tuple[str, ...]:
    """List the fields that have several columns but may have only one.

    Several amount columns of one utility are allowed and are summed. However, a file with such a column must not
    also have a column `amounts`.

    >>> doubled(("billDate", "amount:OTHER", "billDate", "amount:OTHER")), doubled(("amounts", "amount:GAS"))
    (('billDate',), ('amounts',))
    """
    there = Counter(field for field in fields if field and field not in AMOUNT_FOR and field != CURRENCY)
    if has_amount_columns(fields):
        there["amounts"] += there["amounts"]
    return tuple(field for field, times in there.items() if times > 1)


def fields_named(header: Sequence[str], taken: Collection[str] = ()) -> tuple[str | None, ...]:
    """Find each header column's field by the column's name; None for unknown names.

    A money column whose name includes a currency is recognized only if no other column is named after the same
    field, and if the field is not in `taken`. For example, of "Amount" and "Amount (EUR)", only the first is read.

    "From" and "To" are the first and last day of service if the header contains both. A column named after a
    utility contains that utility's amounts, unless another column names the utility of each row.

    >>> fields_named(("Amount", "Amount (EUR)")), fields_named(("Date", "Amount (EUR)"))
    (('totalAmountDue', None), ('billDate', 'totalAmountDue'))
    >>> fields_named(("Von", "Bis", "Datum")), fields_named(("Von", "Datum"))
    (('servicePeriodStart', 'servicePeriodEnd', 'billDate'), (None, 'billDate'))
    >>> fields_named(("House", "Water", "Gas")), fields_named(("House", "Type", "Gas"))
    (('property', 'amount:WATER', 'amount:GAS'), ('property', 'utilityType', None))
    """
    names = [looked_for(name) for name in header]
    plain = _NAMES.named(header, (*IN_A_CURRENCY, CURRENCY))
    if not any(field in _SERVICE_DAYS for field in plain):
        pair = next((pair for pair in _FROM_TO if set(names).issuperset(pair)), ())
        for name, day in zip(pair, _SERVICE_DAYS, strict=False):
            plain[names.index(name)] = day
    there = {*plain, *taken} - {None}
    of_money = [None if (field := _of_money(name)) in there else field for name in header]
    of_utilities = [None if "utilityType" in there else amount_for(name) for name in header]
    return tuple(
        plain_field or other or third for plain_field, other, third in zip(plain, of_money, of_utilities, strict=True)
    )


def find_header(rows: Iterable[Row], known_in: KnownIn | None = None) -> int | None:
    """Find a table's header among its first rows: the row with the most column names.

    The result is None if no row is a header. `known_in` counts the known column names in a row; by default, it
    counts the columns of bills.
    """
    best, most = None, FEWEST_COLUMNS - 1
    for index, (_, cells) in zip(range(HEADER_WITHIN), rows, strict=False):
        known = (known_in or known_columns)(cells)
        if known > most:
            best, most = index, known
    return best


def known_columns(cells: Sequence[Cell]) -> int:
    """Count the distinct bill columns that a row names.

    Several columns named after utilities count as one column. A single column named after a utility does not count.

    >>> known_columns(("House", "Water", "Gas")), known_columns(("Maple Court", "Water"))
    (2, 0)
    """
    names = [cell for cell in cells if isinstance(cell, str)]
    is_wide = len({amount_for(name) for name in names} - {None}) > 1
    return len({field_named(name) for name in names} - {None}) + is_wide


def unread_columns(sheet: Sheet, how: HowRead) -> tuple[str, ...]:
    """List the names of the columns that are not read, as the file spells them."""
    return tuple(
        shown(name.strip()) for name, field in zip(sheet.header, how.fields, strict=True) if name.strip() and not field
    )


def columns_of(sheet: Sheet, how: HowRead) -> Columns:
    """Find each column's position, and the header's problems.

    The positions are None for an unusable header.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, field in enumerate(how.fields):
        if field:
            places[field].append(place)
    faults = []
    missing = [column for column in needed(how.fields) if column not in places and not how.fixed.get(column)]
    if missing:
        faults.append(f"The header lacks {listed(missing)}. Add what is missing.")
    for column in doubled(how.fields):
        same = [column, *(AMOUNT_FOR if column == "amounts" else ())]
        matching_places = [place for place, field in enumerate(how.fields) if field in same]
        names = listed([f"“{shown(sheet.header[place].strip())}”" for place in matching_places])
        faults.append(say("The columns {names} all mean {column}. Keep one of them.", names=names, column=column))
    problems = [RowProblem(sheet.header_line, None, " ".join(faults))] if faults else []
    problems.extend(
        RowProblem(
            sheet.header_line,
            None,
            say("The sheet “{name}” was not read. Choose it, or import it as a separate file.", name=shown(name)),
        )
        for name in sheet.unread
    )
    return Columns(None if faults else {column: its_places[0] for column, its_places in places.items()}, problems)


def listed(words: Sequence[str]) -> str:
    """Join words with commas and a final "and", for a sentence.

    >>> listed(["property", "issuerName", "billDate"])
    'property, issuerName and billDate'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
