"""Tests of the inbox.

Files are kept as they arrive, read by a job, and become bills when a member confirms them.
"""

import io
import re
import struct
import threading
import zipfile
from collections.abc import Sequence
from functools import cache

import httpx
import pytest

from prorata.actions.bills import bills
from prorata.actions.intake import documents
from prorata.actions.properties import units
from prorata.domain.bills.bills import NewBill
from prorata.domain.limits import MOST_DOCUMENTS_UNDER_WAY
from prorata.store.database.engine import Tx
from prorata.store.intake import documents as stored
from prorata.wiring import bill_reader, table_reader
from prorata.worker.documents import document_kinds
from prorata.worker.rounds import Worker
from tests.adapters.intake.test_pdf_text import protected
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.dashboard.conftest import OWN_SITE, Browser, Office

BROKEN = b"%PDF-1.7 of which the rest was lost"
_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
_LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)


@cache
def a_bill(seed: int = 1) -> tuple[Facts, bytes]:
    """A bill for one utility, and its PDF."""
    facts = facts_of("en-US", seed, kinds="ELECTRICITY", story="plain")
    return facts, printed(facts, _LAYOUT)


def bring(browser: Browser, *files: tuple[str, bytes]) -> httpx.Response:
    token = _TOKEN.search(browser.get("/inbox").text)
    sent = [("files", one) for one in files] or None
    data = {"form_token": token[1] if token else ""}
    return browser.client.post("/inbox", data=data, files=sent, headers=OWN_SITE, follow_redirects=False)


def read_all(office: Office) -> None:
    Worker(office.database, lambda: 0, document_kinds(bill_reader(), table_reader(for_browsers=True))).do_round(
        threading.Event()
    )


def ids(office: Office, states: Sequence[str] = ("reading", "draft", "unreadable", "billed", "set aside")) -> list[str]:
    rows = office.database.read(lambda tx: stored.page(tx, office.account_id, states, before="doc_~", limit=100))
    return [row.id for row in rows]


def fields(text: str) -> dict[str, str]:
    """Return the values of the form for the bill."""
    form = text.split('id="bill"')[1].split("</form>", maxsplit=1)[0]
    found = dict(re.findall(r'<input class="input[^>]*? name="(\w+)"[^>]*? value="([^"]*)"', form))
    ticks = re.findall(r'type="checkbox"[^>]*? name="(\w+)"', form)
    ticked = re.findall(r'name="(\w+)" value="true" checked', form)
    kept = re.findall(r'name="propertyId" value="(\w+)"', form)
    return (
        {name: value for name, value in found.items() if name not in ticks}
        | dict.fromkeys(ticked, "true")
        | {"propertyId": kept[0], "paymentStatus": "UNPAID"}
    )


def typed(property_id: str) -> dict[str, str]:
    """A bill as a member enters it from a file that no program reads."""
    return {
        "propertyId": property_id, "issuerName": "City", "totalAmountDue": "12.00", "billDate": "2026-03-02",
        "hasWater": "true", "paymentStatus": "UNPAID",
    }  # fmt: skip


