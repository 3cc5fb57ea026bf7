"""The current speed of this machine.

With it, tests can state amounts of work instead of seconds.
"""

import time

_USUAL = 0.0055
"""Seconds of CPU that `loop` takes where the limits in the tests were set."""


def loop() -> float:
    """Measure the seconds of CPU that a fixed amount of work takes at the moment."""
    began, total = time.process_time(), 0
    for number in range(100_000):
        total += number
    return time.process_time() - began


def slowness() -> float:
    """Return the factor by which the machine is slower now than usual, at least 1.

    Multiply a CPU limit by it. Call it after the limited work, because the cause of the slowness is mostly still there.
    """
    return max(1.0, sorted(loop() for _ in range(9))[4] / _USUAL)
