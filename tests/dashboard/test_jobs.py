"""The page of jobs: what waits, runs or failed, and what a person does about it."""

from collections.abc import Iterator

import pytest
from litestar.testing import TestClient

from prorata.actions import job_lists, jobs
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
    assert browser.get(further).text.count("The abacus broke.") == 3


def test_what_failed_comes_first_and_what_is_done_last_comes_first(office: Office) -> None:
    waiting = add_job(office)
    failed = failed_job(office)
    ended = [add_job(office, state="done", ended_at="2026-04-01T00:00:00.000Z") for _ in range(2)]
    page = office.browser("manager").get("/jobs").text
    assert page.index(f"/jobs/{failed.id}/cancel") < page.index(f"/jobs/{waiting.id}/cancel")
    found = office.database.read(
        lambda tx: job_lists.page(tx, office.caller, KINDS, state="done", behind=None)
    ).jobs  # fmt: skip
    assert [job.id for job in found] == [ended[1].id, ended[0].id]


def test_pages_of_what_is_not_done_lead_from_what_failed_to_what_waits(office: Office) -> None:
    waiting = [add_job(office) for _ in range(30)]
    failed = [failed_job(office) for _ in range(30)]
    seen: list[str] = []
    behind: str | None = None
    for _ in range(2):
        found = office.database.read(
            lambda tx, behind=behind: job_lists.page(tx, office.caller, KINDS, state=None, behind=behind)  # type: ignore[misc]
        )
        seen += [job.id for job in found.jobs]
        behind = found.further
    assert seen == [job.id for job in (*failed, *waiting)]
    assert behind is None


def test_a_job_is_found_by_the_tenant_or_the_number_of_its_invoice(office: Office) -> None:
    one, two = billed(office, "1", "2")
    for row in (one, two):
        set_status(office, row.id, "SENT")
    add_job(office)
    browser = office.browser("manager")
    for search in ("tenant 2", two.number):
        page = browser.get(f"/jobs?search={search}").text
        assert f'href="/invoices/{two.id}"' in page
        assert f'href="/invoices/{one.id}"' not in page
        assert "Counts the invoices" not in page
    assert "Nothing found" in browser.get("/jobs?search=nobody").text


def test_a_button_of_a_list_of_jobs_leads_back_to_the_same_list(office: Office) -> None:
    job = failed_job(office)
    browser = office.browser("manager")
    assert 'name="state" value="failed"' in browser.get("/jobs?state=failed").text
    answer = browser.post(f"/jobs/{job.id}/retry", {"state": "failed", "search": "ann"})
    assert answer.headers["location"] == "/jobs?state=failed&search=ann"
    again = browser.post(f"/jobs/{job.id}/cancel", {"state": "waiting"})
    assert again.headers["location"] == "/jobs?state=waiting"


def test_what_cannot_be_tried_again_says_so_without_names_for_programs(office: Office) -> None:
    job = add_job(office, state="done", ended_at="2026-04-01T00:00:00.000Z")
    answer = office.browser("manager").post(f"/jobs/{job.id}/retry", {})
    assert answer.status_code == 409
    assert "This job is done: there is nothing to try again." in answer.text
    assert job.id not in answer.text.split("This job is done")[1].split("</div>")[0]
