"""The columns of a spreadsheet of what the old way charged: which has the units, and which the amounts."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from prorata.domain.files.cells import Cell
from prorata.domain.files.column_currencies import may_be_in, without_currency
from prorata.domain.files.column_kinds import AMOUNTS, DAYS, EITHER, cells_of, has_header, kinds_of
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, spelled
from prorata.domain.files.number_formats import Form, decimal_form
from prorata.domain.files.sheets import FEWEST_COLUMNS, Sheet
from prorata.domain.limits import MOST_FORMER_CHARGE_ROWS
from prorata.domain.texts import joined, say
from prorata.domain.utility_names import UTILITY_TYPES, type_named

UNIT, AMOUNT = "unit", "amount"
FIELDS = (UNIT, AMOUNT)
FIELD_NAMES = {UNIT: say("Unit"), AMOUNT: say("What it was charged")}
"""What people call them. Several columns may have amounts, such as one for each utility: they are added up."""
OF_CHARGES = "charges of before"
"""What tells what is remembered of such files from what is of others with the same columns."""
_UNIT = frozenset(
    (
        *("unit", "label", "unitlabel", "unitname", "unitnumber", "unitno", "apartment", "apt", "aptnumber", "flat"),
        *("number", "id", "unitid", "wohnung", "whg", "einheit", "vivienda", "unidad", "piso", "logement"),
        "appartement",
    )
)
_AMOUNT = frozenset(
    (
        *(
            "amount",
            "total",
            "charge",
            "charged",
            "totalcharge",
            "billed",
            "due",
            "amountdue",
            "invoice",
            "sum",
            "cost",
        ),
        *("betrag", "summe", "importe", "cantidad", "montant"),
    )
)
_UTILITIES = frozenset(
    (
        *(
            "heat",
            "heating",
            "hotwater",
            "coldwater",
            "strom",
            "wasser",
            "kaltwasser",
            "warmwasser",
            "abwasser",
            "müll",
        ),
        *("heizung", "müllabfuhr", "luz", "electricidad", "agua", "alcantarillado", "basura", "calefacción", "eau"),
        *("électricité", "gaz", "chauffage", "assainissement", "ordures"),
    )
)
"""What columns of utilities are called beside their names in English."""
_NO_UNIT_SAID = say("No column is said to have the units. Choose the one that has them.")
_NO_AMOUNT_SAID = say("No column is said to have what was charged. Choose the one that has it.")
_TWO_UNITS = say("Several columns are said to have the units. Keep one of them.")
_ONE_COLUMN = say("This is one column alone. Bring two at least: the units, and what each was charged.")
_TOO_LONG = say(
    "The table has more than {most} rows. Bring those of one property.", most=f"{MOST_FORMER_CHARGE_ROWS:,}"
)


class Understood(NamedTuple):
    """A file as it is read: what each column means, how amounts are written, and what has to be said first: fields that
    no column has, and those that several columns may have. Where no row names its columns and nobody has said what
    they are, that `is_proposed`.
    """

    sheet: Sheet
    fields: tuple[str | None, ...]
    amounts: Form
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    is_proposed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether somebody has to say something before its rows can be read."""
        return bool(self.missing or self.doubled or self.is_proposed or self.amounts.how == "asked")

    @property
    def refusal(self) -> str:
        """Why nothing can be read by what was said of the columns, in sentences; empty where it can."""
        lacks = {UNIT: _NO_UNIT_SAID, AMOUNT: _NO_AMOUNT_SAID}
        return joined([*(lacks[field] for field in self.missing), *([_TWO_UNITS] if UNIT in self.doubled else [])])

    @property
    def decimal(self) -> str:
        """The mark before decimals; empty where each amount is read as the country writes it."""
        return "" if self.amounts.how == "asked" else self.amounts.value


