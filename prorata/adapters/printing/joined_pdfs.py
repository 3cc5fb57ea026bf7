"""PDFs joined into one, by PDFium, in a separate, short-lived process.

Each page looks as before. PDFium drops the tags of pages and the conformance claims of files, so a joined file is
neither PDF/A nor PDF/UA, and is meant for printing. If invoices were typeset together, tags and claims would be kept,
but each invoice would take 3 MB of memory until the file is finished.
"""

import io
import pickle
from collections.abc import Iterator, Sequence

from prorata.adapters.files.file_process import FileProcess, Limits
from prorata.adapters.limits import LONGEST_JOIN, MOST_JOIN_BYTES


def in_parts(data: bytes, _kind: str) -> Iterator[bytes]:
    """Yield one PDF made of all PDFs in `data`, in their order."""
    import pypdfium2  # noqa: PLC0415 - the process that asks needs no PDFium

    joined = pypdfium2.PdfDocument.new()
    for content in pickle.loads(data):  # noqa: S301 - from the one that started us
        with pypdfium2.PdfDocument(content) as document:
            joined.import_pages(document)
    made = io.BytesIO()
    joined.save(made)
    yield made.getvalue()


class PdfJoiner:
    """A joiner of PDFs, which implements `ports.PdfJoiner`."""

    def __init__(self) -> None:
        self._read = FileProcess(__name__, (), Limits(LONGEST_JOIN, memory=MOST_JOIN_BYTES))

    def __call__(self, files: Sequence[bytes]) -> bytes:
        """Join PDFs in their order; a single PDF is returned unchanged."""
        return files[0] if len(files) == 1 else self._read.one("", pickle.dumps(list(files)), bytes)
