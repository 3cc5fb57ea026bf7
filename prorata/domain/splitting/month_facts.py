"""The facts a property-month is computed from: its lines, the rules, and the units that take part.

An open month is computed from the facts of the moment; a closed one keeps the facts it was computed from, as JSON.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from prorata.domain.billing_calendar import Month, days_there, first_day, last_day, touches
from prorata.domain.splitting.allocation import in_tie_order
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import Participant

_A_DAY = timedelta(days=1)


class Line(NamedTuple):
    """One line of a bill, in cents: for a utility type, or not billed and then the owner's. `bill_total`, `issuer` and
    `bill_date` are the bill's; `guessed` says the bill gave no amounts per type and was divided equally over them.
    """

    bill_id: str
    number: int
    amount: int
    utility_type: str | None
    issuer: str
    bill_date: date
    bill_total: int
    guessed: bool = False
    days: int | None = None
    of_days: int | None = None
    """Days of service that it is for, of those of the bill, where that is spread over its months."""


class Stay(NamedTuple):
    """A tenant's time in a unit, both days counted; None is always."""

    tenant_id: str
    name: str
    email: str | None
    move_in: date | None
    move_out: date | None


class UnitRecord(NamedTuple):
    """A unit with its measures, its own time (both days counted; None is always), and its tenants' stays.

    `added` is the timestamp at which the unit was entered.
    """

    unit_id: str
    label: str
    sqft: Fraction | None
    bedrooms: int | None
    active_from: date | None
    active_to: date | None
    added: str
    stays: tuple[Stay, ...] = ()


class MonthFacts(NamedTuple):
    """What one property-month is computed from. `participants` stand in tie order."""

    month: Month
    currency: str
    lines: tuple[Line, ...]
    rules: Mapping[str, Rule]
    participants: tuple[Participant, ...]

    @property
    def bills_anybody(self) -> bool:
        """Whether the month has a line to bill, and so invoices."""
        return any(line.utility_type is not None for line in self.lines)


def takes_part(unit: UnitRecord, month: Month, first_closed: str | None) -> bool:
    """Whether a unit takes part in a month: its active time touches it. A unit added after the month was first closed
    (`first_closed`, a timestamp) takes no part unless its activeFrom says so (docs/decisions.md#participants).
    """
    if not touches(month, unit.active_from, unit.active_to):
        return False
    return first_closed is None or unit.active_from is not None or unit.added <= first_closed


def person_days(unit: UnitRecord, month: Month) -> int:
    """The days of `month` that each tenant was there, summed; a day counts only while the unit itself is active.

    Two tenants, one of whom moved in on the 30th of March:

    >>> stays = (Stay("t1", "Ann", None, None, None), Stay("t2", "Bo", None, date(2026, 3, 30), None))
    >>> person_days(UnitRecord("u1", "1", None, None, None, None, "", stays), Month("2026-03"))
    33
    """
    return sum(
        days_there(month, _later(stay.move_in, unit.active_from), _earlier(stay.move_out, unit.active_to))
        for stay in unit.stays
    )


def participants(month: Month, units: Iterable[UnitRecord], first_closed: str | None) -> tuple[Participant, ...]:
    """The units that take part in a month, with that month's facts, in tie order."""
    return in_tie_order(
        [
            Participant(
                unit.unit_id,
                unit.label,
                unit.sqft,
                unit.bedrooms,
                person_days(unit, month),
                days_there(month, unit.active_from, unit.active_to),
            )
            for unit in units
            if takes_part(unit, month, first_closed)
        ]
    )


def whose_invoice(unit: UnitRecord, month: Month) -> Stay | None:
    """The tenant an invoice is addressed to (docs/decisions.md#tenant-of-an-invoice): of those whose stay touches the
    month, those there at its end, else the last to leave; the earliest of them with an e-mail address, else the
    earliest.
    """
    there = [stay for stay in unit.stays if touches(month, stay.move_in, stay.move_out)]
    if not there:
        return None
    leaves = max(_end_in(stay, month) for stay in there)
    last = [stay for stay in there if _end_in(stay, month) == leaves]
    return min(last, key=lambda stay: (not stay.email, stay.move_in or date.min, stay.tenant_id))


