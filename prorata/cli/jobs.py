"""The `prorata jobs` commands: background work, failures with their reasons, and remedies."""

import json
from collections.abc import Mapping
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Any

import click

from prorata import wiring
from prorata.actions.accounts import accounts
from prorata.actions.jobs import jobs as job_actions
from prorata.cli.limits import MOST_JOBS_PRINTED
from prorata.domain.jobs.jobs import FAILED, STATES, happened_in_words, in_minutes, what_next
from prorata.domain.jobs.recurrences import ACCOUNTS
from prorata.domain.mail import deliveries
from prorata.errors import Refusal
from prorata.settings import Settings, read_settings
from prorata.store.database.engine import Database, Tx, timestamp
from prorata.store.jobs import jobs as stored, outbound_hold, recurring
from prorata.store.jobs.outbound_hold import HoldRow
from prorata.store.overview import job_lists
from prorata.store.overview.job_lists import ListedJob
from prorata.worker.job_kinds import Kind

BY_OPERATOR = "an operator requested it"
_account = click.option("--account", metavar="E", help="Only for this account: its id, or its owner's e-mail address.")


@click.group()
def jobs() -> None:
    """List background work; retry or cancel failed jobs."""


@jobs.command("list")
@_account
@click.option("--state", type=click.Choice(STATES), help="Only in this state.  [default: all that have not succeeded]")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def list_(*, account: str | None, state: str | None, as_json: bool) -> None:
    """List waiting, running and failed jobs: their purpose, what happened, and what happens next."""
    settings = read_settings()
    kinds = {kind.name: kind for kind in wiring.job_kinds(settings)}
    with wiring.opened(settings) as database:
        now = timestamp(database.clock())
        hold = database.read(outbound_hold.found)
        rows = database.read(lambda tx: _listed(tx, account, state, MOST_JOBS_PRINTED + 1))
    more = len(rows) > MOST_JOBS_PRINTED
    shown = [_described(row, kinds.get(row.kind), hold, now) for row in rows[:MOST_JOBS_PRINTED]]
    if as_json:
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
        return
    if hold is not None:
        click.echo(f"Jobs that contact other systems have been on hold since {in_minutes(hold.since)}: {hold.why}.")
    for job in shown:
        click.echo(_in_words(job))
    if not shown:
        click.echo("There are no such jobs." if state else "No jobs are waiting or running, and none have failed.")
    if more:
        click.echo(f"There are more than {MOST_JOBS_PRINTED:,}. Name an --account or a --state.", err=True)


def _listed(tx: Tx, account: str | None, state: str | None, limit: int, behind: str | None = None) -> list[ListedJob]:
    account_id = accounts.find_account(tx, account).id if account else None
    return job_lists.listed(tx, account_id=account_id, state=state, limit=limit, behind=behind)


def _described(row: ListedJob, kind: Kind | None, hold: HoldRow | None, now: str) -> dict[str, Any]:
    held = hold is not None and kind is not None and kind.leaves_the_house
    return {
        "id": row.id,
        "kind": row.kind,
        "says": _says(row, kind),
        "accountId": row.account_id,
        "account": row.account_name,
        "about": row.subject,
        "state": row.state,
        "createdAt": row.created_at,
        "dueAt": row.due_at,
        "attempts": row.attempts,
        "attemptsAllowed": kind.attempts if kind else None,
        "happened": happened_in_words(row.last_error),
        "endedAt": row.ended_at,
        "next": what_next(
            row.state,
            job_id=row.id,
            due_at=row.due_at,
            lease_until=row.lease_until,
            now=now,
            held=held,
            known=kind is not None,
        ),
    }


def _says(row: ListedJob, kind: Kind | None) -> str:
    if row.mail_kind is not None:
        return deliveries.in_words(row.mail_kind, row.invoice_number, row.mail_to)
    return kind.says if kind else f"is of the kind {row.kind}"


def _in_words(job: dict[str, Any]) -> str:
    about = f" (about {job['about']})" if job["about"] else ""
    since = job["endedAt"] or job["createdAt"]
    tried = {0: "not tried yet", 1: "tried once"}.get(job["attempts"], f"tried {job['attempts']} times")
    lines = [
        f"{job['id']}  {job['state']} since {in_minutes(since)}, {tried}",
        f"  It {job['says']}{about}, for {job['account']}.",
        *([f"  What happened: {job['happened']}"] if job["happened"] else []),
        f"  {job['next']}",
    ]
    return "\n".join(lines)


