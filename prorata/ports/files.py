"""Files as the program needs them: taken apart, read as bills or tables, shown, and written; as protocols."""

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
    """One file that came in, alone or in an archive, under a name that is safe to show. `kind` is what it is, which is
    an archive only where nobody opens it yet; or `problem` says for whoever brought it why it is not taken. One of the
    two is None. `is_packed` says whether it came in an archive, `is_program` that it is no bill, but a program.
    """

    name: str
    kind: FileKind | None
    data: bytes
    problem: str | None = None
    is_packed: bool = False
    is_program: bool = False


class FilesIn(Protocol):
    """Tells files by their bytes, and takes archives apart."""

    def __call__(self, name: str, data: bytes) -> tuple[IncomingFile, ...]:
        """The file, or those of an archive. Raises `errors.InvalidRequest` for one that is not taken."""
        ...


class ReadBill(NamedTuple):
    """A bill that was read, with its pages and their words; the pages of a file that hold hardly a word and were not
    read otherwise. `said` says for a person why nothing could be read, where that is so: the draft then has the sizes
    of the pages and nothing else.
    """

    draft: Draft
    pages: tuple[Page, ...] = ()
    wordless: tuple[int, ...] = ()
    said: str | None = None


class BillReader(Protocol):
    """Reads bills that come as files."""

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
        """What a bill says, as far as it is plain; `lessons` are what was learned of issuers. Raises
        `errors.InvalidRequest` or `PayloadTooLarge`, each with a sentence for a person; for a file that needs a
        password, or has another, the problem names the field `password`.
        """
        ...

    def read_again(self, bills: Sequence[Sequence[Page]], lessons: Sequence[PageLesson]) -> list[Draft]:
        """What the pages of each bill say, whose words are known. Raises as `read`."""
        ...

    def learn(self, pages: Sequence[Page], shown: Shown, before: PageLesson | None) -> PageLesson:
        """What is known of an issuer once a bill of these pages is confirmed, too. Raises as `read`."""
        ...


class LogoReader(Protocol):
    """Reads a logo that a person brings."""

    def __call__(self, data: bytes) -> bytes:
        """The picture as it is kept: small, as PNG. Raises `errors.InvalidRequest` for what is none."""
        ...


class PagePictures(Protocol):
    """Shows the pages of a PDF, and photos."""

    def __call__(self, data: bytes, page: str) -> bytes:
        """A page as a PNG, or a photo as a JPEG. `page` counts from 1, as an address has it. Raises `errors.NotFound`
        for one that is not there, `InvalidRequest` for what can't be shown.
        """
        ...


class TableReader(Protocol):
    """Reads the rows of files that people bring, where none of them can do harm."""

    def __call__(self, kind: TableName, data: bytes, sheet: int = 0) -> Sheet:
        """The rows of a CSV, XLSX, ODS or XLS file, taken for a table of this kind; of a workbook those of its visible
        `sheet` of this number, or, where that is 0, of the first that is such a table. Raises `errors.InvalidRequest`
        with a sentence for whoever brought it, also where the file takes too much time or memory.
        """
        ...


class SpreadsheetWriter(Protocol):
    """Writes rows below a header into a file."""

    def __call__(self, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
        """The file's bytes, a piece at a time."""
        ...


MANIFEST = "SHA256SUMS"
"""The name of a pack's manifest, which `sha256sum --check` reads."""


class PackFile(NamedTuple):
    """A file of a pack: where it stands in it, and its bytes."""

    name: str
    content: bytes


class Packer(Protocol):
    """Puts files into one ZIP with a manifest of their hashes; the same files make the same bytes."""

    def __call__(self, files: Iterable[PackFile]) -> Iterator[bytes]:
        """The pack's bytes, a piece at a time, so that no more than one file is held."""
        ...