class Span(NamedTuple):
    """Days of a month, both counted, on each of which the same people were in a unit: their names, none where it stood
    empty, and None where the unit itself was not there.
    """

    since: date
    until: date
    people: tuple[str, ...] | None


def spans(unit: UnitRecord, month: Month) -> tuple[Span, ...]:
    """The days of a month, parted where people came to a unit or left it, or the unit itself began or ended.

    >>> stays = (Stay("t1", "Ann", None, None, date(2026, 3, 9)), Stay("t2", "Bo", None, date(2026, 3, 10), None))
    >>> house = UnitRecord("u1", "1", None, None, None, None, "", stays)
    >>> [(span.until.day, span.people) for span in spans(house, Month("2026-03"))], len(spans(house, Month("2026-04")))
    ([(9, ('Ann',)), (31, ('Bo',))], 1)
    """
    times = [(unit.active_from, unit.active_to), *((stay.move_in, stay.move_out) for stay in unit.stays)]
    changes = {day for since, until in times for day in (since, until and until + _A_DAY) if day}
    first, end = first_day(month), last_day(month) + _A_DAY
    found: list[tuple[Span, tuple[Stay, ...] | None]] = []
    for since, after in pairwise([first, *sorted(day for day in changes if first < day < end), end]):
        there = None
        if _is_within(since, unit.active_from, unit.active_to):
            there = tuple(stay for stay in unit.stays if _is_within(since, stay.move_in, stay.move_out))
        people = None if there is None else tuple(stay.name for stay in there)
        begun = found.pop()[0].since if found and found[-1][1] == there else since
        found.append((Span(begun, after - _A_DAY, people), there))
    return tuple(span for span, _ in found)


def _is_within(day: date, since: date | None, until: date | None) -> bool:
    return (since is None or since <= day) and (until is None or day <= until)


def _end_in(stay: Stay, month: Month) -> date:
    return _earlier(stay.move_out, last_day(month)) or last_day(month)


def _later(one: date | None, other: date | None) -> date | None:
    return max(one, other) if one and other else one or other


def _earlier(one: date | None, other: date | None) -> date | None:
    return min(one, other) if one and other else one or other


def to_json(facts: MonthFacts) -> str:
    """The facts as text that `from_json` reads back, exactly."""
    return json.dumps(
        {
            "month": facts.month,
            "currency": facts.currency,
            "lines": [[*line[:5], line.bill_date.isoformat(), *line[6:8], *_days(line)] for line in facts.lines],
            "rules": [
                {
                    **rule._asdict(),
                    "weights": {unit: str(weight) for unit, weight in rule.weights.items()},
                    "owner_percent": str(rule.owner_percent),
                    "vacant_occupants": str(rule.vacant_occupants),
                    "blend": [[part.split_method, str(part.percent)] for part in rule.blend],
                }
                for rule in facts.rules.values()
            ],
            "participants": [
                unit._replace(sqft=None if unit.sqft is None else str(unit.sqft))  # type: ignore[arg-type]
                for unit in facts.participants
            ],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _days(line: Line) -> tuple[int | None, ...]:
    return () if line.days is line.of_days is None else line[8:]


def _line(kept: list[Any]) -> Line:
    missing = len(Line._fields) - len(kept)
    return Line._make([*kept[:5], date.fromisoformat(kept[5]), *kept[6:], *[None] * missing])


def from_json(text: str) -> MonthFacts:
    """The facts that `to_json` wrote."""
    kept: dict[str, Any] = json.loads(text)
    rules = [
        Rule(
            rule["utility_type"],
            rule["split_method"],
            {unit: Fraction(weight) for unit, weight in rule["weights"].items()},
            Fraction(rule["owner_percent"]),
            Fraction(rule["vacant_occupants"]),
            tuple(Component(method, Fraction(percent)) for method, percent in rule["blend"]),
        )
        for rule in kept["rules"]
    ]
    return MonthFacts(
        Month(kept["month"]),
        kept["currency"],
        tuple(map(_line, kept["lines"])),
        {rule.utility_type: rule for rule in rules},
        tuple(
            Participant(unit, label, None if sqft is None else Fraction(sqft), *rest)
            for unit, label, sqft, *rest in kept["participants"]
        ),
    )
