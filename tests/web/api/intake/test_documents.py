"""Tests of documents in the API, which handles them as the Inbox does.

Documents are uploaded, read by a job, confirmed, learned from, set aside and deleted.
"""

import threading
from typing import Any

import httpx
import pytest

from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.store.intake import documents as stored
from prorata.web.http.limits import MOST_ATTACHED_BYTES
from prorata.wiring import bill_reader, table_reader
from prorata.worker.documents import document_kinds
from prorata.worker.rounds import Worker
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.web.addresses import assert_refused, unknown_id
from tests.web.api.webhooks.test_events import last
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish

LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and one.name == "dashed and lined")
FIRST = facts_of("en-US", 3, kinds="WATER SEWER", story="plain")
NEXT = facts_of("en-US", 1003, kinds="WATER SEWER", story="plain")._replace(
    issuer=FIRST.issuer, site=FIRST.site, account=FIRST.account, address=FIRST.address, number="00501388"
)


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def bring(made: Furnished, content: bytes, name: str = "water.pdf", **options: Any) -> httpx.Response:
    return made.api.post("/documents", files={"file": (name, content)}, **options)


def work(made: Furnished) -> None:
    """Let jobs read the documents that came, and learn from the confirmed bills."""
    kinds = document_kinds(bill_reader(), table_reader(for_browsers=True))
    Worker(made.house.database, lambda: 0, kinds).do_round(threading.Event())


def read(made: Furnished, facts: Facts) -> dict[str, Any]:
    """The response to a document that was uploaded and read."""
    brought = bring(made, printed(facts, LAYOUT)).json()["id"]
    work(made)
    return made.api.get(f"/documents/{brought}").json()


def right(facts: Facts) -> dict[str, Any]:
    """Return the correct contents of a bill, with its amounts."""
    lines = [{"utilityType": kind, "amount": f"{cents / 100:.2f}"} for kind, cents in (facts.lines or {}).items()]
    return {
        "issuerName": facts.issuer, "totalAmountDue": f"{facts.total / 100:.2f}", "billDate": facts.billed.isoformat(),
        "accountNumber": facts.account, "lines": lines,
    }  # fmt: skip


def confirm(made: Furnished, document: str, body: dict[str, Any]) -> httpx.Response:
    return made.api.post(f"/documents/{document}/confirm", {"propertyId": made.property_id} | body)


def test_a_bill_is_brought_read_and_confirmed_and_teaches_the_next_one(made: Furnished) -> None:
    brought = bring(made, printed(FIRST, LAYOUT))
    assert brought.status_code == 201, brought.text
    one = brought.json()
    home = brought.headers["location"].removeprefix("/api/v1")
    assert (home, one["status"], one["draft"]) == (f"/documents/{one['id']}", "READING", None)
    assert_refused(confirm(made, one["id"], right(FIRST)), 409, "CONFLICT")
    work(made)
    one = made.api.get(home).json()
    assert (one["status"], one["cameBy"], one["isTable"], one["billId"]) == ("TO_CONFIRM", "UPLOAD", False, None)
    total = one["draft"]["totalAmountDue"]
    assert (total["surety"], total["value"]) == ("FOUND", f"{FIRST.total / 100:.2f}")
    assert {place["page"] for place in total["places"]} == {1}
    assert all(0 < place["left"] < place["right"] < one["draft"]["pages"][0]["width"] for place in total["places"])
    lines = one["draft"]["lines"]
    assert (lines["surety"], bool(lines["reason"])) == ("ASKED", True)
    assert one["proposed"]["totalAmountDue"] == total["value"]
    assert (one["proposed"]["propertyId"], one["proposed"]["lines"]) == (None, [])

    confirmed = confirm(made, one["id"], one["proposed"] | right(FIRST) | {"propertyId": made.property_id})
    assert confirmed.status_code == 201, confirmed.text
    bill = confirmed.json()
    assert confirmed.headers["location"] == f"/api/v1/bills/{bill['id']}"
    assert made.api.get(f"/bills/{bill['id']}").json() == bill
    after = made.api.get(home).json()
    assert (after["status"], after["billId"], after["reason"]) == ("BECAME_BILL", bill["id"], None)
    assert_refused(confirm(made, one["id"], right(FIRST)), 409, "CONFLICT")

    work(made)
    following = read(made, NEXT)
    assert following["draft"]["lines"]["surety"] == "FOUND"
    proposed = following["proposed"]
    assert proposed["propertyId"] == made.property_id
    assert following["propertyReason"] == "Earlier bills of this account number were for it."
    assert {line["utilityType"]: line["amount"] for line in proposed["lines"]} == {
        kind: f"{cents / 100:.2f}" for kind, cents in (NEXT.lines or {}).items()
    }
    again = confirm(made, following["id"], proposed)
    assert again.status_code == 201, again.text
    assert again.json()["totalAmountDue"] == f"{NEXT.total / 100:.2f}"