def understood(sheet: Sheet, said: ColumnMapping | None, *, country: str, currency: str) -> Understood:
    """How a file is read: as somebody said, else by the names of its columns, else by what stands in them. Where no
    column has what was charged in all, those of utilities are added up.

    >>> sheet = Sheet(("Apt", "Name", "Water", "Strom"), ((2, ("1A", "Ann", "5", "7")),))
    >>> understood(sheet, None, country="US", currency="USD").fields
    ('unit', None, 'amount', 'amount')
    """
    is_pair = len(sheet.header) == FEWEST_COLUMNS
    is_proposed = said is None and not has_header(sheet) and not is_pair
    if said is not None:
        fields = tuple(_one_of_fields(said.fields.get(key)) for key in keys_of(sheet.header))
    elif has_header(sheet):
        fields = _named(sheet.header, currency)
    else:
        fields = FIELDS if is_pair else _proposed(sheet)
    there = Counter(filter(None, fields))
    of_money = [place for place, field in enumerate(fields) if field == AMOUNT]
    cells = ((line, cells[place]) for line, cells in sheet.rows for place in of_money if place < len(cells))
    amounts = decimal_form(cells, [country], said.decimal if said else "")
    several = [
        field for field in FIELDS if there[field] > 1 and (field == UNIT or not (said or _is_wide(sheet, fields)))
    ]
    missing = tuple(field for field in FIELDS if not there[field])
    return Understood(sheet, fields, amounts, missing, tuple(several), is_proposed)


def known_columns(cells: Sequence[Cell]) -> int:
    """How many of the two columns a row of cells names; those of utilities have amounts.

    >>> [known_columns(row) for row in (("Apt.", "Tenant", "Amount due"), ("1A", "80.10"), ("Whg.", "Wasser", "Gas"))]
    [2, 0, 2]
    """
    names = [name for name in cells if isinstance(name, str)]
    return any(spelled(name) in _UNIT for name in names) + any(_of_money(name) for name in names)


def why_none(sheet: Sheet) -> str | None:
    """Why a table can't be one of charges: it has one column, or too many rows."""
    if len(sheet.header) < FEWEST_COLUMNS:
        return _ONE_COLUMN
    return _TOO_LONG if len(sheet.rows) > MOST_FORMER_CHARGE_ROWS else None


def _one_of_fields(field: str | None) -> str | None:
    return field if field in FIELDS else None


def _named(header: Sequence[str], currency: str) -> tuple[str | None, ...]:
    """What columns mean by their names. Amounts in another currency are none; nor are utilities beside their sum."""
    fields = [
        UNIT if spelled(name) in _UNIT else AMOUNT if _of_money(name) and may_be_in(name, currency) else None
        for name in header
    ]
    has_sum = any(field == AMOUNT and not _is_utility(name) for name, field in zip(header, fields, strict=True))
    return tuple(
        None if field == AMOUNT and has_sum and _is_utility(name) else field
        for name, field in zip(header, fields, strict=True)
    )


def _of_money(name: str) -> bool:
    return spelled(without_currency(name)) in _AMOUNT or spelled(name) in _AMOUNT or _is_utility(name)


def _is_utility(name: str) -> bool:
    plain = without_currency(name)
    return type_named(plain) in UTILITY_TYPES or spelled(plain) in _UTILITIES


def _is_wide(sheet: Sheet, fields: Sequence[str | None]) -> bool:
    """Whether all columns of amounts are those of utilities."""
    return all(_is_utility(name) for name, field in zip(sheet.header, fields, strict=True) if field == AMOUNT)


def _proposed(sheet: Sheet) -> tuple[str | None, ...]:
    """What columns without names may mean, by what stands in them: the first whose texts are all different has the
    units, and the last that has amounts what was charged.

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
    found = dict.fromkeys(amounts[-1:], AMOUNT) | dict.fromkeys(units[:1], UNIT)
    return tuple(found.get(place) for place in range(len(kinds)))


def _all_different(sheet: Sheet, place: int) -> bool:
    texts = [str(cell).strip() for cell in cells_of(sheet, place)]
    return bool(texts) and len(set(texts)) == len(texts)
