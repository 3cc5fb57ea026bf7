"""Tests of parsing a charge's stored sentence in order to translate it."""

from typing import cast

import pytest

from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting.charge_sentences import in_words
from prorata.domain.texts import Text

END = ", after the owner's 5%, and one cent more, so that all shares add up to the bill"
WHYS = (
    "1 of 20 units",
    "850 of 15,390.5 sq ft, 23 of 31 days (a day of moving counts for both)" + END,
    "square feet not entered: 0 of 250 sq ft",
    "50% by 640 of 15,390 sq ft, 23 of 31 days; 1/3% by no weight given: weight 0 of 6.5" + END,
    "22.5% of this amount",
    "2,190 of 11,460 sq ft-days (73 × 30 days), 14 of 31 days (a day of moving counts for both)" + END,
    "50% by 7,500 of 62,000 sq ft-days (500 × 15 days), 14 of 15 days; 50% by 31 of 62 unit-days",
    "60% by weight 15.5 of 30.5 weight-days (0.5 × 31 days); 40% by 22.5% of this amount for 15 of 31 days, 3 of 15 days",
    "75% by 62 of 93 person-days; 25% by bedrooms not entered: 0 of 93 bedroom-days (0 × 1 day)",
)
BILLS = (
    "City: Water, bill of 2026-03-14, $320.10",
    "City, bill of 2026-03-14, -$1,320.10, of which water $20.00",
    "City, bill of 2026-03-14, $3.10, of which other $2.00 for 31 of 62 days (divided equally, as the bill gives no amounts)",
)
CORRECTED = "Correction of March 2026: City: Water, bill of 2026-03-14: $76.00 was charged"
CORRECTIONS = (
    f"{CORRECTED}; $84.45 is right: {WHYS[1]}",
    f"{CORRECTED}; $84.45 is right: {WHYS[0]}; $3.00 is left to the owner; $5.45 of the difference is not decided",
    f"{CORRECTED}, which March 2026 charges itself again",
)


class InStars:
    """Values that stand out, by which it is seen what is translated."""

    def __getattr__(self, name: str):
        return lambda value, *_: f"*{getattr(PLAIN, name)(value, *_)}*"


IN_STARS = cast(Forms, InStars())


@pytest.mark.parametrize("sentence", [*(f"{bill}: {why}" for bill in BILLS for why in WHYS), *CORRECTIONS])
def test_a_sentence_keeps_its_words_but_for_the_cent_that_not_every_currency_has(sentence: str):
    said = in_words(sentence, "USD")
    assert (said, type(said)) == (sentence.replace("one cent", "$0.01"), Text)


def test_its_values_are_written_as_in_another_country():
    said = in_words(f"{BILLS[1]}: {WHYS[3]}", "USD", IN_STARS)
    assert said == (
        "City, bill of *2026-03-14*, *-$1,320.10*, of which water *$20.00*: *50%* by *640* of *15,390* sq ft, *23* of "
        "*31* days; *1/3%* by no weight given: weight *0* of *6.5*, after the owner's *5%*, and *$0.01* more, so that "
        "all shares add up to the bill"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Garage, March",
        "City, bill of 2026-03-14",
        "Key: of 1 of 2 units",
        "City, bill of 2026-02-30, $1.00: 1 of 2 units",
    ],
)
def test_another_text_is_left_as_it_is(text: str):
    assert in_words(text, "USD") == text
    assert type(in_words(text, "USD")) is str


def test_a_blend_by_different_days_is_written_as_in_another_country():
    said = in_words(f"{BILLS[0]}: {WHYS[7]}", "USD", IN_STARS)
    assert said.partition("*: ")[2] == (
        "*60%* by weight *15.5* of *30.5* weight-days (*0.5* × *31* days); *40%* by *22.5*% of this amount for *15* of "
        "*31* days, *3* of *15* days"
    )


def test_a_reason_of_another_form_is_told_by_the_page():
    why = "nobody lived in any unit"
    assert in_words(f"{BILLS[0]}: {why}", "USD", retell=str.upper) == f"{BILLS[0]}: {why.upper()}"
