"""Tables fit on a phone that is 360 points wide.

Columns that are left out for lack of room keep the table's margins as they are, and a person can reach the rest of a
wide list by keyboard.
"""

from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord

MARGINS = """() => [...document.querySelectorAll("table.rows tr")].flatMap((row) => {
    const seen = [...row.children].filter((cell) => cell.offsetParent);
    const last = seen.at(-1);
    if (!last || !last.matches(".number")) return [];
    const words = document.createRange();
    words.selectNodeContents(last);
    const edge = row.closest(".scroll, .panel").getBoundingClientRect().right;
    return [Math.round(edge - words.getBoundingClientRect().right)];
})"""
SMALL = {"width": 360, "height": 780}


def test_amounts_keep_the_margin_of_their_table_on_a_small_phone(landlord: Landlord, visit: Opened) -> None:
    its = f"/properties/{landlord.property.id}"
    paths = ["/bills", "/months", "/invoices", "/properties", f"{its}/months", f"{its}/months/2026-02", f"{its}/bills"]
    visitor = visit(phone=True)
    visitor.page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    found = {path: visitor.go(path).evaluate(MARGINS) for path in paths}
    assert sum(map(len, found.values())) > len(paths)
    assert {path: gaps for path, gaps in found.items() if gaps and min(gaps) < 16} == {}


def test_a_list_that_is_wider_than_its_place_is_reached_by_keyboard_and_no_other(visit: Opened) -> None:
    page = visit(phone=True).go("/invoices")
    places = "() => [...document.querySelectorAll('.scroll')].map((one) => one.tabIndex)"
    assert page.evaluate(places) == [-1]
    page.locator(".rows").evaluate("table => { table.style.minWidth = '60rem' }")
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    page.wait_for_function(f"() => JSON.stringify(({places})()) === '[0]'")
