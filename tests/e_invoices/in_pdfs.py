"""PDFs for tests that contain an e-invoice."""

import io

import pypdfium2


def within(content: bytes, xml: bytes, name: str = "factur-x.xml") -> bytes:
    """A PDF with an attached file."""
    document = pypdfium2.PdfDocument(content)
    document.new_attachment(name).set_data(xml)
    saved = io.BytesIO()
    document.save(saved)
    document.close()
    return saved.getvalue()
