"""A file of share rules, with one row per property and utility.

A file may instead have one row per property, and a column per utility.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import NamedTuple, Self, TypeVar

from prorata.domain.files.cell_values import read_text, read_types
from prorata.domain.files.cells import Cell, Priced, Unclear
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.column_names import RULE_COLUMNS, ColumnNames, utilities_named
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank, open_questions
from prorata.domain.labels import same
from prorata.domain.limits import LONGEST_METHOD_NAME, LONGEST_PROPERTY_CELL, MOST_PROPERTIES_IN_FILE
from prorata.domain.number_parsing import in_one_form, readings
from prorata.domain.problems import shown
from prorata.domain.properties.house_rows import Taken, housed
from prorata.domain.properties.property_names import KnownProperty, PropertyFinder
from prorata.domain.splitting.share_rules import Component, problems_of_blend
from prorata.domain.splitting.split_methods import CUSTOM, METHODS, Method, method_named, parts_named
from prorata.domain.texts import Count, listed, say
from prorata.domain.utility_names import UTILITY_NAMES, UTILITY_TYPES

PROPERTY, UTILITY, METHOD, OWNER, VACANT = "property", "utilityType", "splitMethod", "ownerPercent", "vacantOccupants"
_NAMES = ColumnNames(RULE_COLUMNS)
FIELDS = _NAMES.fields
_NEEDED = (PROPERTY, UTILITY, METHOD)
_METHOD_FOR = f"{METHOD}:"
METHODS_FOR: Mapping[str, str] = {f"{_METHOD_FOR}{kind}": kind for kind in UTILITY_TYPES}
"""The fields for columns whose cells are split methods for one utility.

A column for several utilities has the field `splitMethod:WATER,SEWER`.
"""
_ALL_RULES = MOST_PROPERTIES_IN_FILE * len(UTILITY_TYPES)
"""The number of rules, and so of rows, in the longest file: one for each property and utility."""
_NO_RULE = ("-", "–", "—")
OF_RULES = "share rules"
"""The mark that distinguishes remembered columns of such files from those of other files."""
_IN_PARTS = re.compile(r"[0-9]\s?[%/]")
"""The beginning of a share in a text that is meant as a blend, such as "50/50"."""
_HUNDRED = 100
_NO_METHOD = say(
    "This is not a way to divide. Enter one as Prorata shows it, such as “By floor area” or “Equal”, or the name "
    "of one of your own."
)
_NO_PARTS = say(
    "This is not a way to divide. Enter a blend with a percentage for each part, such as “50% by floor area / 50% by "
    "occupants”."
)
_ONE_RULE = say(
    "{names} are both billed as “{column}”, and Prorata has one rule for everything that is billed as “{column}” in a "
    "property. Enter the same rule for both, or choose another utility for one of them."
)
_NO_PERCENT = say("This is not a percentage from 0 to 100. Enter digits, such as 10.")
_NO_NUMBER = say("This is not a number of people. Enter digits, such as 1.")
_FRACTION = say(
    "This may be a part of 1 or a part of 100. Format the cell as text, and enter it with a percent sign, such as "
    "“10%”."
)

T = TypeVar("T")


class RuleTable(NamedTuple):
    """A table of share rules with the meanings of its columns, and the open questions.

    `fields` are the meanings of the columns, `missing` the required fields that no column has, and `doubled` the
    fields that several columns have. `taken` are the rows without a property, which belong to the property named
    in a row higher up.

    `source` is the table as it is in the file, and `meanings` are the meanings of its columns. If it has columns
    for utilities, each row of `sheet` was made from one cell of such a column.
    """

    sheet: Sheet
    fields: tuple[str, ...]
    missing: tuple[str, ...]
    doubled: tuple[str, ...]
    taken: tuple[Taken, ...]
    source: Sheet
    meanings: tuple[str, ...]

    @property
    def is_by_column(self) -> bool:
        """True if the file has columns for utilities."""
        return any(map(utilities_of, self.meanings))

    @property
    def is_open(self) -> bool:
        """True if somebody has to answer a question before the table's rows can be read."""
        return bool(self.missing or self.doubled)

    @property
    def problems(self) -> tuple[RowProblem, ...]:
        """The missing and the repeated columns of the table, as problems of its header."""
        return open_questions(self.sheet.header_line, self.missing, self.doubled)


class _ColumnName(str):
    """The name of a column for utilities, in a row made from its cell."""

    __slots__ = ("kinds",)
    kinds: tuple[str, ...]

    def __new__(cls, name: str, kinds: tuple[str, ...]) -> Self:
        """Create the name of a column whose cells are split methods for these utilities."""
        made = super().__new__(cls, name)
        made.kinds = kinds
        return made


