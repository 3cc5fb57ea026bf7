"""The columns of payment files: their names in the files of banks and accounting programs.

A file may have several columns of money, such as one for incoming and one for outgoing payments.
"""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from prorata.domain.files.cell_values import figures_of
from prorata.domain.files.cells import Cell
from prorata.domain.files.column_currencies import is_currency, may_be_in, without_currency
from prorata.domain.files.column_kinds import (
    AMOUNTS,
    DAYS,
    EITHER,
    TEXTS,
    cells_of,
    has_header,
    is_day,
    kinds_of,
)
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.column_names import PAYMENT_COLUMNS, ColumnNames
from prorata.domain.files.sheets import FEWEST_COLUMNS, Sheet
from prorata.domain.payments.directions import is_below_zero
from prorata.domain.texts import say

MONEY_FIELDS = ("amount", "received", "paidOut")
_NAMES = ColumnNames(PAYMENT_COLUMNS, whole=MONEY_FIELDS)
FIELDS = _NAMES.fields
"""The fields of a payment that a file may contain, in the order people expect."""
FIELD_NAMES = {
    "date": say("Day"),
    "amount": say("Amount, below zero where money went out"),
    "received": say("Money that came in"),
    "paidOut": say("Money that went out"),
    "name": say("Who paid"),
    "text": say("What it says"),
    "reference": say("Reference"),
    "invoice": say("Invoice number"),
    "currency": say("Currency"),
    "direction": say("Whether it came or went: credit or debit"),
}
"""The display names of the fields."""
OF_PAYMENTS = "a file of payments"
"""The mark that distinguishes remembered columns of payment files from those of other files.

Both kinds of files may have the same column names.
"""
_NO_ROWS = say("This file has no payments below its header. Export it again with a row for each payment.")
_ONE_COLUMN = say("This file has only one column. A payment needs a date and an amount, each in a separate column.")
_NO_DAYS = say(
    "No column of this file contains dates, so no payments can be read. Export it again with the date of each payment."
)

SEVERAL = ("text", "reference", "name")
"""The fields that several columns may contain together."""


def field_named(name: str) -> str | None:
    """Return the field that a column name means; the name may contain a currency.

    >>> field_named("Booking Date"), field_named("Verwendungszweck"), field_named("Balance") is None
    ('date', 'text', True)
    >>> field_named("Betrag (EUR)"), field_named("Débit euros"), field_named("USD Date") is None
    ('amount', 'paidOut', True)
    """
    field = _NAMES.field(name)
    if field is not None:
        return field
    field = _NAMES.field(without_currency(name))
    return field if field in MONEY_FIELDS else None


def proposed_for(sheet: Sheet) -> tuple[str | None, ...]:
    """Propose meanings for the columns of a file without a header, by contents.

    The proposed columns are the first column of days, a column of amounts that is not a running balance, the first
    column of currencies and, among the other columns of texts, the one with the longest texts.

    >>> rows = [(1, ("1", "03/05/2026", "45.00", "145.00", "Ann Lee MAPLE-1-2026-02", "ANN LEE", "USD")),
    ...         (2, ("2", "03/06/2026", "-9.90", "135.10", "account fee for March", "BANK", "USD"))]
    >>> proposed_for(Sheet(tuple("1234567"), tuple(rows), 0))
    (None, 'date', 'amount', None, 'text', None, 'currency')
    """
    kinds = kinds_of(sheet)
    texts = {place: [str(cell).strip() for cell in cells_of(sheet, place)] for place in range(len(kinds))}
    fields: dict[int, str] = {}
    if DAYS in kinds:
        fields[kinds.index(DAYS)] = "date"
    amounts = [place for place, kind in enumerate(kinds) if kind == AMOUNTS]
    amounts = amounts or [place for place, kind in enumerate(kinds) if kind == EITHER and texts[place]]
    money = [
        place for place in amounts if len(texts[place]) == len(sheet.rows) and not _is_balance(sheet, place, amounts)
    ]
    if len(money) == 1:
        fields[money[0]] = "amount"
    words = {place: its for place, its in texts.items() if kinds[place] == TEXTS}
    currencies = [place for place, its in words.items() if all(map(is_currency, its))]
    fields |= dict.fromkeys(currencies[:1], "currency")
    lengths = {place: sum(map(len, its)) for place, its in words.items() if place not in currencies}
    if lengths:
        fields[max(lengths, key=lengths.__getitem__)] = "text"
    return tuple(fields.get(place) for place in range(len(kinds)))


def _is_balance(sheet: Sheet, place: int, amounts: Sequence[int]) -> bool:
    """True if a column is the running sum of another column, downward or upward."""
    own = [_figure(cells, place) for _, cells in sheet.rows]
    for other in amounts:
        steps = [_figure(cells, other) for _, cells in sheet.rows] if other != place else []
        pairs = list(pairwise(own))
        down = [after - before for before, after in pairs] == steps[1:]
        up = [before - after for before, after in pairs] == steps[:-1]
        if steps and pairs and (down or up):
            return True
    return False


def _figure(cells: Sequence[Cell], place: int) -> Decimal:
    """Read an amount by its digits alone, ignoring the decimal mark, for checking sums."""
    cell = cells[place] if place < len(cells) else None
    if isinstance(cell, str):
        figures = "".join(figure for figure in figures_of(cell) if figure.isdigit())
        return Decimal(figures or 0) * (-1 if is_below_zero(cell) else 1)
    return cell if isinstance(cell, Decimal) else Decimal(0)


def known_columns(cells: Sequence[Cell]) -> int:
    """Count the fields of a payment file that a row names as a header would."""
    return len({field_named(cell) for cell in cells if isinstance(cell, str)} - {None})


def fields_of(sheet: Sheet, mapping: ColumnMapping | None, currency: str) -> tuple[str | None, ...]:
    """Determine the meaning of each column: as chosen, by name, or by contents.

    Contents are used only in a file without a header. If the names of several columns mean a date or a currency, the
    first of these columns is used. Columns of money whose names give a currency other than the account's are left out
    if there are other columns of money. Otherwise they are used, and each of their rows is a problem.
    """
    if not has_header(sheet):
        chosen = (mapping.fields.get(key) for key in sheet.header) if mapping else proposed_for(sheet)
        return tuple(field if field in FIELDS else None for field in chosen)
    keys, fields = keys_of(sheet.header), list[str | None]()
    for key, name in zip(keys, sheet.header, strict=True):
        field = mapping.fields.get(key) if mapping else None
        if field is None:
            field = field_named(name)
            fields.append(None if field in ("date", "currency") and field in fields else field)
        else:
            fields.append(field if field in FIELDS else None)
    of_money = [place for place, field in enumerate(fields) if field in MONEY_FIELDS]
    foreign = [place for place in of_money if currency and not may_be_in(sheet.header[place], currency)]
    if len(foreign) < len(of_money):
        for place in foreign:
            if mapping is None or keys[place] not in mapping.fields:
                fields[place] = None
    return tuple(fields)


def why_none(sheet: Sheet) -> str | None:
    """Explain why a table can't contain payments; None if it can.

    It can't if it has no rows, or if it has no header and either a single column or no days.
    """
    if not sheet.rows:
        return _NO_ROWS
    if has_header(sheet):
        return None
    if len(sheet.header) < FEWEST_COLUMNS:
        return _ONE_COLUMN
    return None if any(is_day(cell) for _, cells in sheet.rows for cell in cells) else _NO_DAYS
