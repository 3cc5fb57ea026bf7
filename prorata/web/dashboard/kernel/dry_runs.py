"""What else is wrong with a form that could not be read whole: its page does its work on trial, and takes it all back.

A name that is taken and a number that is none are so said at once, each beside its field.
"""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest


class Over(Exception):
    """A trial has ended: with its transaction goes what was done in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(say("A trial has ended."))
        self.problems = problems


def on_trial(work: Callable[[Any], object]) -> Callable[[Any], NoReturn]:
    """The work of a page that writes in its one transaction alone. Raises `Over`, with what it was refused for."""

    def trial(ask: Any) -> NoReturn:
        try:
            work(ask)
        except (InvalidRequest, Conflict) as refused:
            raise Over(refused.problems) from None
        raise Over(())

    return trial
