"""PDFs that hold an e-invoice, made for tests."""

import io

import pypdfium2


def within(content: bytes, xml: bytes, name: str = "factur-x.xml") -> bytes:
    """A PDF that holds a file."""
    document = pypdfium2.PdfDocument(content)
    document.new_attachment(name).set_data(xml)
    saved = io.BytesIO()
    document.save(saved)
    document.close()
    return saved.getvalue()
