"""A file of bills: looked at first, then imported as a whole or as far as it is good."""

import re
import zlib
from base64 import urlsafe_b64encode
from datetime import date

import httpx
import pytest

from prorata.actions import accounts
from prorata.actions.accounts import Wishes
from tests.adapters.test_bill_xlsx import saved, workbook_of
from tests.adapters.test_table_files import ods, row, swelling, table
from tests.dashboard.conftest import OWN_SITE, Browser, Office
from tests.dashboard.test_bills import add, home, send_all

GOOD = "property,issuerName,utilityType,totalAmountDue,billDate\nMaple Court,Aqua,WATER,90.01,2026-03-02\n"
BAD = GOOD + "Nowhere,Volt,ELECTRICITY,a lot,2026-03-02\n"
_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')


def send(browser: Browser, content: bytes | str | None, path: str = "/import/bills", **fields: str) -> httpx.Response:
    """The form with a file, as a browser sends it."""
    token = _TOKEN.search(browser.get("/import/bills").text)
    assert token is not None
    is_upload = content is not None or path == "/import/bills"
    files = {"file": ("bills.csv", content or b"")} if is_upload else None
    sent = {"form_token": token[1]} | fields
    return browser.client.post(path, data=sent, files=files, headers=OWN_SITE, follow_redirects=False)


def held(answer: httpx.Response) -> dict[str, str]:
    """What the page holds to be sent back."""
    return {name: answer.text.split(f'name="{name}" value="')[1].split('"')[0] for name in ("name", "packed")}


def test_a_file_is_looked_at_first_and_then_imported(office: Office) -> None:
    browser = office.browser("manager")
    home(office)
    looked = send(browser, GOOD)
    assert looked.status_code == 200
    assert "Add 1 bill" in looked.text
    assert "Add your first bill" in browser.get("/bills").text
    done = send(browser, None, "/import/bills/add", **held(looked))
    assert done.status_code == 303
    text = browser.get(done.headers["location"]).text
    assert "1 bill was added." in text
    assert "Aqua" in text
    again = send(browser, GOOD)
    assert "All of these bills are there already" in again.text


def test_what_is_odd_in_a_file_is_shown_first_and_held_where_the_account_wants_that(office: Office) -> None:
    browser, maple = office.browser("manager"), home(office)
    there = add(office, maple, 90_01, "Aqua")
    content = GOOD + "Maple Court,Volt,GAS,5.00,2026-03-02\nMaple Court,Volt,GAS,5.00,2026-03-02\n"
    content = content.replace("billDate\n", "billDate,billNumber\n").replace("03-02\n", "03-02,{}\n").format(7, 8, 9)
    looked = send(browser, content)
    text = " ".join(re.sub(r"<[^>]+>", " ", looked.text).split())
    assert "Flagged: compare with the paper" in text
    assert "They are added and count." in text
    assert f'href="/bills/{there.id}"' in looked.text
    assert re.search(r"4 Perhaps twice A bill of Volt of .* over \$5\.00 is there already\. line 3", text)
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(hold_flagged=True)))
    assert "They are added and held" in send(browser, content).text
    done = send(browser, None, "/import/bills/add", **held(looked))
    assert done.headers["location"].startswith("/bills?only=flagged")
    listed = browser.get(done.headers["location"]).text
    assert "3 bills were added. 2 of them are flagged, and held until you accept what is right." in listed
    assert listed.count(">Held<") == 2


def test_before_it_is_added_a_file_shows_what_it_comes_to_by_month(office: Office) -> None:
    browser, maple = office.browser("manager"), home(office)
    add(office, maple, 5_00, "City", on=date(2026, 1, 2))
    send_all(office)
    rows = ("90.01,2026-03-02", "9.99,2026-03-03", "20.00,2026-01-05")
    content = "property,issuerName,utilityType,totalAmountDue,billDate,Meter\n"
    content += "".join(f"Maple Court,Aqua,{'WATER' if at else 'WATER;SEWER'},{row},7\n" for at, row in enumerate(rows))
    looked = send(browser, content)
    text = " ".join(re.sub(r"<[^>]+>", " ", looked.text).split())
    assert "Nothing is read from the column Meter ." in text
    assert "Maple Court January 2026 Waits: invoices were sent 1 $20.00" in text
    assert "Maple Court March 2026 1 divided by guess 2 $100.00" in text
    assert "In all 3 $120.00" in text
    done = send(browser, None, "/import/bills/add", **held(looked))
    assert "1 bill waits" in browser.get(done.headers["location"]).text
    assert "What would be added" not in send(browser, content).text


