"""Tests of the months from which a share rule can apply.

They cover the months that are offered, the amounts that each choice changes, and the rule's history.
"""

import html
import re
from datetime import timedelta
from decimal import Decimal

import pytest

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.invoices import invoices
from prorata.actions.properties import tenants
from prorata.actions.recalculation import correction_decisions
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.billing_calendar import month_in_words, month_of, months_back
from prorata.store.properties import units
from tests.dashboard.conftest import Office
from tests.dashboard.properties.test_units import said
from tests.dashboard.splitting.test_share_rules import EQUALLY, add_bill, furnish, shares

BY_AREA = EQUALLY | {"splitMethod": "SQFT"}


def offered(page: str) -> dict[str, str]:
    """The text beside each offered month, by the month's value.

    The chosen month has a star before its value.
    """
    found = page[page.index('id="dates"') : page.index("</fieldset>", page.index('id="dates"'))]
    choices = re.findall(r'value="([^"]*)"( checked)?>(.*?)</label>', found, re.DOTALL)
    texts = {("*" if chosen else "") + value: re.sub(r"<[^>]+>", " ", text) for value, chosen, text in choices}
    return {value: " ".join(text.split()) for value, text in texts.items()}


def send_all(office: Office, its: str, months: list[str]) -> None:
    for month in months:
        asked = {"property": its, "month": month}
        found = office.database.read(
            lambda tx, asked=asked: invoices.page(tx, office.caller, asked, limit=9, offset=0, details=False)
        )
        for one in found[0]:
            office.database.write(lambda tx, one=one: invoices.set_status(tx, office.caller, one.summary.id, "SENT"))


@pytest.fixture
def at(office: Office) -> str:
    """The address of the water rule of a property.

    The property has bills of $100.00 for January, whose invoices were sent, and for February and March.
    """
    its = furnish(office)
    for month in ("01", "02", "03"):
        add_bill(office, its, 100_00, f"2026-{month}-20")
    send_all(office, its.id, ["2026-01"])
    return f"/properties/{its.id}/rules/water"


def test_the_month_after_the_last_that_was_sent_is_proposed_and_each_choice_says_what_it_does(
    office: Office, at: str
) -> None:
    browser = office.browser("manager")
    assert "*2026-02" in offered(browser.get(at).text)
    page = offered(browser.post(f"{at}/split", BY_AREA | {"effectiveFrom": "2026-02"}).text)
    drafts = "Drafts of 2 months change: $50.00 would be paid by others."
    assert page["*2026-02"].endswith(f"{drafts} No sent invoices are affected.")
    sent = "Sent invoices for 1 month stay as they are, although others would now pay $25.00."
    assert page["2026-01"].endswith(f"{drafts} {sent}")
    assert page[""].endswith(f"All months {drafts} {sent}")
    assert page["2026-03"].endswith(
        "Drafts of 1 month change: $25.00 would be paid by others. No sent invoices are affected."
    )


def test_months_without_bills_before_today_are_offered_too(office: Office) -> None:
    its = furnish(office)
    add_bill(office, its, 100_00, "2026-01-20")
    page = offered(office.browser("manager").get(f"/properties/{its.id}/rules/water").text)
    assert [month for month in page if "2026-02" <= month.strip("*") <= "2026-04"] == ["2026-02", "2026-03", "2026-04"]


def test_a_rule_that_is_saved_from_a_month_on_has_a_history_and_leaves_what_was_sent(office: Office, at: str) -> None:
    browser = office.browser("manager")
    page = said(browser, browser.post(at, BY_AREA | {"effectiveFrom": "2026-02"}))
    assert "since February 2026; before: equally" in page
    rule = browser.get(at).text
    assert "Starting with February 2026" in rule
    assert "From the start" in rule
    assert "Starting with February 2026, replacing the rule that applied then" in offered(rule)["*"]
    assert "come out otherwise" not in browser.get("/").text


def test_what_is_no_month_is_said_beside_the_choices_and_nothing_is_saved(office: Office, at: str) -> None:
    browser = office.browser("manager")
    for sent in ("2026-13", "soon"):
        answer = browser.post(at, BY_AREA | {"effectiveFrom": sent})
        assert answer.status_code == 400
    assert "From the start" not in browser.get(at).text


