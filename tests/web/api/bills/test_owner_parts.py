"""Tests of the owner's part of a month in the API.

The response includes the reasons that the bills' pages show, and the sums of the month.
"""

from typing import Any

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def part_of(made: Furnished) -> dict[str, Any]:
    return dict(made.api.get(f"/properties/{made.property_id}/months/2026-03/owner-part").json())


def totals_of(made: Furnished) -> dict[str, Any]:
    return dict(made.api.get(f"/properties/{made.property_id}/months/2026-03").json()["totals"])


def assert_adds_up(made: Furnished) -> dict[str, Any]:
    part, totals = part_of(made), totals_of(made)
    assert (part["ownPart"], part["vacantUnits"]) == (totals["ownPart"], totals["vacantUnits"])
    for line in part["lines"]:
        shares = sum(int(line[name].replace(".", "")) for name in ("toTenants", "ownPart", "vacantUnits"))
        assert shares == int(line["amount"].replace(".", ""))
    return part


def test_it_says_what_is_borne_and_why(made: Furnished) -> None:
    made.api.patch(f"/sharerules/{made.rule_id}", {"ownerPercent": 10})
    part = assert_adds_up(made)
    assert (part["ownPart"], part["vacantUnits"], part["leftToOwner"], part["total"]) == (
        "9.00", "54.00", "0.00", "63.00",
    )  # fmt: skip
    (line,) = part["lines"]
    assert (line["billId"], line["amount"], line["toTenants"], line["became"]) == (
        made.bills[2], "90.00", "27.00", "CHARGED",
    )  # fmt: skip
    assert line["why"] == ["10% of the amount is the owner’s before the rest is divided."]


def test_what_is_not_billed_is_the_owner_s(made: Furnished) -> None:
    lines = [{"utilityType": "WATER", "amount": "80.00"}, {"notBilled": "LATE_FEE", "amount": "10.00"}]
    made.api.patch(f"/bills/{made.bills[2]}", {"lines": lines})
    water, fee = assert_adds_up(made)["lines"]
    assert (fee["became"], fee["notBilled"], fee["ownPart"]) == ("OWNER", "LATE_FEE", "10.00")
    assert fee["why"] == ["A late fee isn’t billed to tenants; the owner pays it."]
    assert (water["ownPart"], water["why"]) == ("0.00", [])


def test_a_correction_that_is_left_to_the_owner_is_the_owner_s(made: Furnished) -> None:
    made.set_status("SENT")
    corrected = {"totalAmountDue": "120.00", "lines": [{"utilityType": "WATER", "amount": "120.00"}]}
    made.api.post(f"/bills/{made.bills[2]}/correct", corrected)
    made.api.post(f"/properties/{made.property_id}/corrections", {"months": ["2026-03"], "place": "owner"})
    part = assert_adds_up(made)
    assert (part["leftToOwner"], part["ownPart"], part["total"]) == ("10.00", "10.00", "90.00")
    assert part["lines"][0]["toTenants"] == "30.00"


def test_a_month_without_bills_is_unknown(made: Furnished) -> None:
    for month in ("2031-01", "March"):
        path = f"/properties/{made.property_id}/months/{month}/owner-part"
        assert_refused(made.api.get(path), 404, "MONTH_NOT_FOUND")
