"""Share rules: their terms, blends and weights, and the validation of them.

See docs/decisions.md#custom-weights and docs/decisions.md#split-methods.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from prorata.domain.labels import same
from prorata.domain.limits import LARGEST_WEIGHT, MOST_PROBLEMS
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import exact_sum, quantity
from prorata.domain.problems import Problem, shown
from prorata.domain.splitting.split_methods import CUSTOM, EQUAL, PERCENTAGE, SPLIT_METHODS, WEIGHTED
from prorata.domain.texts import Count, say, say_n

SMALLEST_WEIGHT_EXPONENT = -30
_HUNDRED = Fraction(100)
Time = tuple[date | None, date | None]
"""A first and a last day, both included; None means unbounded."""
ALWAYS: Mapping[str, Time] = {}


class Component(NamedTuple):
    """One part of a blend, in which `split_method` divides `percent` of the amount."""

    split_method: str
    percent: Fraction


class Rule(NamedTuple):
    """The way in which one utility type of a property is split.

    `weights` maps unit ids to weights; `blend` is empty if the rule has a single split method. The owner bears
    `owner_percent` of every line before the rest is split; `vacant_occupants` people are assumed in a vacant unit.
    The rule applies from the billing month `since`, or always.
    """

    utility_type: str
    split_method: str
    weights: Mapping[str, Fraction]
    owner_percent: Fraction
    vacant_occupants: Fraction
    blend: tuple[Component, ...] = ()
    since: str | None = None

    @property
    def parts(self) -> tuple[Component, ...]:
        """The components of the rule's blend, or its one method without a percentage."""
        return self.blend or (Component(self.split_method, Fraction()),)

    @property
    def leaves_vacant_out(self) -> bool:
        """True if the rule counts people and assumes none in a vacant unit.

        The other units then pay for vacant units; under a blend, only the part that is divided by people.
        """
        return divides_by_people(self) and not self.vacant_occupants

    @property
    def percent_by_people(self) -> Fraction:
        """The percentage that the rule divides by people, after the owner's percentage."""
        parts = self.blend or (Component(self.split_method, _HUNDRED),)
        return exact_sum([part.percent for part in parts if SPLIT_METHODS[part.split_method].counts_people])


def equally(utility_type: str) -> Rule:
    """Build the rule of a new property, which divides the whole amount equally."""
    return Rule(utility_type, EQUAL, {}, Fraction(), Fraction())


def divides_by_people(rule: Rule) -> bool:
    """True if a rule, or a part of its blend, divides by the units' residents."""
    return any(SPLIT_METHODS[part.split_method].counts_people for part in rule.parts)


def used_terms(rule: Rule | None) -> object:
    """Return the terms that a rule uses, without terms that its method doesn't need.

    Rules with the same used terms divide in the same way.
    """
    if rule is None:
        return None
    weights = sorted((unit, str(weight)) for unit, weight in rule.weights.items())
    return (
        [(part.split_method, str(part.percent)) for part in rule.parts],
        weights if any(SPLIT_METHODS[part.split_method].is_weighted for part in rule.parts) else [],
        str(rule.owner_percent),
        str(rule.vacant_occupants) if divides_by_people(rule) else "",
    )


def rule_of(
    utility_type: str,
    split_method: str,
    weights: Mapping[str, str],
    owner_percent: str | Decimal,
    vacant_occupants: str | Decimal,
    blend: Iterable[tuple[str, str | Fraction]],
    since: str | None = None,
) -> Rule:
    """Build a share rule from the values stored for it, some of them text."""
    return Rule(
        utility_type,
        split_method,
        {unit: Fraction(weight) for unit, weight in weights.items()},
        Fraction(owner_percent),
        Fraction(vacant_occupants),
        tuple(Component(method, Fraction(percent)) for method, percent in blend),
        since,
    )


def read_weights(text: str, labels: Mapping[str, str]) -> tuple[dict[str, str], list[Problem]]:
    """Parse a `customWeightsJson` into exact decimals by unit id, and list all problems.

    `labels` gives the unit id of each label in lowercase and trimmed (`labels.same`), so that case and blanks
    around a label don't matter. A label that no unit of the property has is a problem.

    >>> read_weights('{"1A": 0.3, " 1b ": 7}', {"1a": "unit_1", "1b": "unit_2"})
    ({'unit_1': '0.3', 'unit_2': '7'}, [])
    """
    pairs = _members(text)
    if pairs is None:
        return {}, problems_of_text(text)
    weights: dict[str, str] = {}
    problems: list[Problem] = []
    for label, value in pairs:
        if len(problems) == MOST_PROBLEMS:
            break
        unit = labels.get(same(label))
        if unit is None:
            problems.append(_weights_problem(f"names “{shown(label)}”, which is not a unit of this property"))
        elif unit in weights:
            problems.append(_weights_problem(f"names “{shown(label)}” twice"))
        elif not _is_weight(value):
            problems.append(
                _weights_problem(f"must give “{shown(label)}” a number from 0 to {LARGEST_WEIGHT:,}"),
            )
        else:
            weights[unit] = str(value)
    return weights, problems


