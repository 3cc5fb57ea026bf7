"""The division of one bill line by its rule among households and the owner.

The line is divided among the units by measure × active days, and each unit's part among its households by their days;
the owner bears vacant days, unless the rule counts people and assumes nobody in vacant units
(`Rule.leaves_vacant_out`): then the other units bear them. The parts sum to the line, to the cent.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import apportion, beyond_rounding, exact_sum, whole_numbers
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import EQUAL, SPLIT_METHODS, SplitMethod
from prorata.domain.splitting.stays import LineDays, Presence, UnitDays
from prorata.domain.texts import Text, joined, say, say_n

_ONE, _HUNDRED = Fraction(1), Fraction(100)
_NOTHING = Fraction()
_AFTER_THE_OWNERS = say("{how}, after the owner's {percent}")


class Piece(NamedTuple):
    """One method's calculation of a household's share: `part` of `whole`, × `days` of `of_days`.

    If units were active on different numbers of days (`by_days`), `part` is the unit's `measure` × its `active`
    days, out of `service` days, and `whole` is the sum of these products over all units. In a blend, this method
    divides `percent` of the line. `known` is False if the method needs a measure of the unit that nobody has
    entered.
    """

    split_method: str
    percent: Fraction | None
    known: bool
    measure: Fraction
    by_days: bool
    active: int
    service: int
    part: Fraction
    whole: Fraction
    days: int
    of_days: int

    @property
    def share(self) -> Fraction:
        """The household's exact share of the amount that the method divides."""
        return Fraction(self.part * self.days, self.whole * self.of_days)


class UnitShare(NamedTuple):
    """A unit's part of a line in cents, divided among households and vacant days.

    `empty` is the amount for vacant days. It is the whole part if the unit was vacant on all of the line's days.
    """

    part: int
    households: tuple[int, ...]
    empty: int


class Layer(NamedTuple):
    """One method's division of a line or, in a blend, of a part of it.

    The method divides `amount` cents, the fraction `of_all` of the line, into the units' `shares`. `products` are
    the units' measures times their active days, and `total` is their sum. `plain_total` is the sum of the measures
    alone. For percentages, these are the sums at 100 percent. `weights` are whole numbers in the proportions of the
    units' parts and, finally, the owner's; `whole` is the sum of the weights.
    """

    method: SplitMethod
    amount: int
    shares: Sequence[UnitShare]
    percent: Fraction | None
    of_all: Fraction
    measures: Sequence[Fraction | None]
    products: Sequence[Fraction]
    total: Fraction
    is_plain: bool
    """True if all units were active on the same number of days.

    Then their measures alone determine the division.
    """
    plain_total: Fraction
    is_simple: bool
    """True if only the measures and their sum explain a charge.

    The line is then divided by the measures alone, and the sentence names nothing but a unit's measure and the sum.
    """
    service: int
    weights: Sequence[int]
    whole: int


