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
OUTSIDE = """() => {
    const dialog = document.querySelector("dialog[open]").getBoundingClientRect();
    return [...document.querySelectorAll("dialog[open] .btn")].flatMap((button) => {
        const words = document.createRange();
        words.selectNodeContents(button);
        const [box, text] = [button.getBoundingClientRect(), words.getBoundingClientRect()];
        const fits = box.left >= dialog.left && box.right <= dialog.right && box.bottom <= dialog.bottom;
        return fits && text.top >= box.top && text.bottom <= box.bottom ? [] : [[box.left, box.right, dialog.left]];
    });
}"""
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


def test_long_buttons_of_a_dialog_stay_within_it(visit: Opened) -> None:
    visitor = visit()
    page = visitor.go("/settings/keys")
    page.get_by_role("button", name="Revoke").click()
    page.locator("dialog[open] footer .btn").evaluate_all(
        "buttons => buttons.forEach((one) => { one.textContent = 'Ich trage 1.282,66 € und behalte 1.282,66 € selbst' })"
    )
    for width in (1280, SMALL["width"], 320):
        page.set_viewport_size({"width": width, "height": 780})
        assert page.evaluate(OUTSIDE) == [], width
