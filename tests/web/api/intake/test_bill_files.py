"""Files of bills can be attached, listed, removed, and shown to tenants by the API.

The page of a bill offers the same.
"""

from typing import Any

import httpx
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.intake import documents
from prorata.actions.limits import MOST_FILES_OF_A_BILL
from prorata.web.http.limits import MOST_ATTACHED_BYTES
from tests.web.addresses import assert_refused, unknown_id
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish

PDF = b"%PDF-1.7 of a bill"


@pytest.fixture
def made(house: House) -> Furnished:
    made = furnish(house)
    house.database.write(lambda tx: accounts.change_settings(tx, made.landlord.caller, Wishes(shows_bills=True)))
    return made


def attach(made: Furnished, content: bytes = PDF, name: str = "bill.pdf", bill: str = "") -> httpx.Response:
    return made.api.post(f"/bills/{bill or made.bills[0]}/files", files={"file": (name, content)})


def files(made: Furnished, number: int = 0) -> list[dict[str, Any]]:
    return made.api.get(f"/bills/{made.bills[number]}/files").json()


def test_a_file_is_attached_listed_and_taken_off(made: Furnished) -> None:
    assert files(made) == []
    attached = attach(made)
    assert attached.status_code == 201, attached.text
    one = attached.json()
    assert attached.headers["location"] == f"/api/v1/documents/{one['id']}"
    assert (one["status"], one["billId"], one["name"]) == ("BECAME_BILL", made.bills[0], "bill.pdf")
    assert [(row["id"], row["name"], row["size"]) for row in files(made)] == [(one["id"], "bill.pdf", len(PDF))]
    assert made.api.get(f"/documents/{one['id']}/file").content == PDF
    kept = made.house.database.read(lambda tx: documents.of_bill(tx, made.landlord.caller, made.bills[0]))
    assert [row.id for row in kept] == [one["id"]]

    assert attach(made).json()["id"] == one["id"], "the same file twice is attached once"
    assert len(files(made)) == 1
    here = f"/bills/{made.bills[0]}/files/{one['id']}"
    assert_refused(made.api.delete(here, headers={"If-Match": '"another"'}), 412, "PRECONDITION_FAILED")
    assert made.api.delete(here).status_code == 200
    assert files(made) == []
    assert made.api.get(f"/documents/{one['id']}").json()["status"] == "SET_ASIDE"
    assert_refused(made.api.delete(here), 404, "DOCUMENT_NOT_FOUND")
    assert_refused(made.api.delete(f"/bills/{made.bills[0]}/files/{unknown_id('document')}"), 404, "DOCUMENT_NOT_FOUND")


def test_a_document_of_the_inbox_becomes_the_bill_s(made: Furnished) -> None:
    brought = made.api.post("/documents", files={"file": ("x.pdf", PDF)}).json()["id"]
    assert attach(made).json()["id"] == brought
    assert made.api.get(f"/documents/{brought}").json()["status"] == "BECAME_BILL"


@pytest.mark.parametrize(("name", "content"), [("bill.csv", b"a,b\n"), ("bill.pdf", b""), ("bill.pdf", b"MZ\x00")])
def test_what_is_neither_a_pdf_nor_a_picture_is_refused(made: Furnished, name: str, content: bytes) -> None:
    refused = assert_refused(attach(made, content, name), 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in refused["details"]] == ["file"]
    assert files(made) == []


def test_what_is_too_much_is_refused_and_nothing_is_kept(made: Furnished) -> None:
    assert_refused(attach(made, PDF.ljust(MOST_ATTACHED_BYTES)), 413, "PAYLOAD_TOO_LARGE")
    assert_refused(attach(made, PDF.ljust(MOST_ATTACHED_BYTES - 2_000)), 413, "PAYLOAD_TOO_LARGE")
    for number in range(MOST_FILES_OF_A_BILL):
        assert attach(made, PDF + b" %d" % number).status_code == 201
    assert_refused(attach(made), 409, "CONFLICT")
    assert len(files(made)) == made.api.get("/documents").json()["pagination"]["total"] == MOST_FILES_OF_A_BILL


def test_tenants_see_the_file_of_a_bill_as_somebody_says(made: Furnished) -> None:
    here = f"/bills/{made.bills[0]}"
    before = made.api.get(here).json()
    assert before["tenantsSeeIt"] is None, "it has no file"
    assert_refused(made.api.patch(here, {"tenantsSeeIt": True}), 409, "CONFLICT")
    attach(made)
    assert made.api.get(here).json()["tenantsSeeIt"] is False, "it was not read plainly as one bill"
    shown = made.api.patch(here, {"tenantsSeeIt": True, "notes": "With its file."})
    assert (shown.status_code, shown.json()["tenantsSeeIt"], shown.json()["notes"]) == (200, True, "With its file.")
    assert [one["tenantsSeeIt"] for one in made.api.get("/bills").json()["data"]] == [None, None, True]
    assert made.api.patch(here, {"tenantsSeeIt": False}).json()["tenantsSeeIt"] is False
    assert_refused(made.api.patch(here, {"tenantsSeeIt": None}), 400, "INVALID_REQUEST")
    made.house.database.write(lambda tx: accounts.change_settings(tx, made.landlord.caller, Wishes(shows_bills=False)))
    assert made.api.get(here).json()["tenantsSeeIt"] is None, "the account shows none"


def test_another_account_s_bill_takes_no_file(made: Furnished) -> None:
    theirs = furnish(made.house, made.house.stranger)
    assert_refused(attach(made, bill=theirs.bills[0]), 404, "UTILITY_BILL_NOT_FOUND")
    assert made.api.get("/documents").json()["data"] == []