def test_what_confirming_it_would_do_is_previewed(made: Furnished) -> None:
    document = read(made, FIRST)["id"]
    body = right(FIRST) | {"propertyId": made.property_id}
    confirmation = {"method": "POST", "path": f"/documents/{document}/confirm", "body": body}
    answer = made.api.post("/previews", {"requests": [confirmation]})
    assert answer.status_code == 200, answer.text
    bill = {key: value for key, value in body.items() if key != "propertyId"}
    alone = {"method": "POST", "path": f"/properties/{made.property_id}/bills", "body": bill}
    assert [one["invoices"] for one in answer.json()["months"]] == [
        one["invoices"] for one in made.api.post("/previews", {"requests": [alone]}).json()["months"]
    ]
    assert answer.json()["months"]
    assert made.api.get(f"/documents/{document}").json()["status"] == "TO_CONFIRM"
    assert confirm(made, document, body).status_code == 201
    assert_refused(made.api.post("/previews", {"requests": [confirmation]}), 409, "CONFLICT")
    nowhere = confirmation | {"body": body | {"propertyId": unknown_id("property")}}
    assert_refused(made.api.post("/previews", {"requests": [nowhere]}), 404, "PROPERTY_NOT_FOUND")


@pytest.mark.thorough
def test_a_document_teaches_without_a_bill(made: Furnished) -> None:
    first = read(made, FIRST)
    taught = made.api.post(f"/documents/{first['id']}/teach", right(FIRST))
    assert (taught.status_code, taught.json()["status"]) == (200, "TO_CONFIRM")
    work(made)
    assert read(made, NEXT)["draft"]["lines"]["surety"] == "FOUND"
    assert made.api.get("/bills").json()["pagination"]["total"] == 3, "none is added"
    nothing = right(FIRST) | {
        "issuerName": "Nobody", "totalAmountDue": "1.11", "billDate": "2001-01-01", "accountNumber": None,
        "lines": [{"utilityType": "GAS"}],
    }  # fmt: skip
    made.api.post(f"/documents/{first['id']}/teach", nothing)
    work(made)
    assert made.api.get(f"/documents/{first['id']}").json()["reason"].startswith("Nothing was learned")


def test_what_was_pointed_at_is_where_the_next_value_is_read(made: Furnished) -> None:
    first = read(made, FIRST)
    where = first["draft"]["totalAmountDue"]["places"]
    elsewhere = [{"page": 1, "left": 0, "top": 0, "right": 1, "bottom": 0.5}]
    said = right(FIRST)
    for at in (where, elsewhere):
        taught = made.api.post(
            f"/documents/{first['id']}/teach",
            said | {"at": {"totalAmountDue": at}, "lines": [line | {"at": where} for line in said["lines"]]},
        )
        assert taught.status_code == 200, taught.text
    bad = [{"page": 0, "left": -1, "top": 0, "right": 100_001, "bottom": 0}]
    refused = made.api.post(f"/documents/{first['id']}/teach", said | {"at": {"billDate": bad}})
    fields = [detail["field"] for detail in assert_refused(refused, 400, "INVALID_REQUEST")["details"]]
    assert fields == ["at.billDate[0].page", "at.billDate[0].left", "at.billDate[0].right"]


