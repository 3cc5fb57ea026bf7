"""Tests of links to tenants' pages, and of the announcement of rule changes."""

import pytest

from tests.dashboard.invoices.test_papers import LINKED
from tests.web.addresses import assert_refused
from tests.web.api.invoices.test_invoice_pdf import text_of
from tests.web.conftest import Api, House, new_key
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


def test_a_key_that_may_not_change_invoices_gets_no_link_with_which_one_writes_as_the_tenant(made: Furnished) -> None:
    path = f"/invoices/{made.set_status('SENT').json()['id']}/tenant-link"
    house, account_id = made.house, made.landlord.account_id
    assert_refused(Api(house.client, made.landlord.read).get(path), 403, "INSUFFICIENT_PERMISSIONS")
    for scopes, status in ((["invoices:read"], 403), (["invoices:write"], 200)):
        assert (
            Api(house.client, new_key(house.database, account_id, "FULL", scopes=scopes)).get(path).status_code
            == status
        )


@pytest.mark.parametrize("path", ["/invoices/{id}/pdf", "/exports/invoices/pdf?ids={id}"])
def test_a_print_leads_such_a_key_to_the_provider(made: Furnished, path: str) -> None:
    its_id = made.set_status("SENT").json()["id"]
    made.house.database.write(lambda tx: tx.run(LINKED, id=its_id, url="https://pay.example.com/once"))
    for key, leads_to in ((made.landlord.read, "pay.example.com"), (made.landlord.full, "/i/")):
        text = text_of(Api(made.house.client, key).get(path.format(id=its_id)).content).replace(" ", "")
        assert [place for place in ("pay.example.com", "/i/") if place in text] == [leads_to]


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
