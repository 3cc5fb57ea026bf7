"""`prorata jobs` shows failed jobs with their reasons and lets an operator deal with them."""

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prorata.actions.invoices import invoices
from prorata.actions.jobs import jobs, runs as job_runs
from prorata.actions.jobs.runs import Terms
from prorata.actions.mail import account_mail
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.properties import tenants
from prorata.cli.jobs import _cancel, _retry
from prorata.cli.limits import MOST_JOBS_PRINTED
from prorata.domain.accounts.account_mail import AccountKind
from prorata.domain.jobs.backoff import Backoff
from prorata.domain.jobs.jobs import in_minutes
from prorata.errors import Conflict
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.jobs import counts as job_counts, jobs as stored, outbound_hold, recurring
from prorata.store.properties import units
from prorata.wiring.recurrences import recurrences
from prorata.worker.job_kinds import Done, Kind
from prorata.worker.rounds import STEPS
from tests.cli.running import Command
from tests.cli.seeding import database_at, seed, write_bills
from tests.store.database.test_migrations import fill_older

TERMS = Terms(lease=60, attempts=2, backoff=Backoff())
EMAIL = "ann@example.com"


def write(url: str, work: Callable[[Tx], Any]) -> Any:
    with database_at(url) as database:
        return database.write(work)


def failed_job(url: str, account: str, why: str = "The printer is out of paper. Fill it.") -> str:
    """The id of a job that has failed for good."""

    def fail(tx: Tx) -> str:
        jobs.enqueue(tx, account, "overdue", {}, subject="inv_7")
        (row,) = job_runs.claim(tx, "overdue", TERMS, places=1, after=None).taken
        job_runs.refuse(tx, row, why)
        return row.id

    return str(write(url, fail))


def test_a_failed_job_is_listed_in_plain_words_with_what_to_do(command: Command, url: str) -> None:
    account = command.account()
    assert command.ok("jobs", "list") == "No jobs are waiting or running, and none have failed."
    job_id = failed_job(url, account)

    said = command.ok("jobs", "list")

    assert f"{job_id}  failed since 20" in said
    assert "It marks unpaid invoices as overdue once their due date has passed (about inv_7), for Ann." in said
    assert "What happened: The printer is out of paper. Fill it." in said
    assert f"It is waiting for you. Once you have fixed the cause, run: prorata jobs retry {job_id}" in said
    (listed,) = json.loads(command.ok("jobs", "list", "--state", "failed", "--account", EMAIL, "--json"))
    assert (listed["id"], listed["attempts"], listed["account"]) == (job_id, 1, "Ann")
    assert command.ok("jobs", "list", "--state", "done") == "There are no such jobs."
    stranger = command.account("stranger@example.com")
    assert json.loads(command.ok("jobs", "list", "--account", stranger, "--json")) == []


def test_a_failed_job_is_tried_again_or_cancelled(command: Command, url: str) -> None:
    account = command.account()
    first, second, third = (failed_job(url, account) for _ in range(3))

    assert command.ok("jobs", "retry", first) == f"{first} will be tried again."
    assert command.ok("jobs", "cancel", second) == f"{second} is cancelled."
    assert command.ok("jobs", "retry", "--all-failed") == f"{third} will be tried again."
    assert command.ok("jobs", "retry", "--all-failed") == "No job has failed."
    said = command.ok("jobs", "list")
    assert said.count("waiting since") == 2
    assert said.count("It will run as soon as a worker is free.") == 2
    assert "was cancelled" in command.refused("jobs", "cancel", second)
    assert "no job with this id" in command.refused("jobs", "retry", "job_nowhere")
    assert "--all-failed" in command.refused("jobs", "retry", code=2)
    assert command.ok("check") == "No problems were found in the stored data."


def test_every_failed_job_is_tried_again_however_many_there_are(command: Command, url: str) -> None:
    account, stranger = command.account(), command.account("stranger@example.com")
    many = MOST_JOBS_PRINTED + 2

    def fail(tx: Tx) -> None:
        for owner, number in ((account, many), (stranger, 1)):
            for _ in range(number):
                jobs.enqueue(tx, owner, "overdue", {})
        for row in job_runs.claim(tx, "overdue", TERMS, places=many + 1, after=None).taken:
            job_runs.refuse(tx, row, "No.")

    write(url, fail)
    assert command.ok("jobs", "retry", "--all-failed", "--account", EMAIL).count("will be tried again.") == many
    assert command.ok("jobs", "retry", "--all-failed").count("will be tried again.") == 1
    assert command.ok("jobs", "retry", "--all-failed") == "No job has failed."


