"""What is read of generated bills: never wrong without asking, and right often enough on layouts that are held out."""

from collections.abc import Iterator

import pytest

from prorata.adapters.intake.pdf_text import read_pdf
from prorata.domain.intake.bill_reading.reading import read_bill
from prorata.domain.intake.bill_reading.row_segments import pieces_of
from prorata.domain.intake.bill_reading.words import Page, Word, rows_of
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS, Layout
from tests.bill_pdfs.measuring import FIELDS, judged, measured
from tests.bill_pdfs.printing import printed
from tests.bill_pdfs.words import TYPES

HELD_OUT = [layout for layout in LAYOUTS if layout.held_out]
KNOWN = [layout for layout in LAYOUTS if not layout.held_out]
FLOOR = {"total": 90, "lines": 71, "issuer": 90, "service_end": 65, "bill_date": 40, "due_date": 30}
"""Percent of held-out bills of which these fields are read right, at least (docs/reading-bills.md has the figures)."""


def test_there_are_thirty_layouts_and_more_beside_twenty_that_are_held_out() -> None:
    assert len(KNOWN) >= 30
    assert len(HELD_OUT) >= 20
    assert {layout.locale for layout in HELD_OUT} == {"en-US", "de-DE", "fr-FR", "es-ES"}
    held, known = {layout.words for layout in HELD_OUT}, {layout.words for layout in KNOWN}
    assert not held & known, "held-out layouts have words of their own"


@pytest.mark.thorough
def test_one_bill_of_each_layout_is_read_without_a_wrong_value() -> None:
    _, wrong = measured(LAYOUTS, [1])

    assert wrong == []


@pytest.mark.sample
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


def worsened(pages: tuple[Page, ...], utility: str) -> Iterator[list[Page]]:
    """A bill with one line of amounts left out, or with words that nobody knows instead of those beside its amounts,
    alone or behind the name of a utility.
    """
    for place, page in enumerate(pages):
        for row in rows_of(page):
            pieces = pieces_of(row)
            if any(piece.amount for piece in pieces):
                line = {word for cell in row for word in cell.words}
                label = {word for piece in pieces if piece.amount is None for word in piece.cell.words}
                first = {piece.cell.words[0] for piece in pieces if piece.amount is None}
                for words in (
                    [word for word in page.words if word not in line],
                    [Word("Zzqxw", word.place) if word in label else word for word in page.words],
                    [
                        Word(f"{utility} Zzqxw" if word in first else "Zzqxw", word.place) if word in label else word
                        for word in page.words
                    ],
                ):
                    yield [*pages[:place], page._replace(words=tuple(words)), *pages[place + 1 :]]


def wrong_where_worse(layout: Layout, seed: int) -> list[str]:
    facts = facts_of(layout.locale, seed)
    utility = TYPES[layout.locale][facts.sections[0].kind]
    return [
        f"{layout.locale} {layout.name}, bill {seed}, {name}: {read} for {true}"
        for pages in worsened(read_pdf(printed(facts, layout)), utility)
        for name, (result, read, true) in judged(read_bill(pages), facts).items()
        if result == "wrong"
    ]


@pytest.mark.thorough
def test_a_line_left_out_or_in_unknown_words_makes_nothing_wrong() -> None:
    assert [wrong for layout in LAYOUTS[::12] for wrong in wrong_where_worse(layout, 4)] == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_of_many_bills_made_worse_no_value_is_wrong(layout) -> None:
    assert [wrong for seed in range(8) for wrong in wrong_where_worse(layout, seed)] == []


@pytest.mark.soak
def test_on_held_out_layouts_the_floor_is_kept() -> None:
    counts, wrong = measured(HELD_OUT, range(25))

    assert wrong == []
    assert {name: 100 * counts[name]["right"] >= floor * counts[name].total() for name, floor in FLOOR.items()} == (
        dict.fromkeys(FLOOR, True)
    )
