"""A property-month explained as data for the account, with all weights, shares and cents.

It includes the facts from which the month was computed, so that anybody can recompute it (docs/explanations.md).
"""

from collections.abc import Mapping

from prorata.domain.money import in_figures
from prorata.domain.splitting.divided_months import HouseholdKey, divided_month
from prorata.domain.splitting.explained_lines import ExplainedLine, rule_content, weights_content
from prorata.domain.splitting.month_facts import CarriedCorrection, MonthFacts
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.splitting.rights import rights_of
from prorata.domain.splitting.sealed_json import FORMAT, Content, day, number
from prorata.domain.splitting.stays import UnitFacts

MONTH, INVOICE = "month", "invoice"
"""The subjects of explanations."""


class ExplainedMonth:
    """A divided month with its facts."""

    def __init__(self, facts: MonthFacts, property_id: str) -> None:
        assert not facts.is_former, "a snapshot of before tells no stays"
        self.facts = facts
        self.property_id = property_id
        self.divided = divided_month(facts)
        divided = {line.key: line for line in self.divided.lines}
        self.lines = {
            key: ExplainedLine(
                facts,
                line,
                facts.rules.get(line.utility_type or ""),
                divided.get(key),
            )
            for line in facts.lines
            for key in ((line.bill_id, line.number),)
        }

    def content(self, reasons: Mapping[LineKey, str]) -> Content:
        """Explain the month, without the hash; `reasons` say why unbilled lines are not billed."""
        facts = self.facts
        lines = [line.content(reasons.get(key, "")) for key, line in self.lines.items()]
        households, owner = self._households()
        return {
            "format": FORMAT,
            "of": MONTH,
            "propertyId": self.property_id,
            "month": facts.month,
            "currency": facts.currency,
            "units": list(map(_unit, facts.units)),
            "rules": [{**rule_content(rule), "weights": weights_content(rule)} for rule in facts.rules.values()],
            "lines": lines,
            "corrections": list(map(correction_content, facts.corrections)),
            "households": households,
            "owner": in_figures(owner),
            "total": in_figures(sum(line.amount for line in facts.lines)),
        }

    def _households(self) -> tuple[list[Content], int]:
        """List each household's amounts for the month's lines and for earlier months' corrections.

        Vacant units have no tenants. The owner's remaining part comes last.
        """
        bears = rights_of(self.facts.lines, self.divided.entries)
        corrections: dict[tuple[str, HouseholdKey], list[CarriedCorrection]] = {}
        for correction in self.facts.corrections:
            corrections.setdefault((correction.unit_id, self._household_of(correction)), []).append(correction)
        charged = {(unit_id, HouseholdKey()): lines for unit_id, lines in bears.unlived.items()}
        charged.update(bears.of_households)
        order = {unit.unit_id: at for at, unit in enumerate(self.facts.units)}
        keys = sorted({*charged, *corrections}, key=lambda key: (order.get(key[0], len(order)), key))
        households = [_household(*key, charged.get(key, {}), corrections.get(key, ())) for key in keys]
        return households, sum(bears.owner.values())

    def _household_of(self, correction: CarriedCorrection) -> HouseholdKey:
        for household in self.divided.households.get(correction.unit_id, ()):
            if correction.tenant_id in household.tenant_ids:
                return tuple(sorted(household.tenant_ids))
        return (correction.tenant_id,) if correction.tenant_id else ()


def correction_content(correction: CarriedCorrection) -> Content:
    """Return a correction of an earlier month, charged in this month, as explanation content."""
    return {
        "month": correction.month,
        "unitId": correction.unit_id,
        "tenantId": correction.tenant_id or None,
        "billId": correction.bill_id,
        "line": correction.line,
        "utilityType": correction.utility_type,
        "amount": in_figures(correction.amount),
        "sentence": correction.description,
    }


def _household(
    unit_id: str,
    tenant_ids: HouseholdKey,
    lines: Mapping[LineKey, int],
    corrections: list[CarriedCorrection] | tuple[()],
) -> Content:
    charges = [{"billId": bill, "line": at, "amount": in_figures(cents)} for (bill, at), cents in lines.items()]
    corrected = [
        {
            "month": correction.month,
            "billId": correction.bill_id,
            "line": correction.line,
            "amount": in_figures(correction.amount),
        }
        for correction in corrections
    ]
    total = sum(lines.values()) + sum(correction.amount for correction in corrections)
    return {
        "unitId": unit_id,
        "tenantIds": list(tenant_ids),
        "charges": charges,
        "corrections": corrected,
        "total": in_figures(total),
    }


def _unit(unit: UnitFacts) -> Content:
    return {
        "id": unit.unit_id,
        "label": unit.label,
        "sqft": None if unit.sqft is None else number(unit.sqft),
        "bedrooms": unit.bedrooms,
        "activeFrom": day(unit.active_from),
        "activeTo": day(unit.active_to),
        "stays": [
            {"tenantId": stay.tenant_id, "from": day(stay.first), "to": day(stay.last), "occupants": stay.occupants}
            for stay in unit.stays
        ],
    }
