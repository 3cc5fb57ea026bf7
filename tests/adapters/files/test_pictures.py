"""Photos and scans are opened upright and no larger than wanted.

Files that lie about themselves are refused.
"""

import io
from contextlib import suppress

import pytest
from PIL import Image

from prorata.adapters.files import pictures
from prorata.adapters.files.pictures import opened, page_of
from prorata.adapters.intake.pdf_pictures import PictureProcess
from prorata.errors import InvalidRequest, NotFound

TALL = (400, 800)


def made(picture: Image.Image, kind: str, **how: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **how)
    return file.getvalue()


def half_and_half() -> Image.Image:
    """A picture that is black above and white below."""
    picture = Image.new("RGB", TALL, "white")
    picture.paste("black", (0, 0, 400, 400))
    return picture


def refused(content: bytes) -> str:
    with pytest.raises(InvalidRequest) as refusal:
        opened(content, 1_000)
    return refusal.value.message


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("mode", ["RGB", "L", "1", "P", "RGBA", "LA", "CMYK", "I;16"])
def test_whatever_its_colours_it_is_opened_in_red_green_and_blue(kind: str, mode: str) -> None:
    taken = {"JPEG": ("RGB", "L", "CMYK"), "PNG": ("RGB", "L", "1", "P", "RGBA", "LA", "I;16")}[kind]
    if mode not in taken:
        mode = "L"
    drawn = half_and_half().convert("L")
    if mode == "I;16":
        drawn = drawn.convert("I").point(lambda shade: shade * 257)
    picture = opened(made(drawn.convert(mode), kind), 1_000)
    assert (picture.mode, picture.size) == ("RGB", TALL)
    assert max(picture.getpixel((200, 100))) < 40  # type: ignore[arg-type, type-var]
    assert min(picture.getpixel((200, 700))) > 215  # type: ignore[arg-type, type-var]


@pytest.mark.parametrize(
    ("orientation", "lying"),
    [(1, None), (3, Image.Transpose.ROTATE_180), (6, Image.Transpose.ROTATE_90), (8, Image.Transpose.ROTATE_270)],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_it_is_turned_as_the_telephone_was_held(kind: str, orientation: int, lying: Image.Transpose | None) -> None:
    picture, facts = half_and_half(), Image.Exif()
    facts[0x0112] = orientation
    content = made(picture if lying is None else picture.transpose(lying), kind, exif=facts)

    seen = opened(content, 1_000)

    assert seen.size == TALL
    assert max(seen.getpixel((200, 100))) < 40  # type: ignore[arg-type, type-var]
    page = page_of(content)
    assert (page.number, page.width, page.height, page.words) == (1, 4_210, 8_420, ())


def test_what_can_be_seen_through_is_on_white_paper() -> None:
    picture = opened(made(Image.new("RGBA", TALL, (0, 0, 0, 0)), "PNG"), 1_000)
    assert picture.getpixel((5, 5)) == (255, 255, 255)


def test_it_is_no_larger_than_wanted() -> None:
    assert opened(made(Image.new("RGB", (3_000, 1_500)), "JPEG"), 1_000).size == (1_000, 500)
    for mode in ("RGB", "I;16", "1", "RGBA"):
        assert opened(made(Image.new(mode, (3_000, 1_500)), "PNG"), 1_000).size == (1_000, 500)


def test_what_is_no_page_is_refused_by_what_it_says_of_itself() -> None:
    assert refused(made(Image.new("L", (6_000, 5_100)), "PNG")) == pictures.TOO_MANY_PIXELS
    assert refused(made(Image.new("L", (8_000, 7_600)), "JPEG")) == pictures.TOO_MANY_PIXELS
    assert refused(made(Image.new("L", (199, 800)), "PNG")) == pictures.TOO_SMALL
    assert refused(made(Image.new("L", (210, 2_200)), "PNG")) == pictures.ODD_SHAPE


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_damaged_one_is_opened_or_refused_and_never_fails_otherwise(kind: str) -> None:
    whole = made(Image.linear_gradient("L").resize(TALL), kind)
    for eighth in range(1, 8):
        assert refused(whole[: len(whole) * eighth // 8]) == pictures.BROKEN
    for place in range(0, len(whole), max(1, len(whole) // 60)):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        with suppress(InvalidRequest):
            assert opened(bytes(damaged), 1_000).mode == "RGB"


def test_a_photo_is_shown_as_its_only_page() -> None:
    content = made(half_and_half(), "PNG")
    shown = Image.open(io.BytesIO(PictureProcess()(content, "1")))
    assert (shown.format, shown.size) == ("JPEG", TALL)
    with pytest.raises(NotFound):
        PictureProcess()(content, "2")
    with pytest.raises(InvalidRequest, match="damaged"):
        PictureProcess()(content[:300], "1")
