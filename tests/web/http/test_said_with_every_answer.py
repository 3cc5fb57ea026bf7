"""Every response has headers about its type, caching and scheme.

They forbid guessing the type and storing the response, and state the scheme to use.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import MAPLE, House, build_house
from tests.web.forms import has_prefix
from tests.web.furnished import furnish
from tests.web.knocking import Answered, knock


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[House]:
    """A server whose public address has the scheme https."""
    file = tmp_path_factory.mktemp("secure") / "prorata.db"
    file.write_bytes(migrated_file.read_bytes())
    built = build_house(f"sqlite:///{file}", PRORATA_BASE_URL="https://127.0.0.1:8000", PRORATA_METRICS_TOKEN="numbers")
    with built.live():
        yield built


def asked(house: House, method: str, path: str, **headers: str) -> Answered:
    return knock(house.app, method, path, headers={"Authorization": f"Bearer {house.landlord.full}"} | headers)


def assert_said(answer: Answered, *, is_secure: bool) -> None:
    said = answer.headers
    assert said["x-content-type-options"] == "nosniff"
    assert said["cache-control"] == "no-store"
    assert said.get("strict-transport-security") == ("max-age=31536000" if is_secure else None)
    assert said["x-request-id"]


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/api/v1/properties", {}, 200),
        ("HEAD", "/api/v1/properties", {}, 200),
        ("GET", "/api/v1/properties/none", {}, 404),
        ("POST", "/api/v1/properties", {}, 415),
        ("DELETE", "/api/v1/properties", {}, 405),
        ("GET", "/api/v1/properties", {"Authorization": "Bearer wrong"}, 401),
        ("GET", "/api/v1/nothing", {}, 404),
        ("GET", "/api/v1/openapi.json", {}, 200),
        ("GET", "/health", {}, 200),
        ("GET", "/ready", {}, 200),
        ("GET", "/docs", {}, 200),
        ("GET", "/metrics", {"Authorization": "Bearer numbers"}, 200),
        ("GET", "/nothing", {}, 404),
    ],
)
def test_every_answer_says_how_it_is_to_be_treated(
    secure: House, shared_house: House, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    for house in (secure, shared_house):
        answer = asked(house, method, path, **headers)
        assert answer.status == status
        assert_said(answer, is_secure=house is secure)
    refused = knock(secure.app, method, path, host="evil.example")
    assert_said(refused, is_secure=True)


def test_a_record_that_is_read_alone_is_not_kept_on_the_way_and_can_still_be_asked_for_by_its_tag(
    secure: House,
) -> None:
    made = furnish(secure)
    invoice_id = made.api.get("/invoices").json()["data"][0]["id"]
    for path in (f"/properties/{made.property_id}", f"/invoices/{invoice_id}", f"/invoices/{invoice_id}/pdf"):
        answer = asked(secure, "GET", f"/api/v1{path}")
        assert answer.status == 200
        assert_said(answer, is_secure=True)
        again = asked(secure, "GET", f"/api/v1{path}", **{"If-None-Match": answer.headers["etag"]})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", answer.headers["etag"])
        assert_said(again, is_secure=True)


def test_each_header_is_said_once(secure: House) -> None:
    created = secure.api.post("/properties", MAPLE)
    assert has_prefix(created.json()["id"], "prop")
    names = [name.lower() for name, _ in created.headers.multi_items()]
    assert len(names) == len(set(names))
