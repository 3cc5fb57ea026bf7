"""PDFs, read as in production but in the process of the test."""

import pypdfium2

from prorata.adapters.intake.pdf_text import opened, pages_of
from prorata.domain.intake.bill_reading.words import Page


def read_pdf(content: bytes, *, password: str | None = None) -> tuple[Page, ...]:
    """The pages of a PDF with their words."""
    with opened(content, password) as document:
        return pages_of(document)


def pdf_text(content: bytes) -> str:
    """The text of a PDF, on one line."""
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content)).split())