def problems_of_text(text: str) -> list[Problem]:
    """List the problem with a `customWeightsJson` that is not a JSON object.

    >>> problems_of_text("{}"), len(problems_of_text("[]"))
    ([], 1)
    """
    if _members(text) is not None:
        return []
    return [_weights_problem("must contain a JSON object that gives a weight for each unit label")]


def _members(text: str) -> "_Pairs | None":
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs, parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return pairs if isinstance(pairs, _Pairs) else None


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object in their written order, including repeated names."""


def _refuse(_constant: str) -> None:
    raise ValueError


def _is_weight(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return False
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int) or exponent < SMALLEST_WEIGHT_EXPONENT:
            return False
    return 0 <= value <= LARGEST_WEIGHT


def _weights_problem(what: str) -> Problem:
    return Problem("customWeightsJson", f"customWeightsJson {what}.")


def write_weights(weights: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Write `customWeightsJson` for the API, by the units' current labels, in the given order.

    >>> write_weights({"unit_1": "0.3", "unit_2": "7"}, {"unit_1": "1A", "unit_2": "1B"})
    '{"1A": 0.3, "1B": 7}'
    """
    members = (
        f"{json.dumps(labels[unit], ensure_ascii=False)}: {weight}"
        for unit, weight in weights.items()
        if unit in labels
    )
    return "{" + ", ".join(members) + "}"


def problems_of_rule(
    split_method: str, weights: Mapping[str, str] | None, *, blended: bool, times: Mapping[str, Time] = ALWAYS
) -> list[Problem]:
    """List the problems of a rule's method and weights together.

    See docs/decisions.md#custom-weights.

    PERCENTAGE and CUSTOM need weights, unless the rule is `blended`. Percentages must not exceed 100 in total on
    any day; `times` are the days on which units are active. Custom weights need a positive sum. With another
    method, the weights are stored but not used.
    """
    if blended or split_method not in WEIGHTED:
        return []
    if weights is None:
        return [_weights_problem(f"is required with the split method {split_method}")]
    whole = sum(map(Fraction, weights.values()), Fraction())
    if split_method == PERCENTAGE and most_at_once(weights, times) > _HUNDRED:
        return [_weights_problem("must not add up to more than 100 percent")]
    if split_method == CUSTOM and whole <= 0:
        return [_weights_problem("must give at least one unit a weight above 0")]
    return []


def most_at_once(weights: Mapping[str, str], times: Mapping[str, Time]) -> Fraction:
    """Return the largest sum of weights of units active on the same day.

    `times` are the units' active times. In the example, unit u1 was divided into u2 and u3 on March 16. Unit u4 is
    always active:

    >>> parted = {"u1": (None, date(2026, 3, 15)), "u2": (date(2026, 3, 16), None), "u3": (date(2026, 3, 16), None)}
    >>> most_at_once({"u1": "60", "u2": "30", "u3": "30", "u4": "40"}, parted)
    Fraction(100, 1)
    """
    begun = [(times.get(unit, (None, None)), Fraction(weight)) for unit, weight in weights.items()]
    days = {since or date.min for (since, _), _ in begun}
    return max(
        (
            sum(
                (weight for (since, until), weight in begun if (since or date.min) <= day <= (until or date.max)),
                Fraction(),
            )
            for day in days
        ),
        default=Fraction(),
    )


def problems_of_blend(components: Sequence[Component]) -> list[Problem]:
    """List the problems of a blend (docs/decisions.md#split-methods).

    Its percentages must sum to 100, and no method may occur twice.
    """
    problems = []
    whole = sum((component.percent for component in components), Fraction())
    if whole != _HUNDRED:
        problems.append(
            Problem(
                "components",
                say("The percentages must add up to 100, but these add up to {whole}.", whole=quantity(whole)),
            )
        )
    methods = [component.split_method for component in components]
    if len(set(methods)) < len(methods):
        problems.append(Problem("components", say("A blend can contain each split method only once.")))
    return problems


