"""Units for tests that are not about days.

In each unit, one household lives all month, or people for a given number of person-days.
"""

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
    """A unit in March.

    If its people were not there on all days, it has the form that former snapshots kept.
    """
    people, rest = divmod(person_days, ALL_MONTH)
    if rest or active_days != ALL_MONTH:
        return UnitFacts(unit_id, label, sqft, bedrooms, None, None, (), FormerDays(person_days, active_days))
    stays = tuple(Stay(f"{unit_id}_{number}", None, None) for number in range(people))
    return UnitFacts(unit_id, label, sqft, bedrooms, None, None, stays)


class Divided(NamedTuple):
    """Each unit's part of a line with its reason, the owner's part and missing facts."""

    parts: tuple[int, ...]
    reasons: tuple[str, ...]
    owner: int
    missing: tuple[str, ...]


def divide(amount, rule, units, days=DAYS) -> Divided:
    """Divide a line among units, each of which has one household or is vacant."""
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
    """The charges of each unit's invoice, the owner's part of each line, and missing facts."""

    charges: dict[str, tuple[planned_invoices.PlannedCharge, ...]]
    owner: dict[tuple[str, int], int]
    missing: frozenset[tuple[str, str]]


def plan_month(facts, cancelled=(), write=PLAIN) -> Planned:
    """Plan a month of units with one household each.

    The invoices of the units in `cancelled` are cancelled.
    """
    whose = {unit.unit_id: unit.stays[0].tenant_id if unit.stays else None for unit in facts.units}
    stored = {unit_id: [StoredInvoice(0, "CANCELLED", whose.get(unit_id))] for unit_id in cancelled}
    planned = planned_invoices.plan_month(facts, stored, (), write)
    assert all(not sequence for _, sequence in planned.drafts), "each unit is one household"
    return Planned(
        {unit: one.charges for (unit, _), one in planned.drafts.items()}, dict(planned.owner), planned.missing
    )
