"""Units for tests that are not about days: in each lives one household all month, or as many people-days as are given."""

from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.locale_forms import PLAIN
from prorata.domain.splitting import division, planned_invoices
from prorata.domain.splitting.invoice_sequences import StoredInvoice
from prorata.domain.splitting.stays import FormerDays, Stay, UnitFacts, of_month, units_on

MARCH = Month("2026-03")
DAYS = of_month(MARCH)
ALL_MONTH = 31


def unit_with(
    unit_id: str,
    label: str,
    sqft: Fraction | None,
    bedrooms: int | None,
    person_days: int,
    active_days: int = ALL_MONTH,
) -> UnitFacts:
    """A unit in March. Where its people were not all there all month, it is as a snapshot of before kept it."""
    people, rest = divmod(person_days, ALL_MONTH)
    if rest or active_days != ALL_MONTH:
        return UnitFacts(unit_id, label, sqft, bedrooms, None, None, (), FormerDays(person_days, active_days))
    stays = tuple(Stay(f"{unit_id}_{number}", None, None) for number in range(people))
    return UnitFacts(unit_id, label, sqft, bedrooms, None, None, stays)


class Divided(NamedTuple):
    """Each unit's part of a line with its reason, what falls on empty days in it, and the owner's beside."""

    parts: tuple[int, ...]
    reasons: tuple[str, ...]
    owner: int
    missing: tuple[str, ...]


def divide(amount, rule, units, days=DAYS) -> Divided:
    """A line divided over units, each of which is one household or empty."""
    there = units_on(days, units)
    shares = division.divide(amount, rule, days, there)
    assert sum(unit.part for unit in shares.units) + shares.owner == amount
    assert not shares.empty, "no unit here is empty on some days alone"
    reasons = tuple(
        shares.reason(at, unit, unit.present[0] if unit.present else None)
        for at, unit in enumerate(there if shares.units else ())
    )
    return Divided(tuple(unit.part for unit in shares.units), reasons, shares.owner, shares.missing)


class Planned(NamedTuple):
    """The charges of each unit's own invoice, the owner's part of every line, and what is missing."""

    charges: dict[str, tuple[planned_invoices.PlannedCharge, ...]]
    owner: dict[tuple[str, int], int]
    missing: frozenset[tuple[str, str]]


def plan_month(facts, cancelled=(), write=PLAIN) -> Planned:
    """A month of units that are one household each; the invoices of those that are `cancelled` are."""
    whose = {unit.unit_id: unit.stays[0].tenant_id if unit.stays else None for unit in facts.units}
    stored = {unit_id: [StoredInvoice(0, "CANCELLED", whose.get(unit_id))] for unit_id in cancelled}
    planned = planned_invoices.plan_month(facts, stored, (), write)
    assert all(not sequence for _, sequence in planned.drafts), "each unit is one household"
    return Planned(
        {unit: one.charges for (unit, _), one in planned.drafts.items()}, dict(planned.owner), planned.missing
    )
