"""Protocols for files: recognized, read as bills or tables, shown, and written."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from prorata.domain.exports.table_kinds import TableName
from prorata.domain.files.file_kinds import FileKind
from prorata.domain.files.sheets import Sheet
from prorata.domain.files.spreadsheet_cells import Value
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.lessons import PageLesson, Shown


class IncomingFile(NamedTuple):
    """One incoming file, alone or from an archive, under a name safe to show.

    `kind` is its kind, an archive only if nobody opens it yet; or `problem` tells the person why it is refused. One
    of the
    two is None. `is_packed` says whether it came in an archive, `is_program` that it is no bill, but a program.
    """

    name: str
    kind: FileKind | None
    data: bytes
    problem: str | None = None
    is_packed: bool = False
    is_program: bool = False


class FilesIn(Protocol):
    """Recognizes files by their bytes, and unpacks archives."""

    def __call__(self, name: str, data: bytes) -> tuple[IncomingFile, ...]:
        """Return the file, or those of an archive. Raises `errors.InvalidRequest` for a refused one."""
        ...


class ReadBill(NamedTuple):
    """A bill that was read, with its pages and their words.

    `wordless` are the numbers of pages with hardly a word that were not read otherwise. `said` tells a person why
    nothing
    could be read, if so: the draft then has the sizes of the pages and nothing else.
    """

    draft: Draft
    pages: tuple[Page, ...] = ()
    wordless: tuple[int, ...] = ()
    said: str | None = None


class BillReader(Protocol):
    """Reads bills from files."""

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
        """Read the clear values of a bill; `lessons` are those learned about issuers.

        Raises `errors.InvalidRequest` or `PayloadTooLarge`, each with a sentence for a person; if the file needs a
        password, or
        another one, the problem names the field `password`.
        """
        ...

    def read_again(self, bills: Sequence[Sequence[Page]], lessons: Sequence[PageLesson]) -> list[Draft]:
        """Read the known words of each bill's pages again. Raises as `read`."""
        ...

    def learn(self, pages: Sequence[Page], shown: Shown, before: PageLesson | None) -> PageLesson:
        """Add a confirmed bill of these pages to an issuer's lesson. Raises as `read`."""
        ...


class LogoReader(Protocol):
    """Reads an uploaded logo."""

    def __call__(self, data: bytes) -> bytes:
        """Return the picture to store: small, as PNG. Raises `errors.InvalidRequest` if unusable."""
        ...


class PagePictures(Protocol):
    """Shows the pages of a PDF, and photos."""

    def __call__(self, data: bytes, page: str) -> bytes:
        """Render a page as a PNG, or a photo as a JPEG.

        `page` counts from 1, as text in an address. Raises `errors.NotFound` for a missing page, `InvalidRequest`
        for a file that
        can't be shown.
        """
        ...


class TableReader(Protocol):
    """Reads the rows of uploaded files, none of which can do harm."""

    def __call__(self, kind: TableName, data: bytes, sheet: int = 0) -> Sheet:
        """Read a CSV, XLSX, ODS or XLS file's rows as this kind of table.

        Of a workbook those of its visible `sheet` of this number, or, with 0, of the first that is such a table. Raises
        `errors.InvalidRequest` with a sentence for the person, also if the file takes too much time or memory.
        """
        ...


class SpreadsheetWriter(Protocol):
    """Writes rows below a header into a file."""

    def __call__(self, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
        """Yield the file's bytes, a piece at a time."""
        ...


MANIFEST = "SHA256SUMS"
"""The name of a pack's manifest, which `sha256sum --check` reads."""


class PackFile(NamedTuple):
    """A file of a pack: its path there, and its bytes."""

    name: str
    content: bytes


class Packer(Protocol):
    """Puts files into one ZIP with a manifest of hashes; same files, same bytes."""

    def __call__(self, files: Iterable[PackFile]) -> Iterator[bytes]:
        """Yield the pack's bytes, a piece at a time, holding one file at most."""
        ...
