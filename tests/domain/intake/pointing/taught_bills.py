"""Bills of one issuer, and a person's confirmations of them.

Tests use them to check what the program learns.
"""

from collections.abc import Mapping
from datetime import date

from prorata.domain.intake.bill_reading.words import Page, Place
from prorata.domain.intake.pointing.lessons import Shown
from tests.domain.intake.test_bill_reading import END, HEAD, MADE, page

WATER = ("Water usage | 68.10", "Water base charge | 12.00", "Total amount due | 80.10")
NEXT = (
    "Account number: | 4417-2231",
    "Invoice number: | INV-8950",
    "Bill date: | April 14, 2026",
    "Due date: | May 4, 2026",
    "Service period: | March 10, 2026 - April 9, 2026",
    "Service address: | 12 Oak Street, Marlow, OH 43017",
)
"""The facts of the bill that follows that of `MADE`."""


def bill(*amounts: str, made: tuple[str, ...] = MADE, head: tuple[str, ...] = HEAD) -> list[Page]:
    """A bill of the issuer with these amounts; bars divide the cells of a line."""
    return [page(*head, *made, "", *(amounts or WATER), *END)]


def shown(
    total: int = 8010, at: Mapping[str, tuple[Place, ...]] | None = None, issuer: str = "Aqua Water Co.", **lines: int
) -> Shown:
    """Return the facts that a person confirms about the bill of `MADE`.

    The whole bill is for water, unless `lines` contains other amounts.
    """
    return Shown(
        issuer,
        {"account_number": "4417-2231", "bill_number": "INV-8801"},
        {
            "bill_date": date(2026, 3, 14), "due_date": date(2026, 4, 4),
            "service_start": date(2026, 2, 10), "service_end": date(2026, 3, 9),
        },
        total,
        tuple((lines or {"WATER": total}).items()),
        at or {},
    )  # fmt: skip


def row_of(pages: list[Page], text: str, word: int = 0) -> Place:
    """Return the place of the first or a later word with this text."""
    return [one.place for page in pages for one in page.words if one.text == text][word]


def moved(of: Page, number: int = 1, right: int = 0, down: int = 0) -> Page:
    """A copy of a page with its words moved."""

    def there(place: Place) -> Place:
        return Place(number, place.left + right, place.top + down, place.right + right, place.bottom + down)

    return of._replace(number=number, words=tuple(word._replace(place=there(word.place)) for word in of.words))
