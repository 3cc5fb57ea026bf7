"""Tests of the page of jobs.

It shows jobs that wait, run or have failed, and what a member can do about them.
"""

import threading
from collections.abc import Iterator

import pytest

from prorata.actions.jobs import jobs, retries as job_retries
from prorata.actions.mail import account_mail
from prorata.actions.overview import job_lists
from prorata.actions.overview.job_lists import Wish
from prorata.domain.accounts.account_mail import Notice
from prorata.store.accounts import members
from prorata.store.database.engine import Tx
from prorata.store.jobs import jobs as stored, outbound_hold
from prorata.store.jobs.jobs import JobRow
from prorata.store.overview import job_lists as stored_lists
from prorata.worker.job_kinds import Done, Kind
from prorata.worker.job_retries import retry_kind
from prorata.worker.rounds import Worker
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
    """The office, with two kinds of jobs."""
    built = build_office(migrated_url, job_kinds=lambda: KINDS)
    NOTED.clear()
    with built.live():
        yield built


def add_job(office: Office, account: str | None = None, kind: str = "count", **more: object) -> JobRow:
    def add(tx: Tx) -> JobRow:
        job_id = jobs.enqueue(tx, account or office.account_id, kind, {})
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
    assert "Nothing is waiting for you" in office.browser("viewer").get("/jobs").text


def test_a_task_of_a_later_time_says_when_it_is_planned_and_only_a_failed_one_that_it_is_tried_again(
    office: Office,
) -> None:
    later = add_job(office, due_at="2999-01-01T16:13:00.000Z")
    page = office.browser("manager").get("/jobs").text
    assert "Planned for: <time" in page
    assert "tried again" not in page
    add_job(office, kind="mail", due_at="2999-01-01T16:13:00.000Z")
    assert "To be sent: <time" in office.browser("manager").get("/jobs").text
    office.database.write(lambda tx: stored.save(tx, [later._replace(attempts=1)]))
    assert "It will be tried again automatically. Next try: <time" in office.browser("manager").get("/jobs").text


def test_what_failed_is_told_in_plain_words_and_tried_again(office: Office) -> None:
    job = failed_job(office)
    browser = office.browser("manager")
    page = browser.get("/jobs").text
    assert "Counts the invoices" in page
    assert "The abacus broke." in page
    assert "Tried 8 of 8 times." in page
    assert browser.post(f"/jobs/{job.id}/retry", {}).headers["location"] == "/jobs"
    again = browser.get("/jobs").text
    assert "The task is being retried." in again
    assert "It’s next in line." in again
    assert [f"again {job.id}"] == NOTED


def test_a_job_is_cancelled_after_asking(office: Office) -> None:
    job = add_job(office)
    browser = office.browser("manager")
    assert "Cancel the task “counts the invoices”?" in browser.get(f"/jobs/{job.id}/cancel").text
    browser.post(f"/jobs/{job.id}/cancel", {})
    assert [f"off {job.id}"] == NOTED
    assert ">Counts the invoices</span>" not in browser.get("/jobs").text
    assert "Counts the invoices" in browser.get("/jobs?state=cancelled").text
    assert browser.post(f"/jobs/{job.id}/cancel", {}).status_code == 409
    assert "cancelled the task" in browser.get("/activity").text


def test_nobody_keeps_from_a_member_that_their_sign_in_was_changed(office: Office) -> None:
    def tell(tx: Tx) -> JobRow:
        member = members.find_by_email(tx, "owner@example.com")
        assert member
        account_mail.tell(tx, member, Notice.PASSWORD)
        (job,) = stored_lists.listed(tx, account_id=office.account_id, state="waiting", limit=9)
        row = stored.find(tx, office.account_id, job.id)
        assert row
        return row

    job, browser = office.database.write(tell), office.browser("manager")
    assert f"/jobs/{job.id}/cancel" not in browser.get("/jobs").text
    refused = browser.post(f"/jobs/{job.id}/cancel", {})
    assert (refused.status_code, "can’t be cancelled" in refused.text) == (409, True)
    over = job._replace(state="failed", ended_at="2026-04-01T00:00:00.000Z", attempts=8, last_error="No such mailbox.")
    office.database.write(lambda tx: stored.save(tx, [over]))
    assert browser.post(f"/jobs/{job.id}/cancel", {}).status_code == 303


def test_held_jobs_are_explained(office: Office) -> None:
    (one,) = billed(office, "1")
    set_status(office, one.id, "SENT")
    add_job(office)
    office.database.write(lambda tx: outbound_hold.hold_outside_jobs(tx, "the database was restored"))
    page = office.browser("owner").get("/jobs").text
    assert "Nothing is being sent to anyone at the moment." in page
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
        lambda tx: job_lists.page(tx, office.caller, KINDS, Wish("done"))
    ).jobs  # fmt: skip
    assert [job.id for job in found] == [ended[1].id, ended[0].id]


