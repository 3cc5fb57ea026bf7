"""A person can bill a month without a mouse, with keys that everybody has.

The person signs in, enters a bill, and reviews and sends its month.
"""

from playwright.sync_api import ElementHandle, Locator, Page, TimeoutError as TooLate, expect

from tests.browser.conftest import Opened, Visitor
from tests.browser.landlord import EMAIL, PASSWORD, Landlord

MOST_STOPS = 90
_IS_SEEN = """element => {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    const ringed = style.boxShadow !== "none" || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0);
    const shown = box.width > 0 && box.height > 0 && box.top < innerHeight && box.bottom > 0;
    const isInside = element.type === "date" && !element.matches(":focus-visible");
    return shown && (isInside || (ringed && element.matches(":focus-visible")));
}"""
"""The calendar's button inside a field for a date has the browser's own ring, which no page can ask about."""
_IS_STOP = "element => element !== document.body"
_IN_WORDS = "element => element.outerHTML.slice(0, 160)"


class Typist:
    """A person at a keyboard, who has to see the focus at each stop."""

    def __init__(self, visitor: Visitor) -> None:
        self.page: Page = visitor.page
        self.unseen: list[str] = []

    def to(self, goal: Locator) -> "Typist":
        """Press Tab until the goal has the focus."""
        expect(goal).to_have_count(1)
        wanted = goal.element_handle()
        for _ in range(MOST_STOPS):
            if self.page.evaluate("goal => document.activeElement === goal", wanted):
                return self
            self.page.keyboard.press("Tab")
            self._look()
        raise AssertionError(f"Tab never gets to {goal} at {self.page.url}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def _comes_in_sight(self, focused: ElementHandle) -> bool:
        """True if the focused element becomes visible within a second.

        The browser scrolls to it smoothly.
        """
        try:
            self.page.wait_for_function(_IS_SEEN, arg=focused, timeout=1000)
        except TooLate:
            return False
        return True

    def _look(self) -> None:
        focused = self.page.evaluate_handle("document.activeElement").as_element()
        # After the last stop the focus is on nothing of the page.
        if focused is not None and focused.evaluate(_IS_STOP) and not self._comes_in_sight(focused):
            self.unseen.append(f"{self.page.url}: {focused.evaluate(_IN_WORDS)}")


def test_a_month_is_billed_and_sent_by_keyboard_alone(landlord: Landlord, visit: Opened) -> None:
    visitor = visit(signed_in=False)
    page, typist = visitor.go("/sign-in"), Typist(visitor)
    typist.to(page.get_by_label("E-mail address")).type(EMAIL)
    typist.to(page.get_by_label("Password")).type(PASSWORD)
    typist.press("Enter")
    page.wait_for_url(f"{landlord.url}/")

    menu = page.get_by_role("navigation", name="Main")
    typist.to(menu.get_by_role("link", name="Bills")).press("Enter")
    page.wait_for_url("**/bills")
    typist.to(page.get_by_role("link", name="Enter a bill").first).press("Enter")
    page.wait_for_url("**/bills/new")
    typist.to(page.get_by_role("textbox", name="Who sent the bill")).type("Night Power Co.")
    typist.to(page.get_by_label("Total in USD")).type("80.00")
    typist.to(page.get_by_label("Date of the bill")).type("03142026")
    typist.to(page.get_by_label("Have you paid it?")).press("ArrowDown")
    typist.to(page.get_by_label("Electricity", exact=True)).press("Space")
    expect(page.get_by_label("Electricity", exact=True)).to_be_checked()
    expect(page.locator("#month-so-far")).to_contain_text("March 2026")  # what comes in moves the button below
    typist.to(page.get_by_role("button", name="Add the bill")).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Night Power Co.")
    expect(page.get_by_text("Paid", exact=True).first).to_be_visible()

    typist.to(menu.get_by_role("link", name="Months")).press("Enter")
    page.wait_for_url("**/months")
    typist.to(page.get_by_label("Select Maple Court, March 2026")).press("Space")
    typist.to(page.get_by_role("button", name="Send these…")).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Send ")
    typist.to(page.get_by_role("link", name="Not now")).press("Enter")
    typist.to(page.get_by_label("Select Maple Court, March 2026")).press("Space")
    typist.to(page.get_by_role("button", name="Send these…")).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Send ")
    typist.to(page.locator(".panel footer button")).press("Enter")
    page.wait_for_url("**/invoices/changes/*")
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    assert not typist.unseen
