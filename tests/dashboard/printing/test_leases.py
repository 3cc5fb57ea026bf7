"""The lease text of a property is shown as a page and as a PDF."""

import html
import re

from prorata.actions.delivery import deliveries, rule_announcements
from prorata.actions.properties import tenants
from prorata.domain.delivery.send_schedule import NO_SERVER
from prorata.domain.mail.delivery_reports import DeliveryReport, RecipientReport
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.properties import units
from tests.dashboard.conftest import Office, build_office
from tests.dashboard.months.test_month_runs import SETTINGS
from tests.dashboard.splitting.test_share_rules import EQUALLY, add_bill, furnish


def test_the_page_says_how_each_utility_is_divided_and_works_out_the_average_bill(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    add_bill(office, its)
    page = browser.get(f"/properties/{its.id}/lease").text
    assert page.count("Divided equally") == 2  # the rule of the utility with a bill, and one example
    assert "One, of $100.00" in page
    assert "$100.00 ÷ 2 = $50.00" in page
    later = browser.get(f"/properties/{its.id}/lease?day=2030-01-01").text
    assert "As of January 1, 2030" in later
    assert "None, and so there is no example" in later


def test_the_utilities_on_the_page_are_chosen_in_its_address_and_printed_so(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    at = f"/properties/{its.id}/lease"
    assert headings(browser.get(at).text) == [
        "Electricity", "Water", "Gas", "Internet", "Sewer", "Garbage", "Other"
    ], "nothing is known of a new property"  # fmt: skip
    add_bill(office, its)
    browser.post(f"/properties/{its.id}/rules/sewer", EQUALLY | {"splitMethod": "OCCUPANTS"})
    assert headings(browser.get(at).text) == ["Water", "Sewer"]
    page = browser.get(f"{at}?WATER=true&GAS=true").text
    assert headings(page) == ["Water", "Gas"]
    assert re.findall(r'name="([A-Z]+)" value="true" checked', page) == ["WATER", "GAS"]
    (pdf,) = re.findall(r'href="([^"]*lease\.pdf[^"]*)"', page)
    assert pdf.endswith("&amp;WATER=true&amp;GAS=true")
    assert browser.get(html.unescape(pdf)).status_code == 200


def headings(page: str) -> list[str]:
    """The names of the utilities in the lease's text."""
    return re.findall(r'<div class="charge-top"><h3>(.*?)</h3>', page)


def test_the_pdf_says_the_same_and_a_viewer_may_have_it(quick_office: Office) -> None:
    its = furnish(quick_office)
    answer = quick_office.browser("viewer").get(f"/properties/{its.id}/lease.pdf?day=2026-03-01")
    assert answer.content.startswith(b"%PDF-")
    assert answer.headers["content-type"] == "application/pdf"
    assert "2026-03-01.pdf" in answer.headers["content-disposition"]


def test_the_page_is_in_the_language_of_invoices_whatever_its_reader_speaks(office: Office) -> None:
    its, browser = furnish(office), office.browser("owner")
    browser.post("/settings/security/name", {"name": "Olga", "locale": "de-DE"})
    page = browser.get(f"/properties/{its.id}/lease").text
    assert '<html lang="de"' in page
    assert '<div lang="en"' in page
    assert "How utilities are divided" in page


def test_a_rule_that_changes_is_announced_once_and_shown_with_what_was_told(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    add_bill(office, its)
    here = f"/properties/{its.id}"
    browser.post(f"{here}/rules/water", EQUALLY | {"splitMethod": "SQFT", "effectiveFrom": "2026-09"})
    for page in (browser.get(here).text, browser.get(f"{here}/rules").text):
        assert "Water will be divided differently starting in September 2026." in page
        assert "2 households have not been told yet." in page
    lease = browser.get(f"{here}/lease").text
    assert "2 households have no e-mail address, or e-mail doesn’t reach them: hand over the PDF." in lease
    assert "Announce to" not in lease
    for tenant in office.database.read(lambda tx: units.tenants_of_properties(tx, office.account_id, [its.id])):
        office.database.write(
            lambda tx, one=tenant: tenants.change(tx, office.caller, one.id, {"email": f"{one.id}@example.org"})
        )
    lease = browser.get(f"{here}/lease").text
    assert "Announce to 2 households now" in lease
    assert "Nobody is told automatically" in lease
    (mark,) = re.findall(r'name="change" value="([0-9a-f]{64})"', lease)
    assert browser.post(f"{here}/lease/announce", {"change": mark}).status_code == 303
    told = browser.get(f"{here}/lease").text
    assert "2 households are being told by e-mail." in told
    assert "2 e-mails are waiting." in told
    assert "have been told" not in told
    assert "Announce to" not in told
    assert "Your part of an average bill by the new rule: $75.00" in told
    assert "have not been told" not in browser.get(here).text
    assert browser.post(f"{here}/lease/announce", {"change": mark}).status_code == 303
    assert "Nobody is left to be told by e-mail." in browser.get(f"{here}/lease").text
    assert "announced a rule change to tenants of" in browser.get("/activity").text
    *_, kept = office.database.read(lambda tx: rule_announcements.of_property(tx, office.caller, its.id)).kept
    assert kept.mail is not None
    lost, report = kept.mail.id, DeliveryReport((RecipientReport("failed", diagnostic="550 5.7.1 Relaying denied"),))
    office.database.write(lambda tx: deliveries.note_report(tx, lost, report))
    assert "1 household was not reached" in browser.get(f"{here}/lease").text
    for page in (browser.get(here).text, browser.get(f"{here}/rules").text):
        assert "1 household has not been told yet." in page, "it can be e-mailed again"
    tasks = browser.get("/jobs?state=failed").text
    assert f'<a class="link" href="{here}/lease">see what tenants are told</a>' in tasks
    assert tasks.count(kept.mail.to_address) == 1
    office.database.write(lambda tx: stored_jobs.fail(tx, office.account_id, "mail", lost, lost, "554 Refused."))
    assert f"{kept.mail.to_address}: 554 Refused." in browser.get("/jobs?state=failed").text


def test_without_a_mail_server_it_says_that_nobody_is_told(migrated_sqlite_url: str) -> None:
    office = build_office(migrated_sqlite_url, mail_held=NO_SERVER)
    with office.live():
        its, browser = furnish(office), office.browser("manager")
        here = f"/properties/{its.id}"
        browser.post(f"{here}/rules/water", EQUALLY | {"splitMethod": "SQFT", "effectiveFrom": "2026-09"})
        (bo, _) = office.database.read(lambda tx: units.tenants_of_properties(tx, office.account_id, [its.id]))
        office.database.write(lambda tx: tenants.change(tx, office.caller, bo.id, {"email": "bo@example.org"}))
        lease = browser.get(f"{here}/lease").text
        assert NO_SERVER in lease
        assert "Save 1 to the outbox folder" in lease
        (mark,) = re.findall(r'name="change" value="([0-9a-f]{64})"', lease)
        browser.post(f"{here}/lease/announce", {"change": mark})
        told = browser.get(f"{here}/lease").text
        assert "1 message will be saved in the outbox folder, and reaches nobody, because e-mail isn’t set up." in told
        assert "has been told" not in told
        (kept,) = office.database.read(lambda tx: rule_announcements.of_property(tx, office.caller, its.id)).kept
        assert kept.mail is not None
        saved = kept.mail.id
        office.database.write(lambda tx: deliveries.note_written(tx, office.account_id, saved, "Saved as 1.eml."))
        assert "Save 1 to the outbox folder" not in browser.get(f"{here}/lease").text, "it is there already"


def test_what_is_only_in_the_outbox_folder_is_offered_again_once_there_is_a_mail_server(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    here = f"/properties/{its.id}"
    browser.post(f"{here}/rules/water", EQUALLY | {"splitMethod": "SQFT", "effectiveFrom": "2026-09"})
    (bo, _) = office.database.read(lambda tx: units.tenants_of_properties(tx, office.account_id, [its.id]))
    office.database.write(lambda tx: tenants.change(tx, office.caller, bo.id, {"email": "bo@example.org"}))
    (mark,) = re.findall(r'name="change" value="([0-9a-f]{64})"', browser.get(f"{here}/lease").text)
    browser.post(f"{here}/lease/announce", {"change": mark})
    (kept,) = office.database.read(lambda tx: rule_announcements.of_property(tx, office.caller, its.id)).kept
    assert kept.mail is not None
    saved = kept.mail.id
    office.database.write(lambda tx: deliveries.note_written(tx, office.account_id, saved, "Saved as 1.eml."))
    lease = browser.get(f"{here}/lease").text
    assert "1 household was not reached: its e-mail didn’t arrive, or is only in the outbox folder." in lease
    assert "Announce to 1 household now" in lease
    assert "Nobody is told automatically" not in lease
    assert "1 household has no e-mail address" in lease
    browser.post(f"{here}/lease/announce", {"change": mark})
    told = browser.get(f"{here}/lease").text
    assert "1 household is being told by e-mail." in told
    assert "was not reached" not in told


def test_who_may_only_look_is_offered_no_announcement_and_what_is_gone_is_refused(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    here = f"/properties/{its.id}/lease"
    refused = browser.post(f"{here}/announce", {"change": "0" * 64})
    assert refused.status_code == 409
    assert "no longer the one shown" in refused.text
    assert office.browser("viewer").post(f"{here}/announce", {"change": "0" * 64}).status_code == 403


def test_a_rule_of_which_the_owner_s_part_alone_changes_says_so(office: Office) -> None:
    its, browser = furnish(office), office.browser("manager")
    here = f"/properties/{its.id}"
    browser.post(f"{here}/rules/water", EQUALLY | {"ownerPercent": "10", "effectiveFrom": "2026-09"})
    lease = browser.get(f"{here}/lease").text
    assert "Until then: equally (your own part: 0%)" in lease
    assert "From then on: equally (your own part: 10%)" in lease
    assert "Divided equally. Common areas: The owner pays 10% of each bill first" in lease


def test_how_many_days_before_is_a_setting(office: Office) -> None:
    browser = office.browser("owner")
    assert browser.post("/settings", SETTINGS | {"announce_days": "30"}).status_code == 303
    assert re.search('name="announce_days"[^>]* value="30"', browser.get("/settings").text)
    assert browser.post("/settings", SETTINGS | {"announce_days": "366"}).status_code == 400
