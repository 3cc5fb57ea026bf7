"""`/jobs` shows and does the same as the page of background tasks."""

import pytest

from prorata.actions.jobs import jobs
from prorata.actions.overview import job_lists
from prorata.actions.overview.job_lists import Wish
from prorata.store.jobs import jobs as stored
from tests.web.addresses import assert_refused
from tests.web.conftest import House
from tests.web.furnished import Furnished, furnish


@pytest.fixture
def made(house: House) -> Furnished:
    return furnish(house)


def fail(made: Furnished, job_id: str) -> None:
    """Mark a job as failed for good."""

    def work(tx: stored.Tx) -> None:
        row = stored.find(tx, made.landlord.account_id, job_id)
        assert row is not None
        stored.save(tx, [row._replace(state="failed", attempts=8, last_error="Nobody listens there.", ended_at=tx.now)])

    made.house.database.write(work)


def test_a_job_is_shown_as_the_page_shows_it(made: Furnished) -> None:
    job = made.api.get(f"/jobs/{made.job_id}").json()
    found = made.house.database.read(lambda tx: job_lists.page(tx, made.landlord.caller, {}, Wish(kind="mail")))
    (shown,) = found.jobs
    assert (job["id"], job["kind"], job["says"], job["comesNext"]) == (shown.id, "mail", shown.says, shown.comes_next)
    invoice = made.invoice("1", "2026-01")
    assert (job["subject"], job["invoiceNumber"]) == (invoice["id"], invoice["invoiceNumber"])
    assert (job["state"], job["canRetry"], job["canCancel"]) == ("WAITING", shown.may_retry, True)


def test_what_failed_is_counted_and_tried_again(made: Furnished) -> None:
    job_id = made.job_id
    fail(made, job_id)
    listed = made.api.get("/jobs", params={"state": "FAILED"}).json()
    assert ([one["id"] for one in listed["data"]], listed["failed"], listed["next"]) == (
        [job_id],
        [{"kind": "mail", "number": 1}],
        None,
    )
    assert listed["data"][0]["happened"] == "Nobody listens there."
    again = made.api.post(f"/jobs/{job_id}/retry")
    assert (again.status_code, again.json()["state"], again.json()["attempts"]) == (200, "WAITING", 0)
    fail(made, job_id)
    assert made.api.post("/jobs/retry-failed", {"kind": "mail"}).status_code == 200
    assert_refused(made.api.post("/jobs/retry-failed", {"kind": "bulk"}), 409, "CONFLICT")


def test_a_job_is_cancelled_once(made: Furnished) -> None:
    path = f"/jobs/{made.job_id}"
    assert made.api.post(f"{path}/cancel").json()["state"] == "CANCELLED"
    assert_refused(made.api.post(f"{path}/cancel"), 409, "CONFLICT")
    assert_refused(made.api.post(f"{path}/retry"), 409, "CONFLICT")


def test_a_list_is_read_on_where_it_ended(made: Furnished) -> None:
    for label in ("1", "2", "10"):
        made.set_status("SENT", label, "2026-02")
    every = [one["id"] for one in made.api.get("/jobs", params={"limit": 100}).json()["data"]]
    read, before = [], None
    while True:
        answer = made.api.get("/jobs", params={"limit": 1} | ({"before": before} if before else {})).json()
        read += [one["id"] for one in answer["data"]]
        before = answer["next"]
        if before is None:
            break
    assert read == every


def test_a_list_is_read_on_whatever_became_of_the_job_at_which_it_ended(made: Furnished) -> None:
    account_id = made.landlord.account_id
    waiting, *failed = [
        made.house.database.write(lambda tx: jobs.enqueue(tx, account_id, "mail", {})) or "" for _ in range(5)
    ]
    for job_id in failed:
        fail(made, job_id)
    first = made.api.get("/jobs", params={"limit": 2}).json()
    assert [job["id"] for job in first["data"]] == failed[:2]
    for job in first["data"]:
        made.api.post(f"/jobs/{job['id']}/cancel")
    rest = made.api.get("/jobs", params={"limit": 100, "before": first["next"]}).json()
    assert [job["id"] for job in rest["data"]] == [*failed[2:], waiting]


@pytest.mark.parametrize("query", ["state=failed", "state=GONE", "day=today", "limit=0", "limit=101"])
def test_what_a_list_can_not_be_asked_for_is_refused(shared_house: House, query: str) -> None:
    assert_refused(shared_house.api.get(f"/jobs?{query}"), 400, "INVALID_REQUEST")