class Shares(NamedTuple):
    """The division of a line into the units' parts, in order, and the owner's.

    `owner` excludes the amounts for vacant days. If there are no `units`, no rule divides the line, and the owner
    bears all of it.
    """

    amount: int
    owner: int
    units: tuple[UnitShare, ...] = ()
    missing: tuple[str, ...] = ()
    """The ids of units without the measure that the method needs."""
    rule: Rule | None = None
    layers: tuple[Layer, ...] = ()

    @property
    def empty(self) -> int:
        """The owner's amount for vacant days of units that were occupied on other days."""
        return sum(unit.empty for unit in self.units if unit.households)

    def piece(self, layer: Layer, at: int, unit: UnitDays, who: Presence | None) -> Piece:
        """Return one method's calculation for a household in a unit.

        `at` is the position of the unit. If `who` is None, the calculation is for the whole unit.
        """
        method, known = layer.method, layer.measures[at]
        measure, days, of_days = known or _NOTHING, 1, 1
        part, whole, by_days = measure, layer.plain_total, False
        if method.counts_people:
            if who is not None and not unit.is_former:
                part = Fraction(who.person_days)
        else:
            if who is not None and not unit.is_former:
                days, of_days = who.days, unit.days
            by_days = unit.active != layer.service if method.of_hundred else not layer.is_plain
            if by_days:
                part, whole = layer.products[at], layer.total
        return Piece(
            method.code, layer.percent, known is not None, measure, by_days, unit.active, layer.service,
            part, whole, days, of_days,
        )  # fmt: skip

    def exact(self, at: int, unit: UnitDays, who: Presence | None) -> Fraction:
        """Return a household's exact share of the line, as a fraction."""
        return exact_sum([layer.of_all * Fraction(*self._ratio(layer, at, unit, who)) for layer in self.layers])

    def _ratio(self, layer: Layer, at: int, unit: UnitDays, who: Presence | None) -> tuple[int, int]:
        """Return a household's exact share of one method's amount, as numerator and denominator."""
        weight, whole = layer.weights[at], layer.whole
        if who is None or unit.is_former or who.days == unit.days:
            return weight, whole
        if not layer.method.counts_people:
            return weight * who.days, whole * unit.days
        of_unit = layer.products[at]
        return weight * who.person_days * of_unit.denominator, whole * (of_unit.numerator or 1)

    def cents(self, part: int, at: int, unit: UnitDays, who: Presence | None) -> int:
        """Return the cents by which a part exceeds the rounded exact share; negative if below."""
        if len(self.layers) == 1:
            of_all = self.layers[0].of_all
            numerator, denominator = self._ratio(self.layers[0], at, unit, who)
            return beyond_rounding(part, self.amount * numerator * of_all.numerator, denominator * of_all.denominator)
        return beyond_rounding(part, *(self.amount * self.exact(at, unit, who)).as_integer_ratio())

    def reason(self, at: int, unit: UnitDays, who: Presence | None, write: Forms = PLAIN) -> Text:
        """Explain a household's amount in words whose numbers, multiplied, give the exact share."""
        reasons = [in_words(self.piece(layer, at, unit, who), write) for layer in self.layers]
        how = reasons[0] if len(reasons) == 1 else joined(reasons, "; ")
        percent = self._owner_percent
        return after_the_owners(how, percent, write)

    @property
    def _owner_percent(self) -> Fraction:
        assert self.rule is not None, "what has shares was divided by a rule"
        return self.rule.owner_percent

    def of_whole_units(self, units: Sequence[UnitDays], write: Forms) -> list[tuple[str | None, int]]:
        """Compute `reason` and `cents` for all units with one household, or none, on all days.

        The result has one pair of a reason and cents for each unit. The reason is None for a unit with several
        households, or with vacant days besides a household. It is None for all units unless the line is divided by
        one method's measure alone, without regard to days; nearly every line is.
        """
        layer = self.layers[0] if self.layers else None
        if layer is None or len(self.layers) > 1 or not layer.is_simple:
            return [(None, 0)] * len(units)
        method, whole, percent = layer.method, write.number(layer.plain_total), self._owner_percent
        end = _AFTER_THE_OWNERS.form.format(how="", percent=write.percent(percent)) if percent else ""
        amount, of = self.amount * layer.of_all.numerator, layer.whole * layer.of_all.denominator
        return [
            (
                f"{method.part_of(write.number(measure), whole)}{end}"
                if measure is not None
                else f"{method.unknown}: {method.part_of(write.number(_NOTHING), whole)}{end}",
                beyond_rounding(share.part, amount * weight, of),
            )
            if not unit.present or (len(unit.present) == 1 and unit.present[0].days == unit.days)
            else (None, 0)
            for unit, measure, share, weight in zip(units, layer.measures, self.units, layer.weights, strict=False)
        ]


def after_the_owners(how: Text, percent: Fraction, write: Forms = PLAIN) -> Text:
    """Add to a reason that the owner's percent is deducted first."""
    return _AFTER_THE_OWNERS.format(how=how, percent=write.percent(percent)) if percent else how


