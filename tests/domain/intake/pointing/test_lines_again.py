"""The purposes of a bill's amounts are read from earlier confirmations.

If they are unclear, the reader asks and never guesses.
"""

import pytest

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.domain.intake.pointing.taught_bills import NEXT, WATER, bill, moved, row_of, shown
from tests.domain.intake.test_bill_reading import END, HEAD, MADE, page

BOTH = ("Water service | 50.00", "Sewer service | 30.10", "Total amount due | 80.10")
LESSON = learned(bill(*BOTH), shown(WATER=5000, SEWER=3010))


def lines(draft: Draft) -> dict[str, int] | None:
    """The lines that the reader found, or None if it asks about them."""
    return {line.name: line.cents for line in draft.lines.value or ()} if draft.lines.surety == "found" else None


def after(lesson: PageLesson, *amounts: str) -> Draft:
    """The next bill of the issuer, read with a lesson."""
    return read_with(bill(*amounts, made=NEXT), [lesson])


def test_the_same_words_are_for_the_same_utilities_again() -> None:
    draft = after(LESSON, "Water service | 61.00", "Sewer service | 33.00", "Total amount due | 94.00")

    assert (draft.total.surety, draft.total.value) == ("found", 9400)
    assert lines(draft) == {"WATER": 6100, "SEWER": 3300}
    assert {place.page for line in draft.lines.value or () for place in line.places} == {1}


def test_lines_that_do_not_come_to_the_total_are_asked_and_both_sums_are_said() -> None:
    draft = after(
        LESSON, "Water service | 61.00", "Sewer service | 33.00", "Field visit | 6.00", "Total amount due | 100.00"
    )

    assert draft.lines.surety == "asked"
    assert {line.name: line.cents for line in draft.lines.value or ()} == {"WATER": 6100, "SEWER": 3300}
    assert draft.lines.reason == (
        "The amounts that Prorata recognizes on this company’s bills add up to 94.00, but the total is 100.00. Say "
        "what the rest is for."
    )


@pytest.mark.parametrize(
    "words",
    [
        "Previous balance",
        "Balance forward",
        "Past due amount",
        "Arrears",
        "Rückstand",
        "Solde antérieur",
        "Saldo anterior",
    ],
)
def test_what_a_former_bill_left_is_billed_to_nobody(words: str) -> None:
    whole = learned(bill("Current charges | 80.10", "Total amount due | 80.10"), shown())
    more = (f"{words} | 50.00", "Current charges | 80.10", "Total amount due | 130.10")

    assert lines(after(whole, "Current charges | 90.00", "Total amount due | 90.00")) == {"WATER": 9000}
    assert lines(after(whole, *more)) == {"WATER": 8010, "PREVIOUS_BALANCE": 5000}
    both = after(LESSON, f"{words} | 50.00", *BOTH[:2], "Total amount due | 130.10")
    assert lines(both) == {"WATER": 5000, "SEWER": 3010, "PREVIOUS_BALANCE": 5000}


@pytest.mark.parametrize("words", ["Water arrears", "Demand penalty", "Late fee on deposit"])
def test_words_that_name_no_reason_alone_are_asked(words: str) -> None:
    rows = (f"{words} | 5.00", *BOTH[:2], "Total amount due | 85.10")

    assert lines(after(LESSON, *rows)) is None
    assert lines(after(LESSON, *(row.replace(" 5.00", " -5.00").replace("85", "75") for row in rows))) is None


def test_a_reason_whose_amount_does_not_come_to_the_total_with_the_others_is_asked() -> None:
    assert lines(after(LESSON, "Late fee | 5.00", *BOTH[:2], "Total amount due | 80.10")) is None
    assert lines(after(LESSON, "Late fee | 5.00", *BOTH[:2], "Total amount due | 85.15")) is None


def test_what_a_former_bill_left_is_known_again_once_that_was_said() -> None:
    first = (
        "Previous balance | 20.00",
        "Payments received | -5.00",
        "Water service | 65.10",
        "Total amount due | 80.10",
    )
    lesson = learned(bill(*first), shown(WATER=6510, PREVIOUS_BALANCE=1500))

    draft = after(
        lesson,
        "Previous balance | 80.10",
        "Payments received | -30.10",
        "Water service | 40.00",
        "Total amount due | 90.00",
    )

    assert lines(draft) == {"PREVIOUS_BALANCE": 5000, "WATER": 4000}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Late payment charge", "LATE_FEE"),
        ("Security deposit", "DEPOSIT"),
        ("Mahngebühr", "LATE_FEE"),
        ("Kaution", "DEPOSIT"),
        ("Frais de retard", "LATE_FEE"),
    ],
)
def test_a_fee_that_no_bill_had_is_billed_to_nobody(words: str, reason: str) -> None:
    whole = learned(bill(*WATER), shown())
    rows = ("Water usage | 68.10", f"{words} | 5.00", "Water base charge | 12.00", "Total amount due | 85.10")

    assert lines(after(whole, *rows)) == {"WATER": 8010, reason: 500}
    both = after(LESSON, BOTH[0], f"{words} | 5.00", BOTH[1], "Total amount due | 85.10")
    assert lines(both) == {"WATER": 5000, "SEWER": 3010, reason: 500}


