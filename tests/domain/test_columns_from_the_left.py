"""Amounts that begin below each other, as a table of text has them, and bills that show hardly anything else."""

import pytest

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.reading import read_bill
from prorata.domain.intake.bill_reading.words import Page, Place, Word

FACTS = ("Account number | 77-4410-2", "Service period | 09/18/2026 to 10/17/2026", "Service address | 1214 Harbor Ave")
END = "Please make your check payable to Marram Waterworks."


def read(*amounts: str, end: str = END) -> Draft:
    """The draft of a bill whose second cells all begin at one edge."""
    words = []
    lines = [(300 + 160 * line, text) for line, text in enumerate(("Marram Waterworks", *FACTS, "Charges", *amounts))]
    for top, text in (*lines, (5000, end)):
        for column, cell in enumerate(text.split(" | ")):
            left = (700, 4800)[column]
            for word in cell.split():
                words.append(Word(word, Place(1, left, top, left + 55 * len(word), top + 100)))
                left += 55 * len(word) + 30
    return read_bill([Page(1, 6120, 7920, tuple(words))])


def lines(draft: Draft) -> dict[str, int] | None:
    return {line.name: line.cents for line in draft.lines.value or ()} if draft.lines.surety == "found" else None


def test_items_that_begin_where_the_total_begins_sum_to_it() -> None:
    draft = read("Water service | $141.20", "Sewer service | $98.80", "Total amount due | $240.00")

    assert (draft.total.surety, draft.total.value) == ("found", 24000)
    assert lines(draft) == {"WATER": 14120, "SEWER": 9880}


def test_what_was_carried_over_is_told_apart_there_too() -> None:
    draft = read(
        "Previous balance | $9.00", "Water service | $141.20", "Sewer service | $98.80", "Total amount due | $249.00"
    )

    assert lines(draft) == {"WATER": 14120, "SEWER": 9880, "PREVIOUS_BALANCE": 900}


def test_a_bill_of_one_item_states_its_total_by_it() -> None:
    draft = read("Electricity | $66.00", "Total amount due | $66.00")

    assert (draft.total.surety, draft.total.value) == ("found", 6600)
    assert draft.lines.surety == "asked", "nothing but one word says which utility it is"


@pytest.mark.parametrize(
    "amounts",
    [
        ("Water service | $9.00", "Water service | $141.20", "Total amount due | $150.20"),
        ("Water arrears | $9.00", "Sewer service | $141.20", "Total amount due | $150.20"),
        ("Water service | $9.00", "Sewer service | $98.80", "Garden hose | $42.40", "Total amount due | $150.20"),
    ],
    ids=["said twice", "of before", "no utility"],
)
def test_what_may_be_of_another_bill_or_no_utility_is_asked_about_there_too(amounts: tuple[str, ...]) -> None:
    assert lines(read(*amounts)) is None


def test_amounts_that_do_not_sum_are_asked_about() -> None:
    draft = read("Water service | $141.20", "Sewer service | $98.80", "Total amount due | $904.00")

    assert (draft.total.surety, draft.total.choices) == ("asked", (90400,))


@pytest.mark.parametrize("end", [END, "Make your checks payable to: Marram Waterworks"])
def test_the_one_to_pay_in_a_sentence_agrees_with_the_head(end: str) -> None:
    assert read("Electricity | $66.00", end=end).issuer.value == "Marram Waterworks"


def test_labels_are_not_offered_as_the_one_who_sent_a_bill() -> None:
    draft = read("Electricity | $66.00", end="Thank you.")

    assert (draft.issuer.surety, draft.issuer.choices) == ("asked", ("Marram Waterworks",))
