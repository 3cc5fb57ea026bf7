"""The API lists the work that waits, with the same counts as the Overview.

Each entry has the address of the list of its records.
"""

from typing import Any, get_args

import pytest

from prorata.actions.overview import overview
from prorata.actions.overview.attention import Attention, Kind
from prorata.web.api.overview.attention import shown
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish

LISTED = ("/months", "/questions", "/disputes", "/invoices")


def waits(made: Furnished) -> dict[str, dict[str, Any]]:
    return {one["kind"]: one for one in made.api.get("/attention").json()}


def test_an_account_of_which_nothing_waits_has_an_empty_list(house: House) -> None:
    assert house.api.get("/attention").json() == []


def test_what_waits_is_what_the_overview_says(house: House) -> None:
    made = furnish(house)
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    made.ask("Why?")
    made.dispute("2", "2026-02")
    found = waits(made)
    assert {"drafts", "questions", "disputes", "handOver"} <= found.keys()
    said = house.database.read(lambda tx: overview.of_month(tx, made.landlord.caller, "2026-03")).attention
    assert [(one["kind"], one["number"], one["message"]) for one in made.api.get("/attention").json()] == [
        (one.kind, one.number, one.message) for one in said
    ]


def test_the_address_of_what_waits_lists_as_many_records(house: House) -> None:
    made = furnish(house)
    made.ask("Why?")
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    made.dispute("2", "2026-02")
    assert "handOver" in waits(made)
    for one in waits(made).values():
        if one["path"] and one["path"].startswith(LISTED):
            assert made.api.get(one["path"]).json()["pagination"]["total"] == one["number"], one


def test_months_that_wait_are_named(house: House) -> None:
    made = furnish(house)
    for month in ("2026-01", "2026-02"):
        made.set_status("SENT", "1", month)
    drafts = waits(made)["drafts"]
    assert (drafts["number"], drafts["months"]) == (1, [{"month": "2026-03", "number": 1}])
    assert drafts["places"] == [{"propertyId": made.property_id, "propertyName": "Maple Court", "month": "2026-03"}]
    assert drafts["path"] == "/months?state=DRAFTS&month=2026-03"


@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_address_is_one_of_the_api(house: House, kind: Kind) -> None:
    path = shown(Attention(kind, 1, "")).path
    assert path is not None
    answer = house.api.get(path)
    assert answer.status_code == 200, answer.text


def test_a_bank_statement_waits_until_it_is_marked_as_done(house: House) -> None:
    made = furnish(house)
    file = made.bring_payments()
    waiting = waits(made)["statements"]
    assert waiting["number"] == len(made.api.get(waiting["path"]).json()["data"]) == 1

    made.api.post(f"/payment-files/{file['id']}/close")
    assert "statements" not in waits(made)