def test_pages_of_what_is_not_done_lead_from_what_failed_to_what_waits(office: Office) -> None:
    waiting = [add_job(office) for _ in range(30)]
    failed = [failed_job(office) for _ in range(30)]
    seen: list[str] = []
    behind: str | None = None
    for _ in range(2):
        found = office.database.read(
            lambda tx, behind=behind: job_lists.page(tx, office.caller, KINDS, Wish(), behind=behind)  # type: ignore[misc]
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
        assert ">Counts the invoices</span>" not in page
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
    assert "This task is done and cannot be tried again." in answer.text
    assert job.id not in answer.text.split("This task is done")[1].split("</div>")[0]


def test_jobs_are_narrowed_by_kind_and_day_and_put_in_order(office: Office) -> None:
    (one,) = billed(office, "1")
    set_status(office, one.id, "SENT")
    first = failed_job(office)
    office.clock.advance(days=2)
    second = failed_job(office)
    browser = office.browser("viewer")
    of_kind = browser.get("/jobs?kind=mail").text
    assert f'href="/invoices/{one.id}"' in of_kind
    assert "The abacus broke." not in of_kind
    assert browser.get("/jobs?kind=count").text.count("The abacus broke.") == 2
    assert browser.get("/jobs?kind=count&day=2026-04-02").text.count("The abacus broke.") == 1
    assert "Nothing found" in browser.get("/jobs?kind=count&day=2026-01-01").text
    manager = office.browser("manager")
    for sort, order in (("oldest", (first, second)), ("newest", (second, first))):
        text = manager.get(f"/jobs?state=failed&sort={sort}").text
        places = [text.index(f"/jobs/{job.id}/cancel") for job in order]
        assert places == sorted(places), sort


def test_every_failed_job_of_a_kind_is_tried_again_after_asking(office: Office) -> None:
    failed = [failed_job(office) for _ in range(3)]
    other = failed_job(office, office.stranger_id)
    browser = office.browser("manager")
    assert "Try all again" not in office.browser("viewer").get("/jobs").text
    page = browser.get("/jobs?state=failed").text
    assert "Counts the invoices: 3 tasks failed." in page
    assert 'href="/jobs/failed/count/retry"' in page
    assert "Try all 3 tasks again?" in browser.get("/jobs/failed/count/retry").text
    assert browser.post("/jobs/failed/count/retry", {}).headers["location"] == "/jobs"
    again = browser.get("/jobs").text
    assert "3 tasks are being tried again, one after another." in again
    assert "Failed tasks are being tried again, one after another" in again
    assert 'hx-trigger="every 2s"' in again
    assert browser.post("/jobs/failed/count/retry", {}).status_code == 409, "they are already being retried"
    office.clock.advance(minutes=1)
    late = failed_job(office)._replace(ended_at="2026-04-03T00:00:00.000Z")
    office.database.write(lambda tx: stored.save(tx, [late]))
    work(office)
    states = {job: state_of(office, job) for job in (*failed, late)}
    assert list(states.values()) == ["waiting"] * 3 + ["failed"], "what failed since it was asked for stays"
    assert [f"again {job.id}" for job in failed] == NOTED
    assert state_of(office, other, office.stranger_id) == "failed"
    assert "tried 3 failed tasks again" in browser.get("/activity").text
    assert browser.post("/jobs/failed/tidy/retry", {}).status_code == 409
    assert browser.get("/jobs/failed/tidy/retry").status_code == 409


def state_of(office: Office, job: JobRow, account: str | None = None) -> str:
    row = office.database.read(lambda tx: stored.find(tx, account or office.account_id, job.id))
    assert row is not None
    return row.state


def work(office: Office) -> None:
    Worker(office.database, lambda: 0, (retry_kind(KINDS),)).do_round(threading.Event())


def test_a_job_that_another_does_the_same_as_stays_while_the_others_are_tried_again(office: Office) -> None:
    def doubled(tx: Tx) -> JobRow:
        job_id = jobs.enqueue(tx, office.account_id, "count", {}, unique_key="the same")
        row = stored.find(tx, office.account_id, job_id or "")
        assert row is not None
        ended = row._replace(state="failed", ended_at="2026-04-01T00:00:00.000Z", last_error="The abacus broke.")
        stored.save(tx, [ended])
        jobs.enqueue(tx, office.account_id, "count", {}, unique_key="the same")
        return ended

    double = office.database.write(doubled)
    other = failed_job(office)
    office.database.write(lambda tx: job_retries.begin(tx, office.caller, "count"))
    work(office)
    assert (state_of(office, double), state_of(office, other)) == ("failed", "waiting")


def test_a_state_that_is_none_is_answered_with_those_there_are(quick_office: Office) -> None:
    answer = quick_office.browser("owner").get("/jobs?state=late")
    assert answer.status_code == 400
    assert "Choose one from the list." in answer.text
