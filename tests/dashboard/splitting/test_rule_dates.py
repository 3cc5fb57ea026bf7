"""From which month a rule is in force: what a person is offered, what each choice does in money, and the history."""

import re

import pytest

from prorata.actions.invoices import invoices
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import said
from tests.dashboard.splitting.test_share_rules import EQUALLY, add_bill, furnish

BY_AREA = EQUALLY | {"splitMethod": "SQFT"}


def offered(page: str) -> dict[str, str]:
    """What is said of each month that is offered, by its value; the chosen one has a star before it."""
    found = page[page.index('id="dates"') : page.index("</fieldset>", page.index('id="dates"'))]
    choices = re.findall(r'value="([^"]*)"( checked)?>(.*?)</label>', found, re.DOTALL)
    texts = {("*" if chosen else "") + value: re.sub(r"<[^>]+>", " ", text) for value, chosen, text in choices}
    return {value: " ".join(text.split()) for value, text in texts.items()}


@pytest.fixture
def at(office: Office) -> str:
    """The rule for water of a house with bills of $100.00 in January, which was sent, and in February and March."""
    its = furnish(office)
    for month in ("01", "02", "03"):
        add_bill(office, its, 100_00, f"2026-{month}-20")
    sent = office.database.read(
        lambda tx: invoices.page(
            tx, office.caller, {"property": its.id, "month": "2026-01"}, limit=9, offset=0, details=False
        )
    )
    for one in sent[0]:
        office.database.write(lambda tx, one=one: invoices.set_status(tx, office.caller, one.summary.id, "SENT"))
    return f"/properties/{its.id}/rules/water"


def test_the_month_after_the_last_that_was_sent_is_proposed_and_each_choice_says_what_it_does(
    office: Office, at: str
) -> None:
    browser = office.browser("manager")
    assert "*2026-02" in offered(browser.get(at).text)
    page = offered(browser.post(f"{at}/preview", BY_AREA | {"effectiveFrom": "2026-02"}).text)
    drafts = "Drafts of 2 months change: $50.00 moves to somebody else."
    assert page["*2026-02"].endswith(f"{drafts} No sent invoice is affected.")
    sent = "Sent invoices of 1 month stay as they are, though somebody else would bear $25.00."
    assert page["2026-01"].endswith(f"{drafts} {sent}")
    assert page[""].endswith(f"All months {drafts} {sent}")
    assert page["2026-03"].endswith(
        "Drafts of 1 month change: $25.00 moves to somebody else. No sent invoice is affected."
    )


def test_a_rule_that_is_saved_from_a_month_on_has_a_history_and_leaves_what_was_sent(office: Office, at: str) -> None:
    browser = office.browser("manager")
    page = said(browser, browser.post(at, BY_AREA | {"effectiveFrom": "2026-02"}))
    assert "from February 2026 on; before otherwise" in page
    rule = browser.get(at).text
    assert "From February 2026 on" in rule
    assert "From always" in rule
    assert "From February 2026 on, instead of the newest version" in offered(rule)["*"]
    assert "come out otherwise" not in browser.get("/").text


def test_what_is_no_month_is_said_beside_the_choices_and_nothing_is_saved(office: Office, at: str) -> None:
    browser = office.browser("manager")
    for sent in ("2026-13", "soon"):
        answer = browser.post(at, BY_AREA | {"effectiveFrom": sent})
        assert answer.status_code == 400
    assert "From always" not in browser.get(at).text


def test_a_viewer_reads_the_history_and_is_offered_nothing(office: Office, at: str) -> None:
    office.browser("manager").post(at, BY_AREA | {"effectiveFrom": "2026-02"})
    page = office.browser("viewer").get(at).text
    assert "How it was and will be divided" in page
    assert "From which month?" not in page