def test_the_same_file_is_kept_once(made: Furnished) -> None:
    key = {"Idempotency-Key": "one"}
    first, repeated, again = (bring(made, b"%PDF-1.7 a", headers=headers) for headers in (key, key, {}))
    assert first.json() == repeated.json() == again.json()
    assert repeated.headers["idempotency-replayed"] == "true", "whatever the boundary of its form"
    assert_refused(bring(made, b"%PDF-1.7 b", headers=key), 409, "CONFLICT")
    assert made.api.get("/documents").json()["pagination"]["total"] == 1


def test_the_file_is_given_as_it_came(made: Furnished) -> None:
    one = bring(made, b"%PDF-1.7 \x00\xff", "März/Wasser.pdf").json()
    assert (one["name"], one["size"]) == ("März/Wasser.pdf", 11)
    answer = made.api.get(f"/documents/{one['id']}/file")
    assert (answer.content, answer.headers["content-type"]) == (b"%PDF-1.7 \x00\xff", "application/octet-stream")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''M%C3%A4rz%2FWasser.pdf"
    tag = {"If-None-Match": answer.headers["etag"]}
    assert made.api.get(f"/documents/{one['id']}/file", headers=tag).status_code == 304


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bills.csv", b"property,total\n", "This is a table of bills."),
        ("bills.zip", b"PK\x05\x06" + bytes(18), "Send one bill"),
        ("bill.exe", b"MZ", "This is a program"),
        ("bill", b"\x01\x02", "Send one bill: a PDF"),
        ("bill.pdf", b"", "This file is empty"),
        ("bill.png", b"%PDF-1.7", "it is a PDF"),
    ],
)
def test_what_is_no_bill_is_refused_and_not_kept(made: Furnished, name: str, content: bytes, said: str) -> None:
    refused = assert_refused(bring(made, content, name), 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in refused["details"]] == ["file"]
    assert said in refused["error"]
    assert made.api.get("/documents").json()["data"] == []


def test_a_file_above_the_limit_is_413_and_not_kept(made: Furnished) -> None:
    for size in (MOST_DOCUMENT_BYTES + 1, MOST_ATTACHED_BYTES):
        for start in (b"%PDF-1.7", b"\0"):
            assert_refused(bring(made, start.ljust(size, b"\0")), 413, "PAYLOAD_TOO_LARGE")
    assert made.api.get("/documents").json()["data"] == []
    assert bring(made, b"%PDF-1.7".ljust(MOST_DOCUMENT_BYTES)).status_code == 201


def test_a_body_that_is_no_form_with_a_file_is_refused(made: Furnished) -> None:
    assert_refused(made.api.post("/documents", {"file": "x"}), 415, "UNSUPPORTED_MEDIA_TYPE")
    assert_refused(made.api.post("/documents"), 415, "UNSUPPORTED_MEDIA_TYPE")
    as_form = {"Content-Type": "multipart/form-data; boundary=x"}
    assert_refused(made.api.post("/documents", content=b"no parts", headers=as_form), 400, "INVALID_REQUEST")
    both = {"file": ("a.pdf", b"%PDF-1.7"), "property": (None, "x")}
    refused = assert_refused(made.api.post("/documents", files=both), 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in refused["details"]] == ["property"]


def test_documents_are_listed_newest_first_by_what_became_of_them(made: Furnished) -> None:
    ids = [bring(made, b"%%PDF-1.7 %d" % number).json()["id"] for number in range(5)]
    made.api.patch(f"/documents/{ids[1]}", {"status": "SET_ASIDE"})

    def listed(**query: Any) -> list[str]:
        said = made.api.get("/documents", params={"limit": 2} | query).json()
        assert said["pagination"]["total"] == {"SET_ASIDE": 1, "READING": 4, "NOT_READ": 0}.get(query.get("status"), 5)
        return [one["id"] for one in said["data"]]

    assert [*listed(), *listed(page=2), *listed(page=3)] == ids[::-1]
    assert listed(status="SET_ASIDE") == [ids[1]]
    assert listed(status="READING", page=2) == [ids[2], ids[0]]
    assert listed(status="NOT_READ") == listed(page=4) == []
    assert_refused(made.api.get("/documents?status=BILLED"), 400, "INVALID_REQUEST")


