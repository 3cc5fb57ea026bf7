"""Bank statements can be uploaded and read by the API, as on the dashboard's page.

Each of their rows is recorded only once.
"""

from typing import Any

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import STATEMENT, Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    made = furnish(house)
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    for label in ("1", "2"):
        made.set_status("SENT", label)
    return made


def rows(made: Furnished, file: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    return list(made.api.get(f"/payment-files/{file['id']}/rows?{query}").json()["data"])


def record(made: Furnished, file: dict[str, Any], **body: Any) -> Any:
    return made.api.post(f"/payment-files/{file['id']}/record", body)


def test_a_file_is_read_and_nothing_is_recorded_yet(made: Furnished) -> None:
    file = made.bring_payments()
    numbers = ("rows", "matched", "proposed", "unmatched", "leftOut", "recorded", "status", "toSay")
    assert [file[name] for name in numbers] == [5, 1, 1, 1, 1, 0, "OPEN", []]
    assert [(one["name"], one["field"]) for one in file["columns"]] == [
        ("Posted Date", "date"), ("Description", "text"), ("Payer", "name"), ("Amount", "amount"),
    ]  # fmt: skip
    (problem,) = file["problems"]
    assert (problem["line"], problem["message"].partition(".")[0]) == (6, "This is not a valid amount")
    assert made.invoice()["paidAmount"] == "0.00"
    assert made.bring_payments()["id"] == file["id"], "the same bytes are kept once"
    assert made.api.get(f"/payment-files/{file['id']}/file").content == STATEMENT.encode()


def test_what_is_matched_is_recorded_once(made: Furnished) -> None:
    file = made.bring_payments()
    done = record(made, file, matched=True).json()
    assert (done["recorded"], done["amount"], done["left"], done["file"]["recorded"]) == (1, "30.00", 0, 1)
    assert made.invoice()["status"] == "PAID"
    assert record(made, file, matched=True).json()["recorded"] == 0
    made.api.delete(f"/payment-files/{file['id']}")
    again = made.bring_payments()
    assert again["recordedLines"] == [2], "what was recorded stays known"


def test_a_row_is_recorded_for_a_candidate_and_for_a_number(made: Furnished) -> None:
    file = made.bring_payments()
    matched, proposed, unmatched = rows(made, file)
    assert (matched["verdict"], proposed["verdict"], unmatched["verdict"]) == ("MATCHED", "PROPOSED", "UNMATCHED")
    assert rows(made, file, "verdict=PROPOSED") == [proposed]
    (candidate,) = matched["candidates"]
    assert [one["invoiceNumber"] for one in candidate["invoices"]] == [made.invoice()["invoiceNumber"]]
    number = made.invoice("2")["invoiceNumber"]
    chosen = [{"line": 2, "mark": candidate["mark"]}, {"line": 4, "invoiceNumber": number}]
    done = record(made, file, rows=chosen).json()
    assert (done["recorded"], done["amount"], done["changedLines"]) == (2, "37.77", [])
    assert made.invoice("2")["paidAmount"] == "7.77"


def test_a_row_whose_invoice_has_changed_is_left(made: Furnished) -> None:
    file = made.bring_payments()
    mark = rows(made, file)[0]["candidates"][0]["mark"]
    made.api.post(f"/invoices/{made.invoice()['id']}/payments", {"amount": "10.00", "method": "CASH"})
    done = record(made, file, rows=[{"line": 2, "mark": mark}]).json()
    assert (done["recorded"], done["changedLines"]) == (0, [2])
    assert made.invoice()["paidAmount"] == "10.00"


def test_rows_that_are_chosen_wrongly_are_refused(made: Furnished) -> None:
    file = made.bring_payments()
    assert_invalid(record(made, file), "rows")
    assert_invalid(record(made, file, rows=[{"line": 2}]), "rows[0]")
    twice = [{"line": 2, "invoiceNumber": "A-1-2026-01"}] * 2
    assert_invalid(record(made, file, rows=twice), "rows[1].line")
    assert_invalid(record(made, file, rows=twice[:1]), "number-2")
    assert made.api.get(f"/payment-files/{file['id']}").json()["recorded"] == 0


def test_a_row_is_called_the_same_as_a_payment_by_hand(made: Furnished) -> None:
    paid = {"amount": "30.00", "method": "TRANSFER", "date": "2026-03-25"}
    made.api.post(f"/invoices/{made.invoice()['id']}/payments", paid)
    file = made.bring_payments()
    (row, *_) = rows(made, file)
    (entry,) = made.api.get(f"/invoices/{made.invoice()['id']}/payments").json()
    assert row["sameAs"] == [entry["id"]]
    path = f"/payment-files/{file['id']}/same"
    assert made.api.post(path, {"line": 2}).status_code == 200
    assert 2 not in [one["line"] for one in rows(made, file)]
    assert_refused(made.api.post(path, {"line": 2}), 409, "CONFLICT")


def test_what_a_file_does_not_say_is_said_by_its_columns(made: Furnished) -> None:
    file = made.bring_payments("When,What,Sum\n03/04/2026,MAPLECOURT-1-2026-03,30.00\n")
    assert file["toSay"]
    path = f"/payment-files/{file['id']}"
    assert rows(made, file) == []
    assert_refused(record(made, file, matched=True), 409, "CONFLICT")
    sent = {
        "headerLine": 1, "dates": "MDY",
        "columns": [{"name": "When", "field": "date"}, {"name": "What", "field": "text"}, {"name": "Sum", "field": "amount"}],
    }  # fmt: skip
    wrong = sent | {"columns": [{"name": "Wen", "field": "date"}]}
    assert_invalid(made.api.post(f"{path}/columns", wrong), "columns[0].name")
    assert made.api.post(f"{path}/columns", sent).status_code == 200
    read = made.api.get(path).json()
    assert (read["toSay"], read["matched"]) == ([], 1)


def test_a_file_is_closed_and_opened_again(made: Furnished) -> None:
    file = made.bring_payments()
    assert made.api.post(f"/payment-files/{file['id']}/close").json()["status"] == "CLOSED"
    assert_refused(record(made, file, matched=True), 409, "CONFLICT")
    assert made.api.get("/payment-files").json() == {"data": [], "next": None}
    assert [one["id"] for one in made.api.get("/payment-files?status=CLOSED").json()["data"]] == [file["id"]]
    assert made.api.post(f"/payment-files/{file['id']}/reopen").json()["status"] == "OPEN"
    assert record(made, file, matched=True).json()["recorded"] == 1


@pytest.mark.parametrize("content", [b"", b"one\ntwo\n", b"%PDF-1.7"])
def test_a_file_without_payments_is_refused_and_not_kept(made: Furnished, content: bytes) -> None:
    assert_invalid(made.api.post("/payment-files", files={"file": ("bank.csv", content)}), "file")
    assert made.api.get("/payment-files").json()["data"] == []


def test_a_file_above_the_limit_is_413_and_not_kept(made: Furnished) -> None:
    large = STATEMENT.encode() + b"x" * (5 * 1024 * 1024)
    assert_refused(made.api.post("/payment-files", files={"file": ("bank.csv", large)}), 413, "PAYLOAD_TOO_LARGE")
    assert made.api.get("/payment-files").json()["data"] == []
