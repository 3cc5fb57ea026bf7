"""A mailbox is polled every minute.

Messages that cannot be accepted stay in the mailbox, and are fetched again at the next poll.
"""

import threading
from typing import NamedTuple

from prorata.errors import Conflict, Unavailable
from prorata.worker.mailbox import Poller, Take

SECONDS = 60


class Found(NamedTuple):
    """The result of a poll in the tests."""

    taken: int
    has_more: bool = False
    problem: str | None = None


class Box:
    """A mailbox that fails twice, and has messages afterwards.

    The first time it is away, and the second time there is a programming error. Its fifth poll ends the polling.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self.polls = 0

    def poll(self, take: Take) -> Found:
        self.polls += 1
        if self.polls == 1:
            raise Unavailable("Away.")
        if self.polls == 2:
            raise KeyError("a mistake")
        take(b"%d" % self.polls, 1)
        if self.polls == 5:
            self._stop.set()
        return Found(1, has_more=self.polls == 4, problem="Too large.")


def test_what_goes_wrong_is_tried_again_and_what_waits_is_fetched_at_once() -> None:
    stop, taken, refused = threading.Event(), list[bytes](), list[bytes]()
    box = Box(stop)

    def take(message: bytes, _size: int) -> None:
        if message == b"3" and not refused:
            refused.append(message)
            raise Conflict("Full.")
        taken.append(message)

    Poller(box.poll, take, seconds_between=0.01).start(stop)
    assert stop.wait(SECONDS)
    assert (refused, taken) == ([b"3"], [b"4", b"5"])