def test_amounts_with_the_same_words_are_summed_where_the_bill_states_their_sum() -> None:
    rates = ("Water service | 20.00", "Sewer service | 30.10", "Water service | 30.00")

    assert lines(after(LESSON, *rates, "Water charges | 50.00", "Total amount due | 80.10")) == {
        "WATER": 5000, "SEWER": 3010,
    }  # fmt: skip
    assert lines(after(LESSON, *rates, "Total amount due | 80.10")) is None


def test_the_rows_of_several_meters_are_summed_by_utility() -> None:
    meters = ("Water usage | 30.00", "Water usage | 40.00", "Sewer usage | 10.10", "Total amount due | 80.10")
    lesson = learned(bill(*meters), shown(WATER=7000, SEWER=1010))

    draft = after(
        lesson, "Water usage | 31.00", "Water usage | 42.00", "Water usage | 3.00", "Sewer usage | 11.00",
        "Sewer usage | 12.00", "Total amount due | 99.00",
    )  # fmt: skip

    assert lines(draft) == {"WATER": 7600, "SEWER": 2300}


@pytest.mark.parametrize("row", ["{utility} | Unit {unit} | {amount}", "Unit {unit} | {utility} | {amount}"])
def test_a_row_of_a_table_is_for_the_utility_that_it_names_wherever_its_place_is(row: str) -> None:
    def table(**amounts: str) -> list[str]:
        return [
            row.format(utility=utility, unit=f"{number}A", amount=amount)
            for utility, its in amounts.items()
            for number, amount in enumerate(its.split(), start=1)
        ]

    pages = bill(*table(Water="30.00 40.00"), "Sewer | 10.10", "Total amount due | 80.10")
    at = {"WATER": (row_of(pages, "30.00"), row_of(pages, "40.00")), "SEWER": (row_of(pages, "10.10"),)}
    lesson = learned(pages, shown(at=at, WATER=7000, SEWER=1010))

    draft = after(lesson, *table(Water="31.00 42.00", Sewer="11.00 12.00"), "Total amount due | 96.00")

    assert lines(draft) == {"WATER": 7300, "SEWER": 2300}


def test_the_amounts_that_a_person_pointed_at_are_those_of_the_line() -> None:
    rows = ("Service A | 40.05", "Service B | 40.05", "Total amount due | 80.10")
    pages = bill(*rows)
    at = {"GAS": (row_of(pages, "40.05"),), "WATER": (row_of(pages, "40.05", word=1),)}
    lesson = learned(pages, shown(at=at, GAS=4005, WATER=4005))

    assert lines(after(lesson, "Service A | 10.00", "Service B | 20.00", "Total amount due | 30.00")) == {
        "GAS": 1000, "WATER": 2000,
    }  # fmt: skip


def test_a_line_that_a_second_bill_has_is_known_on_the_third_and_those_of_the_first_still_are() -> None:
    second = ("Water service | 50.00", "Sewer service | 30.10", "Late fee | 5.00", "Total amount due | 85.10")
    both = learned(bill(*second), shown(8510, WATER=5000, SEWER=3010, LATE_FEE=500), LESSON)

    with_fee = after(
        both, "Water service | 10.00", "Sewer service | 20.00", "Late fee | 7.00", "Total amount due | 37.00"
    )
    without = after(both, "Water service | 10.00", "Sewer service | 20.00", "Total amount due | 30.00")

    assert lines(with_fee) == {"WATER": 1000, "SEWER": 2000, "LATE_FEE": 700}
    assert lines(without) == {"WATER": 1000, "SEWER": 2000}


def test_a_bill_that_says_no_more_than_its_sum_is_asked_where_the_company_bills_two_utilities() -> None:
    rows = ("Current charges | 80.10", "Total amount due | 80.10")
    lesson = learned(bill(*rows), shown(GAS=8010))

    assert lines(after(lesson, *rows)) == {"GAS": 8010}
    assert lines(after(learned(bill(*rows), shown(), lesson), *rows)) is None


