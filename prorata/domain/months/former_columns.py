"""The columns of a former program's charges: property, unit, month and amount."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_currencies import may_be_in, without_currency
from prorata.domain.files.column_kinds import AMOUNTS, DAYS, EITHER, cells_of, has_header, kinds_of
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.column_names import CHARGE_COLUMNS, ColumnNames, utility_named
from prorata.domain.files.month_cells import read_billing_month
from prorata.domain.files.number_formats import Form, date_form, decimal_form
from prorata.domain.files.row_words import begins_as_sum
from prorata.domain.files.sheets import FEWEST_COLUMNS, Sheet
from prorata.domain.limits import MOST_FORMER_CHARGE_ROWS
from prorata.domain.problems import shown
from prorata.domain.properties.house_rows import Housed, Taken, housed
from prorata.domain.texts import Count, Text, joined, say

PROPERTY, UNIT, TENANT, MONTH, UTILITY, AMOUNT = "property", "unit", "tenant", "month", "utility", "amount"
_NAMES = ColumnNames(CHARGE_COLUMNS, whole=(AMOUNT,))
FIELDS = _NAMES.fields
FIELD_NAMES = {
    PROPERTY: say("Property"),
    UNIT: say("Unit"),
    TENANT: say("Tenant"),
    MONTH: say("Month, or a day of it"),
    UTILITY: say("Utility"),
    AMOUNT: say("What it was charged"),
}
"""The display names of the fields.

Several columns may contain amounts, such as one for each utility; their amounts are added up.
"""
FIXABLE = (PROPERTY, MONTH)
"""The fields that may have one value for all rows when no column contains them."""
OF_CHARGES = "charges of before"
"""The mark that distinguishes remembered columns of such files from those of other files.

Both files may have the same columns.
"""
_AS_OF_UNITS = {PROPERTY: "property", UNIT: "label", TENANT: "tenantName", AMOUNT: "monthlyRent"}
_LACKS = say("No column is set as “{field}”. Choose the one that contains it.")
_TWICE = say("Several columns are set as “{field}”. Keep one of them.")
_ONE_COLUMN = say("There is only one column. At least two are needed: the units, and what each was charged.")
_TOO_LONG = say(
    "The table has more than {most} rows. Import it in parts, such as one year at a time.",
    most=Count(MOST_FORMER_CHARGE_ROWS),
)

Customs = tuple[str, str]
"""A property's country and currency."""


class Understood(NamedTuple):
    """A file as understood: its columns' meanings, fixed values and formats, and open questions.

    Open questions are the `missing` fields, which no column has, and the `doubled` ones, which several columns may
    have. If no row names the columns and nobody has chosen their meanings, those given are only proposed
    (`is_proposed`) and need confirmation. `words` are the meanings of property names. `taken` are the rows without
    a property, which take that of a row above.
    """

    sheet: Sheet
    fields: tuple[str | None, ...]
    fixed: Mapping[str, str]
    amounts: Form
    dates: Form
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    is_proposed: bool = False
    words: Mapping[str, str] = {}
    taken: tuple[Taken, ...] = ()

    @property
    def is_open(self) -> bool:
        """True if somebody has to answer a question before the file's rows can be read."""
        is_asked = "asked" in (self.amounts.how, self.dates.how)
        return bool(self.missing or self.doubled or self.is_proposed or is_asked)

    @property
    def refusal(self) -> Text:
        """Explain why the chosen columns don't suffice, in sentences; empty if they do."""
        lacks = [_LACKS.format(field=FIELD_NAMES[field]) for field in self.missing]
        return joined([*lacks, *(_TWICE.format(field=FIELD_NAMES[field]) for field in self.doubled)])

    @property
    def unread(self) -> tuple[str, ...]:
        """The columns that are not read, as the file names them."""
        pairs = zip(self.sheet.header, self.fields, strict=True)
        return tuple(shown(name.strip()) for name, field in pairs if name.strip() and not field)


def understood(
    sheet: Sheet,
    said: ColumnMapping | None,
    customs: Collection[Customs],
    given: Mapping[str, str] | None = None,
) -> Understood:
    """Understand a file by the chosen mapping, or by column names, or by contents.

    `said` is the chosen mapping. `customs` are the countries and currencies of the properties that the file may be
    about. If no column has the total charged, the columns of utilities are added up. `given` applies to every row
    unless a column or somebody's choice overrides it.

    >>> sheet = Sheet(("Apt", "Name", "Water", "Strom"), ((2, ("1A", "Ann", "5", "7")),))
    >>> found = understood(sheet, None, [("US", "USD")], {"property": "prop_1"})
    >>> found.fields, found.missing
    (('unit', 'tenant', 'amount', 'amount'), ('month',))
    """
    is_pair = len(sheet.header) == FEWEST_COLUMNS
    is_proposed = said is None and not has_header(sheet) and not is_pair
    currencies = {currency for _, currency in customs}
    if said is not None:
        fields = tuple(_one_of_fields(said.fields.get(key)) for key in keys_of(sheet.header))
    elif has_header(sheet):
        fields = _named(sheet.header, currencies)
    else:
        fields = (UNIT, AMOUNT) if is_pair else _proposed(sheet)
    there = Counter(filter(None, fields))
    fixed = {**(given or {}), **{field: value for field, value in (said.fixed if said else {}).items() if value}}
    fixed = {field: value for field, value in fixed.items() if field in FIXABLE and field not in there}
    countries = sorted({country for country, _ in customs})
    several = [
        field for field in FIELDS if there[field] > 1 and (field != AMOUNT or not (said or _is_wide(sheet, fields)))
    ]
    of_houses = _housed(sheet, fields)
    return Understood(
        of_houses.sheet,
        fields,
        fixed,
        decimal_form(_cells(sheet, fields, AMOUNT), countries, said.decimal if said else ""),
        date_form(_days(sheet, fields), countries, said.dates if said else ""),
        tuple(_missing(there, fixed)),
        tuple(several),
        is_proposed,
        said.words.get(PROPERTY, {}) if said else {},
        of_houses.taken,
    )


