"""Numbers, dates and the address of a bill, found by their labels."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from prorata.domain.intake.bill_reading.dates import Order, dates_in, with_year_of
from prorata.domain.intake.bill_reading.draft import Reading, asked, found, missing
from prorata.domain.intake.bill_reading.label_values import Beside
from prorata.domain.intake.bill_reading.labels import FactName
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.texts import say

_LONGEST_BILL = timedelta(days=400)
_LATEST_DUE = timedelta(days=120)
_LATEST_SERVICE = timedelta(days=62)
_EARLIEST_SERVICE = timedelta(days=460)

Days = tuple[date, date]


def beside_of(fact: FactName, every: Sequence[Beside]) -> list[Beside]:
    """List the labels of a fact on the bill, each with its value.

    If the bill has no known label of the fact, the list contains labels whose words resemble a known label of the
    fact.
    """
    mine = [labelled for labelled in every if labelled.label.fact == fact]
    return [labelled for labelled in mine if not labelled.label.likely] or mine


def number_of(fact: FactName, every: Sequence[Beside], what: str) -> Reading[str]:
    """Read an account or bill number beside its label.

    The number is certain only if nothing contradicts it. A person is asked if several different numbers have such
    a label, if the label may also mean another number, or if a second number is near the label. `what` names the
    number in the question.
    """
    mine = beside_of(fact, every)
    if not mine:
        return missing(what)
    different = {re.sub(r"[^A-Z0-9]", "", labelled.text.upper()): labelled for labelled in reversed(mine)}
    values = tuple(labelled.text.strip(" *#:") for labelled in different.values())
    places = tuple(labelled.place for labelled in mine)
    if len(different) > 1:
        return asked(
            say("The bill shows more than one number that may be the {what}.", what=what), *values, places=places
        )
    if not any(labelled.label.strong for labelled in mine):
        return asked(
            say("The bill’s label for this number doesn’t necessarily mean the {what}.", what=what),
            *values,
            places=places,
        )
    if not any(labelled.sole for labelled in mine if labelled.label.strong):
        return asked(say("There are two numbers where the {what} is expected.", what=what), *values, places=places)
    return found(values[0], *places)


def day_of(fact: FactName, every: Sequence[Beside], order: Order | None, what: str) -> Reading[date]:
    """Read the date beside the label of a fact, in the document's date order.

    A person is asked if the order is unclear or if the year is missing.
    """
    mine = beside_of(fact, every)
    if not mine:
        return missing(what)
    places = tuple(labelled.place for labelled in mine)
    days: set[date] = set()
    for labelled in mine:
        (written,) = dates_in(labelled.text)
        day = written.day(order)
        if day is None or (order is None and len(written.readings) > 1):
            choices = tuple(sorted({choice for _, choice in written.readings}))
            return asked(
                say("The {what} can be read in two ways, or has no year. Enter it with its year.", what=what),
                *choices,
                places=places,
            )
        days.add(day)
    return _one_day(days, mine, what, places)


def _one_day(days: set[date], mine: Sequence[Beside], what: str, places: tuple[Place, ...]) -> Reading[date]:
    if len(days) > 1:
        return asked(say("The bill shows more than one {what}.", what=what), *sorted(days), places=places)
    if not any(labelled.label.strong for labelled in mine):
        return asked(
            say("The words beside this date don’t clearly show that it is the {what}.", what=what), *days, places=places
        )
    if not any(labelled.sole for labelled in mine):
        return asked(say("There are two dates where the {what} is expected.", what=what), *days, places=places)
    return found(days.pop(), *places)


def period_of(every: Sequence[Beside], order: Order | None) -> tuple[Reading[date], Reading[date]]:
    """Find the first and last day of service.

    Both may be beside one label for the period, or each beside its own label.
    """
    mine = beside_of("servicePeriod", every)
    if not mine:
        return (
            day_of("servicePeriodStart", every, order, "first day of service"),
            day_of("servicePeriodEnd", every, order, "last day of service"),
        )
    places = tuple(labelled.place for labelled in mine)
    periods = {_period(labelled.text, order) for labelled in mine}
    known = sorted(period for period in periods if period)
    firsts, lasts = sorted({first for first, _ in known}), sorted({last for _, last in known})
    if None in periods:
        why = say("The service period can be read in two ways, or has no year. Enter both dates with their year.")
    elif len(known) > 1:
        why = say("The bill shows more than one service period.")
    elif not any(labelled.label.strong for labelled in mine):
        why = say("The words beside these dates don’t clearly show that they are the service period.")
    elif not any(labelled.sole for labelled in mine):
        why = say("Other words beside the service period may belong to it, so check both dates.")
    else:
        return found(firsts[0], *places), found(lasts[0], *places)
    return asked(why, *firsts, places=places), asked(why, *lasts, places=places)


def _period(text: str, order: Order | None) -> Days | None:
    first, last = dates_in(text)
    end = last.day(order) if order is not None or len(last.readings) == 1 else None
    if end is None:
        return None
    if first.month_and_day is not None:
        is_day_first = not first.pointed or order == "DMY" or (last.pointed and last.orders == {"DMY"})
        start = with_year_of(first, end) if is_day_first else None
    else:
        start = first.day(order) if order is not None or len(first.readings) == 1 else None
    return (start, end) if start is not None else None


def in_their_order(
    billed: Reading[date], due: Reading[date], first: Reading[date], last: Reading[date]
) -> tuple[Reading[date], Reading[date], Reading[date], Reading[date]]:
    """Ask a person about dates of a bill that contradict each other.

    A bill is due on or soon after its bill date, its service period ends after the period starts, and the bill
    date is near the service period. Dates that break one of these rules are returned as questions, all others
    unchanged.
    """
    bill_day, due_day = _known(billed), _known(due)
    start, end = _known(first), _known(last)
    if bill_day and due_day and not timedelta(0) <= due_day - bill_day <= _LATEST_DUE:
        why = say("The due date is before the bill date, or too long after it.")
        billed, due = _doubted(billed, why), _doubted(due, why)
    if start and end and not timedelta(0) < end - start <= _LONGEST_BILL:
        why = say("The service period starts on or after the day it ends, or is longer than a year.")
        first, last = _doubted(first, why), _doubted(last, why)
    if bill_day and start and end and not (end - bill_day <= _LATEST_SERVICE and bill_day - start <= _EARLIEST_SERVICE):
        why = say("The service period is far from the bill date.")
        billed, first, last = _doubted(billed, why), _doubted(first, why), _doubted(last, why)
    return billed, due, first, last


def _known(reading: Reading[date]) -> date | None:
    return reading.value if reading.surety == "found" else None


def _doubted(reading: Reading[date], why: str) -> Reading[date]:
    if reading.value is None:
        return reading
    return asked(why, reading.value, places=reading.places)
