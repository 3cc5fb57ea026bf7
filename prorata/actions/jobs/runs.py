"""The runs of jobs: a worker claims a job for a limited time, its lease.

A run ends under its lease; a job whose worker died is reclaimed.
"""

import json
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from prorata.domain.jobs.backoff import Backoff, delay
from prorata.domain.jobs.jobs import BROKEN_OFF, DONE, FAILED, RUNNING, WAITING, happened_in_words
from prorata.domain.limits import LONGEST_JOB_ERROR
from prorata.domain.texts import say
from prorata.store.database.engine import Tx, timestamp
from prorata.store.jobs import jobs
from prorata.store.jobs.jobs import JobRow

TAKEN_BACK_AT_ONCE = 100
_OUT = "out"
_BEHIND_EVERY_LEASE = "9999"
BY_AGE = None
"""The value for `after` in `claim` that takes the oldest jobs, whatever their account."""


GivenUp = Callable[[Tx, JobRow, str], None]
"""A function that stores further notes when a job has failed for good.

It receives the sentence that is stored with the job.
"""


def _not_noted(_tx: Tx, _row: JobRow, _why: str) -> None:
    return None


class Terms(NamedTuple):
    """The rules for running the jobs of a kind.

    `lease` is in seconds, `attempts` is the maximum number of attempts, and `backoff` the delay between them.
    `after_a_break` is the minimum delay after an interrupted run that may have sent something. When a job fails
    for good, `given_up` is called to store more about it.
    """

    lease: float
    attempts: int
    backoff: Backoff
    after_a_break: timedelta = timedelta()
    given_up: GivenUp = _not_noted


class LeaseLost(Exception):
    """Raised if a run must not write: its job was cancelled or has another worker."""


class Claim(NamedTuple):
    """The claimed jobs, and the account id to pass to the next `claim` as `after`."""

    taken: list[JobRow]
    after: str


def claim(tx: Tx, kind: str, terms: Terms, *, places: int, after: str | None) -> Claim:
    """Claim up to `places` due jobs of a kind for a worker, under a lease.

    First, one job of each account is claimed, in order of account ids, beginning with the account that follows
    `after`. If fewer than `places` are claimed, the jobs that have been due the longest are claimed next. If `after`
    is `BY_AGE`, only the jobs that have been due the longest are claimed.
    """
    due, behind = ([], "") if after is BY_AGE else _in_turn(tx, kind, places, after)
    if len(due) < places:
        had = {row.id for row in due}
        due += [row for row in jobs.oldest_due(tx, kind, tx.now, places) if row.id not in had][: places - len(due)]
    until = timestamp(tx.moment + timedelta(seconds=terms.lease))
    taken = [
        row._replace(
            state=RUNNING,
            attempts=row.attempts + 1,
            lease_until=until,
            lease_token=tx.new_id("run"),
            updated_at=tx.now,
        )
        for row in due
    ]
    jobs.save(tx, taken)
    return Claim(taken, behind)


def _in_turn(tx: Tx, kind: str, places: int, after: str) -> tuple[list[JobRow], str]:
    """Return a due job of each account, beginning with the account that follows `after`.

    After the last account, the search continues with the first accounts. At most `places` jobs are returned, together
    with the last account examined.
    """
    due: list[JobRow] = []
    for begin in [after, ""] if after else [""]:
        turns = jobs.turns(tx, kind, begin)
        for turn in turns:
            if len(due) == places:
                return due, after
            after = turn.account_id
            row = jobs.oldest_due_of(tx, after, kind, tx.now) if turn.due_at <= tx.now else None
            if row is not None and row not in due:
                due.append(row)
        if len(turns) == jobs.LOOKED_AT_ONCE:
            break  # there may be more: the next turn continues there instead of starting over
    return due, after


def finish(tx: Tx, row: JobRow) -> None:
    """End a run successfully, in the transaction that contains its results.

    Raises `LeaseLost` if the job has another worker or was cancelled; the transaction is then undone.
    """
    done = row._replace(
        state=DONE, lease_until=None, lease_token=None, last_error=None, updated_at=tx.now, ended_at=tx.now
    )
    _end(tx, row, done)


def put_off(tx: Tx, row: JobRow, why: str | None, until: datetime) -> None:
    """Postpone a claimed job without trying it; the run doesn't count as an attempt.

    Raises `LeaseLost` if the job has another worker or was cancelled.
    """
    _end(tx, row, _waiting(tx, row, why or row.last_error, until), uncounted=1)


def hand_back(tx: Tx, row: JobRow, why: str, terms: Terms) -> None:
    """End a run of a stopping worker; the run does not count as an attempt.

    The job is run again at once, or after its kind's delay if the run may just have sent something. Raises
    `LeaseLost` if the job has another worker or was cancelled.
    """
    now = jobs.lock(tx, row.account_id, row.id)
    is_out = now is not None and _is_out(now)
    put_off(tx, row, why, tx.moment + (terms.after_a_break if is_out else timedelta()))


def fail(tx: Tx, row: JobRow, terms: Terms, why: str, *, chance: float, after: timedelta | None = None) -> bool:
    """End a failed run; retry its job later, or give up after the last attempt.

    Return True if the job was given up. `chance` in [0, 1) makes delays differ at random; `after` is the delay
    that a failed service asked for. Raises `LeaseLost` if the job has another worker or was cancelled.
    """
    if row.attempts >= terms.attempts:
        refuse(tx, row, f"{why} {_tried(row.attempts)}", terms.given_up)
        return True
    until = tx.moment + (delay(terms.backoff, row.attempts, chance) if after is None else after)
    _end(tx, row, _waiting(tx, row, why, until))
    jobs.count_failed_try(tx, row.account_id, row.kind)
    return False


