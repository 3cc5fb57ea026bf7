"""Tests of the order of turns, and of the moment when each one begins."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from benchmarks import turns
from benchmarks.others import Look
from benchmarks.results import Latency, Measured
from benchmarks.turns import wait_until_quiet

NOTHING = Measured(1.0, 1.0, 0.0, 1.0)


class Turn:
    """A fake turn that records what happens to it."""

    def __init__(self, name: str, happened: list[str]) -> None:
        self.name, self._happened = name, happened
        self.measured: list[Measured] = []

    def warm_up(self) -> None:
        self._happened.append(f"warm {self.name}")

    def measure(self, seconds: float) -> Measured:
        self._happened.append(f"{self.name} {seconds:g}")
        return NOTHING

    def used(self) -> float:
        self._happened.append("looked")
        return 0.0


class ServerTurn(Turn):
    """A fake turn that can also be measured at half of its load."""

    def __init__(self, name: str, happened: list[str]) -> None:
        super().__init__(name, happened)
        self.at_half: list[Latency] = []

    def measure_at_half(self, seconds: float) -> Latency:
        self._happened.append(f"half {self.name} {seconds:g}")
        return Latency(1.0, 2.0, 3.0)


def quiet() -> Look:
    """A reading of a machine on which nobody else does anything."""
    return Look(1.0, 0.0, 0.0, 0.0)


def is_over(used: Callable[[], float]) -> None:
    """A fake wait that takes one reading and finds the previous turn's work finished."""
    used()


in_turns = partial(turns.in_turns, wait=is_over)


class Neighbour:
    """The work of others, who use the next number of `cores` in each round."""

    def __init__(self, *cores: float) -> None:
        self._cores, self._looks = list(cores), 0

    def look(self) -> Look:
        self._looks += 1
        return Look(float(self._looks), sum(self._cores[: self._looks // 2]), 0.0, 0.0)


class Machine:
    """A clock that advances only during sleep, and the CPU that is used meanwhile.

    `busy` lists the cores that are busy during each sleep; the last number repeats.
    """

    def __init__(self, busy: Sequence[float]) -> None:
        self._busy = list(busy)
        self._now = self._used = 0.0

    def clock(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds
        self._used += seconds * (self._busy.pop(0) if len(self._busy) > 1 else self._busy[0])

    def used(self) -> float:
        return self._used


def test_all_warm_up_then_take_turns_in_each_round_and_at_half_load_after_the_rounds():
    happened: list[str] = []
    in_turns([ServerTurn("a", happened), Turn("database", happened), ServerTurn("b", happened)], 2, 1.5, looks=quiet)
    assert [each for each in happened if each != "looked"] == [
        *("warm a", "warm database", "warm b"),
        *("a 1.5", "database 1.5", "b 1.5") * 2,
        *("half a 1.5", "half b 1.5") * 2,
    ]


def test_before_each_turn_all_of_them_are_looked_at():
    happened: list[str] = []
    in_turns([Turn("a", happened), Turn("b", happened)], 1, 1, looks=quiet)
    for turn in ("a 1", "b 1"):
        assert happened[happened.index(turn) - 2 : happened.index(turn)] == ["looked", "looked"]


def test_half_load_is_left_out_where_it_is_not_asked_for():
    happened: list[str] = []
    found = in_turns([ServerTurn("a", happened)], 1, 1, at_half=False, looks=quiet)
    assert "half a 1" not in happened
    assert (found[0].p50, found[0].p99) == (None, None)


def test_half_load_is_measured_three_times_however_many_rounds_there_are():
    found = in_turns([ServerTurn("a", [])], 5, 1, looks=quiet)
    assert (len(found[0].rounds), len(found[0].at_half)) == (5, 3)


def test_a_disturbed_round_is_measured_again_and_the_quiet_one_kept():
    happened: list[str] = []
    neighbour = Neighbour(0.6, 0.02, 0.0)
    (found,) = in_turns([ServerTurn("a", happened)], 1, 1, looks=neighbour.look)
    assert happened.count("a 1") == 2
    assert (found.rounds, found.disturbed) == ([NOTHING], 0)


def test_rounds_that_never_are_quiet_stay_marked_also_those_at_half_load():
    neighbour = Neighbour(*[0.6] * 6)
    (found,) = in_turns([ServerTurn("a", [])], 1, 1, looks=neighbour.look)
    assert (found.disturbed, found.taken.others) == (1, pytest.approx(0.6))
    assert found.p99 is not None
    assert found.p99.disturbed == 1


def test_a_turn_begins_when_what_the_one_before_left_behind_is_done():
    machine = Machine([1.0] * 25 + [0.0])
    assert 2.6 < wait_until_quiet(machine.used, clock=machine.clock, sleep=machine.sleep) < 2.9


def test_one_quiet_moment_between_two_requests_is_not_quiet():
    machine = Machine([1.0, 0.0, 1.0, 0.0, 0.0])
    assert 0.4 < wait_until_quiet(machine.used, clock=machine.clock, sleep=machine.sleep) < 0.6


def test_a_background_process_that_looks_what_is_due_is_quiet():
    machine = Machine([0.1])
    assert wait_until_quiet(machine.used, clock=machine.clock, sleep=machine.sleep) < 0.3


def test_who_never_is_quiet_is_named_and_not_waited_for_for_ever(capsys):
    machine = Machine([1.0])
    assert 19 < wait_until_quiet(machine.used, clock=machine.clock, sleep=machine.sleep) < 22
    assert "still busy" in capsys.readouterr().out
