"""Invoices can be found by parts of their contents, and sorted."""

from datetime import date

import pytest
from sqlalchemy import bindparam, update

from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import InvoiceList, Leaf, Wish
from prorata.actions.limits import MOST_GATHERED_TENANTS
from prorata.actions.lists import searches
from prorata.actions.lists.page_cursors import place_of
from prorata.actions.months import lists as month_lists
from prorata.actions.properties import properties, tenants, unit_imports, units
from prorata.domain.properties.unit_files import FileTenant, FileUnit
from prorata.errors import InvalidRequest
from prorata.store.database.list_steps import Order
from prorata.store.database.statements import changes
from prorata.store.invoices import invoices, orders as invoice_orders, searches as invoice_searches
from prorata.store.schema.tables import invoice
from tests.landlord import Landlord


@pytest.fixture
def houses(landlord: Landlord) -> Landlord:
    maple, elm = landlord.property_("Maple Court"), landlord.property_("Élan House")
    first, second, tenth = landlord.units(maple, "1", "2", "10")
    (other,) = landlord.units(elm, "2B")
    landlord.tenant(first, "Ann Chen", email="ann.chen@example.org")
    landlord.tenant(second, "José Núñez")
    landlord.tenant(other, "Ann Lee", email="lee@example.org")
    assert tenth.label == "10"
    landlord.bill(maple, 90_00, on=date(2026, 1, 20))
    landlord.bill(maple, 60_00)
    landlord.bill(elm, 10_00)
    return landlord


def listed(landlord: Landlord, text: str | None = None, **wish: object) -> InvoiceList:
    filters = wish.pop("filters", {})
    return landlord.see(invoice_lists.page, Wish(filters, text, **wish), limit=50)  # type: ignore[arg-type]


def numbers(landlord: Landlord, text: str | None = None, **wish: object) -> list[str]:
    return [row.number for row in listed(landlord, text, **wish).rows]


@pytest.mark.parametrize(("reverse", "missing"), [(False, "Ann 204"), (True, "Ann 000")])
def test_of_very_many_tenants_the_first_by_name_are_listed_it_is_said_and_a_file_has_them_all(
    landlord: Landlord, *, reverse: bool, missing: str
) -> None:
    maple, most = landlord.property_(), MOST_GATHERED_TENANTS
    names = [f"Ann {number:03d}" for number in range(most + 5)]
    some = [
        FileUnit(at, str(at), None, None, None, None, (FileTenant(at, name, None, None),))
        for at, name in enumerate(names)
    ]
    landlord.do(unit_imports.import_units, maple.id, some)
    landlord.bill(maple, 205_00)
    wish = Wish({}, "ann", sort="tenant", reverse=reverse)
    page = landlord.see(invoice_lists.page, wish, limit=most + 5)
    assert (page.is_cut, len(page.rows), page.has_more) == (True, most, False)
    assert [row.tenant_name for row in page.rows] == (sorted(names)[5:][::-1] if reverse else sorted(names)[:most])
    assert missing not in {row.tenant_name for row in page.rows}
    assert len(landlord.see(invoice_lists.ids_of, wish, most=1_000)) == most + 5
    assert not landlord.see(invoice_lists.page, wish._replace(sort="number"), limit=9).is_cut


def test_an_invoice_number_is_found_while_it_is_typed(houses: Landlord) -> None:
    number = "MAPLECOURT-2-2026-01"
    for length in (
        len("MAPLECOURT-2"),
        len("MAPLECOURT-2-2026"),
        len("MAPLECOURT-2-2026-"),
        len(number) - 1,
        len(number),
    ):
        assert number in numbers(houses, number[:length]), number[:length]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann", ["ELANHOUSE-2B-2026-02", "MAPLECOURT-1-2026-02", "MAPLECOURT-1-2026-01"]),
        ("ANN maple", ["MAPLECOURT-1-2026-02", "MAPLECOURT-1-2026-01"]),
        ("ann.chen@exa", ["MAPLECOURT-1-2026-02", "MAPLECOURT-1-2026-01"]),
        ("nunez", ["MAPLECOURT-2-2026-02", "MAPLECOURT-2-2026-01"]),
        ("elan", ["ELANHOUSE-2B-2026-02"]),
        ("maplecourt-10-2026-01", ["MAPLECOURT-10-2026-01"]),
        ("maple 2026-01", ["MAPLECOURT-1-2026-01", "MAPLECOURT-2-2026-01", "MAPLECOURT-10-2026-01"]),
        ("maple January 2026", ["MAPLECOURT-1-2026-01", "MAPLECOURT-2-2026-01", "MAPLECOURT-10-2026-01"]),
        ("ann jan 2026", ["MAPLECOURT-1-2026-01"]),
        ("maple lee", []),
        ("nobody", []),
    ],
)
def test_an_invoice_is_found_by_the_beginnings_of_its_words(houses: Landlord, text: str, found: list[str]) -> None:
    assert numbers(houses, text) == found
    assert listed(houses, text).total == len(found)
    assert sorted(numbers(houses, text, sort="total")) == sorted(found)


