"""The page of jobs: what waits, runs or failed, and what a person does about it."""

from collections.abc import Iterator

import pytest
from litestar.testing import TestClient

from prorata.actions import jobs
from prorata.store import holds
from prorata.store import jobs as stored
from prorata.store.engine import Tx
from prorata.store.jobs import JobRow
from prorata.worker.kinds import Done, Kind
from tests.dashboard.billed import billed, set_status
from tests.dashboard.conftest import Office, build_office

NOTED: list[str] = []
KINDS = {
    "mail": Kind("mail", "sends mail", lambda *_: Done(), leaves_the_house=True, attempts=8),
    "count": Kind(
        "count",
        "counts the invoices",
        lambda *_: Done(),
        called_off=lambda _tx, row: NOTED.append(f"off {row.id}"),
        tried_again=lambda _tx, row: NOTED.append(f"again {row.id}"),
    ),
}


@pytest.fixture
def office(migrated_url: str) -> Iterator[Office]:
    """The office, which knows two kinds of jobs."""
    built = build_office(migrated_url, job_kinds=lambda: KINDS)
    NOTED.clear()
    with TestClient(app=built.app):
        yield built


def add_job(office: Office, account: str | None = None, **more: object) -> JobRow:
    def add(tx: Tx) -> JobRow:
        job_id = jobs.enqueue(tx, account or office.account_id, "count", {})
        row = stored.find(tx, account or office.account_id, job_id or "")
        assert row is not None
        after = row._replace(**more)  # type: ignore[arg-type]
        stored.save(tx, [after])
        return after

    return office.database.write(add)


def failed_job(office: Office, account: str | None = None) -> JobRow:
    return add_job(
        office, account, state="failed", ended_at="2026-04-01T00:00:00.000Z", attempts=8, last_error="The abacus broke."
    )


def test_with_nothing_to_do_the_page_says_so(office: Office) -> None:
    assert "Nothing waits for you" in office.browser("viewer").get("/jobs").text


def test_what_failed_is_told_in_plain_words_and_tried_again(office: Office) -> None:
    job = failed_job(office)
    browser = office.browser("manager")
    page = browser.get("/jobs").text
    assert "Counts the invoices" in page
    assert "The abacus broke." in page
    assert "Tried 8 of 8 times." in page
    assert browser.post(f"/jobs/{job.id}/retry", {}).headers["location"] == "/jobs"
    again = browser.get("/jobs").text
    assert "It is tried again." in again
    assert "It is done as soon as there is a place for it." in again
    assert [f"again {job.id}"] == NOTED


def test_a_job_is_cancelled_after_asking(office: Office) -> None:
    job = add_job(office)
    browser = office.browser("manager")
    assert "Cancel the job that counts the invoices?" in browser.get(f"/jobs/{job.id}/cancel").text
    browser.post(f"/jobs/{job.id}/cancel", {})
    assert [f"off {job.id}"] == NOTED
    assert "Counts the invoices" not in browser.get("/jobs").text
    assert "Counts the invoices" in browser.get("/jobs?state=cancelled").text
    assert browser.post(f"/jobs/{job.id}/cancel", {}).status_code == 409
    assert "cancelled job" in browser.get("/activity").text


def test_held_jobs_are_explained(office: Office) -> None:
    (one,) = billed(office, "1")
    set_status(office, one.id, "SENT")
    add_job(office)
    office.database.write(lambda tx: holds.hold_outside_jobs(tx, "the database was restored"))
    page = office.browser("owner").get("/jobs").text
    assert "What reaches people outside is held" in page
    assert "the database was restored" in page
    assert "prorata jobs release" in page
    assert page.count(">Held<") == 1
    assert f'href="/invoices/{one.id}"' in page
    assert "prorata jobs release" not in office.browser("manager").get("/jobs").text


def test_a_viewer_sees_jobs_and_no_buttons(office: Office) -> None:
    failed_job(office)
    page = office.browser("viewer").get("/jobs").text
    assert "The abacus broke." in page
    assert "Try now" not in page
    assert "/cancel" not in page


def test_a_strangers_job_is_not_there(office: Office) -> None:
    job = failed_job(office, office.stranger_id)
    browser = office.browser("owner")
    assert "The abacus broke." not in browser.get("/jobs").text
    for path in ("retry", "cancel"):
        assert browser.post(f"/jobs/{job.id}/{path}", {}).status_code == 404
    assert browser.get(f"/jobs/{job.id}/cancel").status_code == 404


def test_many_jobs_are_leafed_through(office: Office) -> None:
    for _ in range(53):
        failed_job(office)
    browser = office.browser("viewer")
    first = browser.get("/jobs?state=failed").text
    assert first.count("The abacus broke.") == 50
    further = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert browser.get(f"/jobs{further}").text.count("The abacus broke.") == 3
