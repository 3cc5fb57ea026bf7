"""A bill itself states its lines by known words in known columns.

The lines have to sum to its total. The reader asks about anything less certain.
"""

import pytest

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.domain.intake.pointing.taught_bills import NEXT, bill, shown

WATER_ALONE = ("Water charges | 80.10", "Total amount due | 80.10")
SEWER_ALONE = ("Sewer charges | 80.10", "Drain levy | 9.90", "Total amount due | 90.00")
LESSON = learned(bill(*SEWER_ALONE), shown(9000, SEWER=8010, OTHER=990), learned(bill(*WATER_ALONE), shown(WATER=8010)))
"""Of two bills, each of another utility."""


def after(*amounts: str, lesson: PageLesson = LESSON) -> Draft:
    """The next bill of the issuer, read with a lesson."""
    return read_with(bill(*amounts, made=NEXT), [lesson])


def lines(draft: Draft) -> dict[str, int] | None:
    """The lines that the reader found, or None if it asks about them."""
    return {line.name: line.cents for line in draft.lines.value or ()} if draft.lines.surety == "found" else None


def test_lines_of_several_bills_stand_on_one() -> None:
    rows = ("Water charges | 40.00", "Sewer charges | 30.00", "Drain levy | 10.00", "Total amount due | 80.00")

    assert lines(after(*rows)) == {"WATER": 4000, "SEWER": 3000, "OTHER": 1000}
    assert lines(after(*rows[:3], "Total amount due | 81.00")) is None
    assert lines(after("Field visit | 1.00", *rows[:3], "Total amount due | 81.00")) is None


def test_new_charges_are_told_where_they_are_listed_and_what_was_left_is_nobodys() -> None:
    left = ("Previous balance | 50.00", "Payments received | -20.00", "Balance forward | 30.00")
    lesson = learned(bill(*left[:1], *WATER_ALONE), shown(8010, WATER=8010), LESSON)
    lesson = learned(
        bill("Previous balance | 20.00", "Payments received | -20.00", *WATER_ALONE), shown(WATER=8010), lesson
    )
    listed = ("Water charges | 40.00", "Sewer charges | 30.00", "Total new charges | 70.00")
    rows = (*left, "New charges | 70.00", "Total amount due | 100.00", *listed)

    assert lines(after(*rows, lesson=lesson)) == {"PREVIOUS_BALANCE": 3000, "WATER": 4000, "SEWER": 3000}
    assert lines(after(*rows[:5], "Water charges | 40.00", "Total new charges | 70.00", lesson=lesson)) is None


def test_a_quantity_between_words_and_amount_is_no_label() -> None:
    lesson = learned(bill("Water charges | 7 kgal | 80.10", "Total amount due | 80.10"), shown(WATER=8010))

    assert {rule.words for way in lesson.layouts[0].lines for rule in way} == {"water charges"}


@pytest.mark.parametrize(
    "more",
    [
        ("Late fee | 5.00",),
        ("Past due | 50.00",),
        ("Past due charges",),
    ],
)
def test_a_bill_that_says_more_than_its_lines_is_asked(more: tuple[str, ...]) -> None:
    rows = ("Water charges | 40.00", "Sewer charges | 30.00", "Total amount due | 70.00")

    assert lines(after(*rows)) == {"WATER": 4000, "SEWER": 3000}
    assert lines(after(*more, *rows)) is None


def test_a_utility_is_told_by_its_name_once_it_was_billed_and_not_where_somebody_has_it_with_another() -> None:
    whole = ("Water | 50.00", "Sewer | 30.10", "Total new charges | 80.10", "Total amount due | 80.10")
    apart = learned(bill(*whole), shown(WATER=5000, SEWER=3010), learned(bill(*whole), shown(WATER=8010)))
    rows = ("Water | 20.00", "Sewer | 20.00", "Total amount due | 40.00")

    assert lines(after(*rows, lesson=apart)) == {"WATER": 2000, "SEWER": 2000}
    assert lines(after(*rows, lesson=learned(bill(*whole), shown(WATER=8010)))) in ({"WATER": 4000}, None)


def test_a_new_amount_is_of_the_billed_utility_that_it_names_and_prices() -> None:
    rows = ("Water charges | 40.00", "Sewer charges | 30.00")
    rebate = ("State water rebate | -5.00", "Total amount due | 65.00")

    assert lines(after(*rows, *rebate)) == {"WATER": 3500, "SEWER": 3000}
    assert lines(after(*rows, "State rebate | -5.00", rebate[1])) is None


def test_a_page_that_continues_another_speaks_of_no_earlier_bill() -> None:
    rows = ("Water charges | 40.00", "Sewer charges | 30.00", "Total amount due | 70.00")

    assert lines(after("(continued from previous page)", *rows)) == {"WATER": 4000, "SEWER": 3000}
    assert lines(after("(continued from previous bill)", *rows)) is None


def test_an_amount_that_is_also_taken_off_is_not_the_total() -> None:
    rows = ("Water charges | 40.00", "Sewer charges | 30.00", "Total amount due | 70.00")
    draft = after(*rows, "Total amount due | 90.00", "Total amount due | -90.00")

    assert (draft.total.surety, draft.total.value) == ("found", 7000)
    assert lines(draft) == {"WATER": 4000, "SEWER": 3000}
    assert after(*rows, "Total amount due | 90.00").total.surety == "asked"
