"""Lists can be read on with the cursors `after` and `updatedAfter` (docs/sync.md)."""

from datetime import timedelta
from typing import Any

import pytest

from prorata.actions.intake import documents
from prorata.store.database import walks
from prorata.store.database.list_steps import Place
from prorata.store.properties.units import UNITS
from prorata.web.api import OPERATIONS
from prorata.web.api.examples import PAYMENT_SENT
from prorata.web.http.list_schemas import ListQuery
from prorata.web.http.request_schemas import PageQuery
from tests.web.conftest import MAPLE, Api, House
from tests.web.forms import assert_invalid
from tests.web.furnished import Furnished, furnish, new_unit

LISTS = tuple(one.path for one in OPERATIONS if one.query is not None and issubclass(one.query, ListQuery))

NOT_READ_ON = {
    "/months": "months are sums of invoices, which are read on, and carry no time of a change",
    "/keys": "at most 100 live ones",
    "/members": "at most 200",
    "/invitations": "as members",
    "/payment-files/{id}/rows": "rows of one file, by their numbers",
    "/properties/{propertyId}/corrections": "what is right less what was issued, computed as it is asked for",
    "/payment-messages": "those that wait for a person: a few pages",
    "/questions": "what tenants asked: a few pages, and each changes once, as it is answered",
    "/bulk/{id}": "its results are counted from 1, a thousand to a page, and never move",
}


@pytest.fixture(scope="module")
def made(lasting_house: House) -> Furnished:
    """Records of most kinds; another account has a furnished property too."""
    furnish(lasting_house, lasting_house.stranger)
    made = furnish(lasting_house)
    for name in ("Elm House", "Oak Hall"):
        other = made.api.post("/properties", MAPLE | {"name": name}).json()["id"]
        unit = new_unit(made.api, other, "A")["id"]
        made.api.post(f"/units/{unit}/tenants", {"name": f"Bo of {name}"})
    for month in ("2026-01", "2026-02"):
        made.dispute("10", month)
    for month in ("2026-01", "2026-02"):
        lasting_house.clock.advance(seconds=1)
        invoice = made.invoice("10", month)["id"]
        for amount in ("1.00", "2.00"):
            assert made.api.post(f"/invoices/{invoice}/payments", PAYMENT_SENT | {"amount": amount}).status_code == 201
    for number in range(3):
        content = b"%PDF-1.4 " + str(number).encode()
        lasting_house.database.write(
            lambda tx, content=content: documents.take(tx, made.landlord.caller, "bill.pdf", content, "upload")
        )
    return made


def at(made: Furnished, path: str) -> str:
    return path.replace("{propertyId}", made.property_id)


def walked(api: Api, path: str, **query: Any) -> list[dict[str, Any]]:
    """All records of a list, read by cursor to the end."""
    found: list[dict[str, Any]] = []
    cursor: str | None = query.pop("after", "start")
    while cursor is not None:
        said = api.get(path, params=query | {"after": cursor}).json()
        assert set(said) == {"data", "next"}, said
        assert len(said["data"]) <= query.get("limit", 20)
        found += said["data"]
        cursor = said["next"]
    return found


def ids(records: list[dict[str, Any]]) -> list[str]:
    return [one["id"] for one in records]


def test_every_list_that_has_pages_is_read_on_too() -> None:
    paged = [one.path for one in OPERATIONS if one.query is not None and issubclass(one.query, PageQuery)]
    assert {*paged} - {*LISTS} == {*NOT_READ_ON}
    assert len(LISTS) >= 7


@pytest.mark.parametrize("limit", [1, 2, 4, 100, 1000])
@pytest.mark.parametrize("path", LISTS)
def test_what_is_read_on_is_the_list_in_its_order(made: Furnished, path: str, limit: int) -> None:
    whole = made.api.get(at(made, path), params={"limit": 100}).json()["data"]
    assert len(whole) >= 2
    assert walked(made.api, at(made, path), limit=limit) == whole
    assert walked(made.api, at(made, path), limit=limit, after="") == whole


@pytest.mark.parametrize("limit", [1, 3, 1000])
@pytest.mark.parametrize("path", LISTS)
def test_all_that_changed_since_long_ago_is_the_list_in_the_order_of_changes(
    made: Furnished, path: str, limit: int
) -> None:
    whole = made.api.get(at(made, path), params={"limit": 100}).json()["data"]
    changed = walked(made.api, at(made, path), limit=limit, updatedAfter="2000-01-01T00:00:00Z")
    assert sorted(ids(changed)) == sorted(ids(whole))
    times = [one["updatedAt"] for one in changed if "updatedAt" in one]
    assert times == sorted(times)
    for moment in sorted(set(times)):
        since = walked(made.api, at(made, path), limit=limit, updatedAfter=moment)
        assert since == [one for one in changed if one["updatedAt"] >= moment]
    assert walked(made.api, at(made, path), updatedAfter="2999-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    "filters", [{}, {"month": "2026-02"}, {"status": "DRAFT"}, {"propertyId": "{}"}, {"unitId": "{}"},
                {"propertyId": "{}", "month": "2026-02", "status": "SENT"}],
)  # fmt: skip
def test_filters_narrow_what_is_read_on(made: Furnished, filters: dict[str, str]) -> None:
    own = {"propertyId": made.property_id, "unitId": made.units["10"]}
    query = {name: own.get(name, value) for name, value in filters.items()}
    whole = made.api.get("/invoices", params=query | {"limit": 100}).json()["data"]
    assert whole
    assert walked(made.api, "/invoices", limit=2, **query) == whole
    changed = walked(made.api, "/invoices", limit=2, updatedAfter="2000-01-01T00:00:00Z", **query)
    assert sorted(ids(changed)) == sorted(ids(whole))