POWER = ("Energy charge | 68.10", "Sales tax | 12.00", "Total amount due | 80.10")
ONE_UTILITY = learned(bill(*POWER), shown(ELECTRICITY=8010))
TWO_UTILITIES = learned(bill("Water charges | 80.10", "Total amount due | 80.10"), shown(), ONE_UTILITY)


@pytest.mark.parametrize(
    "words",
    ["Outdoor lamps - 155 kWh", "Delivery charge", "On-peak demand", "City tax", "Provincial electricity rebate"],
)
def test_new_words_that_only_price_the_one_utility_of_a_company_are_for_it(words: str) -> None:
    rows = (f"{words} | 4.00", POWER[1], "Total amount due | 16.00")

    assert lines(after(ONE_UTILITY, *rows)) == {"ELECTRICITY": 1600}
    names_its_utility = "electricity" in words
    assert lines(after(TWO_UTILITIES, *rows)) == ({"ELECTRICITY": 1600} if names_its_utility else None)


@pytest.mark.parametrize(
    "words",
    [
        "Surge protection",
        "Street lighting",
        "Connect fee",
        "Water charge",
        "Total charges",
        "Line repair plan",
        "12/30",
    ],
)
def test_new_words_that_may_be_about_something_else_are_asked(words: str) -> None:
    assert lines(after(ONE_UTILITY, f"{words} | 4.00", POWER[1], "Total amount due | 16.00")) is None


@pytest.mark.parametrize("other", ["Sewer service", "Garbage", "Sprinkler meter rental", "Leak repair visit"])
@pytest.mark.parametrize("on_page", [1, 2])
def test_an_amount_for_all_hides_nothing_that_stands_in_another_column_or_on_another_page(
    other: str, on_page: int
) -> None:
    def of(made: tuple[str, ...], *rows: str, total: str) -> list[Page]:
        whole = page(*HEAD, *made, "", f"Total amount due | {total}", *END)
        details = moved(page("Details", *rows), on_page, -900, 6000)
        return [whole._replace(words=(*whole.words, *details.words))] if on_page == 1 else [whole, details]

    lesson = learned(of(MADE, "Water service | 80.10", total="80.10"), shown())

    assert lines(read_with(of(NEXT, "Water service | 75.00", total="75.00"), [lesson])) == {"WATER": 7500}
    assert lines(read_with(of(NEXT, "Water service | 50.00", f"{other} | 25.00", total="75.00"), [lesson])) is None


@pytest.mark.parametrize("words", ["Waste water", "Sewer charges", "Natural gas"])
def test_a_new_utility_is_read_if_the_words_of_each_charge_name_its_utility(words: str) -> None:
    water = ("Water | 80.10", "Total amount due | 80.10")
    lesson = learned(bill(*water), shown(WATER=8010))
    draft = after(lesson, "Water | 50.00", f"{words} | 30.00", "Total amount due | 80.00")

    assert lines(draft) == {"WATER": 5000, "GAS" if "gas" in words else "SEWER": 3000}
    assert draft.total.value == 8000, "the charge of the only utility was also the total, and isn't any more"
    taxed = ("Water | 50.00", f"{words} | 30.00", "Sales tax | 4.00", "Total amount due | 84.00")
    assert lines(after(lesson, *taxed)) is None, "the tax may be for both"


@pytest.mark.parametrize("words", ["Sewer tax", "Natural gas cost rider", "Power supply", "Sewer repair plan"])
def test_words_that_do_more_than_name_a_new_utility_are_asked(words: str) -> None:
    water = ("Water | 80.10", "Total amount due | 80.10")
    lesson = learned(bill(*water), shown(WATER=8010))

    assert lines(after(lesson, "Water | 50.00", f"{words} | 30.00", "Total amount due | 80.00")) is None
    assert lines(after(lesson, "Water | 80.00", "Sewer | -30.00", "Total amount due | 50.00")) is None


@pytest.mark.parametrize("other", ["Regular price", "Payable", "Same month last year"])
def test_an_amount_that_once_equaled_the_total_is_no_total(other: str) -> None:
    lesson = learned(bill("Water | 80.10", f"{other} | 80.10", "Your water bill | 80.10"), shown(WATER=8010))

    assert after(lesson, "Water | 85.00", f"{other} | 80.10", "Your water bill | 85.00").total.surety == "asked"