def in_use(name: str, properties: int) -> str:
    """State how many properties use a blend, and name one of them.

    >>> in_use("Elm", 1), in_use("Elm", 2), in_use("Elm", 1201)
    ('Elm divides by it.', 'Elm and 1 more property divide by it.', 'Elm and 1,200 more properties divide by it.')
    """
    if properties == 1:
        return say("{name} divides by it.", name=name)
    more = properties - 1
    return say_n(
        "{name} and {n} more property divide by it.",
        "{name} and {n} more properties divide by it.",
        more,
        n=Count(more),
        name=name,
    )


class Unit(Protocol):
    """A unit with its measures as attributes; an attribute is None if nobody entered it."""

    @property
    def id(self) -> str:
        """The unit's id."""
        ...


def lacks(rules: Iterable[Rule], unit: Unit) -> tuple[str, ...]:
    """Name the measures that `rules` need and a unit lacks; they count as 0.

    >>> from types import SimpleNamespace
    >>> by_area = Rule("WATER", "SQFT", {}, Fraction(), Fraction())
    >>> [lacks([by_area], SimpleNamespace(id="u1", sqft=sqft)) for sqft in (None, "850")]
    [('floor area',), ()]
    """
    lacking: dict[str, None] = {}
    for rule in rules:
        for part in rule.parts:
            measured = SPLIT_METHODS[part.split_method].measured
            if measured is None:
                continue
            if unit.id not in rule.weights if not measured.field else getattr(unit, measured.field) is None:
                lacking[measured.noun] = None
    return tuple(lacking)


_NOTHING = Decimal()
_A_HUNDREDTH = Fraction(1, 100)


def sum_in_words(
    method: str,
    weights: Mapping[str, Decimal],
    owner_percent: Decimal = _NOTHING,
    write: Forms = PLAIN,
    *,
    times: Mapping[str, Time] = ALWAYS,
) -> str:
    """State the sum of a rule's entered weights in words, and explain its meaning.

    Percentages divide the rest after the owner's percentage: after an owner's 10%, 85.5% given to units leaves
    14.5% of 90%, so the owner bears 23.05% in total. Weights are summed for each day, over the units in use on
    that day according to `times`.

    >>> sum_in_words(PERCENTAGE, {"u1": Decimal("40"), "u2": Decimal("45.5")})
    '85.5% is given to units; 14.5% stays with you.'
    >>> sum_in_words(PERCENTAGE, {"u1": Decimal("85.5")}, Decimal(10))
    '85.5% of what is left after your own part is given to units; 23.05% of the bill stays with you.'
    >>> sum_in_words(PERCENTAGE, {"u1": Decimal("101")})
    '101% is given to units: 1% too much.'
    >>> sum_in_words(CUSTOM, {"u1": Decimal("3"), "u2": Decimal("7")})
    'The weights sum to 10; each unit pays its part of that.'
    >>> parted = {"u1": (None, date(2026, 3, 15)), "u2": (date(2026, 3, 16), None)}
    >>> sum_in_words(PERCENTAGE, {"u1": Decimal(60), "u2": Decimal(60), "u3": Decimal(40)}, times=parted)
    '100% is given to units on any day at most; the rest stays with you.'
    """
    whole = sum(map(Fraction, weights.values()), Fraction())
    if method == CUSTOM:
        return say("The weights sum to {number}; each unit pays its part of that.", number=write.number(whole))
    most = most_at_once({unit: str(weight) for unit, weight in weights.items()}, times)
    left = 100 - most
    if left < 0:
        form = say("{given} is given to units: {more} too much.")
        return form.format(given=write.percent(most), more=write.percent(-left))
    if most < whole:
        form = (
            say(
                "{given} of what is left after your own part is given to units on any day at most; the rest stays "
                "with you."
            )
            if owner_percent
            else say("{given} is given to units on any day at most; the rest stays with you.")
        )
        return form.format(given=write.percent(most))
    own = Fraction(owner_percent)
    yours = write.percent(own + left * (100 - own) * _A_HUNDREDTH)
    if owner_percent:
        form = say("{given} of what is left after your own part is given to units; {yours} of the bill stays with you.")
    else:
        form = (
            say("{given} is given to units; {yours} stays with you.")
            if left
            else say("{given} is given to units; that is all of it.")
        )
    return form.format(given=write.percent(whole), yours=yours)
