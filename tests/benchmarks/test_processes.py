"""The peak memory of a process includes memory that it has already given back."""

import os
import subprocess
import sys

from benchmarks.processes import forget_most_held, memory_below, memory_of, most_held

_HOLDS_AND_GIVES_BACK = """
import sys
print("ready", flush=True)
for _ in sys.stdin:
    held = bytearray(64 * 1024 * 1024)
    del held
    print("done", flush=True)
"""


def test_the_most_counts_what_was_given_back_and_is_forgotten_before_the_next_step():
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDS_AND_GIVES_BACK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as held:
        assert held.stdin is not None
        assert held.stdout is not None
        held.stdout.readline()
        held.stdin.write("go\n")
        held.stdin.flush()
        held.stdout.readline()
        after = memory_of(held.pid)
        assert after.most > after.resident + 50
        assert memory_below(os.getpid()).most >= after.most
        forget_most_held([held.pid])
        assert memory_of(held.pid).most < after.resident + 10
        held.stdin.close()


def test_of_a_process_that_has_ended_nothing_is_held():
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    assert most_held(ended.pid) == 0
    forget_most_held([ended.pid])
