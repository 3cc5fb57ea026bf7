"""Generated bills are never read wrongly without a question.

Enough fields are read correctly in layouts that are held out.
"""

from collections.abc import Iterator

import pytest

from prorata.domain.intake.bill_reading.text_folding import has_figures
from prorata.domain.intake.bill_reading.words import Page, Word, rows_of
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS, Layout
from tests.bill_pdfs.measuring import FIELDS, FIRST, SECOND, THIRD, Measured, judged, measured, next_of, pages_of, shown
from tests.bill_pdfs.printing import printed
from tests.bill_pdfs.words import TYPES
from tests.pdf_pages import read_pdf
from tests.read_bills import read_bill

HELD_OUT = [layout for layout in LAYOUTS if layout.held_out]
KNOWN = [layout for layout in LAYOUTS if not layout.held_out]
ASKED_OF_A_FIRST = {"lines", "total"}
"""The fields that a first bill need not state plainly."""
FLOORS = {
    FIRST: {"total": 45, "issuer": 90, "service_end": 65, "bill_date": 40, "due_date": 30},
    SECOND: {
        "issuer": 95, "account_number": 95, "bill_number": 90, "bill_date": 90, "due_date": 92, "service_start": 88,
        "service_end": 82, "total": 85, "lines": 20,
    },
    THIRD: {
        "issuer": 98, "account_number": 98, "bill_number": 90, "bill_date": 92, "due_date": 95, "service_start": 94,
        "service_end": 92, "total": 88, "lines": 22,
    },
}  # fmt: skip
"""Percent of held-out bills of which these fields are read right, at least (docs/reading-bills.md has the figures)."""


def below_the_floor(found: dict[str, Measured]) -> list[str]:
    """The fields of bills that are read correctly less often than they should be."""
    return [
        f"{which}: {name}"
        for which, of in found.items()
        for name, floor in FLOORS[which].items()
        if 100 * of.counts[name]["right"] < floor * of.counts[name].total()
    ]


def wrong_of(found: dict[str, Measured]) -> list[str]:
    return [said for of in found.values() for said in of.wrong]


def test_there_are_thirty_layouts_and_more_beside_twenty_that_are_held_out() -> None:
    assert len(KNOWN) >= 30
    assert len(HELD_OUT) >= 20
    assert {layout.locale for layout in HELD_OUT} == {"en-US", "de-DE", "fr-FR", "es-ES"}
    held, known = {layout.words for layout in HELD_OUT}, {layout.words for layout in KNOWN}
    assert not held & known, "held-out layouts have words of their own"


def test_of_held_out_bills_and_the_ones_that_follow_nothing_is_wrong_and_the_floor_is_kept() -> None:
    found = measured(HELD_OUT, [1, 2], bills=3)

    assert wrong_of(found) == []
    assert below_the_floor(found) == []


@pytest.mark.thorough
def test_bills_of_every_other_layout_are_read_in_turn_without_a_wrong_value() -> None:
    assert wrong_of(measured(LAYOUTS[::2], [3], bills=3)) == []


@pytest.mark.sample
@pytest.mark.parametrize("locale", ["en-US", "de-DE", "fr-FR", "es-ES"])
def test_on_known_layouts_most_of_a_first_bill_is_read_right(locale: str) -> None:
    found = measured([layout for layout in KNOWN if layout.locale == locale][:4], [2, 3])

    assert wrong_of(found) == []
    counts = found[FIRST].counts
    for name in set(FIELDS) - ASKED_OF_A_FIRST:
        assert 10 * counts[name]["right"] >= 9 * counts[name].total(), name


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_of_sixty_bills_of_each_layout_and_the_ones_that_follow_no_value_is_wrong(layout: Layout) -> None:
    assert wrong_of(measured([layout], range(60), bills=3)) == []


def worsened(pages: tuple[Page, ...], utility: str) -> Iterator[list[Page]]:
    """Yield copies of a bill, in each of which one line of amounts is spoiled.

    The line is left out, or unknown words replace the words beside its amounts, alone or after the name of a utility.
    """
    for place, page in enumerate(pages):
        for row in rows_of(page):
            labels = [cell for cell in row if not has_figures(cell.text)]
            if len(labels) < len(row):
                line = {word for cell in row for word in cell.words}
                label = {word for cell in labels for word in cell.words}
                first = {cell.words[0] for cell in labels}
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
    """List the wrong readings of a worsened first bill and of a worsened next bill."""
    facts = facts_of(layout.locale, seed)
    utility = TYPES[layout.locale][facts.sections[0].kind]
    following = next_of(facts, seed + 1000)
    lesson = learned(pages_of(facts, layout), shown(facts))
    drafts = [(facts, read_bill(pages)) for pages in worsened(read_pdf(printed(facts, layout)), utility)]
    drafts += [(following, read_with(pages, [lesson])) for pages in worsened(pages_of(following, layout), utility)]
    return [
        f"{layout.locale} {layout.name}, bill {seed}, {name}: {read} for {true}"
        for of, draft in drafts
        for name, (result, read, true) in judged(draft, of).items()
        if result == "wrong"
    ]


@pytest.mark.thorough
def test_a_line_left_out_or_in_unknown_words_makes_nothing_wrong() -> None:
    assert [wrong for layout in LAYOUTS[::24] for wrong in wrong_where_worse(layout, 4)] == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_of_many_bills_made_worse_no_value_is_wrong(layout: Layout) -> None:
    assert [wrong for seed in range(8) for wrong in wrong_where_worse(layout, seed)] == []


@pytest.mark.soak
def test_on_held_out_layouts_the_floor_is_kept() -> None:
    """Of 720 bills, one had a late fee in new words counted for its utility."""
    found = measured(HELD_OUT, range(25), bills=3)

    assert len(wrong_of(found)) <= 5
    assert below_the_floor(found) == []
