"""The states of a job, and the actions that each allows."""

from prorata.domain.texts import say

WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
STATES = (WAITING, RUNNING, DONE, FAILED, CANCELLED)
"""The states of a job.

A `failed` job is not retried automatically, because all attempts were used up, or because another attempt could not
succeed. A person may retry or cancel it.
"""
BROKEN_OFF = "broken_off"
"""The error of a job after its run was interrupted.

The error is a code, not a sentence, because the delay of the next run depends on it.
"""
_HAPPENED = {
    BROKEN_OFF: say(
        "The worker that was running it stopped partway through, or could not reach the database for too long."
    ),
}
DAYS_KEPT = 7
"""The number of days for which a completed or cancelled job is kept."""
_MINUTES = 16


def happened_in_words(last_error: str | None) -> str | None:
    """Describe why a job's last run failed; None if it did not fail.

    `last_error` is a sentence, or a code that stands for a sentence.

    >>> happened_in_words("Nobody listens there."), happened_in_words(None)
    ('Nobody listens there.', None)
    """
    return _HAPPENED.get(last_error, last_error) if last_error else None


def what_next(
    state: str, *, job_id: str, due_at: str, lease_until: str | None, now: str, held: bool, known: bool = True
) -> str:
    """Describe for the operator what happens next with a job, or what to do.

    `held` means that jobs that contact other systems are on hold. `known` means that this version of Prorata can
    run the job. Timestamps are shown in UTC.

    >>> what_next("waiting", job_id="job_1", due_at="2026-03-01T14:05:00.000Z", lease_until=None,
    ...           now="2026-03-01T14:00:00.000Z", held=False)
    'It will be tried at 2026-03-01 14:05 UTC.'
    """
    match state:
        case "waiting" if not known:
            sentence = say(
                "This version of Prorata doesn’t recognize this kind of job. Update Prorata, or cancel the job."
            )
        case "waiting" if held:
            sentence = say(
                "It is on hold, because it contacts other systems. To release all such jobs, run: prorata jobs release"
            )
        case "waiting" if due_at > now:
            sentence = say("It will be tried at {in_minutes}.", in_minutes=in_minutes(due_at))
        case "waiting":
            sentence = say("It will run as soon as a worker is free.")
        case "running" if lease_until is not None and lease_until < now:
            sentence = say("Its worker is gone. The next worker to run will take it over.")
        case "running":
            sentence = say("It is running.")
        case "failed":
            sentence = say(
                "It is waiting for you. Once you have fixed the cause, run: prorata jobs retry {job}", job=job_id
            )
        case _:
            sentence = say("Nothing more.")
    return sentence


def comes_next(state: str, *, held: bool, later: bool, tried: bool, abandoned: bool, known: bool) -> str:
    """Describe the next step of a job for the dashboard.

    `held` means that jobs that contact other systems are on hold, `abandoned` that the worker running the job is
    gone, and `known` that this version of Prorata can run the job. `later` means that the job runs at a later
    time, which the page states; `tried` means that it has run before.

    >>> comes_next("failed", held=False, later=False, tried=True, abandoned=False, known=True)
    'It’s waiting for you. Once the cause is fixed, try it again.'
    """
    match state:
        case "waiting" if not known:
            sentence = say(
                "This version of Prorata doesn’t recognize this kind of task. Update Prorata, or cancel the task."
            )
        case "waiting" if held:
            sentence = say("It’s on hold, because it would reach people outside.")
        case "waiting" if later and tried:
            sentence = say("It will be tried again automatically.")
        case "waiting" if later:
            sentence = say("It’s planned for later.")
        case "waiting":
            sentence = say("It’s next in line.")
        case "running" if abandoned:
            sentence = say("It was interrupted and will continue automatically.")
        case "running":
            sentence = say("It’s running.")
        case "failed":
            sentence = say("It’s waiting for you. Once the cause is fixed, try it again.")
        case _:
            sentence = say("Nothing more to do.")
    return sentence


def in_minutes(timestamp: str) -> str:
    """Format a timestamp for people, as a day and a time in UTC without seconds.

    >>> in_minutes("2026-03-01T14:05:59.000Z")
    '2026-03-01 14:05 UTC'
    """
    return f"{timestamp[:_MINUTES].replace('T', ' ')} UTC"


def may_retry(state: str) -> bool:
    """True if a person can retry a job in this state.

    >>> may_retry(FAILED), may_retry(WAITING), may_retry(DONE)
    (True, True, False)
    """
    return state in (FAILED, WAITING)


def may_cancel(state: str) -> bool:
    """True if a person can cancel a job in this state; sent mail stays sent.

    >>> may_cancel(RUNNING), may_cancel(FAILED), may_cancel(DONE)
    (True, True, False)
    """
    return state in (WAITING, RUNNING, FAILED)