def test_what_is_renamed_is_found_by_its_new_name(houses: Landlord) -> None:
    invoice = listed(houses, "elan").rows[0]
    houses.do(properties.change, invoice.property_id, {"name": "Birch House"})
    houses.do(units.change, invoice.unit_id, {"label": "Attic"})

    assert numbers(houses, "birch attic") == ["ELANHOUSE-2B-2026-02"]
    assert numbers(houses, "elan") == ["ELANHOUSE-2B-2026-02"], "the number is fixed once given"


def test_a_person_is_found_by_each_name_they_had(houses: Landlord) -> None:
    (ann,) = houses.see(tenants.of_unit, listed(houses, "lee").rows[0].unit_id)
    houses.do(tenants.change, ann.id, {"name": "Ann Miller"})

    assert numbers(houses, "miller") == numbers(houses, "lee") == ["ELANHOUSE-2B-2026-02"]


def test_a_tenant_removed_as_a_mistake_is_found_no_more(houses: Landlord) -> None:
    (ann,) = houses.see(tenants.of_unit, listed(houses, "lee").rows[0].unit_id)
    houses.remove_tenant(ann)

    assert numbers(houses, "lee") == []


def test_the_next_tenant_of_a_unit_does_not_show_the_last_ones_invoices(houses: Landlord) -> None:
    houses.set_status(houses.see(properties.page, limit=9, offset=0)[0][1], "2B", "SENT")
    unit_id = listed(houses, "lee").rows[0].unit_id
    houses.do(tenants.create, unit_id, {"name": "Zoe Quick"})

    assert numbers(houses, "quick") == []
    assert numbers(houses, "lee") == ["ELANHOUSE-2B-2026-02"]


def leafed(landlord: Landlord, wish: Wish) -> list[str]:
    """The ids on all pages from the first to the last.

    Also checks that going back shows the same pages.
    """
    pages, leaf = [], Leaf()
    while True:
        page = landlord.see(invoice_lists.page, wish, limit=2, leaf=leaf)
        pages.append(page)
        leaf = Leaf(len(pages) * 2, after=page.last)
        if not page.has_more:
            break
    behind = pages[-1]
    for at in reversed(range(1, len(pages) - 1)):
        if not behind.first:
            break  # the usual list, whose pages are found by their numbers
        behind = landlord.see(invoice_lists.page, wish, limit=2, leaf=Leaf(at * 2, before=behind.first))
        assert (behind.rows, behind.has_more) == (pages[at].rows, True)
    return [row.id for page in pages for row in page.rows]


@pytest.mark.parametrize("sort", ["number", "total", "due", "status", "tenant"])
@pytest.mark.parametrize("text", [None, "maple"])
def test_every_order_can_be_reversed_and_leafed_through(houses: Landlord, sort: str, text: str | None) -> None:
    maple = houses.see(properties.page, limit=9, offset=0)[0][0]
    houses.set_status(maple, "2", "SENT")
    houses.set_status(maple, "10", "PAID")
    there = [row.id for row in listed(houses, text, sort=sort).rows]
    back = [row.id for row in listed(houses, text, sort=sort, reverse=True).rows]
    assert back == there[::-1]
    by_number = [
        row.id
        for offset in range(0, 8, 3)
        for row in houses.see(invoice_lists.page, Wish({}, text, sort), limit=3, leaf=Leaf(offset)).rows
    ]
    assert by_number == there
    assert leafed(houses, Wish({}, text, sort)) == there
    assert leafed(houses, Wish({}, text, sort, reverse=True)) == back


def test_the_orders_are_what_they_are_named_for(houses: Landlord) -> None:
    totals = [row.total for row in listed(houses, sort="total").rows]
    assert totals == sorted(totals)
    names = [row.tenant_name for row in listed(houses, sort="tenant").rows]
    assert names == ["Ann Chen", "Ann Chen", "Ann Lee", "José Núñez", "José Núñez", None, None]
    maple = houses.see(properties.page, limit=9, offset=0)[0][0]
    houses.set_status(maple, "2", "SENT")
    assert [row.due_date is None for row in listed(houses, sort="due").rows] == [False] + [True] * 6