def test_what_a_kind_notes_of_a_retry_or_a_cancel_is_noted_before_the_job_and_undone_with_it(
    command: Command, url: str
) -> None:
    account, seen = command.account(), []

    def note(tx: Tx, job: stored.JobRow) -> None:
        now = stored.find(tx, account, job.id)
        assert now is not None
        seen.append((job.id, now.state))
        jobs.enqueue(tx, account, "noted", {})

    kinds = {"overdue": Kind("overdue", "does it", lambda *_: Done(), called_off=note, tried_again=note)}
    job_id = failed_job(url, account)
    assert write(url, lambda tx: _retry(kinds, tx, job_id)) == f"{job_id} will be tried again."
    assert write(url, lambda tx: _cancel(kinds, tx, job_id)) == f"{job_id} is cancelled."
    for act in (_retry, _cancel):
        with pytest.raises(Conflict):
            write(url, lambda tx, act=act: act(kinds, tx, job_id))
    assert seen == [(job_id, state) for state in ("failed", "waiting", "cancelled", "cancelled")]
    assert write(url, lambda tx: [depth.number for depth in job_counts.depths(tx) if depth.kind == "noted"]) == [2]


def test_what_is_wrong_with_stored_jobs_is_found_by_the_check(on_sqlite: Command) -> None:
    account = on_sqlite.account()
    url = f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}"
    job_id = failed_job(url, account)
    write(url, lambda tx: stored.save(tx, [_as(tx, account, job_id, attempts=0, state="done")]))

    done = on_sqlite.run("check")

    assert done.code == 1
    assert f"Job {job_id} is done" in done.out


def _as(tx: Tx, account: str, job_id: str, **columns: object) -> stored.JobRow:
    row = stored.find(tx, account, job_id)
    assert row is not None
    return row._replace(**columns)


def test_jobs_that_leave_the_house_are_held_and_released_by_hand(command: Command, url: str) -> None:
    command.account()
    assert command.ok("jobs", "release") == "No jobs were on hold."
    assert "are on hold" in command.ok("jobs", "hold")
    assert "an operator requested it" in command.ok("jobs", "list")
    assert command.ok("jobs", "release") == "The jobs on hold have been released."
    assert command.ok("jobs", "list") == "No jobs are waiting or running, and none have failed."


def test_a_retry_while_jobs_are_held_says_that_it_waits_to_be_let_go(command: Command, url: str) -> None:
    account = command.account()

    def queue(tx: Tx) -> str:
        return str(jobs.enqueue(tx, account, "mail", {"mail": "mail_1"}, subject="mail_1", unique_key="mail_1"))

    sends, stays = str(write(url, queue)), failed_job(url, account)
    command.ok("jobs", "hold")
    assert command.ok("jobs", "retry", sends, stays).splitlines() == [
        f"{sends} will be tried again once the jobs on hold are released: prorata jobs release",
        f"{stays} will be tried again.",
    ]
    command.ok("jobs", "release")
    assert command.ok("jobs", "retry", sends) == f"{sends} will be tried again."


def test_a_job_of_mail_says_which_message_it_sends_about_which_invoice_and_to_whom(command: Command, url: str) -> None:
    account, invoice_id = with_a_sent_invoice(command, url)
    to = {"to_address": "bo@example.org", "to_name": None, "link_id": "link_1"}
    write(url, lambda tx: account_mail.queue(tx, account, AccountKind.RESET, **to))

    listed = json.loads(command.ok("jobs", "list", "--json"))
    said = command.ok("jobs", "list")

    says = ["sends invoice HOUSE0-0-2025-01 to T0 by e-mail", "sends somebody a link for a new password by e-mail"]
    assert [one["says"] for one in listed if one["kind"] == "mail"] == says
    assert f"It sends invoice HOUSE0-0-2025-01 to T0 by e-mail (about {invoice_id}), for Ann." in said
    assert "@example.org" not in said


