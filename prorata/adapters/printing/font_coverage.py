"""Text limited to the characters that the fonts shipped with Prorata can print.

PDF/A and PDF/UA forbid pages with a character that no font has, so such a character is replaced here, where a test
can check the replacement.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec

FONTS = Path(__file__).with_name("fonts")
TEXT_FONT = "NotoSans-Regular.ttf"
SYMBOL_FONTS = ("NotoSansMath-Regular.ttf", "NotoSansSymbols-Regular.ttf", "NotoSansSymbols2-Regular.ttf")
BOX = "\N{WHITE SQUARE}"
"""The replacement for a character that none of the vendored fonts contains."""
NARROW, WIDE, LINK = 24, 32, 64
"""The lengths, in characters, beyond which a word may be broken.

They are for a narrow column, a wide column, and a link.
"""
_BREAK = "\N{ZERO WIDTH SPACE}"
_WORD = re.compile(r"\S+")
_RUN = re.compile(r"-*(?:[^@.\-_/?&]|\.(?=[0-9]))*+[@._/?&]+|-*(?:[^@.\-_/?&]|\.(?=[0-9]))+|-+")
"""The pattern of the pieces between which a word may be broken.

A line may be broken before a hyphen, because a hyphen that ends a line seems not to belong to the word. It may not be
broken between a dot and a digit, as in the number of a final invoice.
"""
_SPACES = {"Zs": " ", "Zl": " ", "Zp": " "}
_KEPT_SPACES = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
_INVISIBLE = ("Cc", "Cf")
_TEXTS_KEPT = 4096
"""The number of texts that are cached.

Most texts occur on many invoices, for example labels, a bill's sentences and the property's name.
"""


@lru_cache(maxsize=_TEXTS_KEPT)
def printable(text: str, longest: int = WIDE) -> str:
    r"""Return a text in one line, with only the characters that the fonts can print.

    Control and direction characters are left out, and a character that no font has becomes a box. A word of more than
    `longest` characters gets invisible spaces where a line may break: after signs that are common in addresses and
    links, before a hyphen, and anywhere in a part that is still too long. No more of these spaces are added than
    needed, because they are copied with the text.

    >>> printable("Łukasz Ωmega\nЖ ✓ 東"), printable("a\u202eb\u0007c")
    ('Łukasz Ωmega Ж ✓ □', 'abc')
    """
    shown = "".join(_shown(unicodedata.normalize("NFC", text)))
    return _WORD.sub(lambda word: _breakable(word.group(), longest), shown)


def _breakable(word: str, longest: int) -> str:
    if len(word) <= longest:
        return word
    runs = _RUN.findall(word)
    return _BREAK.join(run if len(run) <= longest else _BREAK.join(run) for run in runs)


def can_print(text: str) -> bool:
    """True if the text font has a glyph for every visible character of a string."""
    glyphs = _of_text()
    return all(char in glyphs or unicodedata.category(char) in _INVISIBLE for char in text)


def _shown(text: str) -> Iterator[str]:
    in_text, in_symbols = _of_text(), _of_symbols()
    joined = False  # true if the previous character is in the text font and can carry a mark
    for char in text:
        category = unicodedata.category(char)
        if category in _SPACES or char in "\t\n\r":
            yield char if char in _KEPT_SPACES else " "
            joined = False
        elif category in _INVISIBLE:
            continue
        elif category.startswith("M"):
            if joined and char in in_text:
                yield char
        elif char in in_text:
            yield char
            joined = True
        else:
            yield char if char in in_symbols else BOX
            joined = False


@cache
def _of_text() -> frozenset[str]:
    return _characters(TEXT_FONT)


@cache
def _of_symbols() -> frozenset[str]:
    return frozenset[str]().union(*(_characters(name) for name in SYMBOL_FONTS))


def _characters(font: str) -> frozenset[str]:
    """Read a font's characters from the hexadecimal ranges in `fonts/characters.json`."""
    bounds = ((int(end, 16) for end in span.split("-")) for span in _listed()[font].split())
    return frozenset(chr(code) for first, last in bounds for code in range(first, last + 1))


@cache
def _listed() -> dict[str, str]:
    return msgspec.json.decode((FONTS / "characters.json").read_bytes(), type=dict[str, str])
