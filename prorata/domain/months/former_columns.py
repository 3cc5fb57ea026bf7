"""The columns of a former program's charges: property, unit, month and amount."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_currencies import may_be_in, without_currency
from prorata.domain.files.column_kinds import AMOUNTS, DAYS, EITHER, cells_of, has_header, kinds_of
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.column_names import CHARGE_COLUMNS, ColumnNames
from prorata.domain.files.month_cells import read_billing_month
from prorata.domain.files.number_formats import Form, date_form, decimal_form
from prorata.domain.files.row_words import begins_as_sum
from prorata.domain.files.sheets import FEWEST_COLUMNS, Sheet, names_of
from prorata.domain.limits import MOST_FORMER_CHARGE_ROWS
from prorata.domain.months.amount_headings import (
    Heading,
    is_amount,
    is_year,
    months_named,
    utility_of,
    with_year,
    year_above,
)
from prorata.domain.problems import shown
from prorata.domain.properties.house_rows import Housed, Taken, housed
from prorata.domain.texts import Count, Text, joined, say
from prorata.domain.utility_names import UTILITY_NAMES, UTILITY_TYPES

PROPERTY, UNIT, TENANT, MONTH, UTILITY, AMOUNT = "property", "unit", "tenant", "month", "utility", "amount"
_NAMES = ColumnNames(CHARGE_COLUMNS, whole=(AMOUNT,))
_AMOUNTS_FOR = {f"{AMOUNT}:{kind}": kind for kind in UTILITY_TYPES}
"""The fields for columns that contain the amounts for one utility."""
OF_MONEY = (AMOUNT, *_AMOUNTS_FOR)
FIELDS = (*_NAMES.fields, *_AMOUNTS_FOR)
_CHARGED_FOR = say("Charged: {utility}")
FIELD_NAMES = {
    PROPERTY: say("Property"),
    UNIT: say("Unit"),
    TENANT: say("Tenant"),
    MONTH: say("Month, or a day of it"),
    UTILITY: say("Utility"),
    AMOUNT: say("What it was charged"),
    **{field: _CHARGED_FOR.format(utility=UTILITY_NAMES[kind]) for field, kind in _AMOUNTS_FOR.items()},
}
"""The display names of the fields.

Several columns may contain amounts, such as one for each utility or month.
"""
YEAR = "year"
"""The field for the year of columns that are named after months without a year."""
_NEEDED = (PROPERTY, MONTH)
FIXABLE = (*_NEEDED, YEAR)
"""The fields that may have one value for all rows when no column contains them."""
OF_CHARGES = "charges of before"
"""The mark that distinguishes remembered columns of files of charges from those of other files.

Both kinds of files may have the same column names.
"""
_AS_OF_UNITS = {PROPERTY: "property", UNIT: "label", TENANT: "tenantName", AMOUNT: "monthlyRent"}
_LACKS = say("No column is set as “{field}”. Choose the one that contains it.")
_NO_YEAR = say("Enter the year of the columns that are named after months, such as 2025.")
_TWICE = say("Several columns are set as “{field}”. Keep one of them.")
_ONE_COLUMN = say("There is only one column. At least two are needed: the units, and what each was charged.")
TOO_LONG = say(
    "The table has more than {most} rows or charges. Import it in parts, such as one year at a time.",
    most=Count(MOST_FORMER_CHARGE_ROWS),
)

Customs = tuple[str, str]
"""A property's country and currency."""


class Understood(NamedTuple):
    """The meanings of a file's columns, its fixed values and formats, and the open questions.

    The open questions are about the `missing` fields, which no column has, and the `doubled` fields, which several
    columns may have. `is_proposed` is set if no header row names the columns and nobody has chosen their meanings:
    the `fields` are then only proposed, and a person must confirm them. `words` maps names in the file to the
    properties that a person chose for them. `taken` are the rows without a property, which belong to the property
    named in a row higher up.
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
    headings: Mapping[int, Heading] = {}
    """The columns of amounts whose names are months or utilities, by position."""
    likely_year: str = ""

    @property
    def meanings(self) -> tuple[str | None, ...]:
        """The fields of the columns, in which a column of amounts also has its utility."""
        utilities = {place: heading.utility for place, heading in self.headings.items() if heading.utility}
        return tuple(f"{field}:{utilities[at]}" if at in utilities else field for at, field in enumerate(self.fields))

    @property
    def months(self) -> tuple[str, ...]:
        """The months after which columns are named, in the order of the columns."""
        return tuple(dict.fromkeys(heading.month for heading in self.headings.values() if heading.month))

    @property
    def utilities(self) -> tuple[str, ...]:
        """The names, as in the file, of the columns that are named after a utility."""
        return tuple(shown(self.sheet.header[place].strip()) for place, its in self.headings.items() if its.utility)

    @property
    def is_open(self) -> bool:
        """True if somebody has to answer a question before the file's rows can be read."""
        is_asked = "asked" in (self.amounts.how, self.dates.how)
        return bool(self.missing or self.doubled or self.is_proposed or is_asked)

    @property
    def refusal(self) -> Text:
        """Explain why the chosen columns don't suffice, in sentences; empty if they do."""
        lacks = [_NO_YEAR if field == YEAR else _LACKS.format(field=FIELD_NAMES[field]) for field in self.missing]
        return joined([*lacks, *(_TWICE.format(field=FIELD_NAMES[field]) for field in self.doubled)])

    @property
    def unread(self) -> tuple[str, ...]:
        """The names, as in the file, of the columns that are not read."""
        pairs = zip(self.sheet.header, self.fields, strict=True)
        return tuple(shown(name.strip()) for name, field in pairs if name.strip() and not field)


