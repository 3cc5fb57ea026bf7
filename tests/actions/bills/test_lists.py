"""Bills can be found by issuer, property and number, filtered, and sorted."""

from datetime import date

import pytest

from prorata.actions.bills import bills, lists as bill_lists
from prorata.actions.bills.lists import Wish
from prorata.actions.lists.page_cursors import Leaf
from prorata.actions.properties import properties
from prorata.domain.search_terms import order_of
from prorata.errors import InvalidRequest
from prorata.store.bills import bills as stored_bills, searches as bill_searches
from prorata.store.bills.orders import SORTS
from prorata.store.bills.searches import Sought
from prorata.store.database.list_steps import Order, columns_of
from tests.actions.bills.test_flags import enter, hold
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


def leafed(landlord: Landlord, wish: Wish) -> list[str]:
    """The ids on all pages from the first to the last.

    Also checks that going back shows the same pages.
    """
    pages, leaf = [], Leaf()
    while True:
        page = landlord.see(bill_lists.page, wish, limit=2, leaf=leaf)
        pages.append(page)
        leaf = Leaf(len(pages) * 2, after=page.last)
        if not page.has_more:
            break
    behind = pages[-1]
    for at in reversed(range(1, len(pages) - 1)):
        if not behind.first:
            break  # the usual list, whose pages are found by their numbers
        behind = landlord.see(bill_lists.page, wish, limit=2, leaf=Leaf(at * 2, before=behind.first))
        assert (behind.rows, behind.has_more) == (pages[at].rows, True)
    return [row.id for page in pages for row in page.rows]


