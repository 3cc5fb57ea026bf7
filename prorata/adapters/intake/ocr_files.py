"""A reader of the words in page images, which runs in a separate process.

Reading images takes far more time and memory than reading other files, so it has its own limits. The OCR engine
is an optional extra (requirements/ocr.in).
"""

import importlib.util
from collections.abc import Iterator, Sequence

from prorata.adapters.files.file_process import FileProcess, Limits, Sentences
from prorata.adapters.intake.pdf_files import Wanted, framed, unframed, usable_password
from prorata.adapters.limits import LONGEST_OCR_SIDE, MOST_OCR_PAGES
from prorata.domain.files.file_kinds import PICTURE_KINDS, told
from prorata.domain.intake.bill_reading.words import Page, Place, Word
from prorata.domain.texts import say
from prorata.errors import InvalidRequest

OCR_LIMITS = Limits(seconds=120, patience=240.0, memory=2 * 1024 * 1024 * 1024)
"""The limits for reading the pictures of one file.

The memory limit is for address space, of which the engine reserves more than it uses.
"""
PIXELS_A_POINT = 200 / 72
_NEEDED = ("rapidocr", "onnxruntime")
_SENTENCES = Sentences(
    slow=say("Reading this picture takes more than {seconds} seconds. Send fewer pages, or enter the bill by hand."),
    large=say("There is too much in this picture to read. Send fewer pages, or enter the bill by hand."),
    broken=say("This picture can't be read automatically. Enter the bill by hand, or send the PDF from its issuer."),
)


def is_installed() -> bool:
    """True if pictures can be read on this installation."""
    return all(importlib.util.find_spec(name) is not None for name in _NEEDED)


def in_parts(data: bytes, kind: str) -> Iterator[Page]:
    """Yield the pages that `kind` lists, such as "1,2", with their words.

    For a photo, its only page is yielded. Raises `InvalidRequest` if the file can't be read.
    """
    from prorata.adapters.intake.ocr import read_picture  # noqa: PLC0415 - the process that asks needs no engine

    content, wanted = unframed(data)
    if told("", content).kind in PICTURE_KINDS:
        from prorata.adapters.files.pictures import opened, page_size  # noqa: PLC0415 - as above

        picture = opened(content, LONGEST_OCR_SIDE)
        yield read_picture(picture, 1, *page_size(*picture.size))
        return
    from prorata.adapters.intake.pdf_pictures import scanned  # noqa: PLC0415 - as above

    numbers = tuple(int(number) for number in kind.split(",")[:MOST_OCR_PAGES])
    for number, (width, height), picture in scanned(
        content, wanted.password, numbers, PIXELS_A_POINT, LONGEST_OCR_SIDE
    ):
        yield read_picture(picture, number, int(width * 10), int(height * 10))


class OcrProcess:
    """A reader of page pictures, each file in a separate, short-lived process."""

    def __init__(self, limits: Limits = OCR_LIMITS) -> None:
        self._read = FileProcess(__name__, (Page, Word, Place), limits, _SENTENCES)

    def __call__(self, data: bytes, numbers: Sequence[int], password: str | None = None) -> tuple[Page, ...]:
        """Read pages of a PDF, or the only page of a photo, with their words.

        Raises `InvalidRequest` if the file can't be read, and `Unavailable` if no process can be started.
        """
        wanted = Wanted(usable_password(password))
        pages = self._read(",".join(str(number) for number in numbers[:MOST_OCR_PAGES]), framed(data, wanted))
        if not all(isinstance(page, Page) for page in pages):
            raise InvalidRequest(_SENTENCES.broken)
        return tuple(pages)
