"""A background thread that polls the bills' mailbox every minute."""

import threading
from collections.abc import Callable
from typing import Protocol

import structlog

from prorata.domain.jobs.recurrences import WORKER, Recurrence, every
from prorata.errors import Refusal

SECONDS_BETWEEN_POLLS = 60.0
POLLING = Recurrence(
    "poll the mailbox",
    "fetches new messages from the mailbox",
    f"{every(SECONDS_BETWEEN_POLLS)}, where PRORATA_IMAP_URL is set",
    WORKER,
)
_log = structlog.stdlib.get_logger("prorata.mailbox")


class PollResult(Protocol):
    """The outcome of a poll: the number of accepted messages, whether more wait, and problems."""

    @property
    def taken(self) -> int: ...  # noqa: D102
    @property
    def has_more(self) -> bool: ...  # noqa: D102
    @property
    def problem(self) -> str | None: ...  # noqa: D102


Take = Callable[[bytes, int], None]
"""A function that accepts a message, given with its size in bytes.

If a message is too large, the function gets only its head.
"""
MailboxPoll = Callable[[Take], PollResult]
"""A function that passes on each new message of a mailbox.

It passes a message to the function that it is given, and then marks the message as seen. A message that is not accepted
does not delay the others. Raises `Unavailable` if the mailbox or the database can't be used.
"""


class Poller:
    """A poller that stores the messages of a mailbox, from `start` until `stop` is set.

    A message that is not accepted stays unseen, and is fetched again later. While the mailbox or the database is
    unavailable, all messages stay unseen.
    """

    def __init__(self, poll: MailboxPoll, take: Take, seconds_between: float = SECONDS_BETWEEN_POLLS) -> None:
        self._poll = poll
        self._take = take
        self._seconds_between = seconds_between

    def start(self, stop: threading.Event) -> None:
        """Start polling the mailbox in a separate thread, until `stop` is set."""
        threading.Thread(target=lambda: self._run(stop), name="mailbox", daemon=True).start()

    def _run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            if not self._once():
                stop.wait(self._seconds_between)

    def _once(self) -> bool:
        """Poll the mailbox once; return True if more messages wait there."""
        try:
            polled = self._poll(self._take)
        except Refusal as away:
            _log.warning("the mailbox could not be polled to its end", why=away.message)
            return False
        except Exception:  # noqa: BLE001 - logged with its trace; the next poll is made all the same
            _log.exception("polling the mailbox failed")
            return False
        if polled.taken:
            _log.info("mail fetched", messages=polled.taken)
        if polled.problem:
            _log.warning("mail stays in the mailbox", why=polled.problem)
        return polled.has_more
