"""Bills as PDF and XML, read in a separate process into drafts or lessons.

A lesson is the data learned from a confirmed bill. If a PDF contains an e-invoice, the e-invoice is read instead of
the pages. A picture is opened here too, to find its size; its words come from another process (ocr_files.py), and
are interpreted here.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from prorata.adapters.files.file_process import LIMITS, Answer, FileProcess, Limits, Sentences
from prorata.adapters.limits import LONGEST_PDF_PASSWORD
from prorata.domain.files.file_kinds import PICTURE_KINDS, told
from prorata.domain.intake.bill_reading.draft import UNREAD, Budget, Draft, Item, Line, Reading, Stated
from prorata.domain.intake.bill_reading.words import FEWEST_WORDS, Page, Place, Word
from prorata.domain.intake.pointing.lessons import Anchor, Layout, PageLesson, Shown, Taught
from prorata.domain.intake.pointing.line_rules import Rule
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.domain.texts import say
from prorata.domain.usage import Usage
from prorata.errors import InvalidRequest, PayloadTooLarge
from prorata.ports.files import ReadBill

TOO_LARGE = say(
    "A bill can be at most {megabytes} MB. Save it with smaller pictures, or without pages that don’t belong to it.",
    megabytes=MOST_DOCUMENT_BYTES // 1_000_000,
)
SCANNED = say(
    "This file contains a picture of a bill, but no text. Enter the bill by hand, or send the PDF from its issuer."
)
NOT_USED = say("What is shown was read from the pages, and not from the e-invoice within this PDF. {why}")
INVOICE_NAMES = frozenset(("factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml"))
"""The names of the e-invoice within a PDF, in lowercase letters."""
READ, READ_AGAIN, LEARN = "read", "read again", "learn"
_SENTENCES = Sentences(
    slow=say(
        "Reading this PDF takes more than {seconds} seconds. Send only the pages of one bill, or print it to a new PDF."
    ),
    large=say("There is too much in this PDF to read. Send only the pages of one bill, or print it to a new PDF."),
    broken=say(
        "This PDF can't be read: it is damaged or takes too much memory. Save or download it again, or print it to a "
        "new PDF."
    ),
)
_OF_XML = Sentences(
    slow=say("Reading this XML takes more than {seconds} seconds. Ask the sender of the bill for its PDF."),
    large=say("There is too much in this XML to read. Ask the sender of the bill for its PDF."),
    broken=say("This XML can't be read: it is damaged or takes too much memory. Save or download it again."),
)
_OF_PICTURES = Sentences(
    slow=say("Opening this picture takes more than {seconds} seconds. Save it again, or photograph the bill again."),
    large=say("There is too much in this picture. Save it smaller: a height of about 2,500 pixels is enough."),
    broken=say(
        "This picture can't be opened: it is damaged or takes too much memory. Save it again, or photograph the bill "
        "again."
    ),
)
_BYTES_OF_LENGTH = 4


class Wanted(NamedTuple):
    """The request to the separate process, sent ahead of the file.

    Command lines are visible to anyone who lists processes, so a password must not be among the arguments.
    `lessons` are needed for reading bills. `shown` contains the confirmed values, and `before` is the earlier
    lesson; both are needed for learning. `seen` contains, for each bill, the pages whose words are already known.
    """

    password: str | None = None
    lessons: tuple[PageLesson, ...] = ()
    shown: Shown | None = None
    before: PageLesson | None = None
    seen: tuple[tuple[Page, ...], ...] = ()


def framed(data: bytes, wanted: Wanted = Wanted()) -> bytes:  # noqa: B008 - it never changes
    """Join a request and a file into the single input that `in_parts` expects."""
    header = msgspec.json.encode(wanted)
    return len(header).to_bytes(_BYTES_OF_LENGTH) + header + data


def unframed(data: bytes) -> tuple[bytes, Wanted]:
    """Split the output of `framed` into the file and the request."""
    start = _BYTES_OF_LENGTH + int.from_bytes(data[:_BYTES_OF_LENGTH])
    return data[start:], msgspec.json.decode(data[_BYTES_OF_LENGTH:start], type=Wanted)


def in_parts(data: bytes, kind: str) -> Iterator[Any]:
    """Read a framed file (`READ`), learn from pages (`LEARN`), or reread bills (`READ_AGAIN`).

    For `READ` and `LEARN`, one value is yielded, and for `READ_AGAIN` one for each bill. Raises `InvalidRequest` if the
    file can't be read.
    """
    content, wanted = unframed(data)
    if kind != READ:
        yield from _of_known_pages(kind, wanted)
        return
    is_of = told("", content).kind
    if is_of == "xml":
        yield ReadBill(_draft_of(content))
    elif is_of in PICTURE_KINDS:
        from prorata.adapters.files.pictures import page_of  # noqa: PLC0415 - the process that asks needs none of these

        yield _of_pages((page_of(content),), wanted)
    else:
        from prorata.adapters.intake.pdf_text import opened, pages_of  # noqa: PLC0415 - as above
        from prorata.domain.intake.e_invoices.drafts import with_missing  # noqa: PLC0415 - as above

        with opened(content, wanted.password) as document:
            stated, note = _stated_in(document)
            read = _of_pages(pages_of(document), wanted, note)
            yield ReadBill(with_missing(stated, read.draft)) if stated else read


def _draft_of(content: bytes, sizes: tuple[tuple[int, int], ...] = ()) -> Draft:
    """Build the draft of an e-invoice.

    Raises `InvalidRequest` if the e-invoice's sums disagree.
    """
    from prorata.adapters.intake.e_invoice_xml import read_e_invoice  # noqa: PLC0415 - as above
    from prorata.domain.intake.e_invoices.drafts import draft_of  # noqa: PLC0415 - as above
    from prorata.domain.intake.e_invoices.sums import contradiction  # noqa: PLC0415 - as above

    invoice = read_e_invoice(content)
    wrong = contradiction(invoice)
    if wrong is not None:
        raise InvalidRequest(wrong)
    return draft_of(invoice, sizes)


def _stated_in(document: Any) -> tuple[Draft | None, str | None]:
    """Build a draft from the e-invoice embedded in a PDF.

    Return the draft and None, or None and the reason why the e-invoice is refused. If the PDF contains no e-invoice,
    both are None.
    """
    from prorata.adapters.intake.pdf_text import attached_to, sizes_of  # noqa: PLC0415 - as above

    content = attached_to(document, INVOICE_NAMES)
    if content is None:
        return None, None
    try:
        return _draft_of(content, sizes_of(document)), None
    except InvalidRequest as refused:
        return None, NOT_USED.format(why=refused.message)


def _of_known_pages(kind: str, wanted: Wanted) -> Iterator[Draft | PageLesson]:
    """Reread bills from pages whose words are known, or learn from such pages."""
    from prorata.domain.intake.pointing.learning import learned  # noqa: PLC0415 - as above
    from prorata.domain.intake.pointing.taught_reading import read_with  # noqa: PLC0415 - as above

    if kind == LEARN:
        assert wanted.shown is not None, "a lesson is asked for with what was confirmed"
        yield learned(wanted.seen[0], wanted.shown, wanted.before)
        return
    yield from (read_with(pages, wanted.lessons) for pages in wanted.seen)


def _of_pages(pages: Sequence[Page], wanted: Wanted, note: str | None = None) -> ReadBill:
    """Read a bill from its pages."""
    from prorata.domain.intake.pointing.taught_reading import read_with  # noqa: PLC0415 - as above

    if sum(len(page.words) for page in pages) < FEWEST_WORDS:
        sizes = tuple((page.width, page.height) for page in pages)
        draft = UNREAD._replace(pages=len(pages), sizes=sizes, from_picture=True, note=note)
        return ReadBill(draft, tuple(pages), tuple(page.number for page in pages), SCANNED)
    wordless = tuple(page.number for page in pages if len(page.words) < FEWEST_WORDS)
    return ReadBill(read_with(pages, wanted.lessons)._replace(note=note), tuple(pages), wordless)


def usable_password(password: str | None) -> str | None:
    """Cut a password to the length that the PDF standard uses."""
    key = None if password is None else password.encode(errors="replace")[:LONGEST_PDF_PASSWORD]
    return None if key is None else key.decode(errors="replace")


class PdfProcess:
    """A reader of bills in PDF, XML and picture files, which learns from confirmed bills.

    Each file is read in a separate, short-lived process.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        classes = (
            *(ReadBill, Draft, Reading, Line, Budget, Item, Stated, Page, Word, Place, date),
            *(Usage, Decimal),
            *(PageLesson, Layout, Taught, Anchor, Rule),
        )
        self._of_pdf = FileProcess(__name__, classes, limits, _SENTENCES)
        of_picture = FileProcess(__name__, classes, limits, _OF_PICTURES)
        self._of_kind = {
            "xml": FileProcess(__name__, classes, limits, _OF_XML),
            **dict.fromkeys(PICTURE_KINDS, of_picture),
        }

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[PageLesson] = ()) -> ReadBill:
        """Read a bill.

        Raises `InvalidRequest` if the file can't be read (the error names the field `password` if a password is
        needed), `PayloadTooLarge` if the file is too large, and `Unavailable` if no process can be started.
        """
        return self._one(ReadBill, READ, data, Wanted(usable_password(password), tuple(lessons)))

    def read_again(self, bills: Sequence[Sequence[Page]], lessons: Sequence[PageLesson]) -> list[Draft]:
        """Read bills again with newer lessons, from the words that are stored for their pages.

        `bills` contains the pages of each bill. Raises the errors of `read`.
        """
        wanted = Wanted(lessons=tuple(lessons), seen=tuple(map(tuple, bills)))
        drafts = self._of_pdf(READ_AGAIN, framed(b"", wanted))
        if len(drafts) != len(bills) or not all(isinstance(draft, Draft) for draft in drafts):
            raise InvalidRequest(_SENTENCES.broken)
        return drafts

    def learn(self, pages: Sequence[Page], shown: Shown, before: PageLesson | None) -> PageLesson:
        """Learn from a confirmed bill, and return the issuer's extended lesson.

        `pages` contains the bill's pages, and `shown` its confirmed values. `before` is the issuer's earlier
        lesson, if there is one. Raises the errors of `read`.
        """
        return self._one(PageLesson, LEARN, b"", Wanted(shown=shown, before=before, seen=(tuple(pages),)))

    def _one(self, wanted_class: type[Answer], kind: str, data: bytes, wanted: Wanted) -> Answer:
        if len(data) > MOST_DOCUMENT_BYTES:
            raise PayloadTooLarge(TOO_LARGE)
        ask = self._of_kind.get(told("", data).kind or "", self._of_pdf)
        return ask.one(kind, framed(data, wanted), wanted_class)