def in_words(piece: Piece, write: Forms = PLAIN) -> Text:
    """Describe the calculation of a share, as stored with a charge and shown on pages.

    >>> half = Piece("SQFT", None, True, Fraction(850), False, 31, 31, Fraction(850), Fraction(1470), 14, 31)
    >>> in_words(half), in_words(half._replace(of_days=32))
    ('850 of 1,470 sq ft, 14 of 31 days', '850 of 1,470 sq ft, 14 of 32 days (a day of moving counts for both)')
    >>> in_words(Piece("SQFT", None, True, Fraction(500), True, 15, 31, Fraction(7500), Fraction(62000), 1, 1))
    '7,500 of 62,000 sq ft-days (500 × 15 days)'
    """
    method = SPLIT_METHODS[piece.split_method]
    part, whole, measure = (write.number(value) for value in (piece.part, piece.whole, piece.measure))
    active, service = write.count(piece.active), write.count(piece.service)
    if method.of_hundred:
        how = method.reason.format(part=measure)
        if piece.by_days:
            how = say_n(
                "{how} for {active} of {n} day", "{how} for {active} of {n} days", piece.service,
                n=service, how=how, active=active,
            )  # fmt: skip
    elif not piece.by_days:
        how = method.reason.format(part=part, whole=whole)
    else:
        how = method.reason_by_days.format(part=part, whole=whole)
        if method.code != EQUAL:
            how = say_n(
                "{how} ({measure} × {n} day)", "{how} ({measure} × {n} days)", piece.active,
                n=active, how=how, measure=measure,
            )  # fmt: skip
    if piece.days != piece.of_days:
        how = say_n(
            "{how}, {days} of {n} day", "{how}, {days} of {n} days", piece.of_days,
            n=write.count(piece.of_days), how=how, days=write.count(piece.days),
        )  # fmt: skip
        if piece.of_days > piece.active:
            how = say("{how} (a day of moving counts for both)", how=how)
    if not piece.known:
        how = say("{unknown}: {how}", unknown=method.unknown, how=how)
    return how if piece.percent is None else say("{percent} by {how}", percent=write.percent(piece.percent), how=how)


def divide(amount: int, rule: Rule | None, days: LineDays, units: Sequence[UnitDays]) -> Shares:
    """Divide a line of `amount` cents among the households of `units`.

    The units must be in tie order (`month_facts.in_tie_order`). In the example, $147.00 of electricity in March is
    divided by floor area over flats of 850 and 620 sq ft. Ann leaves flat 1 on the 14th, and Bo comes on the 16th:

    >>> from datetime import date
    >>> from prorata.domain.billing_calendar import Month
    >>> from prorata.domain.splitting.stays import Stay, UnitFacts, among, households, of_month
    >>> march = of_month(Month("2026-03"))
    >>> stays = (Stay("ann", None, date(2026, 3, 14)), Stay("bo", date(2026, 3, 16), None))
    >>> one = among(march, UnitFacts("u1", "1", Fraction(850), None, None, None, stays), households(stays))
    >>> stays = (Stay("cy", None, None),)
    >>> two = among(march, UnitFacts("u2", "2", Fraction(620), None, None, None, stays), households(stays))
    >>> rule = Rule("ELECTRICITY", "SQFT", {}, Fraction(), Fraction())
    >>> divided = divide(147_00, rule, march, [one, two])
    >>> divided.units[0], divided.reason(0, one, one.present[0])
    (UnitShare(part=8500, households=(3839, 4387), empty=274), '850 of 1,470 sq ft, 14 of 31 days')
    """
    if rule is None or not units:
        return Shares(amount, amount)
    if rule.blend:
        *amounts, owner = blend_amounts(amount, rule)
        left = _HUNDRED - rule.owner_percent
        methods = [
            (component.split_method, component.percent, Fraction(left * component.percent, _HUNDRED * _HUNDRED))
            for component in rule.blend
        ]
        divided = [
            _divide_by_method(part, method, percent, of_all, rule, days, units)
            for (method, percent, of_all), part in zip(methods, amounts, strict=True)
        ]
    else:
        owner = 0
        divided = [_divide_by_method(amount, rule.split_method, None, _ONE, rule, days, units)]
    owner += sum(division.owner for division in divided)
    missing = tuple(dict.fromkeys(unit_id for division in divided for unit_id in division.missing))
    layers = tuple(division.layer for division in divided if division.layer is not None)
    if not layers:
        return Shares(amount, amount, missing=missing)
    whole = [
        _together(of_unit) for of_unit in zip(*(division.units for division in divided if division.layer), strict=True)
    ]
    assert sum(unit.part for unit in whole) + owner == amount, "no cent is lost or made"
    assert all(sum(unit.households) + unit.empty == unit.part for unit in whole), "nor within a unit"
    return Shares(amount, owner, tuple(whole), missing, rule, layers)


