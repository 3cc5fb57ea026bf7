"""A file of a former program's charges, and the person's answers about its columns.

Between requests, the page itself contains the file and the answers; the server stores neither.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from prorata.actions.months import parallel_runs
from prorata.domain.files.cells import Cell, Unclear
from prorata.domain.files.column_kinds import has_header
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.month_cells import may_be_day, read_billing_month
from prorata.domain.files.number_formats import MARK_NAMES, ORDER_NAMES
from prorata.domain.files.sheets import Sheet, with_header_in
from prorata.domain.months.former_charges import ReadCharges, read_charges, unknown_houses
from prorata.domain.months.former_columns import (
    FIELD_NAMES,
    FIELDS,
    FIXABLE,
    MONTH,
    PROPERTY,
    Understood,
    why_none,
)
from prorata.domain.problems import Problem
from prorata.domain.properties.property_names import KnownProperty
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.ports import Forms
from prorata.web.dashboard.kernel import file_columns
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.form_bodies import chosen_file
from prorata.web.dashboard.kernel.inline_files import TOO_LARGE, packed, unpacked
from prorata.web.http.limits import MOST_PARALLEL_RUN_PROBLEMS, MOST_UPLOAD_BYTES

_NOTHING = say("Paste the units and their amounts, or choose a file.")


class FormerFile(NamedTuple):
    """A file of former charges: its contents, its columns, and the properties it may name.

    `packed` is the file in the form in which the page contains it. `field` is the form field from which the file
    came, and `unknown` are names in the file that may mean a property.
    """

    name: str
    packed: str
    field: str
    houses: Sequence[KnownProperty]
    found: Understood
    unknown: Mapping[str, str]

    @property
    def is_open(self) -> bool:
        """True if the rows can't be read until a person answers a question."""
        return self.found.is_open or bool(self.unknown)

    @property
    def said(self) -> ColumnMapping:
        """The current meaning of the file's columns, in the form of a person's answers."""
        understanding = self.found
        fields = {
            key: field or ""
            for key, field in zip(keys_of(understanding.sheet.header), understanding.meanings, strict=True)
            if key
        }
        decimal = understanding.amounts.value if understanding.amounts.how == "said" else ""
        dates = understanding.dates.value if understanding.dates.how == "said" else ""
        return ColumnMapping(fields, understanding.fixed, {PROPERTY: understanding.words}, decimal, dates)

    @property
    def mapping(self) -> str:
        """The current meaning of the file's columns, as text in the page."""
        return file_columns.written(self.said)


async def brought(
    steps: Steps, houses: Sequence[KnownProperty], given: Mapping[str, str], *, refuses: bool = True
) -> FormerFile:
    """Read the file that was uploaded or pasted, or else the file in the page.

    `houses` are the properties that the file's rows may name, and `given` are values that apply to all rows. Raises
    `InvalidRequest` if the file can't be read; the page shows the problem beside the field. If `refuses` is set,
    `InvalidRequest` is also raised if the person's answers about the columns can't all be right.
    """
    file, typed, caller = steps.files.get("file"), steps.typed, steps.caller
    pasted, name, field = typed.get("pasted", ""), typed.get("name", ""), "file"
    if file is not None:
        content, name, held = chosen_file(steps.files, _NOTHING).content, file.name, ""
    elif pasted.strip():
        content, name, held, field = pasted.encode(), "", "", "pasted"
    else:
        held = typed.get("packed", "")
        content = await steps.pools.page(lambda: unpacked(held)) if held else b""
    if not content.strip():
        raise InvalidRequest.because([Problem("pasted", _NOTHING)])
    if len(content) > MOST_UPLOAD_BYTES:
        raise InvalidRequest.because([Problem(field, TOO_LARGE)])
    try:
        sheet = await steps.read_table("charges", content)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem(field, refused.message)]) from None
    line = _line(typed) if held else None
    sheet = sheet if line is None else with_header_in(sheet, line)
    column_mapping, is_fixed = _said(typed, sheet) if held else None, line is not None
    read_as = parallel_runs.read_as
    understanding = await steps.read(
        lambda tx: read_as(tx, caller, houses, sheet, column_mapping, given=given, is_fixed=is_fixed)
    )
    if wrong := why_none(sheet) or (
        understanding.refusal if refuses and column_mapping and "column.0" in typed else ""
    ):
        raise InvalidRequest.because([Problem(field, wrong)])
    unknown = {} if understanding.is_open else unknown_houses(understanding, houses)
    return FormerFile(
        name, held or await steps.pools.page(lambda: packed(content)), field, houses, understanding, unknown
    )


def _line(typed: Mapping[str, str]) -> int | None:
    """Return the number of the header line that the form states, or None."""
    line = typed.get("line", "")
    return int(line) if line.isdecimal() else None


def _said(typed: Mapping[str, str], sheet: Sheet) -> ColumnMapping | None:
    """Parse the person's answers about a file's columns and property names.

    Answers in the form replace those that the page contains from earlier. Return None if there are no answers.
    """
    held = file_columns.unwritten(typed.get("mapping", ""))
    column_mapping = held
    if any(name.startswith("column.") for name in typed):
        column_mapping = file_columns.mapping_of(typed, sheet.header, FIELDS, FIXABLE)
        column_mapping = column_mapping._replace(words=held.words if held else {})
    words = file_columns.words_of(typed, PROPERTY)
    if column_mapping is not None and words:
        column_mapping = column_mapping._replace(words={PROPERTY: {**column_mapping.words.get(PROPERTY, {}), **words}})
    return column_mapping


async def read_of(steps: Steps, file: FormerFile) -> ReadCharges:
    """Read the rows of a file about which no questions are open."""
    return await steps.pools.page(lambda: read_charges(file.found, file.houses))


def _with_months(found: Understood, write: Forms) -> Sheet:
    """Return the first rows of a file, with readable months written in words."""
    if MONTH not in found.fields:
        return found.sheet
    place = found.fields.index(MONTH)

    def in_words(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        try:
            if may_be_day(cells[place], found.sheet.header[place]):
                return cells
            return *cells[:place], write.month(read_billing_month(cells[place])), *cells[place + 1 :]
        except (Unclear, IndexError):
            return cells

    rows = tuple((line, in_words(cells)) for line, cells in found.sheet.rows[: file_columns.FIRST_ROWS])
    return found.sheet._replace(rows=rows)


def asked_of(write: Forms, file: FormerFile, read: ReadCharges | None = None) -> dict[str, Any]:
    """Collect the values with which a page shows a file and asks about it.

    They include the file's first rows, the meaning of its columns, and the problems of its rows.
    """
    found = file.found
    problems = file_columns.problems_of(read.problems, found.sheet, write) if read else ()
    return {
        "asked": {
            "file": file,
            "found": found,
            "lines": file_columns.lines_of(found.sheet),
            "columns": file_columns.columns_of(found.sheet, found.meanings, write),
            "rows": file_columns.first_rows_of(_with_months(found, write), write),
            "names": FIELD_NAMES,
            "marks": MARK_NAMES,
            "orders": ORDER_NAMES,
            "has_names": has_header(found.sheet),
            "choose_from": [(one.id, one.name) for one in file.houses],
        },
        "read": read,
        "problems": problems,
        "bad": len({problem.line for problem in read.problems}) if read else 0,
        "most": MOST_PARALLEL_RUN_PROBLEMS,
    }