def test_a_bill_is_brought_read_looked_at_and_confirmed(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    facts, pdf = a_bill()
    assert "Nothing is waiting for you" in browser.get("/inbox").text
    done = bring(browser, ("water.pdf", pdf))
    assert done.status_code == 303
    assert "Being read" in browser.get("/inbox").text
    read_all(office)
    listed = browser.get("/inbox").text
    assert "To confirm" in listed
    assert facts.issuer in listed
    overview = browser.get("/").text
    assert "1 file in the Inbox to check." in overview
    (document,) = ids(office)
    asked = browser.get(f"/inbox/{document}").text
    assert "Which property is it for?" in asked
    assert f'<option value="{maple.id}" selected>' in asked
    shown = browser.get(f"/inbox/{document}?property={maple.id}").text
    form = fields(shown)
    assert form["issuerName"] == facts.issuer
    assert form["totalAmountDue"] == f"{facts.total / 100:.2f}"
    form |= {"billDate": facts.billed.isoformat(), "dueDate": facts.due.isoformat(), "hasElectricity": "true"}
    confirmed = browser.post(f"/inbox/{document}", form)
    assert confirmed.status_code == 303, confirmed.text
    said = browser.get(confirmed.headers["location"])
    assert "The bill was added." in said.text
    (bill,) = office.database.read(lambda tx: bills.page(tx, office.caller, limit=10, offset=0))[0]
    assert (bill.total, bill.property_id) == (facts.total, maple.id)
    assert "in the inbox" not in browser.get("/").text
    assert "water.pdf" in browser.get(f"/bills/{bill.id}").text
    assert browser.get(f"/inbox/{document}/file").content == pdf


@pytest.mark.thorough
def test_the_next_bill_of_an_account_number_is_for_the_same_property(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    office.add_property(name="Elm House")
    facts, pdf = a_bill()
    bring(browser, ("first.pdf", pdf))
    read_all(office)
    (document,) = ids(office)
    form = fields(browser.get(f"/inbox/{document}?property={maple.id}").text)
    form |= {
        "billDate": facts.billed.isoformat(),
        "dueDate": "",
        "hasElectricity": "true",
        "accountNumber": facts.account,
    }
    assert browser.post(f"/inbox/{document}", form).status_code == 303
    later = facts._replace(number="INV-NEXT-1")
    bring(browser, ("second.pdf", printed(later, _LAYOUT)))
    read_all(office)
    (second,) = ids(office, ("draft",))
    shown = browser.get(f"/inbox/{second}").text
    assert "Maple Court" in shown
    assert "Earlier bills of this account number were for it." in shown


def test_the_review_of_a_month_waits_for_a_file_that_may_be_its_bill(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    office.database.write(lambda tx: units.create(tx, office.caller, maple.id, {"label": "1"}))
    facts, pdf = a_bill()
    billed = NewBill(
        maple.id, facts.issuer, ("ELECTRICITY",), 50_00, facts.billed, account_number=facts.account,
        service_start=facts.start, service_end=facts.end,
    )  # fmt: skip
    (row,) = office.database.write(lambda tx: bills.add(tx, office.caller, [billed])).bills
    month = office.database.read(lambda tx: bills.find(tx, office.caller, row.id)).billing_month or ""
    review = f"/properties/{maple.id}/months/{month}"
    assert "in the inbox" not in browser.get(review).text
    bring(browser, ("water.pdf", pdf))
    read_all(office)
    assert "1 file in the inbox is waiting to be confirmed. It may be for this month." in browser.get(review).text
    (document,) = ids(office)
    browser.post(f"/inbox/{document}/aside", {})
    assert "in the inbox" not in browser.get(review).text


def test_what_was_corrected_is_learned_and_the_next_bill_is_right_at_once(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    layout = next(one for one in LAYOUTS if one.locale == "en-US" and one.name == "dashed and lined")
    first = facts_of("en-US", 3, kinds="ELECTRICITY", story="plain")
    bring(browser, ("first.pdf", printed(first, layout)))
    read_all(office)
    (document,) = ids(office)
    shown = browser.get(f"/inbox/{document}?property={maple.id}").text
    assert "Please check" in shown
    form = fields(shown) | {
        "issuerName": first.issuer, "accountNumber": first.account, "billNumber": first.number,
        "billDate": first.billed.isoformat(), "dueDate": first.due.isoformat(), "hasElectricity": "true",
        "servicePeriodStart": first.start.isoformat(), "servicePeriodEnd": first.end.isoformat(),
        "totalAmountDue": f"{first.total / 100:.2f}",
    }  # fmt: skip
    assert browser.post(f"/inbox/{document}", form).status_code == 303
    read_all(office)
    later = facts_of("en-US", 1003, kinds="ELECTRICITY", story="plain")._replace(
        issuer=first.issuer, site=first.site, account=first.account, address=first.address, number="00501388"
    )
    bring(browser, ("second.pdf", printed(later, layout)))
    read_all(office)
    (second,) = ids(office, ("draft",))
    shown = browser.get(f"/inbox/{second}").text
    assert "Please check" not in shown
    found = fields(shown)
    assert found["propertyId"] == maple.id
    assert [found[name] for name in ("accountNumber", "billNumber", "billDate", "dueDate", "servicePeriodEnd")] == [
        later.account, later.number, later.billed.isoformat(), later.due.isoformat(), later.end.isoformat(),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (protected("secret"), "its text was not kept, or can’t be read by a program"),
        (BROKEN, "its text was not kept, or can’t be read by a program"),
        (None, "none of the confirmed values appear on its pages"),
    ],
    ids=["protected", "damaged", "another bill"],
)
def test_where_nothing_is_learned_the_bill_and_its_file_say_why(
    office: Office, content: bytes | None, said: str
) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    bring(browser, ("letter.pdf", content or a_bill()[1]))
    read_all(office)
    (document,) = ids(office)
    form = typed(maple.id) | {"accountNumber": "4417-0", "billDate": "2025-07-07", "totalAmountDue": "7,777.77"}
    assert browser.post(f"/inbox/{document}", form).status_code == 303
    (bill,) = office.database.read(lambda tx: bills.page(tx, office.caller, limit=10, offset=0))[0]
    assert "Nothing was learned" not in browser.get(f"/bills/{bill.id}").text
    read_all(office)
    for page in (f"/bills/{bill.id}", f"/inbox/{document}"):
        shown = browser.get(page).text
        assert "Nothing was learned from this file for the next bill" in shown
        assert said in shown


def test_the_same_file_is_kept_once(office: Office) -> None:
    browser = office.browser("manager")
    _, pdf = a_bill()
    bring(browser, ("a.pdf", pdf))
    again = bring(browser, ("b.pdf", pdf), ("c.pdf", pdf + b"\n"))
    assert len(ids(office)) == 2
    said = browser.get(again.headers["location"]).text
    assert "1 file was accepted and will be read. 1 was already there: a.pdf." in said
    read_all(office)
    again = bring(browser, ("b.pdf", pdf))
    said = browser.get(again.headers["location"]).text
    assert "This file was already uploaded as a.pdf on " in said
    assert "It is waiting to be confirmed." in said


def test_a_file_that_can_not_be_read_is_kept_and_says_so_and_can_be_entered_by_hand(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    bring(browser, (r"C:\bills\..\letter.pdf", BROKEN))
    read_all(office)
    (document,) = ids(office)
    listed = browser.get("/inbox").text
    assert "This PDF is damaged" in listed
    assert ">letter.pdf<" in listed
    shown = browser.get(f"/inbox/{document}?property={maple.id}").text
    form = fields(shown) | {
        "issuerName": "City",
        "totalAmountDue": "12.00",
        "billDate": "2026-03-02",
        "hasWater": "true",
    }
    assert browser.post(f"/inbox/{document}", form).status_code == 303


def test_a_confirmed_file_is_not_confirmed_again(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    bring(browser, ("letter.pdf", BROKEN))
    read_all(office)
    (document,) = ids(office)
    form = typed(maple.id)
    assert browser.post(f"/inbox/{document}", form).status_code == 303
    again = browser.post(f"/inbox/{document}", form | {"totalAmountDue": "13.00"})
    assert again.status_code == 409
    assert "has already become a bill" in again.text
    assert browser.post(f"/inbox/{document}/aside", {}).status_code == 409


def test_a_removed_bill_leaves_its_file_which_can_be_taken_up_again(office: Office) -> None:
    browser, maple = office.browser("manager"), office.add_property()
    bring(browser, ("letter.pdf", BROKEN))
    read_all(office)
    (document,) = ids(office)
    form = typed(maple.id)
    browser.post(f"/inbox/{document}", form)
    (bill,) = office.database.read(lambda tx: bills.page(tx, office.caller, limit=10, offset=0))[0]
    assert browser.post(f"/bills/{bill.id}/delete", {}).status_code == 303
    assert "was removed" in browser.get(f"/inbox/{document}").text
    assert browser.post(f"/inbox/{document}/again", {}).status_code == 303
    read_all(office)
    assert ids(office, ("unreadable",)) == [document]


def test_what_is_no_bill_is_set_aside_and_taken_up_again(office: Office) -> None:
    browser = office.browser("manager")
    bring(browser, ("letter.pdf", BROKEN))
    read_all(office)
    (document,) = ids(office)
    assert browser.post(f"/inbox/{document}/aside", {}).status_code == 303
    assert "letter.pdf" not in browser.get("/inbox").text
    assert "letter.pdf" in browser.get("/inbox?show=aside").text
    assert browser.post(f"/inbox/{document}/again", {}).status_code == 303
    assert "Being read" in browser.get("/inbox").text


def test_an_empty_file_and_none_are_refused_and_the_others_taken(office: Office) -> None:
    browser = office.browser("manager")
    none = bring(browser)
    assert none.status_code == 400
    assert "Choose one or more files." in none.text
    mixed = bring(browser, ("empty.pdf", b""), ("letter.pdf", BROKEN), ("huge.pdf", b"%PDF-1.7" + bytes(10_000_000)))
    assert mixed.status_code == 409
    assert "This file is empty" in mixed.text
    assert "at most 10 MB" in mixed.text
    assert len(ids(office)) == 1


def test_a_full_inbox_takes_what_it_can_and_says_what_it_did_not(quick_office: Office) -> None:
    def fill(tx: Tx) -> None:
        for number in range(MOST_DOCUMENTS_UNDER_WAY - 1):
            documents.take(tx, quick_office.caller, f"{number}.pdf", f"%PDF-1.7 {number}".encode(), "upload")

    quick_office.database.write(fill)
    page = bring(
        quick_office.browser("manager"),
        ("notes.xyz", b"\x00\x01\x02"),
        ("one.pdf", b"%PDF-1.7 one"),
        ("two.pdf", b"%PDF-1.7 two"),
    )
    assert page.status_code == 409
    told = re.search(r'<div class="note bad".*?</ul>', page.text, re.DOTALL)
    assert told is not None
    assert ("notes.xyz" in told[0], "one.pdf" in told[0], "two.pdf" in told[0]) == (True, False, True)
    assert f"{MOST_DOCUMENTS_UNDER_WAY} documents are already waiting to be read. Add" in told[0]
    assert "one.pdf" in page.text


def test_a_page_is_shown_as_a_picture(quick_office: Office) -> None:
    browser = quick_office.browser("viewer")
    bring(quick_office.browser("manager"), ("water.pdf", a_bill()[1]))
    (document,) = ids(quick_office)
    picture = browser.get(f"/inbox/{document}/pages/1")
    assert picture.headers["content-type"] == "image/png"
    width, height = struct.unpack(">II", picture.content[16:24])
    assert (500 < width < 2000, height > width) == (True, True)
    for number in ("0", "9", "-1", "x", "99999999"):
        assert browser.get(f"/inbox/{document}/pages/{number}").status_code == 404


@pytest.mark.parametrize("path", ["", "/file", "/pages/1", "/property"])
def test_a_document_of_another_account_is_not_there(quick_office: Office, path: str) -> None:
    bring(quick_office.browser("manager"), ("water.pdf", a_bill()[1]))
    (document,) = ids(quick_office)
    assert quick_office.browser("stranger").get(f"/inbox/{document}{path}").status_code == 404
    assert quick_office.browser("stranger").post(f"/inbox/{document}/aside", {}).status_code == 404


def test_who_may_only_look_brings_and_confirms_nothing(quick_office: Office) -> None:
    bring(quick_office.browser("manager"), ("water.pdf", a_bill()[1]))
    read_all(quick_office)
    (document,) = ids(quick_office)
    viewer = quick_office.browser("viewer")
    assert bring(viewer, ("more.pdf", BROKEN + b".")).status_code == 403
    assert viewer.post(f"/inbox/{document}/aside", {}).status_code == 403
    assert 'type="submit">Add the bill' not in viewer.get(f"/inbox/{document}").text
    assert len(ids(quick_office)) == 1


def test_an_archive_is_taken_apart_and_what_is_wrong_with_one_file_concerns_no_other(quick_office: Office) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("march/water.pdf", a_bill()[1])
        archive.writestr("march/run.exe", b"MZ")
        archive.writestr("bills.csv", "property,issuerName\n")
    browser = quick_office.browser("manager")
    answer = bring(browser, ("march.zip", made.getvalue()))
    assert answer.status_code == 409
    assert "This is a program" in answer.text
    assert len(ids(quick_office)) == 2
    assert "water.pdf" in browser.get("/inbox").text
