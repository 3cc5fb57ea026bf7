"""Tests of bills whose amounts begin at one left edge, as in text tables.

Other bills here show little except their amounts.
"""

import pytest

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page, Place, Word
from tests.read_bills import read_bill

FACTS = ("Account number | 77-4410-2", "Service period | 09/18/2026 to 10/17/2026", "Service address | 1214 Harbor Ave")
END = "Please make your check payable to Marram Waterworks."


def read(*amounts: str, end: str = END) -> Draft:
    """The draft of a bill whose second cells all begin at one left edge."""
    words = []
    lines = [(300 + 160 * line, text) for line, text in enumerate(("Marram Waterworks", *FACTS, "Charges", *amounts))]
    for top, text in (*lines, (5000, end)):
        for column, cell in enumerate(text.split(" | ")):
            left = (700, 4800)[column]
            for word in cell.split():
                words.append(Word(word, Place(1, left, top, left + 55 * len(word), top + 100)))
                left += 55 * len(word) + 30
    return read_bill([Page(1, 6120, 7920, tuple(words))])


def test_a_bill_of_one_item_states_its_total_by_it() -> None:
    draft = read("Electricity | $66.00", "Total amount due | $66.00")

    assert (draft.total.surety, draft.total.value) == ("found", 6600)


def test_a_total_that_stands_once_is_proposed_and_asked() -> None:
    draft = read("Water service | $141.20", "Sewer service | $98.80", "Total amount due | $904.00")

    assert (draft.total.surety, draft.total.choices) == ("asked", (90400,))


@pytest.mark.parametrize("end", [END, "Make your checks payable to: Marram Waterworks"])
def test_the_one_to_pay_in_a_sentence_agrees_with_the_head(end: str) -> None:
    assert read("Electricity | $66.00", end=end).issuer.value == "Marram Waterworks"


def test_labels_are_not_offered_as_the_one_who_sent_a_bill() -> None:
    draft = read("Electricity | $66.00", end="Thank you.")

    assert (draft.issuer.surety, draft.issuer.choices) == ("asked", ("Marram Waterworks",))
