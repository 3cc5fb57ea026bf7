"""The current speed of this machine.

Tests use it to state amounts of work instead of seconds.
"""

import time

_USUAL = 0.0055
"""Seconds of CPU that `loop` takes where the limits in the tests were set."""


def loop() -> float:
    """Seconds of CPU that always the same work takes just now."""
    began, total = time.process_time(), 0
    for number in range(100_000):
        total += number
    return time.process_time() - began


def slowness() -> float:
    """Return the factor by which the machine is slower now than usual, at least 1.

    A CPU limit is multiplied by it. Ask after the limited work, because the cause of its slowness mostly still exists.
    """
    return max(1.0, sorted(loop() for _ in range(9))[4] / _USUAL)
