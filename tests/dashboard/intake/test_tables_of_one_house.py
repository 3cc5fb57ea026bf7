"""Tests of bill tables as portals and companies export them.

All rows belong to one property, which no column names, and some rows only add up others.
"""

from itertools import permutations
from re import findall
from time import process_time

from tests.dashboard.bills.test_bills import home
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_tables import GOOD, brought, stored, take, words

PORTAL = "vendor,type,total,date,lines\nAqua,Wasserversorgung,{}.00,2026-03-02,a\n"
"""The export of a portal that covers one house after the other."""
SAID = {
    "column.0": "", "column.1": "utilityType", "column.2": "totalAmountDue", "column.3": "billDate", "column.4": "",
    "fixed.issuerName": "Aqua Water Co.", "remember": "true", "line": "1",
}  # fmt: skip
MEANT = {"text.utilityType.1": "Wasserversorgung", "word.utilityType.1": "WATER", "remember": "true"}


def test_the_property_of_all_rows_is_asked_of_each_file_and_what_else_is_of_all_rows_is_shown(office: Office) -> None:
    browser = office.browser("manager")
    maple, oak = home(office), home(office, name="Oak Hall")
    first = brought(office, browser, PORTAL.format(50))
    done = browser.post(f"/inbox/{first}/columns", SAID | {"fixed.property": maple.id})
    assert "but you’ll be asked which property it is for" in browser.get(done.headers["location"]).text
    browser.post(f"/inbox/{first}/words", MEANT)
    page = words(browser.get(f"/inbox/{first}").text)
    assert "Property of all rows Maple Court" in page
    assert "Who sent the bill of all rows Aqua Water Co." in page
    take(browser, first)
    second = brought(office, browser, PORTAL.format(70))
    page = words(browser.get(f"/inbox/{second}").text)
    assert "The columns are read the way you chose for an earlier file with the same columns." in page
    assert "Who sent the bill of all rows Aqua Water Co." in page
    assert "Choose which column contains: Property" in page
    assert take(browser, second).status_code == 409
    browser.post(f"/inbox/{second}/columns", SAID | {"fixed.property": oak.id})
    assert "Property of all rows Oak Hall" in words(browser.get(f"/inbox/{second}").text)
    take(browser, second)
    assert {(one.property_id, one.total) for one in stored(office)} == {(maple.id, 50_00), (oak.id, 70_00)}


def test_the_only_property_is_chosen_for_a_file_that_names_none(quick_office: Office) -> None:
    browser, maple = quick_office.browser("manager"), home(quick_office)
    table = brought(quick_office, browser, PORTAL.format(50))
    named = brought(quick_office, browser, "house,total,date\nMaple,9.00,2026-03-02\n")
    chosen = f'<option value="{maple.id}" selected>'
    assert chosen in browser.get(f"/inbox/{table}").text
    assert chosen not in browser.get(f"/inbox/{named}").text
    home(quick_office, name="Oak Hall")
    assert chosen not in browser.get(f"/inbox/{table}").text


