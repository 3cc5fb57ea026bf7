"""Tests of bill tables in the inbox.

A table is kept and read, a member says what its columns mean, and its good rows are imported.
"""

import io
import re
import zipfile
from collections.abc import Mapping
from datetime import date

import httpx
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills
from prorata.store.bills.bills import BillRow
from tests.adapters.files.test_table_files import ods, row, swelling, table
from tests.adapters.files.test_workbook_tables import saved, workbook_of
from tests.dashboard.bills.test_bills import add, home, send_all
from tests.dashboard.conftest import Browser, Office
from tests.dashboard.intake.test_inbox import bring, ids, read_all

GOOD = "property,issuerName,utilityType,totalAmountDue,billDate\nMaple Court,Aqua,WATER,90.01,2026-03-02\n"
BAD = GOOD + "Nowhere,Volt,ELECTRICITY,a lot,2026-03-02\n"
MESSY = (
    "Nebenkosten 2026;;;;;\n"
    "Stand: März;;;;;\n"
    "\n"
    "Ort;Wer;Wofür;Kosten $;Rechnung vom;Vermerk\n"
    "Maple Court;Stadtwerke Köln;Wasserversorgung;1.234,50;25.03.2026;ok\n"
    "Maple Court;Müll & Co;Abfallgebühr;80,10;03.04.2026;\n"
    "Maple Court;Stadtwerke Köln;Wasserversorgung;viel;03.04.2026;\n"
)
SAID = {
    "column.0": "property", "column.1": "issuerName", "column.2": "utilityType", "column.3": "totalAmountDue",
    "column.4": "billDate", "column.5": "", "remember": "true", "line": "4",
}  # fmt: skip
MEANT = {
    "text.utilityType.1": "Wasserversorgung", "word.utilityType.1": "WATER", "text.utilityType.2": "Abfallgebühr",
    "word.utilityType.2": "GARBAGE", "remember": "true",
}  # fmt: skip


def brought(office: Office, browser: Browser, content: str | bytes, name: str = "bills.csv") -> str:
    """The id of a table that was uploaded and read."""
    data = content.encode("cp1252") if isinstance(content, str) else content
    answer = bring(browser, (name, data))
    assert answer.status_code == 303, answer.text
    read_all(office)
    return answer.headers["location"].rpartition("/")[2]


