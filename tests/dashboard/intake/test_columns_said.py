"""A member's choices for the columns of a bill table are applied.

The tests also cover the proposed choices, and the choices that are remembered.
"""

import re

from tests.dashboard.bills.test_bills import home
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_tables import GOOD, MESSY, SAID, brought, say, stored, take, words
from tests.dashboard.kernel.test_form_previews import PART


def test_a_table_with_a_column_for_each_utility_asks_one_question(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    file = "Building,Month,Water,Gas,Trash\nMaple Court,Feb 2026,180.10,96.40,55.00\nTotal,,180.10,96.40,55.00\n"
    document = brought(office, browser, file)
    page = browser.get(f"/inbox/{document}").text
    asked = (
        "Choose which column contains: Who sent the bill . Anything that no column contains can be entered below "
        "for all rows."
    )
    assert asked in words(page)
    assert "No column contains the bill date, so the last day of the billing month is used." in page
    chosen = dict(re.findall(r'name="(column\.\d)".*?<option value="([^"]*)" selected', page))
    assert chosen == {
        "column.0": "property", "column.1": "billingMonth", "column.2": "amount:WATER", "column.3": "amount:GAS",
        "column.4": "amount:GARBAGE",
    }  # fmt: skip
    assert ">Amount for: Garbage</option>" in page
    say(browser, document, chosen | {"column.2": "amounts", "line": "1"})
    assert "choose “Amount for: Water” or similar" in words(browser.get(f"/inbox/{document}").text)
    say(browser, document, chosen | {"fixed.issuerName": "City", "line": "1"})
    page = words(browser.get(f"/inbox/{document}").text)
    assert "Feb 28, 2026 Water $180.10, Gas $96.40, Garbage $55.00 $331.50" in page
    assert "No column contains it, so the utilities’ amounts are added up." in page
    take(browser, document)
    assert [(one.total, one.utility_types) for one in stored(office)] == [(331_50, "WATER;GAS;GARBAGE")]


def test_a_table_with_days_of_service_and_no_date_of_the_bill_is_read(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    header = "Property,Vendor,Utility,Amount,Service From,Service To\n"
    document = brought(office, browser, f"{header}Maple Court,City,WATER,90.01,2026-02-01,2026-02-28\n")
    page = words(browser.get(f"/inbox/{document}").text)
    assert "No column contains it, so the last day of service is used." in page
    take(browser, document)
    assert [(bill.total, str(bill.bill_date)) for bill in stored(office)] == [(90_01, "2026-02-28")]


def test_what_was_refused_of_columns_is_not_remembered_for_the_next_file(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, MESSY)
    refused = browser.post(f"/inbox/{document}/columns", SAID | {"column.5": "billDate"})
    assert "will be read this way automatically" not in browser.get(refused.headers["location"]).text
    other = brought(office, browser, MESSY + " ")
    assert "the way you chose for an earlier file" not in browser.get(f"/inbox/{other}").text
    taken = browser.post(f"/inbox/{document}/columns", SAID)
    assert "will be read this way automatically" in browser.get(taken.headers["location"]).text
    assert "the way you chose for an earlier file" in browser.get(f"/inbox/{other}").text


def test_the_preview_of_bills_of_several_houses_counts_months_and_houses(office: Office) -> None:
    browser = office.browser("manager")
    for name in ("Maple Court", "Oak Hall"):
        home(office, name=name)
    rows = "".join(f"{name},City,WATER,90.01,2026-03-02\n" for name in ("Maple Court", "Oak Hall"))
    document = brought(office, browser, GOOD.partition("\n")[0] + "\n" + rows)
    shown = re.findall(r'name="shown" value="(\w+)"', browser.get(f"/inbox/{document}/table").text)
    said = browser.post(f"/inbox/{document}/rows/preview", {"shown": shown[0]}, **PART).text
    assert "1 month of 2 properties would change. Nothing has been saved yet." in said


def test_long_tables_are_shown_page_by_page(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    rows = "".join(f"Maple Court,Aqua,WATER,{10 + at}.00,2026-03-{1 + at % 28:02d}\n" for at in range(60))
    wrong = "".join(f"Maple Court,Aqua,WATER,much{at},2026-03-01\n" for at in range(55))
    document = brought(office, browser, GOOD.splitlines()[0] + "\n" + rows + wrong)
    first = browser.get(f"/inbox/{document}").text
    assert "1–50 of 60" in first
    assert "1–50 of 55" in first
    second = words(browser.get(f"/inbox/{document}/table?good=2&wrong=2").text)
    assert "51–60 of 60" in second
    assert "“much54”" in second
    assert "“much0”" not in second
