"""Random histories of a state machine, in one database with a fresh account for each."""

from collections.abc import Callable

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from prorata.actions.overview.consistency_checks import check
from prorata.store.database.engine import Database
from tests.landlord import MovableClock, opened

SECONDS_OF_A_FAILURE = 1_200
"""So long a machine may take, on a computer that has much else to do: Hypothesis makes a history that failed shorter for
five minutes. One that is stopped before by the time limit of all tests is called flaky, and so is one that was only slow.
"""


def drive(
    machine: Callable[[Database, MovableClock], RuleBasedStateMachine], url: str, examples: int, steps: int
) -> None:
    """Run random histories of a machine, and check the stored data after them.

    Every invariant of `prorata check` must hold.
    """
    clock = MovableClock()
    with opened(url, clock) as database:
        run_state_machine_as_test(
            lambda: machine(database, clock),
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                phases=set(Phase) - {Phase.explain},  # tracing each line slows making it shorter down
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert list(check(database)) == []
