"""Pointing at values on the page of a PDF bill fills its form.

From that, Prorata learns how to read the issuer's next bill.
"""

import time

from playwright.sync_api import Locator, Page, expect

from prorata import wiring
from prorata.actions.intake import page_lessons
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord
from tests.browser.test_bills import bring

LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and one.name == "dashed and lined")
SECONDS = 60
FIRST = facts_of("en-US", 3, kinds="ELECTRICITY", story="plain")


def test_what_is_pointed_at_fills_the_form_and_the_next_bill_of_the_issuer_is_right_at_once(
    landlord: Landlord, visit: Opened
) -> None:
    visitor = visit()
    page = bring(visitor, "first.pdf", printed(FIRST, LAYOUT))
    page.get_by_label("Property", exact=True).select_option(label="Maple Court")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#f-servicePeriodStart")).to_be_visible()
    total = page.get_by_label("Total in USD")
    total.click()
    click_on(page, figures(FIRST.total))
    expect(total).to_have_value(figures(FIRST.total))
    expect(page.locator("#pointed")).to_have_text(f"Total in USD: {figures(FIRST.total)}")
    for name, day in (("billDate", FIRST.billed), ("dueDate", FIRST.due), ("servicePeriodStart", FIRST.start)):
        page.locator(f"#f-{name}").focus()
        click_on(page, day.isoformat())
        expect(page.locator(f"#f-{name}")).to_have_value(day.isoformat())
    page.locator("#f-servicePeriodEnd").focus()
    with_keys(page, FIRST.end.isoformat())
    expect(page.locator("#f-servicePeriodEnd")).to_have_value(FIRST.end.isoformat())
    expect(page.locator("#f-servicePeriodEnd")).to_be_focused()
    expect(page.locator("#month-so-far")).to_contain_text("which has most of its service days")
    page.locator("#f-accountNumber").focus()
    click_on(page, FIRST.account)
    page.locator("#f-billNumber").fill(FIRST.number)
    page.locator("#f-issuerName").fill(FIRST.issuer)
    page.get_by_label("Electricity", exact=True).check()
    assert visitor.findings() == []
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")
    wait_until_learned(landlord, FIRST.issuer)

    following = facts_of("en-US", 1003, kinds="ELECTRICITY", story="plain")._replace(
        issuer=FIRST.issuer, site=FIRST.site, account=FIRST.account, address=FIRST.address, number="00501388"
    )
    page = bring(visitor, "second.pdf", printed(following, LAYOUT))
    expect(page.get_by_text("Earlier bills of this account number were for it.")).to_be_visible()
    expect(page.get_by_role("heading", name="Please check")).not_to_be_visible()
    for name, text in written(following).items():
        expect(page.locator(f"#f-{name}")).to_have_value(text)
    expect(page.get_by_label("Total in USD")).to_have_value(figures(following.total))
    expect(page.get_by_label("Electricity", exact=True)).to_be_checked()
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")


def test_amounts_that_are_dragged_over_are_added_up_and_words_are_joined(visit: Opened) -> None:
    facts = facts_of("en-US", 11, kinds="WATER SEWER", story="plain")
    page = bring(visit(), "dragged.pdf", printed(facts, LAYOUT))
    page.get_by_label("Property", exact=True).select_option(label="Maple Court")
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Amount for water").click()
    shown = page.locator(".sheet .spot")
    boxes = [box for one in shown.all() if (box := one.bounding_box())]
    left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
    right, bottom = max(box["x"] + box["width"] for box in boxes), max(box["y"] + box["height"] for box in boxes)
    on_first_page = page.locator(".sheet svg").first.locator(".spot")
    cents = sum(
        round(float((one.get_attribute("aria-label") or "").split(",")[0]) * 100) for one in on_first_page.all()
    )
    page.mouse.move(left - 2, top - 2)
    page.mouse.down()
    page.mouse.move(right + 2, bottom + 2, steps=4)
    page.mouse.up()
    expect(page.get_by_label("Amount for water")).to_have_value(figures(cents))
    page.get_by_role("textbox", name="Who sent the bill").click()
    spot = page.locator(".sheet .spot").first
    spot.click()
    page.locator(".sheet .spot").nth(1).click(modifiers=["Shift"])
    expect(page.get_by_role("textbox", name="Who sent the bill")).to_have_value(
        " ".join(page.locator(".sheet .spot").nth(one).get_attribute("aria-label") or "" for one in range(2))
    )
    page.get_by_role("textbox", name="Who sent the bill").press_sequentially("x")
    assert "issuerName" not in (page.locator("#f-at").input_value() or ""), "what is typed is not what was pointed at"


def click_on(page: Page, text: str) -> None:
    spot_of(page, text).click()


def spot_of(page: Page, text: str) -> Locator:
    """The first place on the page with this text, for the field being filled in."""
    return page.locator(f'.sheet .spot[aria-label="{text}"], .sheet .spot[aria-label^="{text}, "]').first


def with_keys(page: Page, text: str) -> None:
    """Point at a text without a mouse: with F2, the arrow keys and Enter."""
    page.keyboard.press("F2")
    for _ in range(200):
        label = page.evaluate("document.activeElement.getAttribute('aria-label')") or ""
        if label == text or label.startswith(f"{text}, "):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def figures(cents: int) -> str:
    return f"{cents / 100:.2f}"


def written(facts: Facts) -> dict[str, str]:
    """Return the form fields of a bill with these facts."""
    return {
        "issuerName": facts.issuer, "accountNumber": facts.account, "billNumber": facts.number,
        "billDate": facts.billed.isoformat(), "dueDate": facts.due.isoformat(),
        "servicePeriodStart": facts.start.isoformat(), "servicePeriodEnd": facts.end.isoformat(),
    }  # fmt: skip


def wait_until_learned(landlord: Landlord, issuer: str) -> None:
    """Wait until the job has learned from the issuer's confirmed bill."""
    account_id = landlord.caller.account_id
    deadline = time.monotonic() + SECONDS
    with wiring.opened(landlord.settings) as database:
        while not database.read(lambda tx: page_lessons.of_issuer(tx, account_id, issuer)):
            assert time.monotonic() < deadline, "nothing was learned"
            time.sleep(0.2)
