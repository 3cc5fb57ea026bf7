"""A list shows one state of the database.

A write during the reading is either in all of the list or in none of it.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from prorata.actions.invoices import invoices
from prorata.domain.accounts.scopes import EVERYTHING
from prorata.store.database.engine import Database
from prorata.web.api import OPERATIONS
from prorata.web.http.idempotency import InFlight
from prorata.web.http.operation_runner import Kitchen, Request, serve
from prorata.web.http.pools import Pools
from tests.web.conftest import HASHER, MAPLE, RECEIVERS, House, open_database
from tests.web.furnished import LABELS, Furnished, add_bill, furnish, new_unit

Statement = Callable[..., Any]
READ_IN = {"sqlite": 3, "postgresql": 2}
"""The number, the ids, the rows; PostgreSQL is asked once for the latter two."""


class Watched:
    """A transaction in which somebody else writes before statement number `before`."""

    def __init__(self, tx: Any, before: int, write: Callable[[], None]) -> None:
        self._tx = tx
        self._left = before
        self._write = write

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._tx, name)
        return self._counted(found) if name in {"all", "one"} else found

    def _counted(self, statement: Statement) -> Statement:
        def run(*arguments: Any, **values: Any) -> Any:
            if self._left == 0:
                self._write()
            self._left -= 1
            return statement(*arguments, **values)

        return run


class Disturbed:
    """A database in which somebody else writes between two statements of a read."""

    def __init__(self, database: Database, before: int, write: Callable[[], None]) -> None:
        self._database = database
        self._before = before
        self._write = write
        self.has_written = False

    async def reading(self, work: Callable[[Any], Any], *, at_once: bool) -> Any:
        return await self._database.reading(lambda tx: work(Watched(tx, self._before, self._once)), at_once=at_once)

    def _once(self) -> None:
        if not self.has_written:
            self.has_written = True
            with ThreadPoolExecutor(1) as elsewhere:
                elsewhere.submit(self._write).result()


def listed(house: House, name: str, path: str, query: str, before: int, write: Callable[[], None], **held: str) -> Any:
    """Return a list's response while somebody writes before its statement `before`.

    Return None if the list has no such statement.
    """
    (operation,) = [one for one in OPERATIONS if one.name == name]
    pools = Pools(house.database.dialect)
    database = open_database(house.url, house.clock, 10)
    disturbed: Any = Disturbed(database, before, write)
    nothing: Any = None
    kitchen = Kitchen(disturbed, pools, house.shelf, InFlight(), nothing, RECEIVERS, HASHER)
    request = Request(house.landlord.caller, path, held, query.encode(), {}, nothing, nothing, nothing, EVERYTHING)
    try:
        reply = asyncio.run(serve(operation, kitchen, request))
    finally:
        pools.close()
        database.close()
    return msgspec.json.decode(reply.body) if disturbed.has_written else None


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def set_status(made: Furnished, invoice_id: str, status: str) -> Callable[[], None]:
    caller = made.landlord.caller
    return lambda: made.house.database.write(lambda tx: invoices.set_status(tx, caller, invoice_id, status)) and None


@pytest.mark.parametrize("before", range(1, 4))
def test_drafts_are_listed_as_they_were_though_one_is_sent_meanwhile(made: Furnished, before: int) -> None:
    send = set_status(made, made.invoice()["id"], "SENT")
    said = listed(made.house, "list_invoices", "/invoices", "status=DRAFT", before, send)
    if said is None:
        assert before >= READ_IN[made.house.database.dialect]
        return
    assert {row["status"] for row in said["data"]} == {"DRAFT"}
    assert said["pagination"]["total"] == len(said["data"]) == 9
    after = made.api.get("/invoices", params={"status": "DRAFT"}).json()
    assert after["pagination"]["total"] == len(after["data"]) == 8


@pytest.mark.thorough
def test_the_last_page_is_there_though_an_invoice_before_it_is_cancelled_meanwhile(made: Furnished) -> None:
    for number in range(100, 165):
        new_unit(made.api, made.property_id, str(number))
    drafts = 3 * 68
    assert drafts - 3 > invoices.WALKED_TO
    of_the_month = 1
    statements = READ_IN[made.house.database.dialect] + of_the_month
    for before, label in zip(range(1, statements), LABELS, strict=False):
        cancel = set_status(made, made.invoice(label, month="2026-02")["id"], "CANCELLED")
        query = f"status=DRAFT&limit=1&page={drafts}"
        said = listed(made.house, "list_invoices", "/invoices", query, before, cancel)
        assert said["pagination"]["total"] == drafts
        assert [(row["status"], row["month"]) for row in said["data"]] == [("DRAFT", "2026-01-01T00:00:00.000Z")]
        drafts -= 1


@pytest.mark.parametrize("before", [1, 2])
def test_bills_are_listed_as_they_were_though_one_is_added_meanwhile(made: Furnished, before: int) -> None:
    def add() -> None:
        add_bill(made.house, made.landlord, made.property_id, "2026-04")

    said = listed(made.house, "list_utility_bills", "/utility-bills", "", before, add)
    assert said["pagination"]["total"] == len(said["data"]) == 3
    assert made.api.get("/utility-bills").json()["pagination"]["total"] == 4


def test_properties_are_listed_as_they_were_though_one_is_added_meanwhile(made: Furnished) -> None:
    def add() -> None:
        made.api.post("/properties", MAPLE | {"name": "Elm House"})

    said = listed(made.house, "list_properties", "/properties", "", 1, add)
    assert said["pagination"]["total"] == len(said["data"]) == 1
    assert made.api.get("/properties").json()["pagination"]["total"] == 2


@pytest.mark.parametrize("before", [1, 2])
def test_units_are_listed_as_they_were_though_one_is_added_meanwhile(made: Furnished, before: int) -> None:
    path = f"/properties/{made.property_id}/units"
    there = made.api.get(path).json()["pagination"]["total"]

    def add() -> None:
        new_unit(made.api, made.property_id, "9Z")

    said = listed(made.house, "list_units", path, "", before, add, propertyId=made.property_id)
    assert said["pagination"]["total"] == len(said["data"]) == there
    assert made.api.get(path).json()["pagination"]["total"] == there + 1