def test_a_viewer_reads_the_history_and_is_offered_nothing(office: Office, at: str) -> None:
    office.browser("manager").post(at, BY_AREA | {"effectiveFrom": "2026-02"})
    page = office.browser("viewer").get(at).text
    assert "Rule history" in page
    assert "Starting with which month?" not in page


def change(office: Office, at: str, changes: dict[str, object], since: str | None = None) -> None:
    """Change the rule for water of the property at `at`, as the API does."""
    its = at.split("/")[2]
    found = office.database.read(lambda tx: share_rules.of_type(tx, office.caller, its, "WATER"))[0]
    assert found
    office.database.write(lambda tx: share_rules.change(tx, office.caller, found.row.id, changes, since=since))


def chosen_way(page: str) -> list[str]:
    return re.findall(r'name="splitMethod" value="([^"]*)" checked', page)


def test_the_form_has_the_terms_in_force_in_the_month_it_proposes_and_saving_them_changes_nothing(
    office: Office, at: str
) -> None:
    change(office, at, {"split_method": "SQFT"})
    change(office, at, {"split_method": "EQUAL"}, since="2026-12")
    browser = office.browser("manager")
    page = browser.get(at).text
    assert chosen_way(page) == ["SQFT"]
    assert "*2026-02" in offered(page)
    assert "From February 2026 until November 2026" in offered(page)["*2026-02"]
    assert "Currently saved: by floor area" in offered(page)["*2026-02"]
    assert "Currently saved: equally" in offered(page)[""]
    assert "No change" in page
    before = office.database.read(lambda tx: share_rules.of_type(tx, office.caller, at.split("/")[2], "WATER"))
    said(browser, browser.post(at, BY_AREA | {"effectiveFrom": "2026-02"}))
    assert office.database.read(lambda tx: share_rules.of_type(tx, office.caller, at.split("/")[2], "WATER")) == before


def test_the_split_shown_is_of_a_bill_in_the_months_that_the_choice_is_for(office: Office, at: str) -> None:
    change(office, at, {"split_method": "SQFT"}, since="2026-03")
    browser = office.browser("manager")
    page = browser.post(f"{at}/split", BY_AREA | {"effectiveFrom": "2026-02"}).text
    assert "Starting with February 2026" not in offered(page)["*2026-02"], "March has a version of its own"
    assert shares(page)[1] == ["1", "$50.00", "$25.00", "-$25.00"]
    assert "2/20/2026" in page or "February 20" in page
    page = browser.post(f"{at}/split", EQUALLY | {"effectiveFrom": "2026-04"}).text
    assert "March 2026 keeps its rule" in page
    assert shares(page)[1] == ["1", "$25.00", "$50.00", "+$25.00"]
    assert "No drafts change." in page


def test_a_version_of_a_blend_is_told_by_the_parts_it_had(office: Office, at: str) -> None:
    both = [("EQUAL", Decimal(50)), ("SQFT", Decimal(50))]
    blend = office.database.write(lambda tx: split_methods.create(tx, office.caller, NewBlend("Both", both)))
    change(office, at, {"split_method": "CUSTOM", "split_method_id": blend.id})
    change(office, at, {"split_method": "EQUAL"}, since="2026-06")
    by_area = NewBlend("Both", [("SQFT", Decimal(100))])
    office.database.write(lambda tx: split_methods.replace(tx, office.caller, blend.id, by_area))
    page = office.browser("manager").get(at).text
    assert "Both: 50% equally and 50% by floor area." in page[page.index('id="history"') :]


def test_the_list_says_what_is_in_force_today_what_was_before_and_what_comes(office: Office, at: str) -> None:
    change(office, at, {"split_method": "SQFT"}, since="2026-02")
    change(office, at, {"split_method": "BEDROOMS"}, since="2099-01")
    page = office.browser("viewer").get(at.rpartition("/")[0]).text
    assert "<td>By floor area<" in page
    assert "since February 2026; before: equally" in page
    assert "from January 2099 on: by bedrooms" in page


