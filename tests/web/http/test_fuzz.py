"""Random requests get responses of a known form, and never a 500."""

import json
import random
from typing import Any

import pytest

from tests.web.conftest import MAPLE, Api, House

NASTY: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 10**30, "", " ", "\u0000", "\ud800", "x" * 300, "2026-02-30", "2026-13", "%s", "'; --",
    [], {}, [[]], {"a": {"b": []}}, "prop_", "EQUAL", "SENT", "US", "a@example.com", '{"1A": 1}', 3.14159,
)  # fmt: skip
FIELDS = (
    "name", "streetNumber", "street", "city", "state", "zip", "country", "currency", "billingStartsMonth", "label",
    "sqft", "bedrooms", "monthlyRent", "activeFrom", "activeTo", "email", "moveInDate", "moveOutDate", "utilityType",
    "splitMethod", "isActive", "customWeightsJson", "splitMethodId", "ownerPercent", "vacantOccupants", "components",
    "status", "unknown",
)  # fmt: skip
NOUNS = ("properties", "units", "tenants", "sharerules", "invoices", "utility-bills", "split-methods", "nothing", "v1")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")


class Chance:
    """Random requests from a seed, with ids that exist, ids that don't, and worse."""

    def __init__(self, seed: int, ids: list[str]) -> None:
        self.random = random.Random(seed)
        self.ids = ids

    def path(self) -> str:
        parts = [self.random.choice(NOUNS)]
        if self.random.random() < 0.7:
            parts.append(self.random.choice([*self.ids, "prop_x", "%00", "%ff", "..", "é"]))
        if self.random.random() < 0.3:
            parts.append(self.random.choice(NOUNS))
        query = "&".join(
            f"{self.random.choice(('page', 'limit', 'month', 'status', 'propertyId', 'details', 'x'))}"
            f"={self.random.choice(('1', '0', '-1', '99999999999', '2026-03', 'SENT', 'true', '%00', '%ff', ''))}"
            for _ in range(self.random.randrange(3))
        )
        return "/" + "/".join(parts) + ("?" + query if query else "")

    def body(self) -> bytes:
        if self.random.random() < 0.2:
            return self.random.randbytes(self.random.randrange(40))
        fields = self.random.sample(FIELDS, self.random.randrange(6))
        sent = (MAPLE if self.random.random() < 0.2 else {}) | {name: self.random.choice(NASTY) for name in fields}
        text = json.dumps(sent, allow_nan=True).encode()
        return text[: self.random.randrange(len(text))] if self.random.random() < 0.1 else text


def knock(house: House, number: int, seed: int) -> int:
    """Send `number` random requests, and return how many succeeded."""
    api = Api(house.client, house.landlord.full)
    property_id = api.post("/properties", MAPLE).json()["id"]
    unit_id = api.post(f"/properties/{property_id}/units", {"label": "1A"}).json()["id"]
    rule_id = api.get(f"/properties/{property_id}/sharerules").json()[0]["id"]
    chance = Chance(seed, [property_id, unit_id, rule_id])
    let_in = 0
    for _ in range(number):
        method = chance.random.choice(METHODS)
        headers = {"Content-Type": chance.random.choice(("application/json",) * 9 + ("text/plain",))}
        if chance.random.random() < 0.1:
            headers["Idempotency-Key"] = chance.random.choice(("a", "b", "x" * 300))
        if chance.random.random() < 0.1:
            headers["If-Match"] = chance.random.choice(("*", '"x"', "W/", ""))
        path = chance.path()
        answer = api.request(method, path, headers=headers, content=chance.body())
        assert answer.status_code < 500, (method, path, answer.text)
        if answer.status_code >= 400 and method != "HEAD":
            assert answer.json().keys() <= {"error", "code", "status", "details"}
            assert answer.json()["status"] == answer.status_code
        let_in += answer.status_code < 400
    return let_in


@pytest.mark.thorough
def test_a_thousand_random_requests_find_no_500(house: House) -> None:
    assert knock(house, 1_000, seed=3) > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_a_million_random_requests_find_no_500(house: House, seed: int) -> None:
    assert knock(house, 50_000, seed=seed) > 0
