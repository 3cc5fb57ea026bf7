"""An explanation of a divided line: weights, exact shares, and the order of missing cents.

The functions that divide a line also explain it (`division`), so that the explanation always matches the charge.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from prorata.domain.money import CentsLeft, cents_left, exact_sum, in_figures, whole_numbers
from prorata.domain.splitting.divided_months import DividedLine
from prorata.domain.splitting.division import Layer, Shares, blend_amounts, blend_weights, household_weights
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.planned_charges import about_bill
from prorata.domain.splitting.sealed_json import Content, day, number, ratio
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.splitting.stays import Presence, UnitDays
from prorata.domain.utility_names import within_a_sentence

OWNER, EMPTY = "owner", "empty"
"""The keys of the parts without an id: the owner's and that of vacant days."""
_HUNDRED = Fraction(100)


class Weighed(NamedTuple):
    """The division of `amount` cents by one method among units and owner.

    If `layer` is None, no unit has any of the method's measure. `weights` is the formatted sum of all weights,
    including the owner's percentage. When missing cents are handed out, `places` are the ranks of the units and,
    finally, of the owner.
    """

    split_method: str
    percent: Fraction | None
    amount: int
    layer: Layer | None
    left: CentsLeft
    weights: str
    places: Sequence[int]


class Within(NamedTuple):
    """The division of a unit's part among its households and, finally, vacant days."""

    weights: Sequence[Fraction | int]
    whole: Sequence[int]
    left: CentsLeft


