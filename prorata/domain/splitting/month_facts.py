"""The facts from which a property-month is computed: lines, rules, and participating units.

An open month is computed from current facts; a closed one keeps the facts from which it was computed, as JSON.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from prorata.domain.billing_calendar import Month, day_of
from prorata.domain.labels import natural_order
from prorata.domain.splitting.share_rules import Rule, rule_of
from prorata.domain.splitting.stays import FormerDays, LineDays, Stay, UnitFacts, clipped, of_month
from prorata.domain.usage import Usage, read, written

_A_DAY = timedelta(days=1)


class Line(NamedTuple):
    """One line of a bill, with its amount in cents.

    If there is no utility type, the line is unbilled, and the owner bears it. `bill_total`, `issuer` and
    `bill_date` are the bill's. `guessed` is set if the bill stated no amounts per utility type, so that its total
    was divided equally among its utility types.
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
    """The number of the bill's service days that the line is for, if spread."""
    service: LineDays | None = None
    """The days that the line is for; None means all days of its billing month."""
    usage: Usage | None = None
    """The usage of the line's utility that the whole bill states, if any.

    It has no effect on the division.
    """


class CarriedCorrection(NamedTuple):
    """A correction of an earlier `month`, charged in this month to a tenant's household.

    The amount is in cents. If there is no utility type, the charge is a custom charge.
    """

    month: str
    unit_id: str
    tenant_id: str
    bill_id: str
    line: int
    utility_type: str | None
    amount: int
    description: str

    @property
    def place(self) -> tuple[str, int, str, str]:
        """The key of the correction's charge among the charges of an invoice."""
        return self.bill_id, self.line, self.month, self.tenant_id


class TenantRecord(NamedTuple):
    """A tenant of a unit and the tenant's stay.

    The stay includes the move-in and move-out days; None means that the stay is unbounded on that side.
    `occupants` is the number of people who live there under the tenant's name, and `added` the timestamp at which
    the tenant was entered.
    """

    tenant_id: str
    name: str
    email: str | None
    move_in: date | None
    move_out: date | None
    occupants: int = 1
    added: str = ""


class UnitRecord(NamedTuple):
    """A unit with its measures, its active time and its tenants.

    The active time is the period in which the unit can be let, including its first and last day. If either day is
    None, the period is unbounded on that side. `added` is the timestamp at which the unit was entered.
    """

    unit_id: str
    label: str
    sqft: Fraction | None
    bedrooms: int | None
    active_from: date | None
    active_to: date | None
    added: str
    tenants: tuple[TenantRecord, ...] = ()


class MonthFacts(NamedTuple):
    """The facts from which one property-month is computed.

    `units` are the units that take part in any line, and those to which `corrections` of earlier months are
    charged. The units have their stays, and are in tie order (`in_tie_order`).
    """

    month: Month
    currency: str
    lines: tuple[Line, ...]
    rules: Mapping[str, Rule]
    units: tuple[UnitFacts, ...]
    corrections: tuple[CarriedCorrection, ...] = ()

    @property
    def is_former(self) -> bool:
        """True if the facts are from an older snapshot, which has no stays."""
        return any(unit.former is not None for unit in self.units)

    @property
    def bills_anybody(self) -> bool:
        """True if the month has a line that tenants are billed for, and therefore invoices."""
        return any(line.utility_type is not None for line in self.lines)

    def line(self, bill_id: str | None, number: int | None) -> Line | None:
        """Return the line with this number in a bill, or None if there is none."""
        return next((line for line in self.lines if (line.bill_id, line.number) == (bill_id, number)), None)

    def days_of(self, line: Line) -> LineDays:
        """Return a line's service days, or the days of the month if it has none."""
        return line.service or of_month(self.month)


def billed_days(month: Month, lines: Iterable[Line]) -> set[LineDays]:
    """Return the service days of a month's billed lines, or the month's own days."""
    whole = of_month(month)
    return {line.service or whole for line in lines if line.utility_type is not None} or {whole}


def units_taking_part(month: Month, lines: Iterable[Line], known: Sequence[UnitFacts]) -> tuple[UnitFacts, ...]:
    """Select the units that take part in any of a month's billed lines.

    A unit takes part if its active time overlaps the line's service days (docs/decisions.md#participants). `known`
    are the units to select from, as returned by `units_known`.
    """
    every = billed_days(month, lines)
    return tuple(unit for unit in known if any(days.within(unit.active_from, unit.active_to) for days in every))