class FileRule(NamedTuple):
    """A rule in a file; a value that the file omits is None.

    `own_method` is the id of one of the account's own split methods; `split_method` is then CUSTOM. If `new_parts` is
    not empty, they are the parts of a blend that the import adds, and `own_method` is its name.
    """

    line: int
    property_id: str
    utility_type: str
    split_method: Method
    own_method: str | None
    new_parts: frozenset[Component]
    owner_percent: Decimal | None
    vacant_occupants: Decimal | None

    @property
    def cells(self) -> tuple[str, ...]:
        """The rule as the cells of a file's row, in the order of `FIELDS`.

        The property, utility and split method are written as codes. `read_rules` reads the same rule from the row.
        """
        owner, vacant = ("" if value is None else str(value) for value in (self.owner_percent, self.vacant_occupants))
        return self.property_id, self.utility_type, self.own_method or self.split_method, owner and f"{owner}%", vacant


class OwnMethods(NamedTuple):
    """The ids of an account's own split methods.

    They are found by id or name, normalized by `same`, or by the parts of the blend.
    """

    by_name: Mapping[str, str] = {}
    by_parts: Mapping[frozenset[Component], str] = {}


class ReadRules(NamedTuple):
    """The rules of a file in the order of rows, and the file's problems."""

    rules: tuple[FileRule, ...]
    problems: tuple[RowProblem, ...]


def known_columns(cells: Sequence[Cell]) -> int:
    """Count the different fields of a share rule that a header row names.

    The columns named after utilities count as one column.

    >>> known_columns(("Objekt", "Kostenart", "Umlageschlüssel", "Notiz")), known_columns(("Objekt", "Wasser", "Gas"))
    (3, 2)
    """
    names = [cell for cell in cells if isinstance(cell, str)]
    return len({_NAMES.field(name) for name in names} - {None}) + bool(_of_utilities(names))


def utilities_of(field: str) -> tuple[str, ...]:
    """Return the utility types for which a column contains split methods; empty for other columns.

    >>> utilities_of("splitMethod:WATER,SEWER"), utilities_of("splitMethod"), utilities_of("splitMethod:RENT")
    (('WATER', 'SEWER'), (), ())
    """
    kinds = field.removeprefix(_METHOD_FOR).split(",")
    return tuple(kinds) if field.startswith(_METHOD_FOR) and all(kind in UTILITY_TYPES for kind in kinds) else ()


def fields_for(header: Sequence[str]) -> tuple[str, ...]:
    """List the fields that the columns of a file may contain."""
    return tuple(dict.fromkeys((*FIELDS, *METHODS_FOR, *_of_utilities(header).values())))


def _of_utilities(header: Sequence[str]) -> dict[int, str]:
    """Find the columns whose cells are split methods for the utilities in their names.

    A single such column counts only beside a column of properties, so that a rule is not taken for a header.
    """
    fields = {_NAMES.field(name) for name in header}
    named = {place: ",".join(kinds) for place, name in enumerate(header) if (kinds := utilities_named(name))}
    is_matrix = not {UTILITY, METHOD} & fields and len(named) + (PROPERTY in fields) > 1
    return {place: _METHOD_FOR + kinds for place, kinds in named.items()} if is_matrix else {}


def understood(sheet: Sheet, said: ColumnMapping | None) -> RuleTable:
    """Determine the meanings of a table's columns, by the chosen mapping or by their names.

    Columns with the split methods for utilities are converted into a row for each rule. An empty cell, or a dash, is no
    rule. The other columns are repeated in each row. Of a table that is too long, only as many rows are made as are
    needed to refuse it.

    >>> table = understood(Sheet(("Haus", "Kostenart", "Schlüssel"), ((2, ("Elm", "Wasser", "m²")),)), None)
    >>> table.fields, table.is_open
    (('property', 'utilityType', 'splitMethod'), False)
    >>> rows = ((2, ("Elm", "m²", "gleich", "–")), (3, ("Oak", "", "m²", "m²")))
    >>> table = understood(Sheet(("Haus", "Wasser", "Gas", "Lift"), rows), ColumnMapping({"lift": "splitMethod:OTHER"}))
    >>> table.fields, table.meanings[1:]
    (('property', 'utilityType', 'splitMethod'), ('splitMethod:WATER', 'splitMethod:GAS', 'splitMethod:OTHER'))
    >>> [cells for line, cells in table.sheet.rows if line == 2]
    [('Elm', 'Wasser', 'm²'), ('Elm', 'Gas', 'gleich')]
    """
    meanings = _meanings(sheet.header, said.fields if said else {})
    places = {place: kinds for place, field in enumerate(meanings) if (kinds := utilities_of(field))}
    table, fields = (_in_rows(sheet, places), _without(meanings, places)) if places else (sheet, meanings)
    there = Counter(filter(None, fields))
    as_of_units = tuple("label" if field == UTILITY else field for field in fields)  # a property's rows, as its units
    of_houses = housed(table._replace(header=as_of_units), is_of_many=False, is_told=True) if there[PROPERTY] else None
    return RuleTable(
        table._replace(rows=of_houses.sheet.rows) if of_houses else table,
        fields,
        tuple(field for field in _NEEDED if not there[field]),
        tuple(field for field, times in there.items() if times > 1),
        of_houses.taken if of_houses else (),
        sheet,
        meanings,
    )


