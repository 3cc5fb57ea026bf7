"""A deprecated operation says so in every answer, even in refusals.

No operation is deprecated at present.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from prorata.web.api import OPERATIONS
from prorata.web.gateway import Door
from prorata.web.http.described.leaving import Leaving
from prorata.web.http.described.openapi import document
from prorata.web.http.routing import Router
from tests.web.conftest import Api, House

LEAVING = Leaving(date(2027, 1, 1), date(2028, 1, 1), "https://example.com/api#properties")


@pytest.fixture
def house_of_leaving(shared_house: House) -> Iterator[House]:
    """A house in which every operation is deprecated."""
    app, told = shared_house.app, [replace(one, leaving=LEAVING) for one in OPERATIONS]
    assert isinstance(app, Door)
    before, app._router = app._router, Router(told)
    yield shared_house
    app._router = before


def test_an_answer_and_a_refusal_say_since_when_and_until_when(house_of_leaving: House) -> None:
    reader = Api(house_of_leaving.client, house_of_leaving.landlord.read)
    for path, status in (("/properties", 200), ("/properties?page=0", 400), ("/properties/prop_x", 404)):
        answer = reader.get(path)
        assert answer.status_code == status
        assert answer.headers["deprecation"] == "@1798761600"
        assert answer.headers["sunset"] == "Sat, 01 Jan 2028 00:00:00 GMT"
        assert answer.headers["link"] == '<https://example.com/api#properties>; rel="deprecation"'
        assert "ratelimit" in answer.headers


def test_the_document_marks_it(house_of_leaving: House) -> None:
    told = [replace(one, leaving=LEAVING) if one.name == "list_properties" else one for one in OPERATIONS]
    marked = {
        (path, method)
        for path, methods in document(told, "http://x")["paths"].items()
        for method, described in methods.items()
        if described.get("deprecated")
    }
    assert marked == {("/properties", "get")}


def test_what_goes_is_deprecated_for_a_year_at_least() -> None:
    leaving = [one.leaving for one in OPERATIONS if one.leaving]
    assert all((one.until - one.since).days >= 365 for one in leaving)


def test_nothing_is_deprecated_at_present(shared_house: House) -> None:
    assert "deprecation" not in shared_house.api.get("/properties").headers