def with_a_sent_invoice(command: Command, url: str) -> tuple[str, str]:
    """An account with an invoice that waits to be sent, as the ids of both."""
    account = command.account()
    seed(url, EMAIL, number=1, units=1)
    command.ok("bills", "import", write_bills(command.data.parent / "bills.csv", number=1, of_properties=1),
               "--account", EMAIL)  # fmt: skip

    def send(tx: Tx) -> str:
        caller = Caller(account, "test")
        (found,), _ = invoices.page(tx, caller, {}, limit=1, offset=0, details=False)
        (tenant,) = units.tenants_of_unit(tx, account, found.summary.unit_id)
        tenants.change(tx, caller, tenant.id, {"email": "t0@example.org"})
        return invoices.set_status(tx, caller, found.summary.id, "SENT").summary.id

    return account, str(write(url, send))


def test_a_backup_of_an_older_schema_is_brought_up_to_date_and_held(on_sqlite: Command, tmp_path: Path) -> None:
    url = f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}"
    fill_older(url)
    on_sqlite.ok("db", "backup", "backup.tar")
    there = Command(tmp_path / "there")

    there.ok("db", "restore", on_sqlite.folder / "backup.tar")

    assert "restored from a backup of 20" in there.ok("jobs", "list")
    assert there.ok("check") == "No problems were found in the stored data."


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_restored_database_holds_jobs_that_leave_the_house(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    command: Command = request.getfixturevalue(f"on_{kind}")
    command.account()
    command.ok("db", "backup", "backup.tar")
    there = Command(tmp_path / "there", **{k: v for k, v in command.settings.items() if k != "PRORATA_DATA_DIR"})
    if kind == "postgresql":
        there.settings["PRORATA_DATABASE_URL"] = request.getfixturevalue("postgresql_url")

    said = there.ok("db", "restore", command.folder / "backup.tar")

    assert "prorata jobs release" in said
    assert "restored from a backup of 20" in there.ok("jobs", "list")
    url = there.settings.get("PRORATA_DATABASE_URL") or f"sqlite:///{there.data / 'prorata.sqlite3'}"
    with database_at(url) as database:
        assert database.read(outbound_hold.found) is not None
    assert command.ok("jobs", "list") == "No jobs are waiting or running, and none have failed.", (
        "what was backed up goes on"
    )
    assert there.ok("check") == "No problems were found in the stored data."


def test_everything_that_recurs_is_listed_with_when_and_how_often_as_the_docs_do(command: Command) -> None:
    listed = command.ok("jobs", "schedule")

    assert f"```\n{listed}\n```" in Path("docs/operating.md").read_text()
    brief = re.sub(r"^  (.+): (.+)\n    It .+$", lambda one: f"    {one[1]:<22} {one[2]}", listed, flags=re.MULTILINE)
    assert str(inspect.getdoc(recurrences)).endswith(f"\n\n{brief}")
    as_json = json.loads(command.ok("jobs", "schedule", "--json"))
    named = [one["name"] for one in as_json]
    assert len(named) == len(set(named)) == listed.count("    It ")
    assert {one.name for one in RECURRING} | {step.name for step in STEPS} < set(named)
    assert as_json[0] == {
        "name": "overdue",
        "says": "marks unpaid invoices as overdue once their due date has passed",
        "when": "each day at midnight in the account's time zone",
        "of": "each account",
        "nextAt": None,
    }


def test_an_account_is_told_when_each_recurrence_is_next(command: Command, url: str) -> None:
    account = command.account()
    rows = {row.name: row.next_at for row in write(url, lambda tx: recurring.of_account(tx, account))}

    said = command.ok("jobs", "schedule", "--account", EMAIL)

    assert f"account's time zone; looked at next: {in_minutes(rows['overdue'])}" in said
    assert said.count("; looked at next: ") == said.count("    It ") == len(rows) == 6
    found = json.loads(command.ok("jobs", "schedule", "--account", account, "--json"))
    assert {one["name"]: one["nextAt"] for one in found} == rows
    assert "no account" in command.refused("jobs", "schedule", "--account", "nobody@example.com")