def _meanings(header: Sequence[str], chosen: Mapping[str, str]) -> tuple[str, ...]:
    taken = set(chosen.values())
    for_utilities = {} if taken & {UTILITY, METHOD} else _of_utilities(header)
    own = [
        for_utilities.get(place) or (field if field not in taken else "")
        for place, field in enumerate(_NAMES.named(header))
    ]
    named = {key: field if field in FIELDS or utilities_of(field) else "" for key, field in chosen.items()}
    return tuple(named.get(key, field or "") for key, field in zip(keys_of(header), own, strict=True))


def _without(values: Sequence[str], places: Mapping[int, object]) -> tuple[str, ...]:
    """Replace columns at these places by one of utilities and one of split methods."""
    return (*(value for place, value in enumerate(values) if place not in places), UTILITY, METHOD)


def _in_rows(sheet: Sheet, places: Mapping[int, tuple[str, ...]]) -> Sheet:
    others = [place for place in range(len(sheet.header)) if place not in places]
    names = {place: _ColumnName(sheet.header[place].strip(), kinds) for place, kinds in places.items()}
    rows = (
        (line, (*(cells[at] if at < len(cells) else None for at in others), name, cells[place]))
        for line, cells in sheet.rows
        for place, name in names.items()
        if place < len(cells) and not is_blank(cells[place]) and str(cells[place]).strip() not in _NO_RULE
    )
    return sheet._replace(header=_without(sheet.header, places), rows=tuple(islice(rows, _ALL_RULES + 1)), above=())


def read_rules(
    table: RuleTable, houses: Sequence[KnownProperty], own_methods: OwnMethods, most_people: int
) -> ReadRules:
    """Read the rules of a table without open questions.

    `most_people` is the largest number of people that a rule may assume in a vacant unit. A row may name several
    utilities, such as "Water and sewer". A blend is named, or its parts are ("50% area / 50% people"), which may be
    those of a new blend.

    >>> table = understood(Sheet(("House", "Utility", "Split"), ((2, ("Elm", "Water & Sewer", "By people")),)), None)
    >>> house = KnownProperty("prop_1", "Elm", "", "US", "USD")
    >>> [rule[:4] for rule in read_rules(table, [house], OwnMethods(), 9).rules]
    [(2, 'prop_1', 'WATER', 'OCCUPANTS'), (2, 'prop_1', 'SEWER', 'OCCUPANTS')]
    """
    if len(table.sheet.rows) > _ALL_RULES:
        message = say("The table has more than {most} rows. Import it in parts.", most=Count(_ALL_RULES))
        return ReadRules((), (RowProblem(table.sheet.header_line, None, message),))
    reader = _Reader(table, PropertyFinder(houses), own_methods, most_people)
    for line, cells in table.sheet.rows:
        if any(not is_blank(cell) for cell in cells):
            reader.read(line, cells)
    if not reader.rules and not reader.problems:
        message = say("There are no rules below the header. Add a row for each property and utility.")
        reader.problems.append(RowProblem(table.sheet.header_line, None, message))
    return ReadRules(tuple(reader.rules.values()), tuple(dict.fromkeys(reader.problems)))


