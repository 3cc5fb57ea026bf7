"""Tests of corrections in the API.

For a sent month, the API shows the right and the issued amounts, and what happens to the difference.
"""

from typing import Any

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, add_bill, furnish

CORRECTION = {"month", "unitId", "unitLabel", "tenantId", "tenantName", "utilityBillId", "line", "utilityType", "right",
              "issued", "difference", "pending", "placed", "leftToOwner", "carrierMonth", "description"}  # fmt: skip


def late(house: House) -> Furnished:
    """A house that received a bill for January after January was sent."""
    made = furnish(house)
    made.set_status("SENT", month="2026-01")
    add_bill(house, house.landlord, made.property_id, "2026-01", 9_00)
    return made


def of_ann(made: Furnished) -> dict[str, Any]:
    (found,) = [one for one in made.api.get(path(made)).json()["data"] if one["tenantName"] == "Ann Smith"]
    return dict(found)


def path(made: Furnished) -> str:
    return f"/properties/{made.property_id}/corrections"


def test_a_late_bill_waits_as_a_correction_of_each_household_until_it_is_placed(house: House) -> None:
    made = late(house)
    waits = of_ann(made)
    assert set(waits) == CORRECTION
    sums = ("right", "issued", "difference", "pending", "placed", "leftToOwner", "carrierMonth")
    assert [waits[name] for name in sums] == ["3.00", "0.00", "3.00", "3.00", "0.00", "0.00", "2026-02"]
    assert made.invoice(month="2026-01")["pendingChanges"] is True
    answer = made.api.post(path(made), {"months": ["2026-01"], "place": "next"})
    assert (answer.status_code, answer.json()) == (200, [
        {"month": "2026-01", "corrections": 3, "pending": "0.00", "placed": "3.00", "leftToOwner": "6.00",
         "carrierMonth": "2026-02"},
    ])  # fmt: skip
    assert [of_ann(made)[name] for name in ("pending", "placed")] == ["0.00", "3.00"]
    february = made.invoice(month="2026-02", details="true")
    charged = [(one["amount"], one["correctsMonth"]) for one in february["charges"]]
    assert (sorted(charged), february["totalAmount"]) == ([("3.00", "2026-01"), ("30.00", None)], "33.00")
    assert made.invoice(month="2026-01")["pendingChanges"] is False


def test_corrections_are_read_in_pages_by_month_and_household(house: House) -> None:
    made = late(house)
    made.set_status("SENT", month="2026-02")
    add_bill(house, house.landlord, made.property_id, "2026-02", 6_00)
    whole = made.api.get(path(made)).json()
    assert [one["month"] for one in whole["data"]] == ["2026-01"] * 3 + ["2026-02"] * 3
    pages = [made.api.get(path(made), params={"limit": 4, "page": page}).json() for page in (1, 2)]
    assert [one for page in pages for one in page["data"]] == whole["data"]
    assert pages[1]["pagination"] == {"total": 6, "page": 2, "limit": 4, "totalPages": 2}
    of_month = made.api.get(path(made), params={"month": "2026-02", "limit": 1, "page": 2}).json()
    assert (of_month["data"], of_month["pagination"]["total"]) == ([whole["data"][4]], 3)


def test_what_was_left_to_the_owner_can_be_taken_back(house: House) -> None:
    made = late(house)
    for place, left in (("owner", "3.00"), ("revoke", "0.00")):
        assert made.api.post(path(made), {"months": ["2026-01"], "place": place}).status_code == 200
        assert of_ann(made)["leftToOwner"] == left
    assert of_ann(made)["pending"] == "3.00"


def test_what_can_not_be_decided_is_refused_and_changes_nothing(house: House) -> None:
    made = late(house)
    before = made.api.get(path(made)).json()
    for months, place in ((["2026-03"], "next"), (["2026-01", "2026-02"], "owner"), (["2026-01"], "revoke")):
        assert_refused(made.api.post(path(made), {"months": months, "place": place}), 409, "CONFLICT")
    assert_invalid(made.api.post(path(made), {"months": ["2026-13"], "place": "next"}), "months[0]")
    assert_invalid(made.api.post(path(made), {"months": ["2026-01"], "place": "later"}), "place")
    assert_invalid(made.api.post(path(made), {"months": [], "place": "next"}), "months")
    missing = made.api.post(
        "/properties/prop_01kkcefq80ekhfeqe3ye3b6zrg/corrections", {"months": ["2026-01"], "place": "next"}
    )
    assert_refused(missing, 404, "PROPERTY_NOT_FOUND")
    assert made.api.get(path(made)).json() == before
