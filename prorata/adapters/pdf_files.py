"""Bills as PDF, read in a process that ends with each: bytes → the domain's draft, or what a confirmed bill teaches."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

import msgspec

from prorata.adapters.file_process import LIMITS, FileProcess, Limits, Sentences
from prorata.domain.bill_reading.draft import Budget, Draft, Line, Reading
from prorata.domain.bill_reading.issuers import Template
from prorata.domain.bill_reading.lessons import Confirmed
from prorata.domain.bill_reading.words import Place
from prorata.errors import InvalidRequest, PayloadTooLarge
from prorata.ports import ReadBill

MOST_BYTES = 10_000_000
TOO_LARGE = "A PDF may have at most 10 MB. Save it with smaller pictures, or without the pages that are not the bill."
READ, LEARN = "read", "learn"
_SENTENCES = Sentences(
    slow="Reading this PDF takes more than {seconds} seconds. Send the pages of one bill alone, or print it into a new "
    "PDF.",
    large="There is too much in this PDF to read it. Send the pages of one bill alone, or print it into a new PDF.",
    broken="This PDF can't be read: it is damaged, or takes too much memory. Save or download it again, or print it "
    "into a new PDF.",
)
_BYTES_OF_LENGTH = 4
_LONGEST_PASSWORD = 127
"""Bytes of a password that the PDF standard looks at."""


class Wanted(NamedTuple):
    """What is asked of the other process beside the file. It goes the same way: whoever lists processes sees how each
    was called, and a password is nobody's business.
    """

    password: str | None = None
    lessons: tuple[Template, ...] = ()
    confirmed: Confirmed | None = None
    before: Template | None = None


def framed(data: bytes, wanted: Wanted = Wanted()) -> bytes:  # noqa: B008 - it never changes
    """A file behind what is asked of it, as `in_parts` takes them."""
    header = msgspec.json.encode(wanted)
    return len(header).to_bytes(_BYTES_OF_LENGTH) + header + data


def in_parts(data: bytes, kind: str) -> Iterator[Any]:
    """What a framed PDF says (`READ`) or teaches (`LEARN`), in one part. Raises `InvalidRequest`."""
    # Loaded here alone: the process that asks needs neither PDFium nor what reads the words.
    from prorata.adapters.issuer_templates import load_templates  # noqa: PLC0415
    from prorata.adapters.pdf_text import read_pdf  # noqa: PLC0415
    from prorata.domain.bill_reading.lessons import lesson_of, numbers_in  # noqa: PLC0415
    from prorata.domain.bill_reading.reading import read_bill  # noqa: PLC0415

    start = _BYTES_OF_LENGTH + int.from_bytes(data[:_BYTES_OF_LENGTH])
    wanted = msgspec.json.decode(data[_BYTES_OF_LENGTH:start], type=Wanted)
    pages = read_pdf(data[start:], password=wanted.password)
    if kind == READ:
        yield ReadBill(read_bill(pages, load_templates(), wanted.lessons), numbers_in(pages))
    elif wanted.confirmed is not None:
        yield lesson_of(pages, wanted.confirmed, load_templates(), wanted.before)


class PdfProcess:
    """Reads bills as PDF, each in a process that ends with it. Plays `ports.BillReader`."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        classes = (ReadBill, Draft, Reading, Line, Budget, Place, Template, date)
        self._ask = FileProcess(__name__, classes, limits, _SENTENCES)

    def read(self, data: bytes, password: str | None = None, lessons: Sequence[Template] = ()) -> ReadBill:
        """What a bill says. Raises `InvalidRequest`, which names the field `password` where one is asked for,
        `PayloadTooLarge`, and `Unavailable` where no process can be started.
        """
        key = None if password is None else password.encode(errors="replace")[:_LONGEST_PASSWORD]
        wanted = Wanted(key.decode(errors="replace") if key is not None else None, tuple(lessons))
        read = self._asked(READ, data, wanted)
        if not isinstance(read, ReadBill):
            raise InvalidRequest(_SENTENCES.broken)
        return read

    def learn(self, data: bytes, confirmed: Confirmed, before: Template | None) -> Template | None:
        """What a bill teaches that somebody has confirmed. Raises as `read`."""
        lesson = self._asked(LEARN, data, Wanted(confirmed=confirmed, before=before))
        return lesson if isinstance(lesson, Template) else None

    def _asked(self, kind: str, data: bytes, wanted: Wanted) -> Any:
        if len(data) > MOST_BYTES:
            raise PayloadTooLarge(TOO_LARGE)
        answer = self._ask(kind, framed(data, wanted))
        if len(answer) != 1:
            raise InvalidRequest(_SENTENCES.broken)
        return answer[0]
