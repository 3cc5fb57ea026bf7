"""A request with several faults is answered for the fault that is checked first.

The order is 401, 429, 403, 404 for an unknown route, 405, 413, 415, 400, 404 for a record, 412 and 409
(docs/decisions.md#order-of-checks).
"""

import itertools
import json
from collections.abc import Collection, Iterator
from pathlib import Path

import httpx
import pytest

from prorata.adapters.limits_memory import MemoryLimiter
from prorata.ports import Verdict, Window
from tests.web.addresses import assert_refused, unknown_id
from tests.web.conftest import MAPLE, House, build_house
from tests.web.furnished import new_unit

ORDER = {
    "no key": (401, "UNAUTHORIZED"),
    "limit": (429, "RATE_LIMIT_EXCEEDED"),
    "may only read": (403, "INSUFFICIENT_PERMISSIONS"),
    "no such route": (404, "NOT_FOUND"),
    "no such method": (405, "METHOD_NOT_ALLOWED"),
    "too large": (413, "PAYLOAD_TOO_LARGE"),
    "not JSON": (415, "UNSUPPORTED_MEDIA_TYPE"),
    "not valid": (400, "INVALID_REQUEST"),
    "no such record": (404, "UNIT_NOT_FOUND"),
    "has changed": (412, "PRECONDITION_FAILED"),
    "conflict": (409, "CONFLICT"),
}


class Gate(MemoryLimiter):
    """A limiter that admits requests with a key only while it is open."""

    def __init__(self) -> None:
        super().__init__()
        self.open = True

    async def admit(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        verdict = self.count(key, windows, requests)
        if self.open or not key.startswith("key_"):
            return verdict
        return Verdict(admitted=False, remaining=(0, 0), reset=(7, 7), retry_after=7)


class Desk:
    """A sender of requests that change a unit's label, with the given faults."""

    def __init__(self, house: House, gate: Gate) -> None:
        self.house = house
        self.gate = gate
        property_id = house.api.post("/properties", MAPLE).json()["id"]
        self.taken = new_unit(house.api, property_id, "taken")["label"]
        self.unit_id = new_unit(house.api, property_id, "mine")["id"]

    def send(self, faults: Collection[str]) -> httpx.Response:
        landlord = self.house.landlord
        key = "nonsense" if "no key" in faults else landlord.read if "may only read" in faults else landlord.full
        unit_id = unknown_id("unit") if "no such record" in faults else self.unit_id
        body = {"label": self.taken if "conflict" in faults else "mine"} | (
            {"colour": 1} if "not valid" in faults else {}
        )
        text = json.dumps(body) + " " * (256 * 1024 if "too large" in faults else 0)
        headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "text/plain" if "not JSON" in faults else "application/json",
            "If-Match": '"of yesterday"' if "has changed" in faults else "*",
        }
        self.gate.open = "limit" not in faults
        return self.house.client.request(
            "POST" if "no such method" in faults else "PATCH",
            "/api/v1/nowhere" if "no such route" in faults else f"/api/v1/units/{unit_id}",
            content=text,
            headers=headers,
        )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[Desk]:
    file = tmp_path_factory.mktemp("desk") / "prorata.db"
    file.write_bytes(migrated_file.read_bytes())
    gate = Gate()
    house = build_house(f"sqlite:///{file}", limiter=gate)
    with house.live():
        yield Desk(house, gate)


def test_a_request_without_a_fault_is_answered_with_200(desk: Desk) -> None:
    assert desk.send(()).status_code == 200


@pytest.mark.parametrize(("earlier", "later"), list(itertools.combinations(ORDER, 2)))
def test_of_two_faults_the_earlier_check_answers(desk: Desk, earlier: str, later: str) -> None:
    assert_refused(desk.send({earlier, later}), *ORDER[earlier])


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_of_all_faults_that_are_left_the_first_check_answers(desk: Desk, first: int) -> None:
    left = list(ORDER)[first:]
    assert_refused(desk.send(left), *ORDER[left[0]])
