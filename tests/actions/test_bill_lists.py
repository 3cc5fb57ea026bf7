"""Bills are found by issuer, property and number, narrowed by filters, and listed in the order that is asked for."""

from datetime import date

import pytest

from prorata.actions import bill_lists
from prorata.actions.bill_lists import Wish
from prorata.errors import InvalidRequest
from prorata.store import bill_searches
from prorata.store.bill_searches import Order, Sought
from tests.landlord import Landlord


@pytest.fixture
def books(landlord: Landlord) -> Landlord:
    maple, elm = landlord.property_("Maple Court"), landlord.property_("Élan House")
    landlord.units(maple, "1")
    landlord.bill(maple, 90_00, on=date(2026, 1, 20), bill_number="AB-77", account_number="zq-1")
    landlord.set_status(maple, "1", "SENT", "2026-01")
    landlord.bill(maple, 30_00, "GAS", on=date(2026, 1, 25), issuer="Énergie du Sud", bill_number="ab-78")
    landlord.bill(maple, 60_00, "WATER;SEWER", account_number="zq-1")
    landlord.bill(elm, 10_00, issuer="Midway Hauling", payment_status="PAID")
    return landlord


def totals(landlord: Landlord, text: str | None = None, **wish: object) -> list[int]:
    filters = wish.pop("filters", {})
    found = landlord.see(bill_lists.page, Wish(filters, text, **wish), limit=50, offset=0)  # type: ignore[arg-type]
    assert found.total == found.shown == len(found.rows)
    return [row.total // 100 for row in found.rows]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("energie", [30]), ("SUD éner", [30]), ("elan", [10]), ("ab-7", [30, 90]), ("AB-77", [90]), ("ZQ-1", [60, 90]),
        ("maple court", [60, 30, 90]), ("aqua maple", []), ("nobody", []), ("--", []),
    ],
)  # fmt: skip
def test_a_bill_is_found_by_issuer_property_and_number(books: Landlord, text: str, found: list[int]) -> None:
    assert totals(books, text) == found
    assert totals(books, text, sort="total") == sorted(found)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"month": "2026-01"}, [30, 90]), ({"status": "PAID"}, [10]), ({"guessed": "true"}, [60]),
        ({"waiting": "true"}, [30]), ({"month": "2026-02", "status": "UNPAID"}, [60]), ({}, [60, 10, 30, 90]),
    ],
)  # fmt: skip
def test_bills_are_narrowed_by_what_stands_about_them(
    books: Landlord, filters: dict[str, str], found: list[int]
) -> None:
    assert sorted(totals(books, filters=filters)) == sorted(found)
    assert totals(books, filters=filters, sort="total", reverse=True) == sorted(found, reverse=True)
    for name in filters:
        order = Order("date", reverse=False, limit=100)
        walked = books.ask(bill_searches.first_walked, filters, None, order)
        by = books.ask(bill_searches.first_gathered, name, filters, None, order)
        assert walked == by


def test_a_search_walked_and_gathered_finds_the_same(books: Landlord) -> None:
    sought = Sought((), ("Aqua Water Co.",), ("ab-78", "AB-78", "ab-78"))
    order = Order("issuer", reverse=True, limit=100)
    walked = books.ask(bill_searches.first_walked, {"status": "UNPAID"}, sought, order)
    assert walked == books.ask(bill_searches.first_gathered, "text", {"status": "UNPAID"}, sought, order)
    assert len(walked) == 3


@pytest.mark.parametrize("sort", ["date", "total", "issuer"])
def test_every_order_of_bills_can_be_reversed(books: Landlord, sort: str) -> None:
    there, back = totals(books, sort=sort), totals(books, sort=sort, reverse=True)
    assert back == there[::-1]
    assert len(there) == 4


def test_orders_and_filters_that_are_not_known_are_refused(books: Landlord) -> None:
    for wish in (Wish({}, sort="colour"), Wish({"colour": "red"})):
        with pytest.raises(InvalidRequest):
            books.see(bill_lists.page, wish, limit=10, offset=0)


def test_another_accounts_bills_are_not_found(books: Landlord) -> None:
    stranger = Landlord(books.database, books.clock)
    assert (
        totals(stranger, "aqua") == totals(stranger, filters={"waiting": "1"}) == totals(stranger, sort="total") == []
    )
