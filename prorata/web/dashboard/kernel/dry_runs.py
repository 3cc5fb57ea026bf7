"""Dry runs, which find further errors in a form that contains an unreadable field.

The page's function is run in a transaction that is rolled back. For example, an unreadable number and a name that
is already taken are thus reported together, each beside its field.
"""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest


class Over(Exception):
    """An error that ends a dry run, so that its transaction is rolled back."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(say("The dry run has ended."))
        self.problems = problems


def on_trial(work: Callable[[Any], object]) -> Callable[[Any], NoReturn]:
    """Wrap the function of a page for a dry run.

    The wrapped function always raises `Over`, which contains the problems that `work` found, if any.
    """

    def trial(ask: Any) -> NoReturn:
        try:
            work(ask)
        except (InvalidRequest, Conflict) as refused:
            raise Over(refused.problems) from None
        raise Over(())

    return trial