@jobs.command()
@click.option(
    "--account",
    metavar="E",
    help="Show when each task is next checked for this account: its id, or its owner's e-mail address.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def schedule(*, account: str | None, as_json: bool) -> None:
    """List recurring work: what each task does, when and how often."""
    from prorata.wiring.recurrences import recurrences  # noqa: PLC0415 - no other command waits for its imports

    settings = read_settings()
    nexts = _nexts(settings, account) if account else {}
    works = [recurrence for recurrence in recurrences(settings) if account is None or recurrence.of == ACCOUNTS]
    if as_json:
        shown = [{**recurrence._asdict(), "nextAt": nexts.get(recurrence.name)} for recurrence in works]
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
        return
    for of, some in groupby(works, key=lambda recurrence: recurrence.of):
        click.echo(f"In {of}:" if of != ACCOUNTS else "For each account:")
        for recurrence in some:
            due = f"; looked at next: {in_minutes(nexts[recurrence.name])}" if recurrence.name in nexts else ""
            click.echo(f"  {recurrence.name}: {recurrence.when}{due}\n    It {recurrence.says}.")


def _nexts(settings: Settings, account: str) -> dict[str, str]:
    """Map an account's recurring tasks, by name, to the times of their next checks."""
    with wiring.opened(settings) as database:
        rows = database.read(lambda tx: recurring.of_account(tx, accounts.find_account(tx, account).id))
    return {row.name: row.next_at for row in rows}


@jobs.command()
@click.argument("job_ids", metavar="[ID]...", nargs=-1)
@click.option("--all-failed", is_flag=True, help="Retry every failed job, instead of specific ones.")
@_account
def retry(*, job_ids: tuple[str, ...], all_failed: bool, account: str | None) -> int:
    """Retry jobs at once, giving them their full number of attempts again."""
    if bool(job_ids) == all_failed:
        raise click.UsageError("Specify the jobs to retry, or use --all-failed.")
    settings = read_settings()
    kinds = {kind.name: kind for kind in wiring.job_kinds(settings)}
    with wiring.opened(settings) as database:
        if all_failed:
            return _retry_failed(database, kinds, account)
        return _each(database, list(job_ids), partial(_retry, kinds))


def _retry_failed(database: Database, kinds: dict[str, Kind], account: str | None) -> int:
    """Retry all failed jobs, or those of one account, each in its own transaction.

    Return 1 if a job could not be retried, and otherwise 0.
    """
    refused, last = 0, ""
    while failed := database.read(
        partial(_listed, account=account, state=FAILED, limit=MOST_JOBS_PRINTED, behind=last)
    ):
        last = failed[-1].id
        owners = {row.id: row.account_id for row in failed}
        refused |= _each(database, list(owners), partial(_retry, kinds, owners=owners))
    if not last:
        click.echo("No job has failed.")
    return refused


@jobs.command()
@click.argument("job_ids", metavar="ID...", nargs=-1, required=True)
def cancel(*, job_ids: tuple[str, ...]) -> int:
    """Cancel jobs permanently.

    Anything that a running job has already sent can't be recalled.
    """
    settings = read_settings()
    kinds = {kind.name: kind for kind in wiring.job_kinds(settings)}
    with wiring.opened(settings) as database:
        return _each(database, list(job_ids), partial(_cancel, kinds))


def _retry(kinds: dict[str, Kind], tx: Tx, job_id: str, owners: Mapping[str, str] = MappingProxyType({})) -> str:
    account_id = owners.get(job_id) or job_actions.account_of(tx, job_id)
    job = stored.find(tx, account_id, job_id)
    kind = kinds.get(job.kind) if job is not None else None
    if job is not None and kind is not None:
        kind.tried_again(tx, job)
    job_actions.retry(tx, account_id, job_id)
    if kind is not None and kind.leaves_the_house and outbound_hold.found(tx) is not None:
        return f"{job_id} will be tried again once the jobs on hold are released: prorata jobs release"
    return f"{job_id} will be tried again."


def _cancel(kinds: dict[str, Kind], tx: Tx, job_id: str) -> str:
    account_id = job_actions.account_of(tx, job_id)
    job = stored.find(tx, account_id, job_id)
    if job is not None and job.kind in kinds:
        kinds[job.kind].called_off(tx, job)
    was = job_actions.cancel(tx, account_id, job_id)
    late = " It was already running, so anything it had sent stays sent." if was.state == "running" else ""
    return f"{job_id} is cancelled.{late}"


def _each(database: Database, named: list[str], act: Any) -> int:
    """Change each of the named jobs with `act`, in a transaction of its own.

    Return 1 if a change was refused, and otherwise 0.
    """
    refused = 0
    for job_id in named:
        try:
            click.echo(database.write(lambda tx, job_id=job_id: act(tx, job_id)))  # type: ignore[misc]
        except Refusal as refusal:
            click.echo(f"{job_id}: {refusal.message}", err=True)
            refused = 1
    return refused


@jobs.command()
def hold() -> None:
    """Hold all outgoing jobs (mail, payment links) until they are released."""
    with wiring.opened(read_settings()) as database:
        database.write(lambda tx: outbound_hold.hold_outside_jobs(tx, BY_OPERATOR))
    click.echo("Jobs that contact other systems are on hold. To release them, run: prorata jobs release")


@jobs.command()
def release() -> None:
    """Release the outgoing jobs that are held, for example after a restore."""
    with wiring.opened(read_settings()) as database:
        was_held = database.write(outbound_hold.release)
    click.echo("The jobs on hold have been released." if was_held else "No jobs were on hold.")