def understood(
    sheet: Sheet,
    said: ColumnMapping | None,
    customs: Collection[Customs],
    given: Mapping[str, str] | None = None,
) -> Understood:
    """Determine the meanings of a file's columns: as chosen, by name, or by contents.

    `customs` are the countries and currencies of the properties that the file may name. A column of amounts may be
    named after its month or its utility. If columns are named after utilities, and another column has their sum,
    only this column is read. If columns are named after months, a column with their sum is not read. The values in
    `given` apply to every row unless a column, or a person's choice, gives other values.

    >>> sheet = Sheet(("Apt", "Name", "Water", "Strom"), ((2, ("1A", "Ann", "5", "7")),))
    >>> found = understood(sheet, None, [("US", "USD")], {"property": "prop_1"})
    >>> found.fields, found.missing
    (('unit', 'tenant', 'amount', 'amount'), ('month',))
    >>> said = ColumnMapping({"apt": "unit", "name": "amount:GAS", "strom": "amount"})
    >>> understood(sheet, said, [("US", "USD")]).meanings
    ('unit', 'amount:GAS', None, 'amount:ELECTRICITY')
    """
    is_pair, meanings = len(sheet.header) == FEWEST_COLUMNS, list[str]()
    is_proposed = said is None and not has_header(sheet) and not is_pair
    currencies = {currency for _, currency in customs}
    if said is not None:
        meanings = [said.fields.get(key, "") for key in keys_of(sheet.header)]
        fields = tuple(_one_of_fields(meaning) for meaning in meanings)
    elif has_header(sheet):
        fields = _named(sheet.header, currencies)
    else:
        fields = (UNIT, AMOUNT) if is_pair else _proposed(sheet)
    there = Counter(filter(None, fields))
    fixed = {**(given or {}), **{field: value for field, value in (said.fixed if said else {}).items() if value}}
    fixed = {field: value for field, value in fixed.items() if field in FIXABLE and field not in there}
    countries = sorted({country for country, _ in customs})
    year = fixed.get(YEAR, "") or year_above(sheet)
    utilities = {place: _AMOUNTS_FOR[meaning] for place, meaning in enumerate(meanings) if meaning in _AMOUNTS_FOR}
    headings = _headings(sheet, fields, year if is_year(year) else "", utilities)
    is_wide = bool(said) or len(headings) == there[AMOUNT]
    several = [field for field in _NAMES.fields if there[field] > 1 and not (field == AMOUNT and is_wide)]
    of_houses = _housed(sheet, fields)
    return Understood(
        of_houses.sheet,
        fields,
        fixed,
        decimal_form(_cells(sheet, fields, AMOUNT), countries, said.decimal if said else ""),
        date_form(_days(sheet, fields), countries, said.dates if said else ""),
        tuple(_missing(there, fixed, headings)),
        tuple(several),
        is_proposed,
        said.words.get(PROPERTY, {}) if said else {},
        of_houses.taken,
        headings,
        (given or {}).get(MONTH, "")[:4],
    )


def _headings(
    sheet: Sheet, fields: Sequence[str | None], year: str, chosen: Mapping[int, str]
) -> dict[int, Heading]:  # fmt: skip
    """Find the months and utilities of columns of amounts.

    `chosen` maps positions to the utilities that a person chose; the others are in the columns' names. If `year` is
    empty, a month whose column name has no year is returned without one.
    """
    amounts = [place for place, field in enumerate(fields) if field == AMOUNT]
    months = {} if MONTH in fields or not has_header(sheet) else months_named(sheet.header)
    months = {place: month for place, month in months.items() if place in amounts}
    months = with_year(months, year) if year or not any(map(_is_bare, months.values())) else months
    utilities = {place: chosen.get(place) or utility_of(sheet.header[place]) for place in amounts}
    found = {place: Heading(months.get(place, ""), utilities[place]) for place in amounts}
    return {place: heading for place, heading in found.items() if any(heading)}