def test_problems_are_told_by_line_and_column_and_the_good_rows_can_be_taken(office: Office) -> None:
    browser = office.browser("owner")
    home(office)
    looked = send(browser, BAD)
    for said in ("Add the 1 good row", "totalAmountDue", ">3<", "What is wrong"):
        assert said in looked.text
    refused = send(browser, None, "/import/bills/add", **held(looked))
    assert refused.status_code == 409
    assert "What is wrong" in refused.text
    assert "Add your first bill" in browser.get("/bills").text
    done = send(browser, None, "/import/bills/add", **held(looked), take_good_rows="true")
    assert "1 bill was added. 1 row with problems left out." in browser.get(done.headers["location"]).text


def test_bills_of_a_month_that_was_sent_are_shown_waiting(office: Office) -> None:
    browser, maple = office.browser("owner"), home(office)
    add(office, maple, 5_00, "City")
    send_all(office)
    done = send(browser, None, "/import/bills/add", **held(send(browser, GOOD)))
    assert done.headers["location"] == "/bills?only=waiting"
    assert "1 bill waits" in browser.get(done.headers["location"]).text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "Choose a file with bills in it."),
        (b"%PDF-1.7", "This is not a CSV file"),
        (b"x" * (5 * 1024 * 1024 + 1), "larger than 5 MB"),
    ],
    ids=["none", "pdf", "large"],
)
def test_what_is_no_file_of_bills_is_said_beside_the_field(
    quick_office: Office, content: bytes | None, said: str
) -> None:
    answer = send(quick_office.browser("owner"), content)
    assert answer.status_code == 400
    assert 'id="wrong-file"' in answer.text
    assert said in answer.text


def test_a_workbook_made_to_harm_is_a_sentence_and_the_next_file_is_read(quick_office: Office) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    answer = send(browser, swelling())
    assert answer.status_code == 400
    assert 'id="wrong-file"' in answer.text
    assert "too much" in answer.text
    assert "Add 1 bill" in send(browser, GOOD).text


@pytest.mark.parametrize("made", ["xlsx", "ods"])
def test_a_workbook_is_looked_at_and_imported_as_a_csv_file_is(quick_office: Office, made: str) -> None:
    browser = quick_office.browser("manager")
    home(quick_office)
    rows = [line.split(",") for line in GOOD.splitlines()]
    data = saved(workbook_of(*rows)) if made == "xlsx" else ods(table(*[row(*one) for one in rows]))
    looked = send(browser, data)
    assert "Add 1 bill" in looked.text
    done = send(browser, None, "/import/bills/add", **held(looked))
    assert "1 bill was added." in browser.get(done.headers["location"]).text


def test_a_file_over_the_limit_of_the_form_is_refused(quick_office: Office) -> None:
    assert send(quick_office.browser("owner"), b"x" * (9 * 1024 * 1024)).status_code == 413


@pytest.mark.parametrize(
    "packed",
    ["nothing", "é", urlsafe_b64encode(zlib.compress(bytes(6 * 1024 * 1024))).decode()],
    ids=["no base64", "no ascii", "a bomb"],
)
def test_what_comes_back_is_checked_again(quick_office: Office, packed: str) -> None:
    answer = send(quick_office.browser("owner"), None, "/import/bills/add", name="bills.csv", packed=packed)
    assert answer.status_code == 400
    assert "Choose the file again" in answer.text


def test_a_sample_can_be_downloaded_and_read_back(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    home(quick_office)
    answer = browser.get("/import/bills/sample")
    assert "attachment" in answer.headers["content-disposition"]
    assert "Add 2 bills" in send(browser, answer.content).text
