"""PDFs, read as in production but in the process of the test."""

from prorata.adapters.intake.pdf_text import opened, pages_of
from prorata.domain.intake.bill_reading.words import Page


def read_pdf(content: bytes, *, password: str | None = None) -> tuple[Page, ...]:
    """The pages of a PDF with their words."""
    with opened(content, password) as document:
        return pages_of(document)