def test_filters_narrow_what_is_found_and_what_is_counted(houses: Landlord) -> None:
    maple = houses.see(properties.page, limit=9, offset=0)[0][0]
    houses.set_status(maple, "1", "SENT")

    for filters in ({"status": "SENT"}, {"property": maple.id, "month": "2026-02", "status": "SENT"}):
        assert numbers(houses, "ann", filters=filters) == ["MAPLECOURT-1-2026-02"]
        assert numbers(houses, sort="total", filters=filters) == ["MAPLECOURT-1-2026-02"]
        assert listed(houses, "ann", filters=filters).total == 1
    assert numbers(houses, "2026-01", filters={"month": "2026-02"}) == []


def test_walking_and_gathering_find_the_same(houses: Landlord) -> None:
    houses.set_status(houses.see(properties.page, limit=9, offset=0)[0][0], "2", "SENT")
    for text in ("", "ann", "maple", "2"):
        words = searches.read(text).words
        found = houses.see(searches.for_invoices, words) if words else None
        for sort in invoice_orders.SORTS:
            for reverse in (False, True):
                for filters in ({}, {"month": "2026-02"}, {"total": 20_00}):
                    order = Order(invoice_orders.SORTS[sort], reverse=reverse, limit=100)
                    ways = [invoice_searches.first_walked, invoice_searches.first_gathered]
                    if found is not None:
                        ways.append(invoice_searches.first_found)
                    whole = houses.read(ways[0], filters, found, order)
                    assert whole
                    rows = houses.read(invoices.summaries, whole)
                    for at, row in enumerate([None, *rows]):
                        place = place_of(invoice_orders.SORTS[sort], invoice_lists.mark_of(sort, row)) if row else None
                        for way in ways:
                            assert houses.read(way, filters, found, order, place) == whole[at:]


def test_many_and_few_that_need_somebody_are_found_the_same(houses: Landlord) -> None:
    maple = houses.see(properties.page, limit=9, offset=0)[0][0]
    houses.set_status(maple, "1", "SENT")
    houses.set_status(maple, "2", "OVERDUE")
    houses.set_status(maple, "10", "SENT")
    waiting = changes(update(invoice).where(invoice.c.status != "DRAFT").values(delivery=bindparam("is_now")))
    for need, delivery in (("handOver", "handOver"), ("undelivered", "failed"), ("undelivered", "bounced")):
        houses.run(lambda tx, delivery=delivery: tx.run(waiting, is_now=delivery))
        assert len(houses.see(invoice_lists.ids_of, Wish({}, need=need), most=9)) == 2, "10 stood empty"
        for sort in invoice_orders.SORTS:
            for reverse in (False, True):
                for filters in ({}, {"status": "SENT"}, {"property": maple.id}):
                    order = Order(invoice_orders.SORTS[sort], reverse=reverse, limit=100)
                    few, many = (
                        houses.read(invoice_searches.first_needing, need, filters, None, order, many=many)
                        for many in (False, True)
                    )
                    assert few == many
                    assert len(few) == houses.read(invoice_searches.number_needing, need, filters)
                    (first, *_) = houses.read(invoices.summaries, few)
                    place = place_of(invoice_orders.SORTS[sort], invoice_lists.mark_of(sort, first))
                    for many in (False, True):
                        ids = houses.read(
                            invoice_searches.first_needing, need, filters, None, order, many=many, place=place
                        )
                        assert ids == few[1:]
    houses.run(lambda tx: tx.run(waiting, is_now=None))


def test_an_order_that_is_not_known_is_refused(houses: Landlord) -> None:
    with pytest.raises(InvalidRequest, match="sort must be one of"):
        listed(houses, sort="colour")


def test_another_accounts_invoices_are_not_found(houses: Landlord) -> None:
    stranger = Landlord(houses.database, houses.clock)
    assert numbers(stranger, "ann") == []
    assert stranger.see(invoice_lists.ids_of, Wish({}), most=10) == []


def test_a_word_that_begins_very_many_is_looked_for_where_the_others_are(houses: Landlord) -> None:
    def matched(text: str) -> searches.Matched:
        return houses.see(searches.match, searches.read(text).words, ["property", "unit", "tenant"], most=2)

    assert len(matched("ann lee").tenants) == 1
    assert not matched("ann lee").is_cut
    assert matched("ann").is_cut


def test_a_month_in_the_text_and_another_in_the_filter_fit_no_invoice_and_count_none(houses: Landlord) -> None:
    wish = Wish({"month": "2026-02"}, "2026-01")
    counts = houses.see(invoice_lists.choices, wish).counts

    assert counts is not None
    assert sum(counts) == 0