class _Reader:
    """The rules and problems of the rows read so far."""

    def __init__(self, table: RuleTable, finder: PropertyFinder, own_methods: OwnMethods, most_people: int) -> None:
        self.rules: dict[tuple[str, str], FileRule] = {}
        self.problems: list[RowProblem] = []
        self._columns: dict[tuple[str, str], str] = {}
        self._places = {field: place for place, field in enumerate(table.fields) if field}
        self._header, self._finder = table.sheet.header, finder
        self._is_by_column = table.is_by_column
        self._own_methods, self._most_people = own_methods, most_people
        self._new_blends: dict[frozenset[Component], str] = {}
        self._line, self._cells = 0, tuple[Cell, ...]()

    def read(self, line: int, cells: tuple[Cell, ...]) -> None:
        """Read one row: add its rules, or all of its problems."""
        self._line, self._cells, before = line, cells, len(self.problems)
        house = self._value(PROPERTY, self._finder.find)
        utilities = self._value(UTILITY, _utilities)
        method = self._value(METHOD, self._method)
        owner = self._value(OWNER, _percent)
        vacant = self._value(VACANT, self._people)
        if len(self.problems) > before or house is None or utilities is None or method is None:
            return
        for utility in utilities:
            rule = FileRule(line, house.id, utility, *method, owner, vacant)
            above = self.rules.setdefault((house.id, utility), rule)
            name = shown(str(self._cells[self._places[UTILITY]]).strip())
            names = self._columns.setdefault((house.id, utility), name), name
            if above[1:] != rule[1:]:
                self.problems.append(self._contradiction(above, rule, names))

    def _contradiction(self, above: FileRule, rule: FileRule, names: tuple[str, str]) -> RowProblem:
        """Describe two different rules for one utility, which have these `names` in the file."""
        both, column = listed([say("“{text}”", text=name) for name in names]), UTILITY_NAMES[rule.utility_type]
        if rule.utility_type == "OTHER" and names[0] != names[1]:
            return RowProblem(rule.line, None, _ONE_RULE.format(names=both, column=column))
        if above.line == rule.line:
            message = say("The columns {names} all mean {column}. Keep one of them.", names=both, column=column)
            return RowProblem(rule.line, None, message)
        message = say("Line {line} has another rule for the same property and utility.", line=above.line)
        return RowProblem(rule.line, names[1] if self._is_by_column else None, message)

    def _value(self, field: str, reader: Callable[[Cell], T]) -> T | None:
        place = self._places.get(field)
        cell = self._cells[place] if place is not None and place < len(self._cells) else None
        if place is None or (is_blank(cell) and field not in _NEEDED):
            return None
        try:
            return reader(cell)
        except Unclear as unclear:
            self.problems.append(RowProblem(self._line, self._name(field), unclear.why))
            return None

    def _name(self, field: str) -> str:
        """Return the file's name for the column of a field in the current row."""
        is_of_utility = self._is_by_column and field == METHOD
        name = self._cells[self._places[UTILITY]] if is_of_utility else self._header[self._places[field]]
        return shown(str(name).strip())

    def _method(self, cell: Cell) -> tuple[Method, str | None, frozenset[Component]]:
        """Read a split method, with any blend's id, or a new blend's name and parts."""
        text = _text(cell)
        parts = frozenset(Component(*part) for part in parts_named(text))
        own = None if text in METHODS else self._own_methods.by_name.get(same(text))
        own = own or self._own_methods.by_parts.get(parts)
        method = CUSTOM if own else method_named(text)
        if method:
            return method, own, frozenset()
        if not parts:
            raise Unclear(_NO_PARTS if _IN_PARTS.search(text) else _NO_METHOD)
        if problems := problems_of_blend(list(parts)):
            raise Unclear(problems[0].message)
        return CUSTOM, self._new_blends.setdefault(parts, _blend_name(text)), parts

    def _people(self, cell: Cell) -> Decimal:
        return _number(in_one_form(_text(cell)), self._most_people, _NO_NUMBER)


def _utilities(cell: Cell) -> tuple[str, ...]:
    return cell.kinds if isinstance(cell, _ColumnName) else read_types(cell)


def _text(cell: Cell) -> str:
    return read_text(cell, LONGEST_PROPERTY_CELL) or ""


def _blend_name(text: str) -> str:
    """Make the name of a new blend from the text with its parts."""
    return read_text(" ".join(text.split()), LONGEST_METHOD_NAME) or ""


def _percent(cell: Cell) -> Decimal:
    """Read a percentage.

    A bare fraction is refused, because a spreadsheet may show 0.1 as 10%.
    """
    text = in_one_form(_text(cell))
    number = _number(text.removesuffix("%").strip(), _HUNDRED, _NO_PERCENT)
    if 0 < number < 1 and not (text.endswith("%") or (isinstance(cell, Priced) and "%" in cell.sign)):
        raise Unclear(_FRACTION)
    return number


def _number(text: str, most: int, wrong: str) -> Decimal:
    numbers = readings(text, has_decimal_comma=True)
    if len(numbers) != 1 or numbers[0] > most:
        raise Unclear(wrong)
    return numbers[0]