def test_the_list_says_what_else_changed_and_what_else_will(office: Office, at: str) -> None:
    change(office, at, {"owner_percent": Decimal(5)})
    change(office, at, {"owner_percent": Decimal()}, since="2026-02")
    change(office, at, {"split_method": "OCCUPANTS", "vacant_occupants": Decimal(1)}, since="2099-01")
    change(office, at, {"is_active": False}, since="2099-02")
    change(office, at, {"is_active": True, "owner_percent": Decimal(10)}, since="2099-03")
    page = office.browser("viewer").get(at.rpartition("/")[0]).text
    assert "since February 2026; before: equally (your own part: 5%)" in page
    assert "from January 2099 on: by occupants (people assumed in a vacant unit: 1)" in page
    assert "from February 2099 on: not divided: you pay all of it" in page
    more = "(your own part: 10% and people assumed in a vacant unit: 1)"
    assert f"from March 2099 on: by occupants {more}" in page


def test_months_sent_long_ago_are_offered_after_one_more_step(office: Office) -> None:
    its = furnish(office)
    for month in range(1, 6):
        add_bill(office, its, 100_00, f"2025-0{month}-20")
    send_all(office, its.id, [f"2025-0{month}" for month in range(1, 6)])
    page = office.browser("manager").get(f"/properties/{its.id}/rules/water").text
    folded = page[page.index("Earlier months you’ve sent") :]
    assert re.findall(r'value="(2025-\d\d)"', folded[: folded.index("</details>")]) == ["2025-01", "2025-02"]
    assert "2025-03" in offered(page)


def announced_ahead(office: Office, days: int) -> None:
    wishes = Wishes(announce_days=days, mail_on=True)
    office.database.write(lambda tx: correction_decisions.change_settings(tx, office.caller, wishes))


def test_a_rule_can_begin_a_year_ahead_and_months_far_off_are_one_step_away(office: Office, at: str) -> None:
    browser, today = office.browser("manager"), month_of(office.clock().date())
    page = browser.get(at).text
    far = page[page.index("Later months") :]
    for ahead in range(1, 13):
        month = months_back(today, -ahead)
        assert month in offered(page)
        assert (f'value="{month}"' in far) == (ahead > 1), month
    last = months_back(today, -12)
    said(browser, browser.post(at, BY_AREA | {"effectiveFrom": last}))
    its = at.split("/")[2]
    _, versions = office.database.read(lambda tx: share_rules.of_type(tx, office.caller, its, "WATER"))
    assert [one.effective_from for one in versions] == [None, last]


def test_a_rule_that_begins_too_soon_for_its_announcement_says_from_which_month_on_it_would_not(
    office: Office, at: str
) -> None:
    browser, today = office.browser("manager"), office.clock().date()
    soon, later = months_back(month_of(today), -1), month_of(today + timedelta(days=62))

    def told(since: str, terms: dict[str, str] = BY_AREA) -> str:
        return html.unescape(browser.post(f"{at}/split", terms | {"effectiveFrom": since}).text)

    assert "to be told" not in told(soon)
    assert "Tenants are told about it" not in told(later)
    announced_ahead(office, 45)
    for since in ("", "2026-02", soon):
        assert f"too soon to tell tenants 45 days in advance. Starting in {month_in_words(later)}" in told(since)
    assert "Tenants are told about it by e-mail on" in told(later)
    assert "45 days before it takes effect" in told(later)
    assert "to tell tenants 45 days in advance" not in told(soon, EQUALLY), "nothing changes"
    browser.post(at, BY_AREA | {"effectiveFrom": soon})
    lease = at.replace("rules/water", "lease")
    (ann, *_) = office.database.read(lambda tx: units.tenants_of_properties(tx, office.account_id, [at.split("/")[2]]))
    office.database.write(lambda tx: tenants.change(tx, office.caller, ann.id, {"email": "ann@example.org"}))
    assert "That is 29 days before the change takes effect, not 45 as set under Settings." in browser.get(lease).text