@pytest.mark.parametrize("path", LISTS)
def test_a_cursor_is_of_one_list_one_account_and_its_filters_and_whole(made: Furnished, path: str) -> None:
    house, to = made.house, at(made, path)
    cursor = made.api.get(to, params={"limit": 1, "after": "start"}).json()["next"]
    for wrong in (cursor[:-1], cursor[1:], cursor + "A", cursor[: len(cursor) // 2], "x", "null", "W10", "%00", "é"):
        assert_invalid(made.api.get(to, params={"after": wrong}), "after")
    assert_invalid(made.api.get(to, params={"after": "x" * 1001}), "after")
    assert_invalid(made.api.get(to, params={"after": cursor, "updatedAfter": "2000-01-01T00:00:00Z"}), "after")
    if "{" not in path:
        assert_invalid(house.api_of_stranger.get(to, params={"after": cursor}), "after")
    for other in {*LISTS} - {path, "/units", "/properties/{propertyId}/units"}:
        assert_invalid(made.api.get(at(made, other), params={"after": cursor}), "after")
    if path == "/invoices":
        assert_invalid(made.api.get(to, params={"after": cursor, "month": "2026-02"}), "after")


@pytest.mark.parametrize("path", LISTS)
def test_what_does_not_go_together_is_refused(made: Furnished, path: str) -> None:
    to = at(made, path)
    assert_invalid(made.api.get(to, params={"after": "start", "page": 1}), "page")
    assert_invalid(made.api.get(to, params={"updatedAfter": "2000-01-01T00:00:00Z", "page": 1}), "page")
    assert_invalid(made.api.get(to, params={"after": "start", "limit": 1001}), "limit")
    assert_invalid(made.api.get(to, params={"limit": 101}), "limit")
    for wrong in ("", "2026", "2026-03-01", "2026-03-01T00:00:00", "2026-13-01T00:00:00Z", "now", "1e9"):
        assert_invalid(made.api.get(to, params={"updatedAfter": wrong}), "updatedAfter")
    assert_invalid(made.api.get(to, params={"updatedAfter": "0001-01-01T00:00:00+01:00"}), "updatedAfter")


def test_what_is_added_and_removed_meanwhile_moves_nothing_across_a_cursor(house: House) -> None:
    made = furnish(house)
    labels = [str(number) for number in range(20, 32)]
    units = {label: new_unit(made.api, made.property_id, label)["id"] for label in labels}
    before = ids(walked(made.api, "/units", limit=100))
    said = made.api.get("/units", params={"after": "start", "limit": 6}).json()
    seen = ids(said["data"])
    assert made.api.delete(f"/units/{units['20']}").json()["isDeactivated"] in {True, False}
    assert made.api.delete(f"/units/{units['31']}").status_code == 200
    added = new_unit(made.api, made.property_id, "99")["id"]
    rest = ids(walked(made.api, "/units", limit=2, after=said["next"]))
    gone = {units["20"], units["31"]}
    assert [one for one in seen + rest if one not in gone] == [one for one in before if one not in gone] + [added]
    assert len({*seen, *rest}) == len(seen + rest)


def test_the_record_behind_which_a_list_goes_on_may_go(house: House) -> None:
    made = furnish(house)
    units = [new_unit(made.api, made.property_id, f"Z{number}", activeFrom="2030-01-01")["id"] for number in range(4)]
    said = made.api.get("/units", params={"after": "start", "limit": 4}).json()
    assert ids(said["data"])[-1] == units[0]
    made.api.delete(f"/units/{units[0]}")
    assert ids(walked(made.api, "/units", after=said["next"])) == units[1:]


def test_what_changes_while_changes_are_read_is_met_again_as_it_is_then(house: House) -> None:
    made = furnish(house)
    since = {"updatedAfter": "2000-01-01T00:00:00Z", "limit": 2}
    said = made.api.get("/units", params=since).json()
    first = said["data"][0]
    house.clock.advance(seconds=1)
    changed = made.api.patch(f"/units/{first['id']}", {"bedrooms": 7}).json()
    rest = walked(made.api, "/units", after=said["next"], **since)
    assert rest[-1] == changed
    assert {*ids(said["data"]), *ids(rest)} == {*made.units.values()}


def test_a_change_in_the_very_millisecond_is_not_missed(house: House) -> None:
    made = furnish(house)
    house.clock.step = timedelta()
    unit = made.api.patch(f"/units/{made.units['2']}", {"bedrooms": 1}).json()
    made.api.patch(f"/units/{made.units['10']}", {"bedrooms": 1})
    found = walked(made.api, "/units", updatedAfter=unit["updatedAt"])
    assert sorted(ids(found)) == sorted([made.units["2"], made.units["10"]])


def test_each_step_of_a_dispute_is_a_change_of_it(house: House) -> None:
    made = furnish(house)
    dispute = made.dispute("10", "2026-01")["id"]
    steps: list[tuple[str, Any]] = [("answer", {"text": "We are looking into it."}), ("withdraw", None)]
    for step, body in steps:
        house.clock.advance(minutes=1)
        moment = house.clock().isoformat().replace("+00:00", "Z")
        assert walked(made.api, "/disputes", updatedAfter=moment) == []
        assert made.api.post(f"/disputes/{dispute}/{step}", body).status_code == 200
        assert ids(walked(made.api, "/disputes", updatedAfter=moment)) == [dispute]


def test_of_a_narrowed_list_so_many_changes_are_looked_at_at_once(house: House) -> None:
    made = furnish(house)
    other = made.api.post("/properties", MAPLE | {"name": "Elm House"}).json()["id"]
    units = [new_unit(made.api, other, f"E{number}")["id"] for number in range(7)]
    last = new_unit(made.api, made.property_id, "77")["id"]

    def found(property_id: str) -> list[list[str]]:
        parts, place = [], ("2000-01-01T00:00:00.000Z", "")
        while place:
            parts.append(part_behind(place, property_id))
            place = parts[-1].last
        return [part.ids for part in parts]

    def part_behind(place: Place, property_id: str) -> walks.Found:
        filters, own = {"property": property_id}, made.landlord.account_id
        return house.database.read(lambda tx: walks.find_changed(tx, UNITS, own, filters, place=place, limit=2, most=3))

    first, second, third = made.units.values()
    assert found(made.property_id) == [[first, second], [third], [], [last], []]
    assert [one for part in found(other) for one in part] == units


@pytest.mark.parametrize(
    "filters", [{"month": "2026-02"}, {"status": "UNPAID"}, {"held": "false"}, {"waiting": "true"}, {"waiting": "false"},
                {"from": "2026-02-01"}, {"to": "2026-02-28"}, {"flagged": "false", "month": "2026-01"}, {"propertyId": "{}"}],
)  # fmt: skip
def test_bills_are_read_on_by_their_filters(made: Furnished, filters: dict[str, str]) -> None:
    query = {name: made.property_id if value == "{}" else value for name, value in filters.items()}
    whole = made.api.get("/bills", params=query | {"limit": 100}).json()["data"]
    assert whole or filters == {"waiting": "true"}
    for limit in (1, 2, 1000):
        assert walked(made.api, "/bills", limit=limit, **query) == whole
    changed = walked(made.api, "/bills", limit=2, updatedAfter="2000-01-01T00:00:00Z", **query)
    assert sorted(ids(changed)) == sorted(ids(whole))


def test_words_find_bills_in_pages_or_on_and_not_among_changes(made: Furnished) -> None:
    whole = made.api.get("/bills", params={"q": "maple"}).json()["data"]
    assert len(whole) >= 2
    assert walked(made.api, "/bills", limit=1, q="maple") == whole
    assert_invalid(made.api.get("/bills?q=maple&updatedAfter=2000-01-01T00:00:00Z"), "q")


def test_of_payments_a_carried_credit_is_read_in_both_ledgers(house: House) -> None:
    made = furnish(house)
    made.set_status("SENT", "1", "2026-01")
    first = made.invoice("1", "2026-01")["id"]
    made.api.post(f"/invoices/{first}/payments", PAYMENT_SENT | {"amount": "40.00"})
    made.set_status("SENT", "1", "2026-02")
    whole = made.api.get("/payments?limit=100").json()["data"]
    ledgers = [
        made.api.get(f"/invoices/{made.invoice('1', month)['id']}/payments").json() for month in ("2026-01", "2026-02")
    ]
    assert sorted(map(str, whole)) == sorted(map(str, ledgers[0] + ledgers[1]))
    assert len(whole) > len({one["id"] for one in whole})
    for limit in (1, 2):
        assert walked(made.api, "/payments", limit=limit) == whole
        assert walked(made.api, "/payments", limit=limit, updatedAfter="2000-01-01T00:00:00Z") == whole
    for name, value in (("invoiceId", first), ("unitId", made.units["1"]), ("propertyId", made.property_id)):
        narrowed = made.api.get("/payments", params={name: value}).json()["data"]
        assert narrowed == (ledgers[0] if name == "invoiceId" else whole)
        assert made.api.get("/payments", params={name: "inv_x"}).json()["data"] == []
        assert walked(made.api, "/payments", limit=1, updatedAfter="2000-01-01T00:00:00Z", **{name: value}) == narrowed