def test_what_is_no_bill_is_set_aside_taken_up_and_deleted(made: Furnished) -> None:
    here = f"/documents/{bring(made, b'%PDF-1.7 of a letter').json()['id']}"
    assert_refused(made.api.delete(here), 409, "CONFLICT")
    tag = made.api.get(here).headers["etag"]
    aside = made.api.patch(here, {"status": "SET_ASIDE"}, headers={"If-Match": tag})
    assert (aside.status_code, aside.json()["status"]) == (200, "SET_ASIDE")
    assert_refused(made.api.patch(here, {"status": "READING"}, headers={"If-Match": tag}), 412, "PRECONDITION_FAILED")
    assert made.api.patch(here, {"status": "READING"}).json()["status"] == "READING"
    work(made)
    said = made.api.get(here).json()
    assert (said["status"], said["needsPassword"], bool(said["reason"])) == ("NOT_READ", False, True)
    made.api.patch(here, {"status": "SET_ASIDE"})
    assert made.api.delete(here).status_code == 200
    assert last(made.house, "document.deleted") == {"id": here.rpartition("/")[2]}
    assert_refused(made.api.get(here), 404, "DOCUMENT_NOT_FOUND")
    assert made.house.database.read(lambda tx: stored.content(tx, made.landlord.account_id, here.split("/")[2])) is None


def test_what_became_a_bill_stays_with_it(made: Furnished) -> None:
    document = made.document_id
    bill = confirm(made, document, right(FIRST)).json()["id"]
    for refused in (
        made.api.patch(f"/documents/{document}", {"status": "SET_ASIDE"}), made.api.delete(f"/documents/{document}"),
    ):  # fmt: skip
        assert_refused(refused, 409, "CONFLICT")
    made.api.delete(f"/bills/{bill}")
    assert made.api.get(f"/documents/{document}").json()["billId"] is None
    assert made.api.delete(f"/documents/{document}").status_code == 200


def test_what_is_flagged_of_its_bill_is_left_open(made: Furnished) -> None:
    document = made.document_id
    bill = confirm(made, document, right(FIRST) | {"dueDate": "2001-01-01", "notes": "Look"}).json()
    assert (bill["flags"][0]["acceptedAt"], bill["notes"]) == (None, "Look")


def test_a_confirmation_that_is_not_right_adds_nothing(made: Furnished) -> None:
    document = made.document_id
    wrong = right(FIRST) | {"totalAmountDue": "1.00"}
    refused = assert_refused(confirm(made, document, wrong), 400, "INVALID_REQUEST")
    assert [detail["field"] for detail in refused["details"]] == ["totalAmountDue"]
    nowhere = right(FIRST) | {"propertyId": unknown_id("property")}
    assert_refused(confirm(made, document, nowhere), 404, "PROPERTY_NOT_FOUND")
    missing = assert_refused(confirm(made, document, made.api.get(f"/documents/{document}").json()["proposed"]), 400,
                             "INVALID_REQUEST")  # fmt: skip
    assert {detail["field"] for detail in missing["details"]} == {
        "issuerName", "totalAmountDue", "billDate", "lines", "propertyId",
    }  # fmt: skip
    assert made.api.get(f"/documents/{document}").json()["status"] == "TO_CONFIRM"


def test_amounts_of_another_currency_are_not_proposed(made: Furnished) -> None:
    first = read(made, FIRST)
    assert (first["otherCurrency"], first["currency"]) == (False, "$")
    berlin = {"name": "Berlin", "street": "Weg", "streetNumber": "1", "city": "Berlin", "state": "BE", "zip": "10115", "country": "DE"}  # fmt: skip
    house = made.api.post("/properties", berlin).json()["id"]
    there = made.api.get(f"/documents/{first['id']}?propertyId={house}").json()
    assert there["proposed"]["propertyId"] == house
    assert (there["otherCurrency"], there["proposed"]["totalAmountDue"]) == (True, None)
    assert_refused(made.api.get(f"/documents/{first['id']}?propertyId={unknown_id('property')}"), 404,
                   "PROPERTY_NOT_FOUND")  # fmt: skip
