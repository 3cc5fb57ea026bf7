"""Negative amounts on bills are read correctly, however they are printed."""

import pytest

from tests.domain.intake.test_bill_reading import read


@pytest.mark.parametrize(
    "written", ["80.00 CR", "80.00 Cr", "80.00 cr.", "80.00 (Credit)", "CR 80.00", "\u2010 80.00", "80.00\u2011"]
)
def test_an_amount_on_the_side_of_credits_is_below_zero_however_that_is_written(written: str) -> None:
    draft = read(f"Water adjustment | {written}", f"Total current charges | {written}", f"Total amount due | {written}")

    assert draft.total.value == -8000


@pytest.mark.parametrize("written", ["-80.00 CR", "(80.00) Cr", "-80.00 DR"])
def test_an_amount_whose_signs_say_two_things_is_asked(written: str) -> None:
    items = "Water usage | 80.00", "Total current charges | 80.00"
    alone = read(*items, f"Total amount due | {written}")
    beside = read(*items, "Amount due | 80.00", f"Total amount due | {written}")

    assert (alone.total.surety, beside.total.surety) == ("asked", "asked")


def test_a_credit_of_a_sentence_and_the_creek_of_an_address_make_no_amount_negative() -> None:
    draft = read(
        "Water usage | 80.00", "Total current charges | 80.00", "Total amount due | 80.00", "12 Willow Cr | 80.00",
        "80.00 credit cards are accepted",
    )  # fmt: skip

    assert draft.total.value == 8000
