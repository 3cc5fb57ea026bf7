"""Dry runs of a page in a rolled-back transaction, which find further form errors.

An unreadable number and a name that is taken, for example, are thus reported together, each beside its field.
"""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest


class Over(Exception):
    """An error that ends a dry run, to roll back its transaction."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(say("The dry run has ended."))
        self.problems = problems


def on_trial(work: Callable[[Any], object]) -> Callable[[Any], NoReturn]:
    """Wrap a page's single-transaction work for a dry run.

    The wrapped work always raises `Over`, which contains the problems that `work` found, if any.
    """

    def trial(ask: Any) -> NoReturn:
        try:
            work(ask)
        except (InvalidRequest, Conflict) as refused:
            raise Over(refused.problems) from None
        raise Over(())

    return trial
