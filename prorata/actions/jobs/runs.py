"""A run of a job: taken under a lease, ended under the same lease, or taken back from a worker that is gone."""

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
"""Instead of an account: whose turn it is is not asked."""


GivenUp = Callable[[Tx, JobRow, str], None]
"""What else is noted when a job has failed for good, with the sentence that the job keeps."""


def _not_noted(_tx: Tx, _row: JobRow, _why: str) -> None:
    return None


class Terms(NamedTuple):
    """How jobs of a kind are run: seconds of a lease, attempts, and how long they wait in between; how long at least
    when a run was broken off that had gone out; and what is noted when one is given up.
    """

    lease: float
    attempts: int
    backoff: Backoff
    after_a_break: timedelta = timedelta()
    given_up: GivenUp = _not_noted


class LeaseLost(Exception):
    """Another has the job by now, or it was cancelled: nothing of this run may be written."""


class Claim(NamedTuple):
    """Jobs that were taken, and the account behind which the next turn begins."""

    taken: list[JobRow]
    after: str


def claim(tx: Tx, kind: str, terms: Terms, *, places: int, after: str | None) -> Claim:
    """Take jobs of a kind that are due, `places` at most, under a lease.

    With `after`, one of each account in turn, beginning behind that account; what places are left then, and without
    `after` all of them, go to the jobs that have been due the longest.
    """
    found, behind = ([], "") if after is BY_AGE else _in_turn(tx, kind, places, after)
    if len(found) < places:
        had = {row.id for row in found}
        found += [row for row in jobs.oldest_due(tx, kind, tx.now, places) if row.id not in had][: places - len(found)]
    until = timestamp(tx.moment + timedelta(seconds=terms.lease))
    taken = [
        row._replace(
            state=RUNNING,
            attempts=row.attempts + 1,
            lease_until=until,
            lease_token=tx.new_id("run"),
            updated_at=tx.now,
        )
        for row in found
    ]
    jobs.save(tx, taken)
    return Claim(taken, behind)


def _in_turn(tx: Tx, kind: str, places: int, after: str) -> tuple[list[JobRow], str]:
    """The first job of each account behind `after`, and of those before it when the end is reached."""
    found: list[JobRow] = []
    for begin in [after, ""] if after else [""]:
        turns = jobs.turns(tx, kind, begin)
        for turn in turns:
            if len(found) == places:
                return found, after
            after = turn.account_id
            row = jobs.oldest_due_of(tx, after, kind, tx.now) if turn.due_at <= tx.now else None
            if row is not None and row not in found:
                found.append(row)
        if len(turns) == jobs.LOOKED_AT_ONCE:
            break  # there may be more behind: the next turn goes on there, and does not begin anew
    return found, after


def finish(tx: Tx, row: JobRow) -> None:
    """End a run well, in the transaction of what it wrote. Raises `LeaseLost`, which undoes that."""
    done = row._replace(
        state=DONE, lease_until=None, lease_token=None, last_error=None, updated_at=tx.now, ended_at=tx.now
    )
    _end(tx, row, done)


def put_off(tx: Tx, row: JobRow, why: str | None, until: datetime) -> None:
    """End a run that has tried nothing: it does not count, and the job is run again then. Raises `LeaseLost`."""
    _end(tx, row, _waiting(tx, row, why or row.last_error, until), uncounted=1)


def hand_back(tx: Tx, row: JobRow, why: str, terms: Terms) -> None:
    """End a run whose worker stops: it does not count, and the job is run again at once, or when its kind says where
    the run has gone out, which may have happened just now. Raises `LeaseLost`.
    """
    now = jobs.lock(tx, row.account_id, row.id)
    is_out = now is not None and _is_out(now)
    put_off(tx, row, why, tx.moment + (terms.after_a_break if is_out else timedelta()))


def fail(tx: Tx, row: JobRow, terms: Terms, why: str, *, chance: float, after: timedelta | None = None) -> bool:
    """End a run that failed: the job is tried again later, or, when that was its last attempt, it has failed for good.

    Returns whether it has. `chance` in [0, 1) spreads the delays; `after` is a delay that somebody asked for. Raises
    `LeaseLost`.
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
    """End a run that no other try can better: the job waits for a person, and `given_up` notes what else there is to
    note. Raises `LeaseLost`.
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
    """Extend the lease of a run that goes on; False when another has the job by now."""
    assert row.lease_token is not None, "it was taken under a lease"
    until = timestamp(tx.moment + timedelta(seconds=terms.lease))
    return jobs.extend(tx, row.account_id, row.id, token=row.lease_token, until=until)


def go_out(tx: Tx, row: JobRow) -> bool:
    """Note in a job that this run of it is about to do what can't be taken back; False when another has it by now."""
    assert row.lease_token is not None, "it was taken under a lease"
    payload = json.dumps(json.loads(row.payload) | {_OUT: row.lease_token}, ensure_ascii=False, separators=(",", ":"))
    return jobs.note(tx, row.account_id, row.id, token=row.lease_token, payload=payload)


def abandoned(
    tx: Tx, kinds: list[str], most: int, but: Collection[str], *, none_else_lives: bool = False
) -> list[JobRow]:
    """Jobs whose worker has not extended its lease, `most` at most; without the runs that have the tokens `but`. Every
    other run where no other worker lives.
    """
    before = _BEHIND_EVERY_LEASE if none_else_lives else tx.now
    found = jobs.leases_over(tx, kinds, before, most + len(but))
    return [row for row in found if row.lease_token not in but][:most]


def take_back(tx: Tx, row: JobRow, terms: Terms, chance: float, *, none_else_lives: bool = False) -> JobRow:
    """Take back a job that is abandoned; returns it as it then is. It counts as an attempt, so that a job that kills
    its worker comes to an end. Raises `LeaseLost` when its worker lives after all, or another was quicker.
    """
    why = say(
        "{happened_in_words} {tried} Something about it may stop every worker.",
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
    """The wait of a job whose run was broken off: none where it had not gone out, unless that happened to the
    run before it too, which the job may be to blame for.
    """
    if _is_out(row):
        return max(delay(terms.backoff, row.attempts, chance), terms.after_a_break)
    return delay(terms.backoff, row.attempts, chance) if row.last_error == BROKEN_OFF else timedelta()


def _is_out(row: JobRow) -> bool:
    """True once the run that is under way has gone out."""
    return bool(json.loads(row.payload).get(_OUT) == row.lease_token)
