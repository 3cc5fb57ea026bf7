"""The API lists and reads tenants' questions, and records the answers."""

import pytest

from tests.web.addresses import assert_refused, unknown_id
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_a_question_is_read_with_its_thread_and_answered_once(made: Furnished) -> None:
    asked = made.api.get(f"/questions/{made.ask('Why so much?')}").json()
    invoice = made.invoice()
    said = ("invoiceId", "invoiceNumber", "tenantId", "month", "status", "answeredAt", "about")
    assert [asked[name] for name in said] == [
        invoice["id"], invoice["invoiceNumber"], made.tenant_id, "2026-03", "OPEN", None, None,
    ]  # fmt: skip
    assert [(one["by"], one["name"], one["text"]) for one in asked["thread"]] == [
        ("TENANT", "Ann Smith", "Why so much?")
    ]
    path = f"/questions/{asked['id']}"
    answered = made.api.post(f"{path}/reply", {"text": "A leak."}).json()
    assert (answered["status"], answered["thread"][1]["by"], answered["thread"][1]["text"]) == (
        "ANSWERED", "LANDLORD", "A leak.",
    )  # fmt: skip
    assert made.api.get(path).json() == answered
    assert made.api.post(f"{path}/reply", {"text": "A leak."}).json() == answered
    assert_refused(made.api.post(f"{path}/reply", {"text": "No, a pool."}), 409, "CONFLICT")


def test_questions_are_listed_by_invoice_by_property_and_by_what_waits(made: Furnished) -> None:
    first, second = made.ask("One?", month="2026-01"), made.ask("Two?")
    other = furnish(made.house, name="Elm House")
    noted = made.api.post(f"/questions/{first}/answered").json()
    assert (noted["status"], len(noted["thread"])) == ("ANSWERED", 1)

    def found(query: str = "") -> list[str]:
        return [one["id"] for one in made.api.get(f"/questions?{query}").json()["data"]]

    assert found() == [second, first]
    assert (found("status=OPEN"), found("status=ANSWERED")) == ([second], [first])
    assert found(f"invoiceId={made.invoice('1', '2026-01')['id']}") == [first]
    assert found(f"propertyId={other.property_id}") == []
    assert made.api.get("/questions?limit=1&page=2").json()["pagination"] == {
        "total": 2, "page": 2, "limit": 1, "totalPages": 2,
    }  # fmt: skip
    assert_invalid(made.api.get("/questions?status=CLOSED"), "status")


def test_a_dispute_is_no_question(made: Furnished) -> None:
    dispute = made.dispute_id
    assert made.api.get("/questions").json()["data"] == []
    for path in (f"/questions/{dispute}", f"/questions/{unknown_id('question')}"):
        assert_refused(made.api.get(path), 404, "QUESTION_NOT_FOUND")
        assert_refused(made.api.post(f"{path}/answered"), 404, "QUESTION_NOT_FOUND")
    assert made.api.get(f"/disputes/{dispute}").json()["answer"] is None


def test_an_empty_reply_is_refused(made: Furnished) -> None:
    path = f"/questions/{made.question_id}"
    assert_invalid(made.api.post(f"{path}/reply", {"text": "  "}), "text")
    assert made.api.get(path).json()["status"] == "OPEN"


def test_an_invoice_on_paper_is_handed_over_once(made: Furnished) -> None:
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    made.set_status("SENT", "2")
    path = f"/invoices/{made.invoice('2')['id']}/hand-over"
    assert made.api.post(path).json()["delivery"] == "handedOver"
    assert_refused(made.api.post(path), 409, "CONFLICT")
    assert_refused(made.api.post(f"/invoices/{made.invoice()['id']}/hand-over"), 409, "CONFLICT")