class ExplainedLine:
    """A divided line with its rule."""

    def __init__(self, facts: MonthFacts, line: Line, rule: Rule | None, divided: DividedLine | None) -> None:
        self.line = line
        self.currency = facts.currency
        self.days = facts.days_of(line)
        self.rule = rule
        self.divided = divided

    @property
    def shares(self) -> Shares:
        """The line's division; the owner bears everything if the line is not billed."""
        return Shares(self.line.amount, self.line.amount) if self.divided is None else self.divided.shares

    @cached_property
    def steps(self) -> Sequence[Weighed]:
        """The divisions of the line by single methods: one for each method of the rule."""
        rule, layers = self.rule, dict[tuple[str, Fraction | None], Layer]()
        layers.update(((layer.method.code, layer.percent), layer) for layer in self.shares.layers)
        if self.divided is None or rule is None:
            return ()
        methods: list[tuple[str, Fraction | None]] = [
            (component.split_method, component.percent) for component in rule.blend
        ]
        methods = methods or [(rule.split_method, None)]
        amounts = blend_amounts(self.line.amount, rule) if rule.blend else [self.line.amount]
        given = Fraction(1) if rule.blend else Fraction(_HUNDRED - rule.owner_percent, _HUNDRED)
        return [_weighed(*key, amount, layers.get(key), given) for key, amount in zip(methods, amounts, strict=False)]

    @cached_property
    def of_rule(self) -> Content:
        """The explanation's content about the line's rule version, without the units' weights."""
        assert self.rule is not None, "what is shared has a rule"
        return rule_content(self.rule)

    def within(self, step: Weighed, at: int) -> Within | None:
        """Return the division of a unit's part among its households; None if nobody was there."""
        assert self.divided is not None
        assert self.rule is not None
        unit, layer = self.divided.units[at], step.layer
        if not unit.present or layer is None:
            return None
        weights = household_weights(unit, layer.method, self.rule)
        whole = whole_numbers(weights)
        part = layer.shares[at].part
        return Within(weights, whole, cents_left(part, whole) if any(whole) else CentsLeft(0, []))

    def content(self, reason: str) -> Content:
        """Explain the line for the account.

        `reason` states why the line is unbilled; it is empty for a billed line.
        """
        line = self.line
        return {
            **self.about,
            "notBilled": reason or None,
            "about": about_bill(line._replace(utility_type=line.utility_type or _why_not(reason)), self.currency),
            "blend": self._blend(),
            "steps": [self._step(step) for step in self.steps],
            "owner": {
                "part": in_figures(self.shares.owner + self.shares.empty),
                "emptyDays": in_figures(self.shares.empty),
            },
        }

    @cached_property
    def about(self) -> Content:
        """The explanation's content about the line's bill and service days."""
        line = self.line
        spread = None if line.days is None else {"days": line.days, "ofDays": line.of_days}
        return {
            "bill": {
                "id": line.bill_id,
                "issuer": line.issuer,
                "date": line.bill_date.isoformat(),
                "total": in_figures(line.bill_total),
            },
            "number": line.number,
            "utilityType": line.utility_type,
            "notBilled": None,
            "amount": in_figures(line.amount),
            "guessed": bool(line.guessed),
            "spread": spread,
            "service": {"from": day(self.days.first), "to": day(self.days.last), "days": self.days.number},
        }

    def _blend(self) -> Content | None:
        if self.rule is None or not self.rule.blend or self.divided is None:
            return None
        weights = blend_weights(self.rule)
        *parts, owner = blend_amounts(self.line.amount, self.rule)
        names = [*(component.split_method for component in self.rule.blend), OWNER]
        *_, last = weights
        return {
            "methods": [
                {
                    "splitMethod": component.split_method,
                    "percent": number(component.percent),
                    "share": ratio(weight, sum(weights)),
                    "part": in_figures(part),
                }
                for component, weight, part in zip(self.rule.blend, weights, parts, strict=False)
            ],
            "owner": {"share": ratio(last, sum(weights)), "part": in_figures(owner)},
            "cents": [names[at] for at in cents_left(self.line.amount, weights).handed_out],
        }

    def _step(self, step: Weighed) -> Content:
        assert self.divided is not None
        layer, units = step.layer, self.divided.units
        about = {"splitMethod": step.split_method, "amount": in_figures(step.amount)}
        if layer is None:
            return {**about, "weights": "0", "units": [], "owner": _part(1, 1, step.amount), "cents": []}
        names = [*(unit.unit_id for unit in units), OWNER]
        owner = step.amount - sum(share.part for share in layer.shares)
        return {
            **about,
            "weights": step.weights,
            "units": [self._unit(step, layer, at, unit) for at, unit in enumerate(units)],
            "owner": _part(layer.weights[-1], layer.whole, owner),
            "cents": [names[at] for at in step.left.handed_out],
        }

    def _unit(self, step: Weighed, layer: Layer, at: int, unit: UnitDays) -> Content:
        share, within = layer.shares[at], self.within(step, at)
        measure = layer.measures[at]
        own = {
            "unitId": unit.unit_id,
            "measure": None if measure is None else number(measure),
            "activeDays": unit.active,
            "weight": number(layer.products[at]),
            **_part(layer.weights[at], layer.whole, share.part),
        }
        if within is None:
            return {**own, "households": [], "empty": {"days": unit.empty, **_part(1, 1, share.part)}, "cents": []}
        names = [*(who.household.tenant_ids[0] for who in unit.present), EMPTY]
        whole = sum(within.whole) or 1
        return {
            **own,
            "households": list(self._households(unit, share.households, within, whole)),
            "empty": {
                "days": unit.empty,
                "weight": number(within.weights[-1]),
                **_part(within.whole[-1], whole, share.empty),
            },
            "cents": [names[position] for position in within.left.handed_out],
        }

    @staticmethod
    def _households(unit: UnitDays, parts: Sequence[int], within: Within, whole: int) -> Iterator[Content]:
        for at, (who, part) in enumerate(zip(unit.present, parts, strict=True)):
            yield {
                "tenantIds": list(who.household.tenant_ids),
                "days": who.days,
                "weight": number(within.weights[at]),
                **_part(within.whole[at], whole, part),
            }

    def own_steps(self, at: int, who: Presence | None) -> Iterator[Content]:
        """Explain a household's part step by step, without naming other households.

        If `who` is None, the unit was vacant, and its whole part is explained.
        """
        for step in self.steps:
            percent = None if step.percent is None else number(step.percent)
            about = {"splitMethod": step.split_method, "percent": percent, "amount": in_figures(step.amount)}
            if step.layer is None:
                yield {**about, "unit": None, "household": None, "part": "0.00"}
                continue
            household = None if who is None else self._own_household(step, step.layer, at, who)
            unit = self._own_unit(step, step.layer, at)
            yield {**about, "unit": unit, "household": household, "part": (household or unit)["part"]}

    def _own_unit(self, step: Weighed, layer: Layer, at: int) -> Content:
        assert self.divided is not None
        measure = layer.measures[at]
        return {
            "measure": None if measure is None else number(measure),
            "byDays": self.shares.piece(layer, at, self.divided.units[at], None).by_days,
            "activeDays": self.divided.units[at].active,
            "weight": number(layer.products[at]),
            "weights": step.weights,
            "centsLeft": step.left.number,
            "place": step.places[at],
            **_part(layer.weights[at], layer.whole, layer.shares[at].part),
        }

    def _own_household(self, step: Weighed, layer: Layer, at: int, who: Presence) -> Content:
        """Explain a household's part of its unit's share.

        In handing out missing cents, an absent household ranks last.
        """
        assert self.divided is not None
        assert self.rule is not None
        unit, within = self.divided.units[at], self.within(step, at)
        weights = household_weights(unit, layer.method, self.rule) if within is None else within.weights
        whole = whole_numbers(weights) if within is None else within.whole
        its = unit.present.index(who) if who in unit.present else None
        left = CentsLeft(0, []) if within is None else within.left
        return {
            "days": who.days,
            "ofDays": unit.days,
            "emptyDays": unit.empty,
            "weight": number(0 if its is None else weights[its]),
            "weights": number(sum(weights)),
            "centsLeft": left.number,
            "place": len(weights) + 1 if its is None or not left.order else left.order.index(its) + 1,
            **_part(
                0 if its is None else whole[its],
                sum(whole) or 1,
                0 if its is None else layer.shares[at].households[its],
            ),
        }


