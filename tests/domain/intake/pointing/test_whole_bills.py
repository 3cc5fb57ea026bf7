"""If one bill was wholly for one utility, so is the total of the next.

The reader asks if any amount may be for something else.
"""

import pytest

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page, Place
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.domain.intake.pointing.taught_bills import NEXT, bill, shown
from tests.domain.intake.test_bill_reading import MADE

TRASH = ("Trash collection, October 2026 | 88.00", "Recycling carts | 8.00", "Total amount due | 96.00")


def of(*amounts: str, made: tuple[str, ...] = NEXT, left: int = 1_556) -> list[Page]:
    """The issuer's next bill, with the column of its amounts moved to the left."""

    def there(place: Place) -> Place:
        return place._replace(left=place.left - left, right=place.right - left)

    return [
        one._replace(
            words=tuple(
                word._replace(place=there(word.place)) if word.text[-3:-2] == "." else word for word in one.words
            )
        )
        for one in bill(*amounts, made=made)
    ]


FIRST = 1_700
"""The shift of the first bill's column to the left, to below the facts of the bill."""
LESSON = learned(of(*TRASH, made=MADE, left=FIRST), shown(9600, GARBAGE=9600))


def lines(pages: list[Page], lesson: PageLesson = LESSON) -> dict[str, int] | None:
    """The lines that the reader found, or None if it asks about them."""
    draft: Draft = read_with(pages, [lesson])
    return {line.name: line.cents for line in draft.lines.value or ()} if draft.lines.surety == "found" else None


@pytest.mark.parametrize(
    "rows",
    [
        ("Trash collection, {month} 2026 | {main}", "Recycling carts | {more}", "Total amount due | {total}"),
        ("Trash collection | {main}", "Sales tax | {more}", "Total amount due | {total}"),
        ("Total amount due | {total}",),
        ("Amount due | {total}", "", "Monthly rate | {main}", "Carts | {more}", "Total amount due | {total}"),
        ("Total for {month} 2026 | {total}", "Monthly rate | {main}", "Carts | {more}"),
        ("Last bill | {before}", "Payment | -{before}", "Rate | {main}", "Carts | {more}", "Amount due | {total}"),
    ],
)
def test_each_next_bill_is_for_the_one_utility_wherever_its_column_is(rows: tuple[str, ...]) -> None:
    def written(month: str, main: int, more: int, before: int = 9600) -> list[str]:
        amounts = {"main": main, "more": more, "total": main + more, "before": before}
        return [
            row.format(month=month, **{name: f"{cents / 100:.2f}" for name, cents in amounts.items()}) for row in rows
        ]

    lesson = learned(of(*written("October", 8800, 800), made=MADE, left=FIRST), shown(9600, GARBAGE=9600))
    second = of(*written("November", 9000, 850))
    assert lines(second, lesson) == {"GARBAGE": 9850}

    both = learned(second, shown(9850, GARBAGE=9850), lesson)
    assert lines(of(*written("December", 9100, 900, before=9850), left=1_630), both) == {"GARBAGE": 10000}


@pytest.mark.parametrize(
    "more",
    [
        ("Bulky pickup | 8.00",),
        ("Water service | 8.00",),
        ("Late fee | 8.00",),
        ("Adjustment | -8.00",),
        ("Trash collection, October 2026 | 88.00",),
        ("Recycling carts | 8.00",),
        ("Recycling carts, 2025 | 8.00",),
        ("Balance forward | 8.00",),
        ("Past due charges",),
        ("Bulky pickup | 8.00 CR",),
    ],
)
def test_a_bill_that_shows_something_else_is_asked(more: tuple[str, ...]) -> None:
    new = TRASH[0].replace("October", "November")
    assert lines(of(new, TRASH[1], "Total amount due | 96.00")) == {"GARBAGE": 9600}

    for total in ("96.00", "104.00", "184.00", "88.00"):
        assert lines(of(new, TRASH[1], *more, f"Total amount due | {total}")) is None


def test_a_bill_for_two_months_or_an_earlier_one_is_asked() -> None:
    rows = ("Trash collection, {} 2026 | 88.00", "Carts, {} 2026 | 8.00")
    lesson = learned(
        of(*(row.format("July") for row in rows), TRASH[2], made=MADE, left=FIRST), shown(9600, GARBAGE=9600)
    )

    assert lines(of(*(row.format("August") for row in rows), TRASH[2]), lesson) == {"GARBAGE": 9600}
    assert lines(of(rows[0].format("August"), rows[1].format("October"), TRASH[2]), lesson) is None


def test_a_bill_that_was_divided_later_is_not_wholly_for_one_utility() -> None:
    new = (TRASH[0].replace("October", "November"), *TRASH[1:])
    for kinds in ({"GARBAGE": 8800, "OWNER": 800}, {"GARBAGE": 8800, "OTHER": 800}):
        divided = learned(of(*new), shown(9600, **kinds), LESSON)

        assert lines(of(*new), divided) == kinds
        assert lines(of(*new, left=1_400), divided) is None, "the column is new, and both lines are known by it"
    apart = learned(of(*new), shown(9600, GARBAGE=9000, OWNER=600), LESSON)
    assert lines(of(*new), apart) is None, "no amounts on the bill say why the owner pays 6.00"


def test_an_amount_that_only_equals_the_total_is_not_learned_in_its_place() -> None:
    rows = ("Last bill | 96.00", "Payment | -96.00", "Total amount due | 96.00", "Rate | 88.00", "Carts | 8.00")
    lesson = learned(bill(*rows, made=MADE), shown(9600, GARBAGE=9600))

    assert [rule.words for way in lesson.layouts[0].lines for rule in way] == ["total amount due"]
