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
    """An incoming file, sent alone or in an archive, with a safe name for display.

    If the file is accepted, `kind` is set and `problem` is None. If it is refused, `kind` is None and `problem` is
    the reason in a sentence. `kind` is the kind of an archive only if the archive was not opened. `is_packed` is
    set if the file came in an archive, and `is_program` if it is a program and so can't be a bill.
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
        """Return the file or, for an archive, the files in it.

        Raises `errors.InvalidRequest` if the file or the archive is refused.
        """
        ...


class ReadBill(NamedTuple):
    """A bill that was read, with its pages and the words on them.

    `wordless` contains the numbers of pages that have hardly any words and whose pictures were not read. If no page
    could be read, `said` is the reason in a sentence, and the draft contains only the sizes of the pages.
    """

    draft: Draft
    pages: tuple[Page, ...] = ()
    wordless: tuple[int, ...] = ()
    said: str | None = None


class BillReader(Protocol):
    """A reader of bills from files."""

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
        """Read the values that are unambiguous on a bill.

        `lessons` contains the issuers' lessons, which were learned from confirmed bills. Raises
        `errors.InvalidRequest` if the bill can't be read, and `PayloadTooLarge` if the file is too large. If the
        file needs a password, or a different password, the error's problem names the field `password`.
        """
        ...

    def read_again(self, bills: Sequence[Sequence[Page]], lessons: Sequence[PageLesson]) -> list[Draft]:
        """Read bills again with newer lessons, from the stored words of the bills' pages.

        Raises the errors of `read`.
        """
        ...

    def learn(self, pages: Sequence[Page], shown: Shown, before: PageLesson | None) -> PageLesson:
        """Learn from a confirmed bill, and return the issuer's extended lesson.

        `pages` are the bill's pages, `shown` its confirmed values, and `before` the issuer's earlier lesson, if
        there is one. Raises the errors of `read`.
        """
        ...


class LogoReader(Protocol):
    """A reader of uploaded logos."""

    def __call__(self, data: bytes) -> bytes:
        """Return a small copy of the picture, which is stored as the logo, as PNG.

        Raises `errors.InvalidRequest` if the picture is unusable.
        """
        ...


class PagePictures(Protocol):
    """A renderer of PDF pages and photos."""

    def __call__(self, data: bytes, page: str) -> bytes:
        """Render a page as a PNG, or a photo as a JPEG.

        `page` is the page's number, counted from 1, as written in a URL. Raises `errors.NotFound` if there is no
        such page, and `InvalidRequest` if the file can't be shown.
        """
        ...


class TableReader(Protocol):
    """A safe reader of the rows of uploaded files.

    A damaged or malicious file can't do any harm.
    """

    def __call__(self, kind: TableName, data: bytes, sheet: int = 0) -> Sheet:
        """Read the rows of a file that contains this kind of table.

        The file is in CSV, XLSX, ODS or XLS format. In a workbook, `sheet` is the number of the visible sheet to
        read. If `sheet` is 0, the first sheet that contains such a table is read. Raises `errors.InvalidRequest` if
        the file can't be read, or if reading it takes too much time or memory.
        """
        ...


class NamedFiles(Protocol):
    """A reader that finds a person's names and addresses in stored workbooks and messages."""

    def cut(self, workbook: bytes, words: PersonalWords) -> bytes | None:
        """Remove a person's names and addresses from a workbook.

        Return the workbook unchanged if it contains no such name or address, and None if it can't be opened.
        """
        ...

    def naming(self, messages: Sequence[bytes], words: PersonalWords) -> list[bool | None]:
        """Return a list with True for each message that names the person, otherwise False.

        The entry for a message that can't be searched is None.
        """
        ...


class SpreadsheetWriter(Protocol):
    """A writer of a CSV file or workbook with a header and rows below it."""

    def __call__(
        self, header: Sequence[str], rows: Iterable[Sequence[Value]], *, has_decimal_comma: bool = False
    ) -> Iterator[bytes]:
        """Yield the bytes of the file in pieces.

        If `has_decimal_comma` is set, numbers in texts have decimal commas. CSV then has them everywhere, and
        semicolons between its cells, as Excel expects it where people write a decimal comma.
        """
        ...


MANIFEST = "SHA256SUMS"
"""The name of a pack's manifest, which `sha256sum --check` reads."""


class PackFile(NamedTuple):
    """A file of a pack: its path in the pack, and its bytes."""

    name: str
    content: bytes


class Packer(Protocol):
    """A packer of files into one ZIP with a manifest of hashes.

    Packing the same files again gives the same bytes.
    """

    def __call__(self, files: Iterable[PackFile]) -> Iterator[bytes]:
        """Yield the bytes of the pack in pieces.

        Only one file is in memory at a time.
        """
        ...