def totals(landlord: Landlord, text: str | None = None, **wish: object) -> list[int]:
    filters = wish.pop("filters", {})
    asked = Wish(filters, text, **wish)  # type: ignore[arg-type]
    found = landlord.see(bill_lists.page, asked, limit=50)
    assert found.total == len(found.rows)
    assert [row.id for row in found.rows] == leafed(landlord, asked)
    return [row.total // 100 for row in found.rows]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("energie", [30]), ("SUD éner", [30]), ("elan", [10]), ("ab-7", [30, 90]), ("AB-77", [90]), ("ZQ-1", [60, 90]),
        ("maple court", [60, 30, 90]), ("aqua maple", [60, 90]), ("aqua elan", []), ("nobody", []), ("--", []),
        ("energie reno", [30]), ("30.00", [30]), ("maple $60", [60]), ("elan 60.00", []), ("2026-02", [60, 10]),
        ("jan 2026 aqua", [90]), ("january 2026 30.00", [30]), ("maple aqua co", [60, 90]),
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
        order = Order(SORTS["date"], reverse=False, limit=100)
        walked = books.ask(bill_searches.first_walked, filters, None, order)
        by = books.ask(bill_searches.first_gathered, name, filters, None, order)
        assert walked == by
        assert len(walked) == books.read(bill_searches.number_walked, filters, None, most=9)
        assert len(walked) == books.read(bill_searches.number_gathered, name, filters, None)
        assert books.read(bill_searches.number_walked, filters, None, most=1) == 1


def test_a_number_that_reads_as_a_month_or_an_amount_is_a_number_where_a_bill_has_it(books: Landlord) -> None:
    elm = books.see(properties.page, limit=9, offset=0)[0][1]
    books.bill(elm, 7_00, on=date(2026, 3, 20), bill_number="2026-01-117", account_number="30.00")
    assert totals(books, "2026-01") == totals(books, "30.00") == [7]


def test_a_search_walked_and_gathered_finds_the_same(books: Landlord) -> None:
    its = books.see(bill_lists.sought, "aqua maple")
    for order in (Order(SORTS["issuer"], reverse=True, limit=100), Order(SORTS["date"], reverse=False, limit=100)):
        walked = books.ask(bill_searches.first_walked, {}, its, order)
        assert walked == books.ask(bill_searches.first_gathered, "text", {}, its, order)
        assert len(walked) == 2
    sought = Sought((), ("Aqua Water Co.",), ("ab-78", "AB-78", "ab-78"))
    order = Order(SORTS["issuer"], reverse=True, limit=100)
    walked = books.ask(bill_searches.first_walked, {"status": "UNPAID"}, sought, order)
    assert walked == books.ask(bill_searches.first_gathered, "text", {"status": "UNPAID"}, sought, order)
    assert len(walked) == 3


@pytest.mark.parametrize("sort", ["date", "total", "issuer", "due", "property", "month"])
def test_every_order_of_bills_can_be_reversed(books: Landlord, sort: str) -> None:
    there, back = totals(books, sort=sort), totals(books, sort=sort, reverse=True)
    assert back == there[::-1]
    assert len(there) == 4


def test_bills_go_by_property_and_by_due_date_those_without_one_last(books: Landlord) -> None:
    assert totals(books, sort="property") == [10, 90, 30, 60], "Élan House, then Maple Court"
    elm = books.see(properties.page, limit=9, offset=0)[0][1]
    books.bill(elm, 5_00, bill_number="5", due_date=date(2026, 4, 5))
    books.bill(elm, 4_00, bill_number="4", due_date=date(2026, 4, 4))
    assert totals(books, sort="due")[:2] == [4, 5]
    assert totals(books, sort="due", reverse=True)[-2:] == [5, 4]
    books.do(properties.change, elm.id, {"name": "Zenith"})
    assert totals(books, sort="property", reverse=True)[:3] == [4, 5, 10]


def test_bills_go_by_the_month_they_are_billed_in_also_when_that_changes(books: Landlord) -> None:
    assert totals(books, sort="month") == [90, 30, 60, 10]
    assert totals(books, sort="month", reverse=True) == [10, 60, 30, 90]
    first = books.see(bill_lists.page, Wish({}, "30.00"), limit=9).rows[0]
    books.do(bills.move, first.id, "2026-03")
    assert totals(books, sort="month") == [90, 60, 10, 30]


def test_a_bill_that_is_held_stands_by_the_month_it_is_meant_for(landlord: Landlord) -> None:
    hold(landlord)
    maple = landlord.property_("Maple Court")
    landlord.units(maple, "1")
    landlord.bill(maple, 20_00, on=date(2026, 3, 20), issuer="Midway Hauling")
    enter(landlord, maple)
    held = enter(landlord, maple)
    first, second, third = (
        landlord.see(bill_lists.page, Wish({}, sort="month"), limit=1, leaf=Leaf(at)) for at in range(3)
    )
    assert {first.rows[0].held, second.rows[0].held} == {0, 1}
    assert held.id in {first.rows[0].id, second.rows[0].id}
    behind = landlord.see(bill_lists.page, Wish({}, sort="month"), limit=1, leaf=Leaf(1, after=first.last))
    assert (behind.rows, third.rows[0].billing_month) == (second.rows, "2026-03")


def test_orders_and_filters_that_are_not_known_are_refused(books: Landlord) -> None:
    for wish in (Wish({}, sort="colour"), Wish({"colour": "red"})):
        with pytest.raises(InvalidRequest):
            books.see(bill_lists.page, wish, limit=10)


def test_another_accounts_bills_are_not_found(books: Landlord) -> None:
    stranger = Landlord(books.database, books.clock)
    assert (
        totals(stranger, "aqua") == totals(stranger, filters={"waiting": "1"}) == totals(stranger, sort="total") == []
    )


@pytest.mark.parametrize("sort", ["date", "total", "issuer", "due", "property", "month"])
@pytest.mark.parametrize("reverse", [False, True])
def test_bills_behind_a_place_are_found_the_same_walked_and_gathered(
    books: Landlord, sort: str, *, reverse: bool
) -> None:
    elm = books.see(properties.page, limit=9, offset=0)[0][1]
    for number, total in enumerate((10_00, 10_00, 30_00)):
        due = date(2026, 3, 1 + number) if number else None
        books.bill(elm, total, issuer="Midway Hauling", bill_number=str(number), due_date=due)
    order, filters = Order(SORTS[sort], reverse=reverse, limit=100), {"status": "UNPAID"}
    whole = books.ask(bill_searches.first_walked, filters, None, order)
    assert len(whole) == 6
    for at, row in enumerate(books.read(stored_bills.summaries, whole), start=1):
        named = row._asdict() | {"name_key": order_of(row.property_name), "first_month": row.billing_month}
        place = tuple(named[name] for name in columns_of(SORTS[sort]))
        assert books.read(bill_searches.walked_behind, filters, None, order, place) == whole[at:]
        assert books.ask(bill_searches.first_gathered, "status", filters, None, order, place) == whole[at:]
        assert books.read(bill_searches.walked_behind, filters, None, order._replace(limit=1), place) == whole[at:][:1]


def test_a_page_of_bills_stays_where_it_is_when_the_bill_before_it_goes(books: Landlord) -> None:
    wish = Wish({}, sort="total")
    first = books.see(bill_lists.page, wish, limit=2)
    behind = books.see(bill_lists.page, wish, limit=2, leaf=Leaf(2, after=first.last))
    books.do(bills.remove, first.rows[1].id)

    assert books.see(bill_lists.page, wish, limit=2, leaf=Leaf(2, after=first.last)).rows == behind.rows


@pytest.mark.parametrize("mark", ["x", "W10", "W251bGwsIDFd", "WyIyMCIsICJhIl0", "W" * 1999])
def test_a_mark_that_is_none_of_the_order_of_bills_is_refused(books: Landlord, mark: str) -> None:
    for leaf in (Leaf(50, after=mark), Leaf(50, before=mark)):
        with pytest.raises(InvalidRequest, match="Start from the first page"):
            books.see(bill_lists.page, Wish({}, sort="total"), limit=2, leaf=leaf)
