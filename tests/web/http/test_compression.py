"""The API compresses its answers for clients that accept it, with some exceptions."""

import gzip
import json

import pytest

from prorata.web.http.compression import WORTH_PACKING, gzipped, takes_gzip
from tests.web.conftest import MAPLE, House
from tests.web.knocking import Answered, knock

LIST = "/api/v1/properties"


@pytest.fixture(scope="module")
def full(shared_house: House) -> House:
    for number in range(40):
        assert shared_house.api.post("/properties", MAPLE | {"name": f"House {number}"}).status_code == 201
    return shared_house


def asked(house: House, accepts: str | None, path: str = LIST, method: str = "GET", **headers: str) -> Answered:
    sent = {"Authorization": f"Bearer {house.landlord.full}"} | headers
    if accepts is not None:
        sent["Accept-Encoding"] = accepts
    return knock(house.app, method, path, headers=sent, query=b"limit=100" if path == LIST else b"")


@pytest.mark.parametrize(
    "accepts", ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "*", "X-GZIP", "gzip ; q=1"]
)
def test_who_accepts_gzip_gets_a_list_compressed(full: House, accepts: str) -> None:
    plain, packed = asked(full, None), asked(full, accepts)
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert int(packed.headers["content-length"]) == len(packed.body) < len(plain.body) / 5
    assert packed.headers["content-type"] == "application/json"
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"


@pytest.mark.parametrize(
    "accepts",
    [
        None, "", "identity", "gzip;q=0", "gzip; q=0.0", "gzip;Q=0.000", "*;q=0", "*, gzip;q=0", "br, deflate", "gzipped",
        "gzip;q=", "gzip;q=2", "gzip;q=-1", "gzip;q=nan", "gzip;q=0.5, identity;q=0.6", "gzip;q=0.0001", "gzip," * 200,
    ],
)  # fmt: skip
def test_who_does_not_or_likes_it_better_as_it_is_gets_it_so(full: House, accepts: str | None) -> None:
    answer = asked(full, accepts)
    assert "content-encoding" not in answer.headers
    assert len(json.loads(answer.body)["data"]) == 40
    assert int(answer.headers["content-length"]) == len(answer.body)


def test_head_says_of_a_compressed_answer_what_get_does(full: House) -> None:
    of_get, of_head = asked(full, "gzip"), asked(full, "gzip", method="HEAD")
    assert of_head.body == b""
    for name in ("content-length", "content-encoding", "vary"):
        assert of_head.headers[name] == of_get.headers[name]


def test_what_is_small_and_what_has_an_entity_tag_is_left_as_it_is(full: House) -> None:
    listed = json.loads(asked(full, None).body)["data"]
    small = asked(full, "gzip", "/api/v1/split-methods/none")
    assert (small.status, "content-encoding" in small.headers) == (404, False)
    path = f"{LIST}/{listed[0]['id']}"
    single, plain = asked(full, "gzip", path), asked(full, None, path)
    assert "content-encoding" not in single.headers
    assert single.headers["etag"] == plain.headers["etag"]
    again = asked(full, "gzip", path, **{"If-None-Match": single.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/docs"])
def test_the_api_s_description_is_compressed_too(shared_house: House, path: str) -> None:
    plain, packed = asked(shared_house, None, path), asked(shared_house, "gzip", path)
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 5


def test_the_same_bytes_come_to_the_same() -> None:
    body = b'{"a":1}' * WORTH_PACKING
    assert gzipped(body) == gzipped(body)
    assert gzip.decompress(gzipped(body)) == body


def test_what_is_remembered_of_headers_is_bounded() -> None:
    assert not any(takes_gzip(b"gzip;q=0." + b"0" * number) for number in range(3, 1000))
