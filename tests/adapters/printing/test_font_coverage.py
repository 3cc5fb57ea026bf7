"""Tests of the characters that the fonts can print, and of breaks in long words."""

import json

import pytest
from fontTools.ttLib import TTFont

from prorata.adapters.printing.font_coverage import FONTS, LINK, NARROW, SYMBOL_FONTS, TEXT_FONT, WIDE, printable

HERE = "\N{ZERO WIDTH SPACE}"


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        ("receivable@harbor-rentals.example.org", ["receivable@", "harbor", "-rentals.", "example.", "org"]),
        (
            "https://pay.example/a_b?c=1&d=" + "2" * 9,
            ["https://", "pay.", "example/", "a_", "b?", "c=1&", "d=222222222"],
        ),
        ("HEATHERROW-COTTAGE2.1-2026-09", ["HEATHERROW", "-COTTAGE2.1", "-2026", "-09"]),
        ("a" * WIDE + "-" + "b" * (WIDE - 1), ["a" * WIDE, "-" + "b" * (WIDE - 1)]),
    ],
)
def test_a_long_word_breaks_after_its_signs_or_before_a_hyphen(word: str, runs: list[str]) -> None:
    assert printable(word, NARROW if len(word) <= WIDE else WIDE).split(HERE) == runs


def test_what_is_too_long_between_signs_breaks_anywhere_and_the_rest_does_not() -> None:
    assert printable("name@" + "x" * (WIDE + 1)) == "name@" + HERE + HERE.join("x" * (WIDE + 1))
    assert printable("." * (WIDE + 1)) == HERE.join("." * (WIDE + 1))


@pytest.mark.parametrize("longest", [NARROW, WIDE, LINK])
def test_a_word_that_fits_is_left_as_it_is(longest: int) -> None:
    fits = "a@b.c-" + "d" * (longest - 6)
    assert printable(f"{fits} {fits}", longest) == f"{fits} {fits}"
    assert HERE in printable(f"{fits}d", longest)


def test_the_list_of_characters_is_that_of_the_fonts() -> None:
    listed = json.loads((FONTS / "characters.json").read_text())
    assert set(listed) == {TEXT_FONT, *SYMBOL_FONTS}
    for font, spans in listed.items():
        bounds = [[int(end, 16) for end in span.split("-")] for span in spans.split()]
        codes = [code for first, last in bounds for code in range(first, last + 1)]
        assert codes == sorted(TTFont(FONTS / font).getBestCmap()), font
