"""An account's reminder settings: days before and after the due date."""

from collections.abc import Iterable
from typing import NamedTuple

from prorata.domain.limits import MOST_REMINDER_DAYS, MOST_REMINDERS
from prorata.domain.texts import say


class ReminderPlan(NamedTuple):
    """The days before and after the due date on which an account sends reminders.

    0 days before means the due date itself. If both lists are empty, reminders are off.
    """

    days_before: tuple[int, ...] = ()
    days_after: tuple[int, ...] = ()

    @property
    def offsets(self) -> tuple[int, ...]:
        """The days after the due date, negative before it."""
        return (*(-days for days in self.days_before), *self.days_after)


def in_days(days: Iterable[int]) -> str:
    """Write numbers of days as text for storage, sorted and without duplicates.

    `of_days` reads such a text.

    >>> in_days((3, 0, 3)), of_days("0,3"), of_days("")
    ('0,3', (0, 3), ())
    """
    return ",".join(str(number) for number in sorted(set(days)))


def of_days(text: str) -> tuple[int, ...]:
    """Parse numbers of days from text that `in_days` wrote."""
    return tuple(int(number) for number in text.split(",") if number)


def read_days(text: str) -> tuple[int, ...]:
    """Parse numbers of days that a person entered, and return them in the same order.

    Raises `ValueError` if the text contains anything other than numbers of days.

    >>> read_days("7, 3; 0"), read_days("")
    ((7, 3, 0), ())
    """
    return tuple(int(number) for number in text.replace(",", " ").replace(";", " ").split())


def plan_problem(plan: ReminderPlan) -> str | None:
    """Return the problem with a plan as a sentence; None if the plan is valid.

    >>> plan_problem(ReminderPlan((3, 0), (7, 14))), plan_problem(ReminderPlan(days_after=(0,)))
    (None, 'Reminders after the due date must be 1 to 60 days after it.')
    """
    if max(len(plan.days_before), len(plan.days_after)) > MOST_REMINDERS:
        return say(
            "There can be at most {most} reminders before the due date, and as many after it.",
            most=MOST_REMINDERS,
        )
    if not all(0 <= days <= MOST_REMINDER_DAYS for days in plan.days_before):
        return say(
            "Reminders before the due date must be 0 to {most} days before it.",
            most=MOST_REMINDER_DAYS,
        )
    if not all(1 <= days <= MOST_REMINDER_DAYS for days in plan.days_after):
        return say(
            "Reminders after the due date must be 1 to {most} days after it.",
            most=MOST_REMINDER_DAYS,
        )
    return None


def is_plan(*, before: str = "", after: str = "") -> bool:
    """True if the numbers of days, as entered by a person, make a valid plan.

    >>> is_plan(before="3, 0"), is_plan(after="0"), is_plan(before="soon")
    (True, False, False)
    """
    try:
        return plan_problem(ReminderPlan(read_days(before), read_days(after))) is None
    except ValueError:
        return False
