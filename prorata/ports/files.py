"""Protocols for files: recognizing, reading, displaying and writing them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from prorata.domain.exports.table_kinds import TableName
from prorata.domain.files.file_kinds import FileKind
from prorata.domain.files.sheets import Sheet
from prorata.domain.files.spreadsheet_cells import Value
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.lessons import PageLesson, Shown
from prorata.domain.privacy.personal_words import PersonalWords


class IncomingFile(NamedTuple):
    """One incoming file, alone or from an archive, under a safe name to show.

    An accepted file has a `kind`, and a refused one has a `problem`, which tells the person why; the other field is
    None. An archive is a kind only as long as it has not been opened. `is_packed` is set if the file came in an
    archive, and `is_program` if it is not a bill but a program.
    """

    name: str
    kind: FileKind | None
    data: bytes
    problem: str | None = None
    is_packed: bool = False
    is_program: bool = False


class FilesIn(Protocol):
    """A recognizer of files by their bytes, which also unpacks archives."""

    def __call__(self, name: str, data: bytes) -> tuple[IncomingFile, ...]:
        """Return the file, or the files of an archive.

        Raises `errors.InvalidRequest` if it is refused.
        """
        ...


class ReadBill(NamedTuple):
    """A bill that was read, with its pages and their words.

    `wordless` contains the numbers of pages that have hardly a word and were not read in another way. If no page could
    be read, `said` tells a person why, and the draft contains only the sizes of the pages.
    """

    draft: Draft
    pages: tuple[Page, ...] = ()
    wordless: tuple[int, ...] = ()
    said: str | None = None


class BillReader(Protocol):
    """A reader of bills from files."""

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
        """Read the unambiguous values of a bill, with the `lessons` learned about issuers.

        Raises `errors.InvalidRequest` or `PayloadTooLarge`, each with a sentence for a person, if it can't be read. If
        the file needs a password, or a different one, the problem names the field `password`.
        """
        ...

    def read_again(self, bills: Sequence[Sequence[Page]], lessons: Sequence[PageLesson]) -> list[Draft]:
        """Reread the known words of each bill's pages.

        Raises the errors of `read`.
        """
        ...

    def learn(self, pages: Sequence[Page], shown: Shown, before: PageLesson | None) -> PageLesson:
        """Add a confirmed bill of these pages to an issuer's lesson.

        Raises the errors of `read`.
        """
        ...


class LogoReader(Protocol):
    """A reader of uploaded logos."""

    def __call__(self, data: bytes) -> bytes:
        """Return the picture to store: small, as PNG. Raises `errors.InvalidRequest` if it is unusable."""
        ...


class PagePictures(Protocol):
    """A renderer of PDF pages and photos."""

    def __call__(self, data: bytes, page: str) -> bytes:
        """Render a page as a PNG, or a photo as a JPEG.

        `page` is a number from 1, as text in an address. Raises `errors.NotFound` if there is no such page, and
        `InvalidRequest` if the file can't be shown.
        """
        ...


class TableReader(Protocol):
    """A safe reader of the rows of uploaded files.

    Files that are read through it can't do any harm.
    """

    def __call__(self, kind: TableName, data: bytes, sheet: int = 0) -> Sheet:
        """Read a CSV, XLSX, ODS or XLS file's rows as this kind of table.

        From a workbook, it reads the visible sheet with the number `sheet`, or with 0 the first that is such a
        table. Raises `errors.InvalidRequest` with a sentence for the person if that is impossible, or takes too
        much time or memory.
        """
        ...


class NamedFiles(Protocol):
    """A reader of stored workbooks and messages that may name a person."""

    def cut(self, workbook: bytes, words: PersonalWords) -> bytes | None:
        """Cut a person's names and addresses from a workbook.

        Return the same workbook if it has none, and None if it can't be opened.
        """
        ...

    def naming(self, messages: Sequence[bytes], words: PersonalWords) -> list[bool | None]:
        """Return, for each message, whether it names the person; None if it can't be searched."""
        ...


class SpreadsheetWriter(Protocol):
    """A writer of rows below a header into a file."""

    def __call__(self, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[bytes]:
        """Yield the file's bytes, a piece at a time."""
        ...


MANIFEST = "SHA256SUMS"
"""The name of a pack's manifest, which `sha256sum --check` reads."""


class PackFile(NamedTuple):
    """A file of a pack: its path in the pack, and its bytes."""

    name: str
    content: bytes


class Packer(Protocol):
    """A packer of files into one ZIP with a manifest of hashes.

    The same files give the same bytes.
    """

    def __call__(self, files: Iterable[PackFile]) -> Iterator[bytes]:
        """Yield the pack's bytes, a piece at a time, with one file in memory."""
        ...
