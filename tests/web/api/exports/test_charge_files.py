"""Charge files for other programs charge nobody twice.

If a file lacks something, the API names it.
"""

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import SYSTEM, Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_what_a_file_lacks_is_said_before_it_is_made(made: Furnished) -> None:
    made.set_status("SENT")
    asked = f"/charge-files/next?system={SYSTEM}&month=2026-03"
    found = made.api.get(asked).json()
    assert (found["invoices"], {one["field"] for one in found["lacking"]}) == (0, {"customer", "item"})
    assert_refused(made.api.post("/charge-files", {"system": SYSTEM, "month": "2026-03"}), 409, "CONFLICT")
    names = made.api.get(f"/charge-names?system={SYSTEM}&propertyId={made.property_id}").json()
    assert [(one["field"], one["ours"], one["proposal"]) for one in names["names"]] == [
        ("customer", "Ann Smith", "Ann Smith")
    ]
    assert made.api.post("/charge-names/proposed", {"system": SYSTEM, "propertyId": made.property_id}).json() == {
        "changed": 1
    }
    water = {"system": SYSTEM, "names": [{"field": "item", "recordId": "WATER", "name": "Water"}]}
    assert made.api.post("/charge-names", water).json() == {"changed": 1}
    found = made.api.get(asked).json()
    assert (found["invoices"], found["totals"], found["lacking"]) == (1, [{"currency": "USD", "total": "30.00"}], [])


def test_a_file_is_made_once_and_had_again(made: Furnished) -> None:
    answer = made.make_charges()
    assert answer.status_code == 201
    file = answer.json()
    assert (file["invoices"], file["total"], file["changes"]) == (1, "30.00", [])
    content = made.api.get(f"/charge-files/{file['id']}/file").content
    assert made.invoice()["invoiceNumber"].encode() in content
    assert_refused(made.make_charges(), 409, "CONFLICT")
    assert [one["id"] for one in made.api.get(f"/charge-files?system={SYSTEM}").json()] == [file["id"]]
    made.set_status("CANCELLED")
    (changed,) = made.api.get(f"/charge-files/{file['id']}").json()["changes"]
    assert (changed["exported"], changed["now"]) == ("30.00", "0.00")


def test_names_of_a_spreadsheet_are_kept_all_or_none(made: Furnished) -> None:
    def bring(text: str) -> object:
        sent = {"file": ("names.csv", text.encode()), "system": (None, SYSTEM)}
        return made.api.post("/charge-names/file", files=sent)

    wrong = bring("Property,Unit,Customer\nMaple Court,1,Ann\nMaple Court,99,Bo\n")
    assert_refused(wrong, 400, "INVALID_REQUEST")
    names = f"/charge-names?system={SYSTEM}&propertyId={made.property_id}"
    assert made.api.get(names).json()["names"][0]["name"] == ""
    assert bring("Property,Unit,Customer\nMaple Court,1,Ann\n").json() == {"changed": 1}  # type: ignore[attr-defined]
    assert made.api.get(names).json()["names"][0]["name"] == "Ann"


def test_a_program_that_is_none_is_refused(made: Furnished) -> None:
    assert SYSTEM in [one["system"] for one in made.api.get("/charge-systems").json()]
    assert_invalid(made.api.get("/charge-files?system=abacus"), "system")
    assert_invalid(made.api.post("/charge-files", {"system": "abacus", "month": "2026-03"}), "system")
    gone = {"system": SYSTEM, "month": "2026-03", "propertyId": "prop_x"}
    assert_refused(made.api.post("/charge-files", gone), 404, "PROPERTY_NOT_FOUND")
