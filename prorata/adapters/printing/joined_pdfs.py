"""PDFs of ours joined into one, by PDFium, in a process that ends with it.

Each page looks as it did. What PDFium does not take along are the tags of a page and the claims of its file, so that a
joined file is for printing, and neither PDF/A nor PDF/UA. Invoices set in one go would stay so, and take 3 MB of memory
each while they are set.
"""

import io
import pickle
from collections.abc import Iterator, Sequence

from prorata.adapters.files.file_process import FileProcess, Limits
from prorata.adapters.limits import LONGEST_JOIN, MOST_JOIN_BYTES


def in_parts(data: bytes, _kind: str) -> Iterator[bytes]:
    """One PDF of all that stand in `data`, in their order."""
    import pypdfium2  # noqa: PLC0415 - the process that asks needs no PDFium

    joined = pypdfium2.PdfDocument.new()
    for content in pickle.loads(data):  # noqa: S301 - from the one that started us
        with pypdfium2.PdfDocument(content) as one:
            joined.import_pages(one)
    made = io.BytesIO()
    joined.save(made)
    yield made.getvalue()


class PdfJoiner:
    """Joins PDFs of ours. Plays `ports.PdfJoiner`."""

    def __init__(self) -> None:
        self._read = FileProcess(__name__, (), Limits(LONGEST_JOIN, memory=MOST_JOIN_BYTES))

    def __call__(self, files: Sequence[bytes]) -> bytes:
        """One PDF of all of them, in their order; one alone as it is."""
        return files[0] if len(files) == 1 else self._read.one("", pickle.dumps(list(files)), bytes)