def units_known(units: Iterable[UnitRecord], first_closed: str | None) -> tuple[UnitFacts, ...]:
    """Return the units and stays that may take part in a month, in tie order.

    A unit without a first day, or a tenant without a move-in date, takes no part in a month if it was entered
    after the month was first closed (`first_closed`, a timestamp).
    """
    return in_tie_order(
        UnitFacts(
            unit.unit_id, unit.label, unit.sqft, unit.bedrooms, unit.active_from, unit.active_to,
            stays_of(unit, first_closed),
        )
        for unit in units
        if _was_known(unit.active_from, unit.added, first_closed)
    )  # fmt: skip


def in_tie_order(units: Iterable[UnitFacts]) -> tuple[UnitFacts, ...]:
    """Sort units for handing out cents among equal fractions (docs/decisions.md#rounding).

    They are sorted by label in natural order, then by id.
    """
    return tuple(sorted(units, key=lambda unit: (natural_order(unit.label), unit.unit_id)))


def units_as_before(month: Month, units: Iterable[UnitRecord], first_closed: str | None) -> tuple[UnitFacts, ...]:
    """Return the units of a month as older snapshots kept them.

    In an older snapshot, a unit has one household, and only a number of person-days. A month with such a snapshot
    is compared with units in the same form, so that the different form alone isn't reported as a change.
    """
    days = of_month(month)
    return in_tie_order(
        _as_one_household(unit.unit_id, unit.label, unit.sqft, unit.bedrooms, _person_days(unit, days), active)
        for unit in units
        if (active := days.within(unit.active_from, unit.active_to))
        and _was_known(unit.active_from, unit.added, first_closed)
    )


def _person_days(unit: UnitRecord, days: LineDays) -> int:
    """Sum the days of a month that each tenant spent in the active unit."""
    return sum(days.within(stay.first, stay.last) for stay in stays_of(unit, None))


def _as_one_household(
    unit_id: str, label: str, sqft: Fraction | None, bedrooms: int | None, person_days: int, active_days: int
) -> UnitFacts:
    return UnitFacts(unit_id, label, sqft, bedrooms, None, None, (), FormerDays(person_days, active_days))


def stays_of(unit: UnitRecord, first_closed: str | None) -> tuple[Stay, ...]:
    """Return the stays of a unit's tenants, limited to the unit's active time.

    Tenants who were entered without a move-in date after the month was first closed are left out.
    """
    stays = [
        Stay(tenant.tenant_id, tenant.move_in, tenant.move_out, tenant.occupants)
        for tenant in unit.tenants
        if _was_known(tenant.move_in, tenant.added, first_closed)
    ]
    return clipped(stays, unit.active_from, unit.active_to)


def _was_known(since: date | None, added: str, first_closed: str | None) -> bool:
    return first_closed is None or since is not None or added <= first_closed


class Span(NamedTuple):
    """A span of days, including both ends, with the same people in a unit.

    The names are empty if the unit was vacant, and None if the unit itself did not exist.
    """

    since: date
    until: date
    people: tuple[str, ...] | None


def spans(unit: UnitRecord, days: LineDays) -> tuple[Span, ...]:
    """Divide days into spans at every move, and where the unit becomes active or inactive.

    >>> ann = TenantRecord("t1", "Ann", None, None, date(2026, 3, 9))
    >>> bo = TenantRecord("t2", "Bo", None, date(2026, 3, 10), None)
    >>> house = UnitRecord("u1", "1", None, None, None, None, "", (ann, bo))
    >>> march, april = of_month(Month("2026-03")), of_month(Month("2026-04"))
    >>> [(span.until.day, span.people) for span in spans(house, march)], len(spans(house, april))
    ([(9, ('Ann',)), (31, ('Bo',))], 1)
    """
    times = [(unit.active_from, unit.active_to), *((stay.move_in, stay.move_out) for stay in unit.tenants)]
    changes = {day for since, until in times for day in (since, until and until + _A_DAY) if day}
    first, end = days.first, days.last + _A_DAY
    its_spans: list[tuple[Span, tuple[TenantRecord, ...] | None]] = []
    for since, after in pairwise([first, *sorted(day for day in changes if first < day < end), end]):
        there = None
        if _is_within(since, unit.active_from, unit.active_to):
            there = tuple(stay for stay in unit.tenants if _is_within(since, stay.move_in, stay.move_out))
        people = None if there is None else tuple(stay.name for stay in there)
        begun = its_spans.pop()[0].since if its_spans and its_spans[-1][1] == there else since
        its_spans.append((Span(begun, after - _A_DAY, people), there))
    return tuple(span for span, _ in its_spans)


