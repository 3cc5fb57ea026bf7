"""Bills as PDF, read in a process that ends with each: bytes → the domain's draft, or what a confirmed bill teaches.

A picture is opened here too, for its size: its words come from another process (ocr_files.py), and are read here.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

import msgspec

from prorata.adapters.files.file_process import LIMITS, FileProcess, Limits, Sentences
from prorata.adapters.limits import LONGEST_PDF_PASSWORD
from prorata.domain.files.file_kinds import PICTURE_KINDS, told
from prorata.domain.intake.bill_reading.draft import UNREAD, Budget, Draft, Line, Reading
from prorata.domain.intake.bill_reading.issuers import Template
from prorata.domain.intake.bill_reading.learned_templates import Confirmed
from prorata.domain.intake.bill_reading.words import FEWEST_WORDS, Page, Place
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.errors import InvalidRequest, PayloadTooLarge
from prorata.ports.files import ReadBill

TOO_LARGE = (
    f"A bill may have at most {MOST_DOCUMENT_BYTES // 1_000_000} MB. Save it with smaller pictures, or without the "
    "pages that are not the bill."
)
SCANNED = "This is a picture of a bill and no text. Enter the bill by hand, or send the PDF its issuer made."
READ, LEARN = "read", "learn"
_SENTENCES = Sentences(
    slow="Reading this PDF takes more than {seconds} seconds. Send the pages of one bill alone, or print it into a new "
    "PDF.",
    large="There is too much in this PDF to read it. Send the pages of one bill alone, or print it into a new PDF.",
    broken="This PDF can't be read: it is damaged, or takes too much memory. Save or download it again, or print it "
    "into a new PDF.",
)
_OF_PICTURES = Sentences(
    slow="Opening this picture takes more than {seconds} seconds. Save it again, or photograph the bill again.",
    large="There is too much in this picture. Save it smaller: some 2,500 pixels high are enough.",
    broken="This picture can't be opened: it is damaged, or takes too much memory. Save it again, or photograph the "
    "bill again.",
)
_BYTES_OF_LENGTH = 4


class Wanted(NamedTuple):
    """What is asked of the other process beside the file. It goes the same way: whoever lists processes sees how each
    was called, and a password is nobody's business. `seen` are pages whose words were read from pictures.
    """

    password: str | None = None
    lessons: tuple[Template, ...] = ()
    confirmed: Confirmed | None = None
    before: Template | None = None
    seen: tuple[Page, ...] = ()


def framed(data: bytes, wanted: Wanted = Wanted()) -> bytes:  # noqa: B008 - it never changes
    """A file behind what is asked of it, as `in_parts` takes them."""
    header = msgspec.json.encode(wanted)
    return len(header).to_bytes(_BYTES_OF_LENGTH) + header + data


def unframed(data: bytes) -> tuple[bytes, Wanted]:
    """What `framed` put together."""
    start = _BYTES_OF_LENGTH + int.from_bytes(data[:_BYTES_OF_LENGTH])
    return data[start:], msgspec.json.decode(data[_BYTES_OF_LENGTH:start], type=Wanted)


def in_parts(data: bytes, kind: str) -> Iterator[Any]:
    """What a framed file says (`READ`) or teaches (`LEARN`), in one part. Raises `InvalidRequest`."""
    # Loaded here alone: the process that asks needs neither PDFium nor what reads the words.
    from prorata.adapters.intake.issuer_templates import load_templates  # noqa: PLC0415
    from prorata.domain.intake.bill_reading.learned_templates import lesson_of, numbers_in  # noqa: PLC0415
    from prorata.domain.intake.bill_reading.reading import read_bill  # noqa: PLC0415

    content, wanted = unframed(data)
    seen = {page.number: page for page in wanted.seen}
    pages = [seen.get(page.number, page) for page in _pages(content, wanted.password)]
    if kind == LEARN:
        assert wanted.confirmed is not None, "a lesson is asked for with what was confirmed"
        yield lesson_of(pages, wanted.confirmed, load_templates(), wanted.before)
    elif sum(len(page.words) for page in pages) < FEWEST_WORDS:
        sizes = tuple((page.width, page.height) for page in pages)
        draft = UNREAD._replace(pages=len(pages), sizes=sizes, from_picture=True)
        yield ReadBill(draft, (), tuple(page.number for page in pages), SCANNED)
    else:
        wordless = tuple(page.number for page in pages if len(page.words) < FEWEST_WORDS)
        yield ReadBill(read_bill(pages, load_templates(), wanted.lessons), numbers_in(pages), wordless)


def _pages(content: bytes, password: str | None) -> tuple[Page, ...]:
    """The pages of a PDF with their words, or the one of a picture without."""
    if told("", content).kind in PICTURE_KINDS:
        from prorata.adapters.files.pictures import page_of  # noqa: PLC0415 - as above

        return (page_of(content),)
    from prorata.adapters.intake.pdf_text import read_pdf  # noqa: PLC0415 - as above

    return read_pdf(content, password=password)


def usable_password(password: str | None) -> str | None:
    """As much of a password as the PDF standard looks at."""
    key = None if password is None else password.encode(errors="replace")[:LONGEST_PDF_PASSWORD]
    return None if key is None else key.decode(errors="replace")


class PdfProcess:
    """Reads bills as PDF, each in a process that ends with it, and pages that were read from pictures (`seen`)."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        classes = (ReadBill, Draft, Reading, Line, Budget, Place, Template, date)
        self._of_pdf = FileProcess(__name__, classes, limits, _SENTENCES)
        self._of_picture = FileProcess(__name__, classes, limits, _OF_PICTURES)

    def read(
        self, data: bytes, password: str | None = None, lessons: Sequence[Template] = (), seen: Sequence[Page] = ()
    ) -> ReadBill:
        """What a bill says. Raises `InvalidRequest`, which names the field `password` where one is asked for,
        `PayloadTooLarge`, and `Unavailable` where no process can be started.
        """
        wanted = Wanted(usable_password(password), tuple(lessons), seen=tuple(seen))
        read = self._asked(READ, data, wanted)
        if not isinstance(read, ReadBill):
            raise InvalidRequest(_SENTENCES.broken)
        return read

    def learn(
        self, data: bytes, confirmed: Confirmed, before: Template | None, seen: Sequence[Page] = ()
    ) -> Template | None:
        """What a bill teaches that somebody has confirmed. Raises as `read`."""
        lesson = self._asked(LEARN, data, Wanted(confirmed=confirmed, before=before, seen=tuple(seen)))
        return lesson if isinstance(lesson, Template) else None

    def _asked(self, kind: str, data: bytes, wanted: Wanted) -> Any:
        if len(data) > MOST_DOCUMENT_BYTES:
            raise PayloadTooLarge(TOO_LARGE)
        ask = self._of_picture if told("", data).kind in PICTURE_KINDS else self._of_pdf
        answer = ask(kind, framed(data, wanted))
        if len(answer) != 1:
            raise InvalidRequest(_SENTENCES.broken)
        return answer[0]