def test_an_amount_finds_the_invoices_of_that_total_however_it_is_written(houses: Landlord) -> None:
    for text in ("20.00", "20,00", "$20.00", "20,00 €", "20 $", "maple 20.00", "CHF 20.00"):
        assert numbers(houses, text) == [
            "MAPLECOURT-1-2026-02", "MAPLECOURT-2-2026-02", "MAPLECOURT-10-2026-02",
        ], text  # fmt: skip
        assert listed(houses, text).total == 3
    assert numbers(houses, "ann 20.00") == numbers(houses, "20.00 ann", sort="total") == ["MAPLECOURT-1-2026-02"]
    assert numbers(houses, "30.00 2026-01", filters={"status": "DRAFT"})[0] == "MAPLECOURT-1-2026-01"
    assert numbers(houses, "20.01") == []
    assert numbers(houses, "20") == [], "no sign and no cents: a unit, which is not there"


@pytest.mark.parametrize("written", ["Ann O'Neill", "Ann O\u2019Neill", "Ann Oneill"])
def test_names_are_found_without_regard_to_apostrophes(houses: Landlord, written: str) -> None:
    (ann,) = houses.see(tenants.of_unit, listed(houses, "lee").rows[0].unit_id)
    houses.do(tenants.change, ann.id, {"name": written})

    for typed in ("oneill", "o'neill", "O\u2019Neill", "\u00d3\u00b4Neill"):
        assert numbers(houses, typed) == ["ELANHOUSE-2B-2026-02"], typed


def test_a_name_with_a_hyphen_and_one_without_find_each_other(houses: Landlord) -> None:
    (ann,) = houses.see(tenants.of_unit, listed(houses, "lee").rows[0].unit_id)
    houses.do(tenants.change, ann.id, {"name": "Smith\u2010Jones"})
    (jose,) = houses.see(tenants.of_unit, listed(houses, "nunez").rows[0].unit_id)
    houses.do(tenants.change, jose.id, {"name": "Smithjones"})

    for typed in ("smith-jones", "smithjones", "SMITH-JON"):
        assert len(numbers(houses, typed)) == 3, typed
    assert numbers(houses, "jones") == ["ELANHOUSE-2B-2026-02"]
    assert numbers(houses, "elan-2b-smith") == ["ELANHOUSE-2B-2026-02"]


def test_a_page_stays_where_it_is_when_the_invoice_before_it_changes(houses: Landlord) -> None:
    wish = Wish({}, sort="status")
    first = houses.see(invoice_lists.page, wish, limit=2)
    behind = houses.see(invoice_lists.page, wish, limit=2, leaf=Leaf(2, after=first.last))
    maple = houses.see(properties.page, limit=9, offset=0)[0][0]
    houses.set_status(maple, "1", "SENT")

    again = houses.see(invoice_lists.page, wish, limit=2, leaf=Leaf(2, after=first.last))
    assert [row.id for row in again.rows] == [row.id for row in behind.rows]


@pytest.mark.parametrize("mark", ["x", "W10", "W251bGwsIDFd", "WyIyMCIsICJhIl0", "W" * 1999])
def test_a_mark_that_is_none_of_the_order_is_refused(houses: Landlord, mark: str) -> None:
    for leaf in (Leaf(50, after=mark), Leaf(50, before=mark)):
        with pytest.raises(InvalidRequest, match="Start from the first page"):
            houses.see(invoice_lists.page, Wish({}, sort="total"), limit=2, leaf=leaf)


@pytest.mark.parametrize("text", ["%", "_", '"', " -- ", "(", "'"])
def test_signs_alone_find_no_invoice_and_no_month(houses: Landlord, text: str) -> None:
    assert numbers(houses, text) == numbers(houses, text, sort="total") == []
    assert houses.see(invoice_lists.ids_of, Wish({}, text), most=9) == [], "nothing is done with what is not shown"
    counts = houses.see(invoice_lists.choices, Wish({}, text)).counts
    assert counts is not None
    assert sum(counts) == 0
    assert houses.see(month_lists.page, month_lists.Wish("all", text), limit=9).total == 0
    assert len(numbers(houses, "  ")) == 7, "spaces ask for nothing"


def test_a_month_without_its_year_may_mean_several(houses: Landlord) -> None:
    months = houses.see(invoice_lists.choices, Wish({})).months
    assert invoice_lists.months_meant(Wish({}, "Maple Feb."), months) == (["2026-02"], "maple")
    assert invoice_lists.months_meant(Wish({}, "december"), months) == ([], "")
    assert invoice_lists.months_meant(Wish({}, "maple"), months) is None