def words(text: str) -> str:
    """Return the text of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def take(browser: Browser, document: str, **fields: str) -> httpx.Response:
    shown = re.search(r'name="shown" value="(\w+)"', browser.get(f"/inbox/{document}/table").text)
    return browser.post(f"/inbox/{document}/rows", {"shown": shown[1] if shown else ""} | fields)


def stored(office: Office) -> list[BillRow]:
    return office.database.read(lambda tx: bills.page(tx, office.caller, limit=50, offset=0))[0]


def say(browser: Browser, document: str, fields: Mapping[str, str]) -> httpx.Response:
    """Submit the meanings of the columns; with `remember`, those of the words too."""
    said = browser.post(f"/inbox/{document}/columns", dict(fields))
    if said.status_code == 303 and "remember" in fields:
        browser.post(f"/inbox/{document}/words", MEANT | {"remember": fields["remember"]})
    return said


def test_a_table_is_kept_read_looked_at_and_imported(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, GOOD)
    assert "A table with 1 row" in browser.get("/inbox").text
    page = browser.get(f"/inbox/{document}").text
    assert "Text with cells separated by commas, encoded in Unicode." in page
    assert "Add 1 bill" in page
    assert stored(office) == []
    done = take(browser, document)
    assert done.status_code == 303
    after = browser.get(done.headers["location"]).text
    assert "1 bill was added." in after
    assert "1 bill was added from this file." in after
    (bill,) = stored(office)
    assert "bills.csv" in browser.get(f"/bills/{bill.id}").text
    assert browser.get(f"/inbox/{document}/file").content == GOOD.encode()
    assert "The bill from Aqua" in browser.get("/inbox?show=billed").text
    assert take(browser, document).status_code == 409
    again = brought(office, browser, GOOD + "\n")
    assert "All of these bills have already been added" in browser.get(f"/inbox/{again}").text


def test_what_is_odd_in_a_table_is_shown_first_and_held_where_the_account_wants_that(office: Office) -> None:
    browser, maple = office.browser("manager"), home(office)
    there = add(office, maple, 90_01, "Aqua")
    content = GOOD + "Maple Court,Volt,GAS,5.00,2026-03-02\nMaple Court,Volt,GAS,5.00,2026-03-02\n"
    content = content.replace("billDate\n", "billDate,billNumber\n").replace("03-02\n", "03-02,{}\n").format(7, 8, 9)
    document = brought(office, browser, content)
    looked = browser.get(f"/inbox/{document}").text
    assert "Flagged: compare with the original" in looked
    assert "They’re added and count." in looked
    assert f'href="/bills/{there.id}"' in looked
    twice = (
        r"4 Maple Court Volt, Gas, .*, \$5\.00 Possible duplicate A bill from Volt dated .* already been added\. line 3"
    )
    assert re.search(twice, words(looked))
    assert "First look at 2 flagged rows" in looked
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(hold_flagged=True)))
    assert "They’re added and held" in browser.get(f"/inbox/{document}").text
    done = take(browser, document)
    assert done.headers["location"].startswith("/bills?only=flagged")
    listed = browser.get(done.headers["location"]).text
    assert "3 bills were added. 2 of them are flagged and held until you accept what is right." in listed
    assert listed.count(">Held<") == 2


def test_bills_that_get_a_date_in_the_future_for_lack_of_one_are_named(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    header = "property,issuerName,utilityType,totalAmountDue,servicePeriodStart,servicePeriodEnd"
    rows = "Maple Court,Aqua,WATER,90.00,2026-01-01,2026-01-31\nMaple Court,Aqua,WATER,91.00,2027-01-01,2027-01-31\n"
    page = words(browser.get(f"/inbox/{brought(quick_office, browser, f'{header}{chr(10)}{rows}')}").text)
    assert "1 bill gets a date in the future, because the file has no bill date" in page
    dated = f"{header},billDate\n" + rows.replace("-31\n", "-31,2027-02-01\n")
    page = words(browser.get(f"/inbox/{brought(quick_office, browser, dated, 'dated.csv')}").text)
    assert "a date in the future, because" not in page


def test_long_bills_of_a_file_are_spread_at_once_and_the_next_file_is_read_so(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    header = GOOD.partition("\n")[0] + ",servicePeriodStart,servicePeriodEnd\n"
    quarter, month = "2025-12-01,2026-02-28", "2026-02-01,2026-02-28"
    rows = [
        f"Maple Court,{issuer},WATER,90.00,2026-03-02,{days}\n" for issuer, days in (("Aqua", quarter), ("City", month))
    ]
    document = brought(quick_office, browser, header + "".join(rows))
    page = words(browser.get(f"/inbox/{document}").text)
    assert ("1 bill is for more than 45 days." in page, "December 2025 to" in page) == (True, False)
    browser.post(f"/inbox/{document}/spread", {"spread": "true", "remember": "true"})
    page = words(browser.get(f"/inbox/{document}").text)
    assert "Bills for more than 45 days are spread over the months of their service" in page
    assert "December 2025 to February 2026, by service days" in page
    assert ("Each bill is billed in" in page, "Each bill that isn’t spread is billed in" in page) == (False, True)
    assert take(browser, document).status_code == 303
    (aqua,) = [bill for bill in stored(quick_office) if bill.issuer_name == "Aqua"]
    assert "December 2025: 31 of 90 service days" in words(browser.get(f"/bills/{aqua.id}").text)
    second = brought(quick_office, browser, header + rows[0].replace("Aqua", "Volt"), "second.csv")
    assert "December 2025 to February 2026, by service days" in words(browser.get(f"/inbox/{second}").text)
    browser.post(f"/inbox/{second}/spread", {"spread": "false"})
    assert "1 bill is for more than 45 days." in words(browser.get(f"/inbox/{second}").text)


def test_columns_of_another_program_are_said_once_and_the_next_file_is_read_at_once(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, MESSY)
    asked = browser.get(f"/inbox/{document}").text
    assert "semicolons, encoded in Windows-1252" in asked
    assert "On line 4; the 3 lines above it are skipped." in asked
    assert "Choose which column contains:" in asked
    assert take(browser, document).status_code == 409
    assert browser.post(f"/inbox/{document}/columns", SAID).status_code == 303
    page = browser.get(f"/inbox/{document}").text
    assert "With a decimal comma, as 1.234,50 in line 5 shows." in page
    assert "25.03.2026 in line 5 shows" in page
    assert "Choose first what the names above mean" in page
    assert 'value="Wasserversorgung"' in page
    assert '<option value="GARBAGE" selected>' in page
    assert browser.post(f"/inbox/{document}/words", MEANT).status_code == 303
    page = words(browser.get(f"/inbox/{document}").text)
    assert "Add the 2 valid rows" in page
    assert "Müll &amp; Co Maple Court, Garbage, Apr 3, 2026 $80.10" in page
    assert (
        "7 Kosten $ “viel” This is not a valid amount. Enter digits with at most two decimals, such as 1234,50." in page
    )
    done = take(browser, document, take_good_rows="true")
    said = browser.get(done.headers["location"]).text
    assert "2 bills were added from this file. 1 row was left out." in said
    assert sorted(one.total for one in stored(office)) == [80_10, 1234_50]
    second = brought(office, browser, MESSY.replace("viel", "12,00").replace("2026;", "2026 ;").replace("Co;", "Co.;"))
    page = browser.get(f"/inbox/{second}").text
    assert "The columns are read the way you chose for an earlier file with the same columns." in page
    assert "Add 2 bills" in page
    take(browser, second)
    assert len(stored(office)) == 4


def test_amounts_of_another_currency_than_the_propertys_are_not_taken_for_its_own(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, MESSY.replace("$", "€"))
    say(browser, document, SAID)
    page = words(browser.get(f"/inbox/{document}").text)
    assert "No rows can be added" in page
    assert "5 Kosten € “1.234,50” The name of this column gives a different currency from the property’s" in page
    document = brought(office, browser, GOOD.replace("Date\n", "Date,Currency\n").replace("02\n", "02,EUR\n"))
    passed_over = {f"column.{at}": name for at, name in enumerate(GOOD.partition("\n")[0].split(","))}
    say(browser, document, passed_over | {"column.5": "", "line": "1"})
    page = words(browser.get(f"/inbox/{document}").text)
    assert "No rows can be added" in page
    assert "2 Currency “EUR” This bill is in a different currency from its property, which uses USD." in page
    document = brought(office, browser, GOOD.replace("Date\n", "Date,Whrg,\n").replace("02\n", "02,EUR,€\n"))
    say(browser, document, passed_over | {"column.5": "notes", "line": "1"})
    page = words(browser.get(f"/inbox/{document}/table?change=true").text)
    assert "Whrg is read as the currency, whatever you chose" in page
    assert "(no name) € Currency, because it contains nothing else" in page
    assert "2 Whrg “EUR” This bill is in a different currency from its property, which uses USD." in page
    assert stored(office) == []


def test_what_was_remembered_is_changed_and_not_remembered_where_nobody_wants_it(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, MESSY)
    say(browser, document, SAID | {"remember": ""})
    assert "Add the 2 valid rows" in browser.get(f"/inbox/{document}").text
    other = brought(office, browser, MESSY + " ")
    assert "Choose which column contains:" in browser.get(f"/inbox/{other}").text
    say(browser, document, SAID)
    assert "Add the 2 valid rows" in browser.get(f"/inbox/{other}").text
    say(browser, other, SAID | {"column.1": "", "fixed.issuerName": "Volt"})
    assert "Volt" in browser.get(f"/inbox/{other}").text
    third = brought(office, browser, MESSY + "  ")
    assert "Stadtwerke" not in browser.get(f"/inbox/{third}").text


def test_two_columns_for_one_field_are_said_and_nothing_is_imported(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, MESSY)
    say(browser, document, SAID | {"column.5": "billDate"})
    page = words(browser.get(f"/inbox/{document}").text)
    assert "You chose several columns for Date of the bill . Keep one of them." in page
    assert take(browser, document).status_code == 409


@pytest.mark.parametrize(("chosen", "month"), [("DMY", "April"), ("MDY", "March")])
def test_a_date_that_reads_two_ways_is_asked(office: Office, chosen: str, month: str) -> None:
    browser = office.browser("manager")
    office.add_property(name="Elm House", country="CA", currency="CAD", state="ON")
    content = GOOD.replace("Maple Court", "Elm House").replace("2026-03-02", "03/04/2026")
    document = brought(office, browser, content)
    page = browser.get(f"/inbox/{document}").text
    assert "03/04/2026 in line 2 is ambiguous" in page
    assert take(browser, document).status_code == 409
    fields = {f"column.{at}": name for at, name in enumerate(GOOD.partition("\n")[0].split(","))} | {"line": "1"}
    say(browser, document, fields | {"dates": chosen})
    assert f"{month} " in words(browser.get(f"/inbox/{document}").text)


def test_the_header_is_moved_to_another_line(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, "Building,Vendor,Old,Older\n" + GOOD.replace("property", "Haus"))
    assert browser.post(f"/inbox/{document}/header", {"line": "1"}).status_code == 303
    assert "On line 1." in browser.get(f"/inbox/{document}").text
    browser.post(f"/inbox/{document}/header", {"line": "2"})
    assert "On line 2; the line above it is skipped." in browser.get(f"/inbox/{document}").text
    assert browser.post(f"/inbox/{document}/header", {"line": "99"}).status_code == 400
    assert say(browser, document, SAID).status_code == 409


def test_before_it_is_added_a_table_shows_what_it_comes_to_by_month(office: Office) -> None:
    browser, maple = office.browser("manager"), home(office)
    add(office, maple, 5_00, "City", on=date(2026, 1, 2))
    send_all(office)
    rows = ("90.01,2026-03-02", "9.99,2026-03-03", "20.00,2026-01-05")
    content = "property,issuerName,utilityType,totalAmountDue,billDate,Meter\n"
    content += "".join(f"Maple Court,Aqua,{'WATER' if at else 'WATER;SEWER'},{row},7\n" for at, row in enumerate(rows))
    document = brought(office, browser, content)
    text = words(browser.get(f"/inbox/{document}").text)
    assert "This column isn’t read: Meter" in text
    assert "Maple Court January 2026 Waiting: invoices were sent 1 $20.00" in text
    assert "Maple Court March 2026 1 without amounts per utility, divided equally 2 $100.00" in text
    assert "In all 3 $120.00" in text
    done = take(browser, document)
    assert done.headers["location"] == "/bills?only=waiting"
    assert "1 bill is waiting" in browser.get(done.headers["location"]).text


def test_problems_are_told_by_line_and_the_good_rows_can_be_taken_and_the_others_later(office: Office) -> None:
    browser = office.browser("owner")
    home(office)
    document = brought(office, browser, BAD.replace("a lot", "7.00"))
    page = words(browser.get(f"/inbox/{document}").text)
    assert "Add the 1 valid row" in page
    assert "3 Property “Nowhere” No property has this id" in page
    refused = take(browser, document)
    assert refused.status_code == 409
    assert "Rows with problems" in refused.text
    assert stored(office) == []
    done = take(browser, document, take_good_rows="true")
    assert "1 bill was added. 1 row with problems was left out." in browser.get(done.headers["location"]).text
    home(office, name="Nowhere")
    assert browser.post(f"/inbox/{document}/look-again", {}).status_code == 303
    assert "Add 1 bill" in browser.get(f"/inbox/{document}").text
    take(browser, document)
    assert len(stored(office)) == 2
    assert "2 bills" in browser.get("/inbox?show=billed").text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"just a letter\nof two lines\n", "text without a table of bills"),
        (swelling(), "too much"),
        (b"PK\x05\x06" + bytes(18), "archive"),
    ],
    ids=["a letter", "a harmful workbook", "an empty archive"],
)
def test_what_is_no_table_of_bills_is_said(quick_office: Office, content: bytes, said: str) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    name = "bills.csv" if content.startswith(b"just") else "bills.zip" if len(content) < 30 else "bills.xlsx"
    answer = bring(browser, (name, content))
    read_all(quick_office)
    text = answer.text if answer.status_code == 409 else browser.get(answer.headers["location"]).text
    assert said in text
    assert "Add 1 bill" in browser.get(f"/inbox/{brought(quick_office, browser, GOOD)}").text


@pytest.mark.parametrize("made", ["xlsx", "ods"])
def test_a_workbook_is_looked_at_and_imported_as_a_csv_file_is(quick_office: Office, made: str) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    rows = [line.split(",") for line in GOOD.splitlines()]
    data = saved(workbook_of(*rows)) if made == "xlsx" else ods(table(*[row(*one) for one in rows]))
    document = brought(quick_office, browser, data, f"bills.{made}")
    page = browser.get(f"/inbox/{document}").text
    assert "in a workbook." in page
    assert "Add 1 bill" in page
    take(browser, document)
    assert len(stored(quick_office)) == 1


def test_several_files_and_an_archive_of_tables_come_in_one_go_and_say_how_far_they_are_read(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("2026/march.csv", GOOD)
        archive.writestr("2026/april.csv", GOOD.replace("03-02", "04-02"))
        archive.writestr("2026/run.exe", b"MZ")
    answer = bring(browser, ("q.zip", made.getvalue()), ("may.csv", GOOD.replace("03-02", "05-02").encode()))
    assert answer.status_code == 409
    assert "This is a program" in answer.text
    assert "0 of 3 files read." in answer.text
    here = re.search(r'hx-get="(/inbox\?since=\w+)"', answer.text)
    assert here is not None
    read_all(office)
    assert "3 of 3 files read." in browser.get(here[1]).text
    for document in ids(office):
        take(browser, document)
    assert len(stored(office)) == 3


def test_a_sample_can_be_downloaded_and_read_back(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    home(quick_office)
    assert 'action="/inbox"' in browser.get("/import/bills").text
    answer = browser.get("/import/bills/sample")
    assert "attachment" in answer.headers["content-disposition"]
    document = brought(quick_office, browser, answer.content)
    assert "Add 2 bills" in browser.get(f"/inbox/{document}").text


def test_a_table_of_another_account_is_not_there_and_who_only_looks_changes_nothing(quick_office: Office) -> None:
    home(quick_office)
    document = brought(quick_office, quick_office.browser("manager"), MESSY)
    stranger, viewer = quick_office.browser("stranger"), quick_office.browser("viewer")
    assert stranger.get(f"/inbox/{document}/table").status_code == 404
    assert (
        "Someone with permission to make changes has to choose what the columns mean"
        in viewer.get(f"/inbox/{document}").text
    )
    for path, fields in (("columns", SAID), ("header", {"line": "4"}), ("rows", {}), ("look-again", {})):
        assert stranger.post(f"/inbox/{document}/{path}", fields).status_code == 404
        assert viewer.post(f"/inbox/{document}/{path}", fields).status_code == 403


def test_what_was_set_aside_is_taken_up_again_as_it_was_said(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    document = brought(office, browser, MESSY)
    say(browser, document, SAID | {"remember": ""})
    browser.post(f"/inbox/{document}/aside", {})
    assert "This file was set aside." in browser.get(f"/inbox/{document}").text
    assert say(browser, document, SAID).status_code == 409
    browser.post(f"/inbox/{document}/again", {})
    assert "being read" in browser.get(f"/inbox/{document}").text
    read_all(office)
    assert "Add the 2 valid rows" in browser.get(f"/inbox/{document}").text