def test_rows_that_add_up_others_are_named_and_passed_over(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    content = "property,vendor,type,total,date\nMaple Court,Aqua,WATER,90.01,2026-03-02\n"
    content += ",Total,,90.01,\nSubtotal Maple Court,,,90.01,\nTotal,Aqua,WATER,90.01,2026-03-04\n"
    text = words(browser.get(f"/inbox/{brought(quick_office, browser, content)}").text)
    assert "2 rows are totals of other rows and were skipped: line 3 (Total), line 4 (Subtotal Maple Court)" in text
    assert "With problems 1 row" in text
    assert "5 Property “Total” No property has this id" in text


def test_a_bill_that_is_there_twice_is_left_out_as_it_is_checked_and_the_result_says_so(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    content = GOOD.replace("billDate\n", "billDate,billNumber\n").replace("03-02\n", "03-02,7\n")
    content += "Maple Court,Volt,GAS,5.00,2026-03-02,8\nMaple Court,Volt,GAS,5.00,2026-03-02,9\n"
    document = brought(office, browser, content)
    page = browser.get(f"/inbox/{document}").text
    assert 'name="leave" value="4" form="add-rows"' in page
    assert 'id="add-rows"' in page
    done = take(browser, document, leave="4")
    listed = browser.get(done.headers["location"]).text
    assert "2 bills were added. 1 row was left out: line 4." in listed
    assert sorted(bill.total for bill in stored(office)) == [5_00, 90_01]
    assert "2 bills were added from this file. 1 row was left out." in browser.get(f"/inbox/{document}").text
    browser.post(f"/inbox/{document}/look-again", {})
    assert 'name="leave" value="4"' in browser.get(f"/inbox/{document}").text, "it can still be added"
    refused = take(browser, document, leave="4")
    assert refused.status_code == 409


def test_utilities_are_known_by_the_words_of_people_and_heating_is_billed_as_other_unless_said(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    head = "property,issuerName,utilityType,totalAmountDue,billDate\n"
    rows = [
        f"Maple Court,City,{kind},9.{at}1,2026-03-02\n" for at, kind in enumerate(("Wasser", "Heizung", "Abfallgebühr"))
    ]
    document = brought(office, browser, (head + "".join(rows)).encode())
    page = words(browser.get(f"/inbox/{document}").text)
    assert "2 new bills" in page
    assert "Rows with these names can be added once you have chosen what they mean." in page
    assert "4 Utility “Abfallgebühr” Enter one or more of these, separated by semicolons: Electricity, Water," in page
    assert (
        "Heizung : Prorata has no utility of its own for this. It is billed as “Other” and divided by the rule for “Other”"
        in page
    )
    assert 'value="Heizung"' in browser.get(f"/inbox/{document}/table?change=true").text
    meant = {
        "text.utilityType.1": "Abfallgebühr", "word.utilityType.1": "GARBAGE", "text.utilityType.2": "Heizung",
        "word.utilityType.2": "GAS",
    }  # fmt: skip
    assert browser.post(f"/inbox/{document}/words", meant).status_code == 303
    assert "utility of its own" not in browser.get(f"/inbox/{document}").text
    take(browser, document)
    assert sorted(bill.utility_types for bill in stored(office)) == ["GARBAGE", "GAS", "WATER"]


def test_names_billed_as_other_are_asked_about_in_parts_as_unknown_ones_are(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    head = "property,issuerName,utilityType,totalAmountDue,billDate\n"
    services = permutations(["Heizung", "Wasser", "Strom", "Gas", "Abwasser"], 3)
    heating = ["/".join(names) for names in services if "Heizung" in names]
    kinds = [*heating[:35], *(f"Gebühr {number}" for number in range(1, 33)), heating[0].upper()]
    rows = [f"Maple Court,City,{kind},9.{at:02},2026-03-02\n" for at, kind in enumerate(kinds, start=1)]
    document = brought(quick_office, browser, (head + "".join(rows)).encode())
    page = browser.get(f"/inbox/{document}/table?change=true").text
    asked = dict(findall(r'name="(text\.utilityType\.[0-9]+)" value="([^"]*)"', page))
    assert len(asked) == 60
    assert "7 more names follow once you have chosen what these mean." in words(page)
    meant = asked | {name.replace("text", "word"): "OTHER" for name in asked}
    browser.post(f"/inbox/{document}/words", meant)
    page = browser.get(f"/inbox/{document}/table?change=true").text
    assert {kinds[34], kinds[66]} <= set(findall(r'name="text\.utilityType\.[0-9]+" value="([^"]*)"', page))
    assert "once you have chosen what these mean" not in page


def test_a_header_of_heating_is_billed_as_other_and_means_what_its_column_means(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    file = "property,issuerName,Heizung,Wasser,billDate\nMaple Court,City,90.00,30.00,2026-03-02\n"
    document = brought(quick_office, browser, file)
    assert "Heizung : Prorata has no utility of its own for this." in words(browser.get(f"/inbox/{document}").text)
    assert 'name="text.utilityType' not in browser.get(f"/inbox/{document}/table?change=true").text


def test_a_long_cell_of_blanks_takes_no_time(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    head = "property,issuerName,utilityType,totalAmountDue,billDate\n"
    document = brought(quick_office, browser, f"{head}Maple Court,City,a{' ' * 100_000}b,9.00,2026-03-02\n")
    began = process_time()
    browser.get(f"/inbox/{document}/table?change=true")
    assert process_time() - began < 5


def test_what_charges_nobody_is_said_beside_the_button(quick_office: Office) -> None:
    its, browser = home(quick_office), quick_office.browser("manager")
    browser.post(f"/properties/{its.id}/history", {"firstMonth": "2026-03"})
    document = brought(
        quick_office,
        browser,
        "property,issuerName,utilityType,totalAmountDue,billDate,servicePeriodStart,servicePeriodEnd,spread\n"
        "Maple Court,Aqua,WATER,90.00,2026-03-02,,,\n"
        "Maple Court,Aqua,WATER,80.00,2026-02-02,,,\n"
        "Maple Court,Volt,GAS,90.00,2026-04-02,2026-01-01,2026-03-31,yes\n",
    )
    said = "2 bills are for months before the first month to bill, entirely or in part: $139.00 of them isn’t charged"
    assert said in words(browser.get(f"/inbox/{document}/table").text)