def _weighed(method: str, percent: Fraction | None, amount: int, layer: Layer | None, given: Fraction) -> Weighed:
    """Prepare the explanation of one method's division.

    `given` is the fraction of the method's amount that is left for the units after the owner's percent. In a
    blend, it is 1, because the owner's percent was deducted before.
    """
    if layer is None:
        return Weighed(method, percent, amount, None, CentsLeft(0, []), "0", ())
    of_units, total = sum(layer.weights[:-1]), exact_sum(layer.products)
    weights = total * Fraction(layer.whole, of_units) * given if of_units else total
    left = cents_left(amount, layer.weights)
    places = [0] * len(left.order)
    for place, at in enumerate(left.order, 1):
        places[at] = place
    return Weighed(method, percent, amount, layer, left, number(weights), places)


def rule_content(rule: Rule) -> Content:
    """Describe the rule version that divides a utility's lines, without the units' weights."""
    return {
        "utilityType": rule.utility_type,
        "since": rule.since,
        "splitMethod": None if rule.blend else rule.split_method,
        "blend": [
            {"splitMethod": component.split_method, "percent": number(component.percent)} for component in rule.blend
        ],
        "ownerPercent": number(rule.owner_percent),
        "vacantOccupants": number(rule.vacant_occupants),
    }


def weights_content(rule: Rule) -> Content:
    """Return the units' weights in a rule; empty if its method needs no weights."""
    needed = not rule.blend and SPLIT_METHODS[rule.split_method].is_weighted
    return {unit: number(weight) for unit, weight in rule.weights.items()} if needed else {}


def _why_not(reason: str) -> str:
    return within_a_sentence(reason) if reason else "not billed"


def _part(weight: int, whole: int, cents: int) -> Content:
    return {"share": ratio(weight, whole), "part": in_figures(cents)}
