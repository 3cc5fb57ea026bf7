"""The tenant's link of an invoice, and rules that are announced."""

import pytest

from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def test_a_link_is_there_once_the_invoice_is_sent_is_made_anew_and_stopped(made: Furnished) -> None:
    path = f"/invoices/{made.invoice()['id']}/tenant-link"
    assert made.api.get(path).json() == {"url": None, "until": None, "isStopped": False}
    made.set_status("SENT")
    first = made.api.get(path).json()
    assert first["url"].startswith("http://127.0.0.1:8000/i/")
    again = made.api.post(f"{path}/renew").json()
    assert again["url"] not in {None, first["url"]}
    stopped = made.api.post(f"{path}/stop").json()
    assert (stopped["url"], stopped["isStopped"]) == (None, True)
    assert made.api.post(f"{path}/renew").json()["isStopped"] is False


def test_a_rule_that_is_to_change_is_announced_once(made: Furnished) -> None:
    path = f"/properties/{made.property_id}/announcements"
    assert made.api.get(path).json() == []
    sent = {"utilityType": "WATER", "splitMethod": "OCCUPANTS", "effectiveFrom": "2026-12"}
    assert made.api.post(f"/properties/{made.property_id}/sharerules", sent).status_code == 201
    (coming,) = made.api.get(path).json()
    assert (coming["utilityType"], coming["effectiveFrom"], coming["toTell"]) == ("WATER", "2026-12", 1)
    (told,) = made.api.post(path, {"change": coming["change"]}).json()
    assert (told["toTell"], told["told"]) == (0, 1)
    assert_refused(made.api.post(path, {"change": "x"}), 409, "CONFLICT")
