"""Online payments can be set up by the API as under Settings.

No secret is returned.
"""

import pytest

from prorata.domain.online_payments.providers import PROVIDERS
from prorata.web.api import OPERATIONS
from prorata.web.api.bulk.batched_writes import why_not
from prorata.web.api.examples import PROVIDER_SENT
from tests.web.addresses import assert_refused
from tests.web.conftest import Api, House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish

HERE = "/account/online-payments"
ITS = PROVIDERS[0]


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_a_provider_is_set_up_and_stopped_and_no_secret_comes_back(made: Furnished) -> None:
    api = made.api
    nothing = api.get(HERE).json()
    assert (nothing["provider"], nothing["takesPayments"], nothing["webhookPath"]) == (None, False, None)
    address = api.post(f"{HERE}/address", {"provider": ITS.name}).json()
    assert address["webhookPath"].startswith(ITS.hook)
    assert address["takesPayments"] is False
    used = api.put(HERE, PROVIDER_SENT)
    assert used.status_code == 200, used.text
    assert (
        used.json() == address | {"takesPayments": True, "keyEnds": PROVIDER_SENT["key"][-4:]} == api.get(HERE).json()
    )
    told = used.text + api.get("/audit-log").text
    assert PROVIDER_SENT["key"] not in told
    assert PROVIDER_SENT["secret"] not in told
    assert api.delete(HERE).status_code == 200
    assert api.get(HERE).json()["takesPayments"] is False
    assert_refused(api.delete(HERE), 409, "CONFLICT")
    assert_refused(api.post(f"{HERE}/forget-key"), 409, "CONFLICT")
    assert api.post(f"{HERE}/close-again").status_code == 200


def test_what_is_no_key_is_refused(made: Furnished) -> None:
    assert_invalid(made.api.put(HERE, PROVIDER_SENT | {"key": "x", "secret": "y"}), "key", "secret")
    assert_invalid(made.api.put(HERE, {"provider": "nobody"}), "provider")
    assert made.api.get(HERE).json()["provider"] is None


def test_it_needs_admin_and_is_no_part_of_a_bulk(made: Furnished) -> None:
    full = Api(made.house.client, made.landlord.full)
    for refused in (full.get(HERE), full.put(HERE, PROVIDER_SENT), full.delete(HERE)):
        assert_refused(refused, 403, "INSUFFICIENT_PERMISSIONS")
    (using,) = [one for one in OPERATIONS if (one.method, one.path) == ("PUT", HERE)]
    assert why_not(using), "a bulk keeps what it is sent until it is done"