def _tried(attempts: int) -> str:
    return say("It was tried once.") if attempts == 1 else say("It was tried {attempts} times.", attempts=attempts)


def refuse(tx: Tx, row: JobRow, why: str, given_up: GivenUp = _not_noted) -> None:
    """End a run whose failure no retry can fix; the job waits for a person.

    `given_up` is called first to store more about the failure. Raises `LeaseLost` if the job has another worker or
    was cancelled.
    """
    given_up(
        tx, row, why[:LONGEST_JOB_ERROR]
    )  # before the job is written, as whoever cancels one locks the records first
    _end(tx, row, _dead(tx, row, why))
    jobs.count_failed_try(tx, row.account_id, row.kind)


def _waiting(tx: Tx, row: JobRow, why: str | None, until: datetime) -> JobRow:
    return row._replace(
        state=WAITING,
        due_at=timestamp(until),
        lease_until=None,
        lease_token=None,
        last_error=why[:LONGEST_JOB_ERROR] if why else None,
        updated_at=tx.now,
    )


def _dead(tx: Tx, row: JobRow, why: str) -> JobRow:
    return row._replace(
        state=FAILED,
        lease_until=None,
        lease_token=None,
        last_error=why[:LONGEST_JOB_ERROR],
        updated_at=tx.now,
        ended_at=tx.now,
    )


def _end(tx: Tx, row: JobRow, after: JobRow, *, uncounted: int = 0) -> None:
    assert row.lease_token is not None, "it was taken under a lease"
    if not jobs.end(tx, after, token=row.lease_token, uncounted=uncounted):
        raise LeaseLost


def extend(tx: Tx, row: JobRow, terms: Terms) -> bool:
    """Extend a run's lease; return False if another worker has the job."""
    assert row.lease_token is not None, "it was taken under a lease"
    until = timestamp(tx.moment + timedelta(seconds=terms.lease))
    return jobs.extend(tx, row.account_id, row.id, token=row.lease_token, until=until)


def go_out(tx: Tx, row: JobRow) -> bool:
    """Record that this run begins something that can't be undone, such as sending an e-mail.

    Return False if another worker has the job.
    """
    assert row.lease_token is not None, "it was taken under a lease"
    payload = json.dumps(json.loads(row.payload) | {_OUT: row.lease_token}, ensure_ascii=False, separators=(",", ":"))
    return jobs.note(tx, row.account_id, row.id, token=row.lease_token, payload=payload)


def abandoned(
    tx: Tx, kinds: list[str], most: int, but: Collection[str], *, none_else_lives: bool = False
) -> list[JobRow]:
    """List up to `most` running jobs whose worker has not extended its lease.

    Runs with a lease token in `but` are left out. If `none_else_lives` is true, no other worker process is alive,
    so all other runs are listed, whatever their leases.
    """
    before = _BEHIND_EVERY_LEASE if none_else_lives else tx.now
    abandoned_jobs = jobs.leases_over(tx, kinds, before, most + len(but))
    return [row for row in abandoned_jobs if row.lease_token not in but][:most]


def take_back(tx: Tx, row: JobRow, terms: Terms, chance: float, *, none_else_lives: bool = False) -> JobRow:
    """Reclaim an abandoned job; return the job's new row.

    The abandoned run counts as an attempt, so that a job that kills every worker is given up eventually. `chance`
    in [0, 1) makes delays differ at random. If `none_else_lives` is true, no other worker process is alive. Raises
    `LeaseLost` if the job's worker is alive after all, or another worker was faster.
    """
    why = say(
        "{happened_in_words} {tried} It may be crashing every worker that runs it.",
        happened_in_words=happened_in_words(BROKEN_OFF),
        tried=_tried(row.attempts),
    )
    is_given_up = row.attempts >= terms.attempts
    if is_given_up:
        terms.given_up(tx, row, why)  # before the job is locked, as in `refuse`
    now = jobs.lock(tx, row.account_id, row.id)
    if now is None or now.lease_token != row.lease_token or now.lease_until is None:
        raise LeaseLost
    if now.lease_until >= tx.now and not none_else_lives:
        raise LeaseLost
    wait = _after_a_break(now, terms, chance)
    after = _dead(tx, row, why) if is_given_up else _waiting(tx, row, BROKEN_OFF, tx.moment + wait)
    jobs.save(tx, [after])
    jobs.count_failed_try(tx, row.account_id, row.kind)
    return after


def _after_a_break(row: JobRow, terms: Terms, chance: float) -> timedelta:
    """Return the delay before a job whose run was interrupted is run again.

    If the run may have sent something, the delay is at least the kind's `after_a_break`. Otherwise there is no
    delay, unless the previous run was interrupted too, because the job may be the cause.
    """
    if _is_out(row):
        return max(delay(terms.backoff, row.attempts, chance), terms.after_a_break)
    return delay(terms.backoff, row.attempts, chance) if row.last_error == BROKEN_OFF else timedelta()


def _is_out(row: JobRow) -> bool:
    """True if the current run has begun something that can't be undone (`go_out`)."""
    return bool(json.loads(row.payload).get(_OUT) == row.lease_token)
