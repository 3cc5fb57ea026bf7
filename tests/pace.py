"""How fast this machine is at the moment, so that a test says how much work something is and not how many seconds."""

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
    """How many times longer the same work takes here and now than usual, at least 1: what a limit of CPU is multiplied
    by. Ask after the work that is limited, as what slowed that down is mostly still there.
    """
    return max(1.0, sorted(loop() for _ in range(9))[4] / _USUAL)
