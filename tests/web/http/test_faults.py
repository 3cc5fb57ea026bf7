"""Tests of 500 and 503, and of the recovery afterwards.

They cover mistakes of the program, and a missing database, disk or limiter.
"""

import fcntl
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import structlog

from prorata.errors import Unavailable
from prorata.ports import Verdict, Window
from prorata.store.migrations import upgrade
from tests.servers import PostgresServer
from tests.web.addresses import OPERATIONS, address, assert_refused, sent_to
from tests.web.conftest import MAPLE, House, build_house
from tests.web.furnished import new_unit

# --- 500 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_mistake_of_ours_is_500_in_the_same_shape_and_undoes_what_was_begun(house: House) -> None:
    property_id = house.api.post("/properties", MAPLE).json()["id"]
    house.shelf.breaks_with = RuntimeError("a secret detail of the program")
    answer = house.api.delete(f"/properties/{property_id}")
    said = assert_refused(answer, 500, "INTERNAL_ERROR")
    assert "secret detail" not in answer.text
    assert "X-Request-Id" in said["error"]
    assert house.api.get(f"/properties/{property_id}").status_code == 200
    house.shelf.breaks_with = None
    assert house.api.delete(f"/properties/{property_id}").status_code == 200


def test_the_log_has_the_failure_under_the_id_of_the_answer(house: House) -> None:
    property_id = house.api.post("/properties", MAPLE).json()["id"]
    house.shelf.breaks_with = RuntimeError("broken shelf")
    with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines:
        request_id = house.api.delete(f"/properties/{property_id}").headers["x-request-id"]
    failure, request = lines
    assert str(failure["exc_info"]) == "broken shelf"
    assert failure["request_id"] == request["request_id"] == request_id
    assert (request["status"], request["operation"], request["method"]) == (500, "delete_property", "DELETE")


def test_the_log_of_a_request_holds_no_key_and_no_body(house: House) -> None:
    with structlog.testing.capture_logs() as lines:
        house.api.post("/properties", MAPLE | {"name": "s3cr3t"})
    (line,) = lines
    assert line["account"] == house.landlord.account_id
    assert line["key"].startswith("key_")
    assert "s3cr3t" not in str(line)
    assert house.landlord.full not in str(line)


def test_numbers_in_the_log_are_numbers(house: House) -> None:
    with structlog.testing.capture_logs() as lines:
        house.api.get("/properties")
    (line,) = lines
    assert (type(line["milliseconds"]), line["status"]) == (float, 200)


# --- 503 ---------------------------------------------------------------------------------------------------------------


def assert_gone(house: House) -> None:
    """Check that every operation answers 503 and says when to come back.

    Addresses that need no database still answer.
    """
    for operation in OPERATIONS:
        answer = house.api.request(operation.method, address(operation), **sent_to(operation))
        assert_refused(answer, 503, "SERVICE_UNAVAILABLE")
        assert int(answer.headers["retry-after"]) > 0
    assert_refused(house.client.get("/ready"), 503, "SERVICE_UNAVAILABLE")
    assert house.client.get("/health").status_code == 200
    assert house.client.get("/docs").status_code == 200


@pytest.fixture
def sqlite_house(migrated_sqlite_url: str) -> Iterator[House]:
    house = build_house(migrated_sqlite_url, patience=0.2)
    with house.live():
        yield house


def file_of(house: House) -> Path:
    return Path(house.url.removeprefix("sqlite:///"))


def test_without_its_sqlite_file_everything_is_503_and_with_it_all_is_well_again(sqlite_house: House) -> None:
    property_id = sqlite_house.api.post("/properties", MAPLE).json()["id"]
    folder = file_of(sqlite_house).parent
    elsewhere = folder.with_name(folder.name + "-moved")
    folder.rename(elsewhere)
    assert_gone(sqlite_house)
    elsewhere.rename(folder)
    assert sqlite_house.api.get(f"/properties/{property_id}").json()["name"] == MAPLE["name"]
    assert sqlite_house.api.post("/properties", MAPLE).status_code == 201
    assert sqlite_house.client.get("/ready").status_code == 200


