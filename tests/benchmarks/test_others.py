"""The load of other processes during a measurement is noticed and leads to another measurement."""

import os
import time
from collections.abc import Iterator, Sequence

import pytest

from benchmarks import others
from benchmarks.others import Look, Taken, least_disturbed, taken, used_by_all

TICKS = os.sysconf("SC_CLK_TCK")


def looks(of_others: Sequence[float], stolen: float = 0.0) -> Iterator[Look]:
    """Yield readings before and after one-second rounds in which we use half a core.

    `of_others` lists the cores that others use in each round.
    """
    now = Look(0.0, 0.0, 0.0, 0.0)
    for cores in of_others:
        yield now
        now = Look(now.clock + 1, now.by_all + cores + 0.5, now.by_us + 0.5, now.stolen + stolen)
        yield now


def measured(of_others: Sequence[float], stolen: float = 0.0, tries: int = 3) -> tuple[str, Taken, list[str]]:
    """Return the round that is kept, the cores that others took, and everything that happened.

    The rounds are called a, b and c.
    """
    names, happened = iter("abc"), list[str]()

    def measure() -> str:
        happened.append(name := next(names))
        return name

    at = looks(of_others, stolen)
    found, cores = least_disturbed(measure, wait=lambda: happened.append("wait"), looks=lambda: next(at), tries=tries)
    return found, cores, happened


def test_what_everything_used_but_not_we_is_what_others_took():
    assert taken(Look(10.0, 50.0, 40.0, 3.0), Look(12.0, 53.0, 42.0, 3.5)) == Taken(0.5, 0.25)


def test_a_few_ticks_of_the_system_tell_nothing():
    assert taken(Look(0.0, 0.0, 0.0, 0.0), Look(0.1, 3 / TICKS, 0.0, 0.0)) == Taken()


def test_our_own_work_is_never_more_than_that_of_all():
    assert taken(Look(0.0, 0.0, 0.0, 0.0), Look(1.0, 0.4, 0.5, 0.2)) == Taken(0.0, 0.2)


@pytest.mark.parametrize(("cores", "stolen", "is_much"), [(0.09, 0.0, False), (0.06, 0.06, True), (0.0, 0.2, True)])
def test_a_tenth_of_a_core_is_much_whoever_took_it(cores: float, stolen: float, is_much: bool):
    assert Taken(cores, stolen).is_much is is_much


def test_a_quiet_round_is_measured_once():
    assert measured([0.05]) == ("a", Taken(pytest.approx(0.05), 0.0), ["wait", "a"])


def test_a_disturbed_round_is_measured_again_after_waiting():
    found, cores, happened = measured([0.7, 0.05])
    assert (found, cores.is_much) == ("b", False)
    assert happened == ["wait", "a", "wait", "b"]


def test_of_rounds_that_are_all_disturbed_the_least_disturbed_is_kept_and_said(capsys):
    found, cores, _ = measured([0.7, 0.3, 0.9])
    assert (found, cores.is_much) == ("b", True)
    assert "disturbed, 3 times: others took 0.30 cores" in capsys.readouterr().out


def test_what_can_not_be_measured_again_is_noted_as_disturbed():
    found, cores, happened = measured([0.0], stolen=0.4, tries=1)
    assert (found, cores, happened) == ("a", Taken(0.0, 0.4), ["wait", "a"])


def test_the_systems_own_line_is_read_without_what_idles_or_waits():
    line = (
        f"cpu  {1 * TICKS} {2 * TICKS} {3 * TICKS} {90 * TICKS} {80 * TICKS} {4 * TICKS} {5 * TICKS} {7 * TICKS} 0 0\n"
    )
    assert used_by_all(line + "cpu0 1 2 3", counts_interrupts=True) == (15.0, 7.0)
    assert used_by_all(line, counts_interrupts=False) == (6.0, 7.0)


def test_what_this_process_does_is_ours():
    before = others.look()
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    after = others.look()
    assert after.by_us - before.by_us >= 0.15
    assert after.by_all >= before.by_all
