"""The API reads, changes and clears a property's own payment instructions.

Only an ADMIN key may do so.
"""

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish

NONE = dict.fromkeys(("payText", "payHolder", "payIban", "payBic", "payRoutingNumber", "payAccountNumber"))


def changed_by(sent: dict[str, str]) -> dict[str, str]:
    return sent | {"payIban": "DE89370400440532013000"}


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_a_property_has_its_own_and_goes_back_to_the_account_s(made: Furnished) -> None:
    here = f"/properties/{made.property_id}/payment-details"
    before = made.api.get(here)
    assert before.json() == NONE
    sent = {"payText": "By the 5th.", "payHolder": "Elm GmbH", "payIban": "de89 3704 0044 0532 0130 00"}
    changed = made.api.patch(here, sent, headers={"If-Match": before.headers["etag"]})
    assert changed.status_code == 200, changed.text
    assert changed.json() == NONE | changed_by(sent) == made.api.get(here).json()
    assert_refused(
        made.api.patch(here, {"payText": "x"}, headers={"If-Match": before.headers["etag"]}), 412, "PRECONDITION_FAILED"
    )
    (entry,) = made.api.get(f"/audit-log?recordId={made.property_id}&limit=1").json()["data"]
    assert entry["action"] == "change property"
    assert {one["field"]: one["after"] for one in entry["changes"]} == changed_by(sent)
    assert made.api.patch(here, dict.fromkeys(sent)).json() == NONE


def test_what_is_no_bank_account_is_refused_by_the_names_of_the_body(made: Furnished) -> None:
    here = f"/properties/{made.property_id}/payment-details"
    assert_invalid(made.api.patch(here, {"payRoutingNumber": "021000022", "payAccountNumber": "1"}),
                   "payRoutingNumber", "payAccountNumber")  # fmt: skip
    assert_invalid(made.api.patch(here, {"payIban": "DE89370400440532013001"}), "payIban")
    assert made.api.get(here).json() == NONE


def test_where_money_goes_needs_admin(made: Furnished) -> None:
    here = f"/properties/{made.property_id}/payment-details"
    full = Api(made.house.client, made.landlord.full)
    assert full.get(here).status_code == 200
    assert_refused(full.patch(here, {"payText": "To me."}), 403, "INSUFFICIENT_PERMISSIONS")
    assert made.api.get(here).json() == NONE