def _is_within(day: date, since: date | None, until: date | None) -> bool:
    return (since is None or since <= day) and (until is None or day <= until)


def to_json(facts: MonthFacts) -> str:
    """Serialize the facts exactly, for `from_json`."""
    kept: dict[str, Any] = {
        "month": facts.month,
        "currency": facts.currency,
        "lines": [[*line[:5], line.bill_date.isoformat(), *line[6:8], *_further(line)] for line in facts.lines],
        "rules": list(map(_kept_rule, facts.rules.values())),
        "units": list(map(_kept_unit, facts.units)),
    }
    if facts.corrections:
        kept["corrections"] = facts.corrections
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _kept_rule(rule: Rule) -> dict[str, Any]:
    kept = {
        **rule._asdict(),
        "weights": {unit: str(weight) for unit, weight in rule.weights.items()},
        "owner_percent": str(rule.owner_percent),
        "vacant_occupants": str(rule.vacant_occupants),
        "blend": [[part.split_method, str(part.percent)] for part in rule.blend],
    }
    return {name: value for name, value in kept.items() if name != "since" or value is not None}


def _further(line: Line) -> list[Any]:
    """Return the optional values of a line, without trailing missing values."""
    first, last = line.service or (None, None)
    kept = [line.days, line.of_days, _text(first), _text(last), written(line.usage) if line.usage else None]
    while kept and kept[-1] is None:
        del kept[-1]
    return kept


def _line(kept: list[Any]) -> Line:
    days, of_days, first, last, usage = [*kept[8:], *[None] * 5][:5]
    service = LineDays(date.fromisoformat(first), date.fromisoformat(last)) if first else None
    further = days, of_days, service, read(usage) if usage else None
    return Line._make([*kept[:5], date.fromisoformat(kept[5]), *kept[6:8], *further])


def _kept_unit(unit: UnitFacts) -> list[Any]:
    stays = [[stay.tenant_id, _text(stay.first), _text(stay.last), stay.occupants] for stay in unit.stays]
    sqft = None if unit.sqft is None else str(unit.sqft)
    own = [unit.unit_id, unit.label, sqft, unit.bedrooms, _text(unit.active_from), _text(unit.active_to), stays]
    return own if unit.former is None else [*own, unit.former]


def _unit(kept: list[Any]) -> UnitFacts:
    unit_id, label, sqft, bedrooms, since, until, stays, *former = kept
    return UnitFacts(
        unit_id, label, None if sqft is None else Fraction(sqft), bedrooms, day_of(since), day_of(until),
        tuple(Stay(tenant, day_of(first), day_of(last), occupants) for tenant, first, last, occupants in stays),
        FormerDays._make(former[0]) if former else None,
    )  # fmt: skip


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def from_json(text: str) -> MonthFacts:
    """Parse facts that `to_json` wrote, with or without stays."""
    kept: dict[str, Any] = json.loads(text)
    rules = [rule_of(*(rule.get(name) for name in Rule._fields)) for rule in kept["rules"]]
    return MonthFacts(
        Month(kept["month"]),
        kept["currency"],
        tuple(map(_line, kept["lines"])),
        {rule.utility_type: rule for rule in rules},
        tuple(map(_unit, kept["units"]))
        if "units" in kept
        else tuple(_former_unit(*participant) for participant in kept["participants"]),
        tuple(map(CarriedCorrection._make, kept.get("corrections", ()))),
    )


def _former_unit(unit_id: str, label: str, sqft: str | None, bedrooms: int | None, *days: int) -> UnitFacts:
    return _as_one_household(unit_id, label, None if sqft is None else Fraction(sqft), bedrooms, *days)
