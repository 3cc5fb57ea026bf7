"""The API compares months with the former program's charges, as the pages do."""

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House, new_key
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def charge(unit: str, amount: str, **more: str) -> dict[str, str]:
    return {"unit": unit, "amount": amount} | more


def test_a_month_is_compared_unit_by_unit(made: Furnished) -> None:
    path = f"/properties/{made.property_id}/months/2026-03/comparison"
    same = made.api.post(path, {"charges": [charge(unit, "30.00") for unit in ("1", "2", "10")]}).json()
    assert (same["agrees"], same["theirs"], same["ours"], same["owner"]) == (True, "90.00", "90.00", "0.00")
    other = made.api.post(path, {"charges": [charge("1", "40.00"), charge("2", "30.00"), charge("9", "20.00")]}).json()
    assert other["agrees"] is False
    units = {one["label"]: (one["theirs"], one["ours"], one["difference"], one["kind"]) for one in other["units"]}
    assert units["1"][:3] == ("40.00", "30.00", "-10.00")
    assert units["9"][3] == "unknownUnit"


def test_many_months_are_compared_and_nothing_is_written(house: House, made: Furnished) -> None:
    before = made.api.get("/audit-log").content
    sent = [charge("1", "31.00", propertyId=made.property_id, month=month) for month in ("2026-02", "2026-12")]
    found = house.database.write(lambda _tx: made.api.post("/comparisons", {"charges": sent}))  # it waits for no writer
    assert found.status_code == 200, found.text
    assert [(one["month"], one["outcome"], one["theirs"]) for one in found.json()] == [
        ("2026-02", "DIFFERS", "31.00"), ("2026-12", "NO_BILLS", "31.00"),
    ]  # fmt: skip
    assert made.api.get("/audit-log").content == before


def test_a_key_that_may_only_read_compares_as_a_viewer_does(made: Furnished) -> None:
    path, body = f"/properties/{made.property_id}/months/2026-03/comparison", {"charges": [charge("1", "30.00")]}
    sent = {"charges": [charge("1", "30.00", propertyId=made.property_id, month="2026-03")]}
    account_id, client = made.landlord.account_id, made.house.client
    for api in (
        Api(client, made.landlord.read),
        Api(client, new_key(made.house.database, account_id, "READ", scopes=["invoices:read"])),
    ):
        assert [api.post(path, body).status_code, api.post("/comparisons", sent).status_code] == [200, 200]
    others = Api(client, new_key(made.house.database, account_id, "READ", scopes=["bills:read"]))
    assert_refused(others.post(path, body), 403, "INSUFFICIENT_SCOPE")


def test_what_can_not_be_compared_is_refused(made: Furnished, house: House) -> None:
    theirs = furnish(house, house.stranger).property_id
    for property_id in (theirs, "prop_x"):
        sent = {"charges": [charge("1", "1.00", propertyId=property_id, month="2026-03")]}
        assert_refused(made.api.post("/comparisons", sent), 404, "PROPERTY_NOT_FOUND")
    path = f"/properties/{made.property_id}/months/{{}}/comparison"
    one = {"charges": [charge("1", "1.00")]}
    assert_refused(made.api.post(path.format("2026-13"), one), 400, "INVALID_REQUEST")
    assert_refused(made.api.post(path.format("2026-12"), one), 400, "INVALID_REQUEST")
    assert_refused(made.api.post("/comparisons", {"charges": []}), 400, "INVALID_REQUEST")