def _housed(sheet: Sheet, fields: Sequence[str | None]) -> Housed:
    """Give each row but sums the property that a row above names, as in a table of units."""
    if not {PROPERTY, UNIT} <= set(fields):
        return Housed(sheet)
    sums = {line for line, cells in sheet.rows if any(map(begins_as_sum, cells))}
    header = tuple(_AS_OF_UNITS.get(field or "", "") for field in fields)
    found = housed(sheet._replace(header=header), is_of_many=False, skipped=sums)
    there = dict(found.sheet.rows)
    rows = tuple((line, there.get(line, cells)) for line, cells in sheet.rows if line in there or line in sums)
    return found._replace(sheet=sheet._replace(rows=rows))


def known_columns(cells: Sequence[Cell]) -> int:
    """Count the distinct columns that a row names; all columns of amounts count as one.

    A column of a utility, such as "Water", is a column of amounts.

    >>> [known_columns(row) for row in (("Apt.", "Tenant", "Amount due"), ("1A", "80.10"), ("Whg.", "Wasser", "Gas"))]
    [3, 0, 2]
    """
    names = [name for name in cells if isinstance(name, str)]
    return len({AMOUNT if _of_money(name) else _NAMES.field(name) for name in names} - {None})


def why_none(sheet: Sheet) -> Text | None:
    """Explain why a table can't contain charges: one column, or too many rows."""
    if len(sheet.header) < FEWEST_COLUMNS:
        return _ONE_COLUMN
    return _TOO_LONG if len(sheet.rows) > MOST_FORMER_CHARGE_ROWS else None


def _one_of_fields(field: str | None) -> str | None:
    return field if field in FIELDS else None


def _missing(there: Mapping[str, int], fixed: Mapping[str, str]) -> list[str]:
    """The required fields that neither a column (`there`) nor a fixed value supplies.

    A column of tenants' names can replace that of units.
    """
    has_unit = there.get(UNIT) or there.get(TENANT)
    lacks = [] if has_unit else [UNIT]
    lacks += [field for field in FIXABLE if not there.get(field) and field not in fixed]
    return [*lacks, *([] if there.get(AMOUNT) else [AMOUNT])]


def _cells(sheet: Sheet, fields: Sequence[str | None], wanted: str) -> list[tuple[int, Cell]]:
    places = [place for place, field in enumerate(fields) if field == wanted]
    return [(line, cells[place]) for line, cells in sheet.rows for place in places if place < len(cells)]


def _days(sheet: Sheet, fields: Sequence[str | None]) -> list[tuple[int, Cell]]:
    """The cells of the month column that contain a day."""
    return [
        (line, cell) for line, cell in _cells(sheet, fields, MONTH) if isinstance(cell, str) and not _is_month(cell)
    ]


def _is_month(cell: Cell) -> bool:
    try:
        read_billing_month(cell)
    except Unclear:
        return False
    return True


def _named(header: Sequence[str], currencies: Collection[str]) -> tuple[str | None, ...]:
    """The meanings of columns by their names; None for columns that are not read.

    A column of amounts is read only if it may be in one of the `currencies`. Columns of utilities are not read if
    another column has their sum.
    """
    known = _NAMES.named(header, (UNIT, AMOUNT))
    fields = [
        (AMOUNT if any(may_be_in(name, currency) for currency in currencies) else None) if _of_money(name) else field
        for name, field in zip(header, known, strict=True)
    ]
    has_sum = any(field == AMOUNT and not _is_utility(name) for name, field in zip(header, fields, strict=True))
    return tuple(
        None if field == AMOUNT and has_sum and _is_utility(name) else field
        for name, field in zip(header, fields, strict=True)
    )


def _of_money(name: str) -> bool:
    return AMOUNT in (_NAMES.field(without_currency(name)), _NAMES.field(name)) or _is_utility(name)


def _is_utility(name: str) -> bool:
    return utility_named(without_currency(name)) != ""


def _is_wide(sheet: Sheet, fields: Sequence[str | None]) -> bool:
    """True if all columns of amounts are for utilities."""
    return all(_is_utility(name) for name, field in zip(sheet.header, fields, strict=True) if field == AMOUNT)


def _proposed(sheet: Sheet) -> tuple[str | None, ...]:
    """Propose meanings for columns without names, by their contents.

    The first column with only distinct values has the units, and the last with amounts has the charges.

    >>> rows = [(1, ("1A", "Ann Lee", "700", "80.10")), (2, ("1B", "Bo Chen", "850", "74.25"))]
    >>> _proposed(Sheet(("1", "2", "3", "4"), tuple(rows), 0))
    ('unit', None, None, 'amount')
    """
    kinds = kinds_of(sheet)
    amounts = [place for place, kind in enumerate(kinds) if kind == AMOUNTS]
    amounts = amounts or [place for place, kind in enumerate(kinds) if kind == EITHER and cells_of(sheet, place)]
    units = [
        place
        for place, kind in enumerate(kinds)
        if kind not in (AMOUNTS, DAYS) and place not in amounts[-1:] and _all_different(sheet, place)
    ]
    fields = dict.fromkeys(amounts[-1:], AMOUNT) | dict.fromkeys(units[:1], UNIT)
    return tuple(fields.get(place) for place in range(len(kinds)))


def _all_different(sheet: Sheet, place: int) -> bool:
    texts = [str(cell).strip() for cell in cells_of(sheet, place)]
    return bool(texts) and len(set(texts)) == len(texts)
