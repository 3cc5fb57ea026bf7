"""A reader of bills in any file, by text or, if installed, by OCR."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from prorata.adapters.intake.pdf_files import PdfProcess
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import FEWEST_WORDS, Page
from prorata.domain.intake.pointing.lessons import PageLesson, Shown
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.ports.files import ReadBill

NOT_INSTALLED = (
    "This is a picture of a bill, and this installation of Prorata does not read pictures. Enter the bill by "
    "hand, or send the PDF from its issuer. Whoever runs Prorata can turn on the reading of pictures with: make "
    "ocr"
)
PROTECTED = say(
    "This PDF contains only a picture of a bill. Save it without its password and send that copy so that it can be "
    "read, or enter the bill by hand."
)
NO_WORDS = say(
    "No words were found in this picture. Photograph the whole page again, flat and in good light, or enter "
    "the bill by hand."
)
See = Callable[[bytes, tuple[int, ...], str | None], tuple[Page, ...]]
"""A function that reads the words of pages from their pictures.

Its arguments are a file, the numbers of the pages, and the password. It returns these pages with their words.
"""
_REMEMBERED = 2
"""The number of recent files whose words, as read from pictures, are cached.

They are cached because reading a page takes seconds.
"""


class BillFiles:
    """A reader of bills in any supported file; it implements `ports.files.BillReader`.

    `see` reads the words of pages that are pictures. If `see` is None, a bill with such pages is refused with the
    sentence `unseen`.
    """

    def __init__(self, pdf: PdfProcess, see: See | None, unseen: str = NOT_INSTALLED) -> None:
        self._pdf = pdf
        self._see = None if see is None else lru_cache(_REMEMBERED)(see)
        self._unseen = unseen

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
        """Read a bill.

        Raises `InvalidRequest` if the file can't be read (the error names the field `password` if a password is
        needed), `PayloadTooLarge` if the file is too large, and `Unavailable` if no process can be started.
        """
        read = self._pdf.read(data, password, lessons)
        try:
            seen = {page.number: page for page in self._pages(data, read, password)}
        except InvalidRequest as refused:
            return read._replace(said=refused.message) if read.said else read
        if not seen:
            return read
        pages = tuple(seen.get(page.number, page) for page in read.pages)
        draft = self._pdf.read_again([pages], lessons)[0]._replace(note=read.draft.note)
        return ReadBill(draft, pages, tuple(number for number in read.wordless if number not in seen))

    def read_again(self, bills: Sequence[Sequence[Page]], lessons: Sequence[PageLesson]) -> list[Draft]:
        """Read bills again with newer lessons, from the words that are stored for their pages.

        `bills` contains the pages of each bill. Raises the errors of `read`.
        """
        return self._pdf.read_again(bills, lessons)

    def learn(self, pages: Sequence[Page], shown: Shown, before: PageLesson | None) -> PageLesson:
        """Learn from a confirmed bill, and return the issuer's extended lesson.

        `pages` contains the bill's pages, and `shown` its confirmed values. `before` is the issuer's earlier
        lesson, if there is one. Raises the errors of `read`.
        """
        return self._pdf.learn(pages, shown, before)

    def _pages(self, data: bytes, read: ReadBill, password: str | None) -> tuple[Page, ...]:
        """Read the words on those pages of a bill that are only pictures.

        Return these pages. If the total was found in the text of the other pages, the pictures are not needed, and
        no pages are returned. Raises `InvalidRequest` if pictures can't be read or have too few words.
        """
        if not read.wordless or read.draft.total.surety == "found":
            return ()
        if self._see is None:
            raise InvalidRequest(self._unseen)
        seen = tuple(page for page in self._see(data, read.wordless, password) if len(page.words) >= FEWEST_WORDS)
        if not seen:
            raise InvalidRequest(NO_WORDS)
        return seen
