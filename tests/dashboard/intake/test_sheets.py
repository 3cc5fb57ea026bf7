"""Each sheet of a workbook in the inbox can be chosen in turn."""

from tests.adapters.files.test_workbook_tables import saved, workbook_of
from tests.dashboard.bills.test_bills import home
from tests.dashboard.conftest import Office
from tests.dashboard.intake.test_tables import GOOD, brought, stored, take, words


def two_months() -> bytes:
    """A workbook with a bill in each of two sheets and notes in a third."""
    workbook = workbook_of(*(line.split(",") for line in GOOD.splitlines()), title="March")
    april = workbook.create_sheet("April")
    for line in GOOD.replace("Aqua", "Volt").splitlines():
        april.append(line.split(","))
    workbook.create_sheet("Notes").append(["nothing"])
    return saved(workbook)


def test_another_sheet_of_a_workbook_is_chosen(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, two_months(), "bills.xlsx")
    page = words(browser.get(f"/inbox/{document}").text)
    assert "The sheet “March” in a workbook." in page
    assert "Add 1 bill" in page, "that there is another sheet is no problem of these rows"
    refused = browser.post(f"/inbox/{document}/sheet", {"sheet": "3"})
    assert refused.status_code == 400
    assert "The sheet “Notes” has no header" in refused.text
    assert browser.post(f"/inbox/{document}/sheet", {"sheet": "2"}).status_code == 303
    page = words(browser.get(f"/inbox/{document}").text)
    assert "The sheet “April” in a workbook." in page
    assert "Volt" in page
    done = take(browser, document)
    assert [row.issuer_name for row in stored(office)] == ["Volt"]
    assert done.headers["location"].partition("?")[0] == f"/inbox/{document}"
    page = browser.get(f"/inbox/{document}").text
    assert "1 bill was added from this file." in page
    assert "The bills in the sheet “March” have not been added yet." in page
    assert 'name="sheet" value="1"' in page, "the button that reads it"
    assert "The bills in the sheet “March” have not been added yet." in browser.get("/inbox").text
    assert browser.post(f"/inbox/{document}/sheet", {"sheet": "1"}).status_code == 303
    assert "“March” have not been added yet" in browser.get(f"/inbox/{document}").text, "also while it is looked at"
    take(browser, document)
    assert {row.issuer_name for row in stored(office)} == {"Volt", "Aqua"}, "the first sheet after the second"
    page = browser.get(f"/inbox/{document}").text
    assert "2 bills were added from this file." in page
    assert "not been added yet" not in page
    assert "Nothing is waiting for you" in browser.get("/inbox").text


def test_a_sheet_that_nobody_wants_is_left_out(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, two_months(), "bills.xlsx")
    assert browser.post(f"/inbox/{document}/leave-sheets", {}).status_code == 409, "none is imported"
    take(browser, document)
    assert "The bills in the sheet “April” have not been added yet." in browser.get("/inbox").text
    assert browser.post(f"/inbox/{document}/leave-sheets", {}).status_code == 303
    assert "Nothing is waiting for you" in browser.get("/inbox").text
    assert "1 bill was added from this file." in browser.get(f"/inbox/{document}").text
    assert len(stored(office)) == 1


def test_a_german_page_says_in_german_how_a_file_is_read_and_quotes_as_germans_do(office: Office) -> None:
    browser = office.browser("manager")
    browser.post("/settings/security/name", {"name": "Max", "locale": "de-DE"})
    home(office)
    document = brought(office, browser, GOOD.replace("Maple Court", "Müllerhof"))
    page = words(browser.get(f"/inbox/{document}").text)
    assert "Windows-1252 (westeuropäisch)" in page
    assert "Objekt „Müllerhof“" in page
