"""Random histories of a state machine, in one database with a fresh account for each."""

from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from prorata.actions.overview.consistency_checks import check
from prorata.store.database.engine import Database
from tests.landlord import MovableClock, opened


def drive(
    machine: Callable[[Database, MovableClock], RuleBasedStateMachine], url: str, examples: int, steps: int
) -> None:
    """Run so many histories of so many steps; every invariant of `prorata check` holds behind them."""
    clock = MovableClock()
    with opened(url, clock) as database:
        run_state_machine_as_test(
            lambda: machine(database, clock),
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert list(check(database)) == []