def _is_bare(month: str) -> bool:
    return month.startswith("-")


def _housed(sheet: Sheet, fields: Sequence[str | None]) -> Housed:
    """Give rows without a property, except sums, the property of a row higher up."""
    if not {PROPERTY, UNIT} <= set(fields):
        return Housed(sheet)
    sums = {line for line, cells in sheet.rows if any(map(begins_as_sum, cells))}
    header = tuple(_AS_OF_UNITS.get(field or "", "") for field in fields)
    found = housed(sheet._replace(header=header), is_of_many=False, skipped=sums)
    there = dict(found.sheet.rows)
    rows = tuple((line, there.get(line, cells)) for line, cells in sheet.rows if line in there or line in sums)
    return found._replace(sheet=sheet._replace(rows=rows))


def known_columns(cells: Sequence[Cell]) -> int:
    """Count the fields that a row names as a header would; amount columns count once.

    >>> [known_columns(row) for row in (("Apt.", "Tenant", "Amount due"), ("1A", "80.10"), ("Whg.", "Wasser", "Gas"))]
    [3, 0, 2]
    """
    names = names_of(cells)
    months = months_named(names)
    texts = [(place, name) for place, name in enumerate(names) if place in months or isinstance(cells[place], str)]
    fields = {AMOUNT if place in months or _of_money(name) else _NAMES.field(name) for place, name in texts}
    return len(fields - {None})


def why_none(sheet: Sheet) -> Text | None:
    """Explain why a table can't contain charges; None if it can.

    A table with only one column, or with too many rows, can't.
    """
    if len(sheet.header) < FEWEST_COLUMNS:
        return _ONE_COLUMN
    return TOO_LONG if len(sheet.rows) > MOST_FORMER_CHARGE_ROWS else None


def _one_of_fields(field: str | None) -> str | None:
    return AMOUNT if field in _AMOUNTS_FOR else field if field in FIELDS else None


def _missing(there: Mapping[str, int], fixed: Mapping[str, str], headings: Mapping[int, Heading]) -> list[str]:
    """Return the required fields that neither a column nor a fixed value gives.

    No column for the unit is required if there is one for the tenant, whose name also identifies the unit. No
    column for the month is required if every column of amounts is named after a month.
    """
    has_unit = there.get(UNIT) or there.get(TENANT)
    lacks = [] if has_unit else [UNIT]
    months = [heading.month for heading in headings.values() if heading.month]
    named = (MONTH,) if months and len(months) == there[AMOUNT] else ()
    lacks += [field for field in _NEEDED if not there.get(field) and field not in fixed and field not in named]
    lacks += [YEAR] if any(map(_is_bare, months)) else []
    return [*lacks, *([] if there.get(AMOUNT) else [AMOUNT])]


def _cells(sheet: Sheet, fields: Sequence[str | None], wanted: str) -> list[tuple[int, Cell]]:
    places = [place for place, field in enumerate(fields) if field == wanted]
    return [(line, cells[place]) for line, cells in sheet.rows for place in places if place < len(cells)]


def _days(sheet: Sheet, fields: Sequence[str | None]) -> list[tuple[int, Cell]]:
    """Return the month column's texts that aren't months, by line; they may be days."""
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
    """Find the meanings of columns by their names.

    Columns of amounts in a currency that no property has are skipped. Columns named after utilities are skipped if
    another column of amounts may be their sum. If some columns are named after months, every other column of
    amounts is skipped, because it may be their sum. A column that gives the month of each row is then skipped too.
    """
    months = months_named(header)
    known = _NAMES.named(header, (UNIT, AMOUNT))
    fields = [
        (AMOUNT if any(may_be_in(name, currency) for currency in currencies) else None)
        if place in months or _of_money(name)
        else field
        for place, (name, field) in enumerate(zip(header, known, strict=True))
    ]
    amounts = [place for place, field in enumerate(fields) if field == AMOUNT]
    kept = [place for place in amounts if place in months] or [
        place for place in amounts if not utility_of(header[place])
    ]
    skipped = set(amounts) - set(kept or amounts)
    if any(place in months for place in kept):
        skipped |= {place for place, field in enumerate(fields) if field == MONTH}
    return tuple(None if place in skipped else field for place, field in enumerate(fields))


def _of_money(name: str) -> bool:
    fields = _NAMES.field(without_currency(name)), _NAMES.field(name)
    return AMOUNT in fields or (not any(fields) and is_amount(name)) or bool(utility_of(name))


def _proposed(sheet: Sheet) -> tuple[str | None, ...]:
    """Propose meanings for columns without names, by their contents.

    The first column whose values are all distinct is proposed for the units, and the last column of amounts for the
    charges.

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
