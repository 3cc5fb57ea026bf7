"""Pictures of printed bills, as they come from a scanner or a phone."""

import io
from collections.abc import Sequence

import pypdfium2
from PIL import Image, ImageEnhance

LYING = {1: None, 3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
"""The transposition of a photo's pixels for each EXIF orientation."""


def pictures_of(pdf: bytes, dpi: int = 200) -> list[Image.Image]:
    """The pages of a PDF as a scanner sees them."""
    document = pypdfium2.PdfDocument(pdf)
    return [page.render(scale=dpi / 72, rev_byteorder=True).to_pil().convert("RGB") for page in document]


def photo(
    pdf: bytes, kind: str = "JPEG", *, dpi: int = 200, aslant: float = 0.0, light: float = 1.0, orientation: int = 1
) -> bytes:
    """The first page as a photo, turned by `aslant` degrees and dimmed to `light`.

    The pixels lie as a phone stores them, and the Exif orientation says how the phone was held.
    """
    picture = pictures_of(pdf, dpi)[0]
    if aslant:
        picture = picture.rotate(aslant, Image.Resampling.BICUBIC, fillcolor="white")
    if light < 1:
        picture = ImageEnhance.Brightness(picture).enhance(light)
    lying = LYING[orientation]
    if lying is not None:
        picture = picture.transpose(lying)
    made, facts = io.BytesIO(), Image.Exif()
    facts[0x0112] = orientation
    picture.save(made, kind, exif=facts, **({"quality": 85} if kind == "JPEG" else {}))
    return made.getvalue()


def scanned(pictures: Sequence[Image.Image], dpi: int = 200) -> bytes:
    """Pictures as a PDF without text, like one from a scanner."""
    made = io.BytesIO()
    pictures[0].save(made, "PDF", save_all=True, append_images=pictures[1:], resolution=dpi)
    return made.getvalue()


def joined(*pages: tuple[bytes, int] | None) -> bytes:
    """A PDF with pages of other PDFs, given by index; None adds an empty page."""
    whole = pypdfium2.PdfDocument.new()
    for one in pages:
        if one is None:
            whole.new_page(595, 842)
        else:
            whole.import_pages(pypdfium2.PdfDocument(one[0]), [one[1]])
    made = io.BytesIO()
    whole.save(made)
    return made.getvalue()
