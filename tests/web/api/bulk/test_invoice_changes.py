"""The API can change many invoices at once, as the dashboard does."""

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    made = furnish(house)
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    return made


def change(made: Furnished, verb: str, *labels: str) -> dict[str, object]:
    ids = [made.invoice(label)["id"] for label in labels]
    answer = made.api.post("/invoice-changes", {"verb": verb, "invoiceIds": ids})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def test_invoices_are_sent_handed_over_and_paid_together(made: Furnished) -> None:
    sent = change(made, "SEND", "1", "2")
    assert (sent["changed"], sent["total"], sent["state"]) == (2, 2, "DONE")
    assert [made.invoice(label)["delivery"] for label in ("1", "2")] == ["queued", "handOver"]
    over = change(made, "HAND_OVER", "1", "2")
    assert (over["verb"], over["changed"]) == ("HAND_OVER", 1)
    assert made.invoice("2")["delivery"] == "handedOver"
    paid = change(made, "MARK_PAID", "2", "10")
    assert (paid["changed"], made.invoice("2")["status"], made.invoice("10")["status"]) == (1, "PAID", "DRAFT")


def test_a_change_is_taken_back_and_that_is_taken_back(made: Furnished) -> None:
    over = change(made, "SEND", "2") and change(made, "HAND_OVER", "2")
    back = made.api.post(f"/invoice-changes/{over['id']}/undo").json()
    assert (back["verb"], made.invoice("2")["delivery"]) == ("NOT_HANDED_OVER", "handOver")
    assert made.api.post(f"/invoice-changes/{back['id']}/undo").json()["verb"] == "HAND_OVER"


def test_what_is_refused_says_why(made: Furnished) -> None:
    gone = "inv_" + "0" * 26
    sent = {"verb": "SEND", "invoiceIds": [made.invoice()["id"], gone]}
    answer = made.api.post("/invoice-changes", sent).json()
    (refused,) = answer["refusals"]
    assert (answer["changed"], answer["refused"]) == (1, 1)
    assert (refused["invoiceId"], refused["invoiceNumber"]) == (gone, None)


def test_more_than_some_are_changed_by_a_task_that_can_be_stopped_and_gone_on_with(house: House) -> None:
    made = furnish(house)
    begun = made.api.get(f"/invoice-changes/{made.going_on()}").json()
    assert (begun["state"], begun["waiting"], begun["canUndo"]) == ("GOING_ON", 21, False)
    assert_refused(made.api.post(f"/invoice-changes/{begun['id']}/undo"), 409, "CONFLICT")
    stopped = made.api.post(f"/invoice-changes/{begun['id']}/stop").json()
    assert (stopped["state"], stopped["canResume"]) == ("STOPPED", True)
    assert_refused(made.api.post(f"/invoice-changes/{begun['id']}/stop"), 409, "CONFLICT")
    assert made.api.post(f"/invoice-changes/{begun['id']}/resume").json()["state"] == "GOING_ON"
    assert_refused(made.api.post(f"/invoice-changes/{begun['id']}/resume"), 409, "CONFLICT")


def test_changes_are_listed_newest_first_and_read_on(made: Furnished) -> None:
    first, second = change(made, "SEND", "1"), change(made, "SEND", "2")
    page = made.api.get("/invoice-changes?limit=1").json()
    assert ([one["id"] for one in page["data"]], page["next"]) == ([second["id"]], second["id"])
    rest = made.api.get(f"/invoice-changes?before={page['next']}").json()
    assert ([one["id"] for one in rest["data"]], rest["next"]) == ([first["id"]], None)


def test_bad_changes_are_refused_and_change_nothing(made: Furnished) -> None:
    its = made.invoice()["id"]
    assert_invalid(made.api.post("/invoice-changes", {"verb": "UNDO", "invoiceIds": [its]}), "verb")
    assert_invalid(made.api.post("/invoice-changes", {"verb": "SEND", "invoiceIds": []}), "invoiceIds")
    assert_invalid(made.api.post("/invoice-changes", {"verb": "SEND", "invoiceIds": [its, "x"]}), "invoiceIds[1]")
    vacant = {"verb": "SEND", "invoiceIds": [made.invoice("10")["id"]]}
    assert_refused(made.api.post("/invoice-changes", vacant), 409, "CONFLICT")
    nothing = {"verb": "HAND_OVER", "invoiceIds": [its]}
    assert_refused(made.api.post("/invoice-changes", nothing), 409, "CONFLICT")
    assert made.invoice()["status"] == "DRAFT"
    assert made.api.get("/invoice-changes").json() == {"data": [], "next": None}
