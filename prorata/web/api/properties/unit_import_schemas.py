"""Unit files as clients send them, and the results."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.files.sheets import RowProblem
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_COLUMNS_FORM
from prorata.web.http.request_schemas import Body, Filter
from prorata.web.http.response_schemas import Answer, Day, Figures, JsonNumber
from prorata.web.http.sent_files import FileSent

UnitField = Literal[
    "label", "sqft", "bedrooms", "monthlyRent", "activeFrom", "tenantName", "tenantEmail", "moveInDate", "moveOutDate",
    "occupants", "property", "streetNumber", "street", "city", "state", "zip", "country",
]  # fmt: skip
_COLUMNS = (
    'What the columns mean, if that isn\'t clear from their names, as JSON: {"Whg.": "label", "Kaution": null}. '
    "null: the column isn't needed."
)


class UnitFileUpload(Body):
    """A file of units: CSV, XLSX, ODS or XLS."""

    file: FileSent
    property_id: Annotated[
        Filter, Meta(description="The property that the units belong to, if no column gives it.")
    ] = ""
    columns: Annotated[str, text(MOST_COLUMNS_FORM), Meta(description=_COLUMNS)] | UnsetType = UNSET
    remember: Annotated[bool, Meta(description="Apply this automatically to the next file with the same columns.")] = (
        False
    )
    leave_out: Annotated[
        bool, Meta(description="Leave out rows with problems, as long as the others can be added.")
    ] = False
    change_differing: Annotated[bool, Meta(description="Change existing records where the file differs from them.")] = (
        False
    )
    mark: (
        Annotated[
            Filter,
            Meta(description="The `mark` of the response that showed you the differences; `changeDiffering` needs it."),
        ]
        | UnsetType
    ) = UNSET


class FileColumn(Answer):
    """A column of a unit file, with its field in Prorata and its first values."""

    name: str
    field: UnitField | None
    examples: list[str]


class FileRowProblem(Answer):
    """A problem in one line of a unit file."""

    line: int
    column: str | None
    message: str


def in_its_line(problem: RowProblem) -> str:
    """Format a problem of a file, preceded by its line and, if known, column."""
    return f"Line {problem.line}{f', {problem.column}' if problem.column else ''}: {problem.message}"


class FileDifference(Answer):
    """A value in a unit file that differs from the stored one."""

    line: int
    property: str
    unit: str
    tenant: str | None
    field: str
    here: Annotated[str, Meta(description="The existing value.")]
    in_file: str


class FileResident(Answer):
    """A stored tenant who lives, or lived, in a unit of a unit file."""

    id: str
    name: str
    move_out_date: Day | None


class FileOtherPeople(Answer):
    """A unit in which other people live than the file states. An import moves nobody out without a `moveOutDate`."""

    line: int
    property: str
    unit: str
    named: Annotated[list[str], Meta(description="The people who live there according to the file; empty: vacant.")]
    stay: Annotated[list[FileResident], Meta(description="The tenants who live there but are not in the file.")]
    added: Annotated[list[str], Meta(description="The people who are added as tenants.")]
    gone: Annotated[list[FileResident], Meta(description="The tenants whom the file names, but who moved out.")]
    effect: Annotated[str, Meta(description="What an import does about it, as a sentence.")]


class FileTenantRead(Answer):
    """A tenant as read from a unit file."""

    name: str
    email: str | None
    move_in_date: Day | None
    move_out_date: Day | None
    occupants: int | None


class FileUnitRead(Answer):
    """A unit as read from a unit file."""

    line: int
    property: str
    label: str
    sqft: JsonNumber | None
    bedrooms: int | None
    monthly_rent: Figures | None
    active_from: Day | None
    tenants: list[FileTenantRead]


class FileRowsTaken(Answer):
    """A line that names a property, and the following lines that belong to it."""

    line: int
    property: str
    lines: list[int]


class FileRepeat(Answer):
    """A line that is ignored, because it repeats the earlier line `above`."""

    line: int
    above: int


class UnitImport(Answer):
    """The result of a check or import; a file with a problem is not imported."""

    columns: list[FileColumn]
    header_line: int
    properties: Annotated[int, Meta(description="How many properties are added.")]
    units: int
    tenants: int
    skipped: Annotated[int, Meta(description="Units and tenants that already existed.")]
    changed: int
    left_out: Annotated[list[int], Meta(description="The lines that were left out.")]
    differs: list[FileDifference]
    people: Annotated[
        list[FileOtherPeople], Meta(description="The units in which other people live than the file states.")
    ]
    mark: Annotated[str | None, Meta(description="Send it with `changeDiffering`; null if there are no differences.")]
    problems: list[FileRowProblem]
    read: Annotated[list[FileUnitRead], Meta(description="The first units as read, at most 20.")]
    taken: Annotated[list[FileRowsTaken], Meta(description="The rows that take their property from a row above.")]
    repeats: list[FileRepeat]
    unclear: Annotated[
        list[int],
        Meta(description="Lines without a property that may belong to the one above or below; each is a problem, too."),
    ]
