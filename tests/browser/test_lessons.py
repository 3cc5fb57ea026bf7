"""A bill in PDF that is corrected and confirmed, and the next one of its issuer, which is right at once."""

import time

from playwright.sync_api import Page, expect

from prorata import wiring
from prorata.domain.intake.bill_reading.learned_templates import number_key
from prorata.store.intake import learned_templates
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.browser.conftest import Opened
from tests.browser.landlord import Landlord
from tests.browser.test_bills import bring

LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and one.name == "dashed and lined")
"""In words that the reader does not know."""
SECONDS = 60
_COVERED = """() => [...document.querySelectorAll('.bill-line')].filter(line => {
  const words = document.createRange();
  words.selectNodeContents(line.querySelector('span'));
  return words.getBoundingClientRect().right > line.querySelector('.figure').getBoundingClientRect().left;
}).map(line => line.textContent.trim())"""


def test_what_was_corrected_is_learned_and_the_next_bill_of_the_issuer_is_right_at_once(
    landlord: Landlord, visit: Opened
) -> None:
    first = facts_of("en-US", 3, kinds="ELECTRICITY", story="plain")
    visitor = visit()
    page = bring(visitor, "first.pdf", printed(first, LAYOUT))
    page.get_by_label("Property", exact=True).select_option(label="Maple Court")
    page.get_by_role("button", name="Go on").click()
    to_say = page.get_by_role("heading", name="To say or to confirm")
    expect(to_say).to_be_visible()
    assert page.evaluate(_COVERED) == [], "names of lines that their amounts cover, beside the page of the bill"
    for field, text in written(first).items():
        page.locator(f"#f-{field}").fill(text)
    page.get_by_label("Electricity", exact=True).check()
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")
    wait_until_learned(landlord, first)

    following = facts_of("en-US", 1003, kinds="ELECTRICITY", story="plain")._replace(
        issuer=first.issuer, site=first.site, account=first.account, address=first.address
    )
    page = bring(visitor, "second.pdf", printed(following, LAYOUT))
    expect(page.get_by_text("Earlier bills of this account number were for it.")).to_be_visible()
    expect(to_say).not_to_be_visible()
    shows(page, following)
    assert visitor.findings() == []
    page.get_by_role("button", name="Add the bill").click()
    expect(page.get_by_role("status").first).to_contain_text("The bill was added.")


def written(facts: Facts) -> dict[str, str]:
    """What the form of a bill has for these facts, by field."""
    return {
        "issuerName": facts.issuer, "accountNumber": facts.account, "billNumber": facts.number,
        "billDate": facts.billed.isoformat(), "dueDate": facts.due.isoformat(),
        "servicePeriodStart": facts.start.isoformat(), "servicePeriodEnd": facts.end.isoformat(),
    }  # fmt: skip


def shows(page: Page, facts: Facts) -> None:
    """Look that the form says all of it."""
    for field, text in written(facts).items():
        expect(page.locator(f"#f-{field}")).to_have_value(text)
    expect(page.get_by_label("Total in USD")).to_have_value(f"{facts.total / 100:.2f}")
    expect(page.get_by_label("Electricity", exact=True)).to_be_checked()


def wait_until_learned(landlord: Landlord, facts: Facts) -> None:
    """Wait for the job that learns from what was confirmed."""
    account_id, key = landlord.caller.account_id, number_key(facts.account)
    deadline = time.monotonic() + SECONDS
    with wiring.opened(landlord.settings) as database:
        while not database.read(lambda tx: learned_templates.of_numbers(tx, account_id, [key], limit=1)):
            assert time.monotonic() < deadline, "nothing was learned"
            time.sleep(0.1)