def blend_amounts(amount: int, rule: Rule) -> list[int]:
    """Return the amounts that a blend's components divide, followed by the owner's amount."""
    return apportion(amount, blend_weights(rule))


def blend_weights(rule: Rule) -> list[int]:
    """Return the weights of a blend's components, followed by the owner's weight."""
    left = _HUNDRED - rule.owner_percent
    return whole_numbers([*(component.percent * left for component in rule.blend), rule.owner_percent * _HUNDRED])


class _Divided(NamedTuple):
    units: Sequence[UnitShare]
    owner: int
    missing: Sequence[str]
    layer: Layer | None


def _together(parts: Sequence[UnitShare]) -> UnitShare:
    """Sum one unit's parts under all methods of a blend."""
    if len(parts) == 1:
        return parts[0]
    of_each = zip(*(part.households for part in parts), strict=True)
    return UnitShare(sum(part.part for part in parts), tuple(map(sum, of_each)), sum(part.empty for part in parts))


def _divide_by_method(
    amount: int, code: str, percent: Fraction | None, of_all: Fraction, rule: Rule, days: LineDays,
    units: Sequence[UnitDays],
) -> _Divided:  # fmt: skip
    """Divide an amount by one method among units and owner, then within each unit."""
    method = SPLIT_METHODS[code]
    measures = [method.measure(unit, rule) for unit in units]
    known = [_NOTHING if measure is None else measure for measure in measures]
    activity = {unit.active for unit in units}
    is_plain = len(activity) == 1
    if method.counts_people or activity == {days.number} or (is_plain and not method.of_hundred):
        products, hundred = known, _HUNDRED
    else:
        products = [known_measure * unit.active for known_measure, unit in zip(known, units, strict=True)]
        hundred = _HUNDRED * days.number
    missing = [unit.unit_id for unit, measure in zip(units, measures, strict=True) if measure is None]
    if not any(products):
        return _Divided((), amount, missing, None)
    total = exact_sum(products)
    owner_percent = _NOTHING if rule.blend else rule.owner_percent
    # only older snapshots, which have no active days, can exceed a hundred
    nobodys = max(_NOTHING, hundred - total) if method.of_hundred else _NOTHING
    owner = owner_percent * (total + nobodys) + nobodys * (_HUNDRED - owner_percent)
    of_units = [product * (_HUNDRED - owner_percent) for product in products] if owner else products
    weights = whole_numbers([*of_units, owner])
    *parts, owners = apportion(amount, weights)
    plain = total if products is known else exact_sum(known)
    if method.of_hundred:
        total, plain = _HUNDRED * days.number, _HUNDRED
    shares = [_over_households(part, unit, method, rule) for part, unit in zip(parts, units, strict=True)]
    layer = Layer(
        method, amount, shares, percent, of_all, measures, products, total, is_plain, plain,
        percent is None and not method.of_hundred and (is_plain or method.counts_people),
        days.number, weights, sum(weights),
    )  # fmt: skip
    return _Divided(shares, owners, missing, layer)


def _over_households(part: int, unit: UnitDays, method: SplitMethod, rule: Rule) -> UnitShare:
    """Divide a unit's part among its households and its vacant days."""
    if not unit.present:
        return UnitShare(part, (), part)
    if not part:
        return UnitShare(0, (0,) * len(unit.present), 0)
    if unit.is_former or (len(unit.present) == 1 and not unit.empty):
        return UnitShare(part, (part,), 0)
    *of_households, empty = apportion(part, whole_numbers(household_weights(unit, method, rule)))
    return UnitShare(part, tuple(of_households), empty)


def household_weights(unit: UnitDays, method: SplitMethod, rule: Rule) -> list[Fraction | int]:
    """Return the weights of a unit's households, followed by the weight of vacant days."""
    if method.counts_people:
        return [*(presence.person_days for presence in unit.present), rule.vacant_occupants * unit.empty]
    return [*(presence.days for presence in unit.present), unit.empty]
