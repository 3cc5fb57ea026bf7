"""Tests of attaching a file to a bill that was entered by hand.

The bill's page shows the file, and so do tenants' pages if tenants may see bills.
"""

import base64
from typing import Any

import httpx
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.limits import MOST_FILES_OF_A_BILL
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from tests.dashboard.bills.test_bills import add, home
from tests.dashboard.conftest import OWN_SITE, Browser, Office
from tests.dashboard.delivery.test_tenant_bills import bill_of, came_in
from tests.dashboard.intake.test_inbox import _TOKEN, BROKEN, a_bill, bring, ids, read_all
from tests.dashboard.tenants import page_of, sent

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


def attach(browser: Browser, bill_id: str, name: str, content: bytes) -> httpx.Response:
    token = _TOKEN.search(browser.get(f"/bills/{bill_id}").text)
    data, files = {"form_token": token[1] if token else ""}, {"file": (name, content)}
    path = f"/bills/{bill_id}/files"
    return browser.client.post(path, data=data, files=files, headers=OWN_SITE, follow_redirects=False)


def test_a_pdf_is_attached_shown_and_taken_off_again(office: Office) -> None:
    browser, row = office.browser("manager"), add(office, home(office))
    content = a_bill()[1]
    assert attach(browser, row.id, "march.pdf", content).status_code == 303
    assert attach(browser, row.id, "again.pdf", content).status_code == 303, "the same file is attached once"
    read_all(office)
    (document,) = ids(office)
    here = browser.get(f"/bills/{row.id}").text
    assert "Tenants don’t see the file, unless you let them see bills under Settings" in here
    assert here.count(f'href="/inbox/{document}">march.pdf</a>') == 1
    shown = browser.get(f"/inbox/{document}").text
    assert f'href="/bills/{row.id}">a bill</a>' in shown
    assert f'src="/inbox/{document}/pages/1"' in shown, "its pages are shown"
    assert ids(office, ["billed"]) == [document], "reading it asks nobody for anything"
    assert 'id="bill"' not in shown
    assert "attached the file march.pdf to a bill" in browser.get("/activity").text
    assert browser.post(f"/bills/{row.id}/files/{document}/remove", {}).status_code == 303
    assert f"/inbox/{document}" not in browser.get(f"/bills/{row.id}").text
    assert ids(office, ["set aside"]) == [document]
    assert browser.post(f"/bills/{row.id}/files/{document}/remove", {}).status_code == 404


def test_a_further_file_is_said_to_be_added(office: Office) -> None:
    browser, row = office.browser("manager"), add(office, home(office))
    assert "replaces no file" not in browser.get(f"/bills/{row.id}").text
    assert attach(browser, row.id, "march.png", PICTURE).status_code == 303
    assert "It is added, and replaces no file." in browser.get(f"/bills/{row.id}").text


def test_a_bill_without_a_file_says_when_tenants_can_see_one(office: Office) -> None:
    browser, row = office.browser("manager"), add(office, home(office))
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(shows_bills=True)))
    page = browser.get(f"/bills/{row.id}").text
    assert "can see the file if it is clearly read as a single bill" in page
    assert "Tenants don’t see the file" not in page


@pytest.mark.thorough
def test_a_file_of_the_inbox_becomes_that_of_the_bill(office: Office) -> None:
    browser, row = office.browser("manager"), add(office, home(office))
    for name, content in (("march.pdf", a_bill()[1]), ("lost.pdf", BROKEN)):
        bring(browser, (name, content))
        read_all(office)
        assert attach(browser, row.id, name, content).status_code == 303
    read_all(office)
    assert len(ids(office, ["billed"])) == len(ids(office)) == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("march.csv", b"a,b\n1,2\n", "Attach a PDF or a picture (JPEG or PNG) of the bill."),
        ("march.pdf", b"", "This file is empty."),
        ("march.exe", b"MZ\x90", "This is a program"),
        pytest.param("big.pdf", b"%PDF-1.7" + bytes(MOST_DOCUMENT_BYTES), "at most 10 MB", id="large"),
    ],
)
def test_what_is_no_bill_is_refused_beside_the_field(
    quick_office: Office, name: str, content: bytes, said: str
) -> None:
    browser, row = quick_office.browser("manager"), add(quick_office, home(quick_office))
    answer = attach(browser, row.id, name, content)
    assert answer.status_code == 400
    assert said in answer.text
    assert ids(quick_office) == []


def test_a_viewer_attaches_nothing_and_a_stranger_finds_no_bill(office: Office) -> None:
    row = add(office, home(office))
    assert attach(office.browser("viewer"), row.id, "march.png", PICTURE).status_code == 403
    assert attach(office.browser("stranger"), row.id, "march.png", PICTURE).status_code == 404
    assert 'id="f-file"' not in office.browser("viewer").get(f"/bills/{row.id}").text


def test_a_bill_has_so_many_files_and_no_more(quick_office: Office) -> None:
    browser, row = quick_office.browser("manager"), add(quick_office, home(quick_office))
    for number in range(MOST_FILES_OF_A_BILL):
        assert attach(browser, row.id, f"{number}.png", PICTURE + bytes([number])).status_code == 303
    assert "This bill already has 20 files" in attach(browser, row.id, "more.png", PICTURE + b"more").text


def test_tenants_get_a_picture_that_was_attached_once_it_is_said_to_be_this_bill_alone(office: Office) -> None:
    (one,) = sent(office, "1")
    browser, path, bill_id = office.browser(), page_of(office, one.id), bill_of(office, one.id)
    manager: Any = office.browser("manager")
    office.database.write(lambda tx: accounts.change_settings(tx, office.caller, Wishes(shows_bills=True)))
    assert attach(manager, bill_id, "photo", PICTURE).status_code == 303
    assert browser.get(f"{path}/bills/1").status_code == 404
    assert "can only see the one that came in first" in manager.get(f"/bills/{bill_id}").text
    assert manager.post(f"/bills/{bill_id}/tenants", {"is_shown": "true"}).status_code == 303
    answer = browser.get(f"{path}/bills/1")
    assert (answer.status_code, answer.content) == (200, PICTURE)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-disposition"] == f"attachment; filename*=UTF-8''{one.number}-1.png"


def test_who_corrects_a_bill_is_told_that_tenants_can_open_its_file(office: Office) -> None:
    (one,) = sent(office, "1")
    bill_id, browser = bill_of(office, one.id), office.browser("manager")
    at, told = f"/bills/{bill_id}", "Tenants can open this bill’s file"
    assert told not in browser.get(f"{at}/correct").text
    came_in(office, "march.pdf", a_bill()[1], bill_id)
    assert told in browser.get(f"{at}/correct").text
    assert f'href="{at}#facts">Hide it, or remove it and attach the correct file<' in browser.get(f"{at}/correct").text
    assert browser.post(f"{at}/correct", {"totalAmountDue": "80.00", "then": "next"}).status_code == 303
    assert told in browser.get(at).text
    assert browser.post(f"{at}/tenants", {}).status_code == 303
    assert told not in browser.get(at).text
    assert told not in browser.get(f"{at}/correct").text
