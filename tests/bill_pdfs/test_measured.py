"""What is read of generated bills: never wrong without asking, and right often enough on layouts that are held out."""

import pytest

from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.measuring import FIELDS, measured

HELD_OUT = [layout for layout in LAYOUTS if layout.held_out]
KNOWN = [layout for layout in LAYOUTS if not layout.held_out]
FLOOR = {"total": 60, "lines": 45, "account_number": 65, "bill_date": 80, "due_date": 90}
"""Percent of held-out bills of which these fields are read right, at least (docs/reading-bills.md has the figures)."""


def test_there_are_thirty_layouts_and_more_of_which_a_third_is_held_out() -> None:
    assert len(LAYOUTS) >= 30
    assert 3 * len(HELD_OUT) >= len(LAYOUTS)
    assert {layout.locale for layout in HELD_OUT} == {"en-US", "de-DE", "fr-FR", "es-ES"}
    held, known = {layout.words for layout in HELD_OUT}, {layout.words for layout in KNOWN}
    assert not held & known, "held-out layouts have words of their own"


def test_one_bill_of_each_layout_is_read_without_a_wrong_value() -> None:
    _, wrong = measured(LAYOUTS, [1])

    assert wrong == []


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "fr-FR", "es-ES"])
def test_on_known_layouts_most_is_read_right(locale: str) -> None:
    counts, wrong = measured([layout for layout in KNOWN if layout.locale == locale][:4], [2, 3])

    assert wrong == []
    for name in set(FIELDS) - {"lines"}:
        assert 10 * counts[name]["right"] >= 9 * counts[name].total(), name


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_of_sixty_bills_of_each_layout_no_value_is_wrong(layout) -> None:
    _, wrong = measured([layout], range(60))

    assert wrong == []


@pytest.mark.soak
def test_on_held_out_layouts_the_floor_is_kept() -> None:
    counts, wrong = measured(HELD_OUT, range(25))

    assert wrong == []
    assert {name: 100 * counts[name]["right"] >= floor * counts[name].total() for name, floor in FLOOR.items()} == (
        dict.fromkeys(FLOOR, True)
    )