@contextmanager
def full_disk() -> Iterator[None]:
    """Limit the files of this process, so that the database's log can't grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_on_a_full_disk_writes_are_503_reads_are_answered_and_nothing_is_half_done(sqlite_house: House) -> None:
    api = sqlite_house.api
    property_id = api.post("/properties", MAPLE).json()["id"]
    with full_disk():
        answer = api.post("/properties", MAPLE)
        read = api.get(f"/properties/{property_id}")
    assert_refused(answer, 503, "SERVICE_UNAVAILABLE")
    assert int(answer.headers["retry-after"]) > 0
    assert read.status_code == 200
    assert api.get("/properties").json()["pagination"]["total"] == 1
    assert api.post("/properties", MAPLE).status_code == 201


def test_while_another_process_writes_for_long_writes_are_503_and_reads_are_answered(sqlite_house: House) -> None:
    api = sqlite_house.api
    api.post("/properties", MAPLE)
    lock = file_of(sqlite_house).with_name("prorata.db-lock")
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert_refused(api.post("/properties", MAPLE), 503, "SERVICE_UNAVAILABLE")
        assert api.get("/properties").json()["pagination"]["total"] == 1
        assert sqlite_house.client.get("/health").status_code == 200
    assert api.post("/properties", MAPLE).status_code == 201


@pytest.mark.thorough
def test_without_its_postgresql_everything_is_503_and_with_it_all_is_well_again() -> None:
    with PostgresServer() as server:
        url = server.create_database("mine")
        upgrade(url)
        house = build_house(url)
        with house.live():
            property_id = house.api.post("/properties", MAPLE).json()["id"]
            server.stop()
            assert_gone(house)
            server.start()
            assert house.api.get(f"/properties/{property_id}").json()["name"] == MAPLE["name"]
            assert new_unit(house.api, property_id, "1")["label"] == "1"
            assert house.client.get("/ready").status_code == 200


LOST_AT_THE_COMMIT = """
CREATE FUNCTION be_lost() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER lost AFTER INSERT ON property DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION be_lost()
"""


@pytest.mark.thorough
def test_a_commit_of_unknown_outcome_is_told_from_a_change_that_was_not_made(migrated_postgresql_url: str) -> None:
    house = build_house(migrated_postgresql_url)
    with house.live(), psycopg.connect(migrated_postgresql_url, autocommit=True) as other:
        other.execute(LOST_AT_THE_COMMIT)
        once = {"Idempotency-Key": "one"}
        lost = house.api.post("/properties", MAPLE, headers=once)
        other.execute("DROP FUNCTION be_lost CASCADE")

        said = assert_refused(lost, 503, "OUTCOME_UNKNOWN")
        assert "retry-after" not in lost.headers
        assert "Idempotency-Key" in said["error"]
        assert [house.api.post("/properties", MAPLE, headers=once).status_code for _ in range(2)] == [201, 201]
        assert house.api.get("/properties").json()["pagination"]["total"] == 1


class Gone:
    """A limiter whose counters can't be reached."""

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""

    async def take_back(self, _key: str, _windows: tuple[Window, ...], _mark: str) -> None:
        """Do nothing: this limiter never admitted anything."""

    async def admit(self, _key: str, _windows: tuple[Window, ...], _requests: int = 1) -> Verdict:
        raise Unavailable("The rate limits can't be counted at the moment. Try again soon.", retry_after=2)


@pytest.mark.parametrize("waits", [{}, {"PRORATA_REDIS_URL": "redis://127.0.0.1:1/0"}])
def test_a_limiter_that_is_gone_is_503_and_never_unlimited(migrated_sqlite_url: str, waits: dict[str, str]) -> None:
    house = build_house(migrated_sqlite_url, limiter=Gone(), **waits)
    with house.live():
        for answer in (house.api.get("/properties"), house.client.get("/api/v1/properties")):
            assert_refused(answer, 503, "SERVICE_UNAVAILABLE")
            assert answer.headers["retry-after"] == "2"
