"""Causes of differences in a parallel run, for when no other split explains them.

For example, one side lacks a bill, the owner bears a part, two utilities are split by other methods, or a blend
is used.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from prorata.domain.groups import added_up
from prorata.domain.limits import MOST_LINES_TRIED
from prorata.domain.locale_forms import Forms
from prorata.domain.splitting.division import divide
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.splitting.stays import LineDays, UnitFacts, of_month, units_on
from prorata.domain.texts import joined, listed, say
from prorata.domain.utility_names import within_a_sentence

Amounts = Mapping[str, int]
"""Amounts in cents by unit."""
FEWEST_FOR_A_RATIO, FEWEST_FOR_A_BLEND = 2, 3
"""The minimum numbers of units with which a ratio or blend isn't a coincidence."""
_HUNDRED = 100
_TWO = say(
    "Their amounts come from dividing {first} {how} and {second} {otherwise}. Change the rules if that is intended."
)
_TWO_OF_LIVED_IN = say(
    "Their amounts come from dividing {first} {how} and {second} {otherwise}, both among occupied units only. Change "
    "the rules if that is intended; here, the owner bears a vacant unit's share."
)


class Month(NamedTuple):
    """The data of a comparison.

    `lines` and `facts` are the month's billed lines and facts, `theirs` the former program's amounts, and `cents`
    the tolerance for rounding. `methods` are the split methods to try, and `write` has the formats for sentences.
    """

    lines: Sequence[Line]
    facts: MonthFacts
    theirs: Amounts
    cents: int
    methods: Sequence[str]
    write: Forms

    def agrees(self, *parts: Amounts, but: Sequence[Amounts] = ()) -> bool:
        """True if sums of `parts` less `but` equal the former program's amounts, except for rounding."""
        return all(
            abs(sum(part.get(unit, 0) for part in parts) - sum(amounts.get(unit, 0) for amounts in but) - their)
            <= self.cents
            for unit, their in self.theirs.items()
        )

    def money(self, cents: int) -> str:
        """Format an amount."""
        return self.write.money(cents, self.facts.currency)


def cause_of(month: Month) -> str | None:
    """Name a cause that explains all of the former program's amounts, with advice, or None.

    In the example, $100.00 of water and $40.00 of gas are split equally between two units. The former program
    charged only the water, so the sentence begins with the missing gas:

    >>> from datetime import date
    >>> from prorata.domain.billing_calendar import Month as MonthName
    >>> from prorata.domain.splitting.stays import Stay
    >>> from prorata.domain.locale_forms import PLAIN
    >>> stays = (Stay("ann", None, None),)
    >>> flats = tuple(UnitFacts(f"u{n}", f"{n}", Fraction(500 * n), 1, None, None, stays) for n in (1, 2))
    >>> lines = [Line("b1", 1, 100_00, "WATER", "City", date(2026, 3, 1), 100_00),
    ...          Line("b2", 1, 40_00, "GAS", "Gas Co.", date(2026, 3, 1), 40_00)]
    >>> rules = {kind: Rule(kind, "EQUAL", {}, Fraction(0), Fraction(0)) for kind in ("WATER", "GAS")}
    >>> facts = MonthFacts(MonthName("2026-03"), "USD", tuple(lines), rules, flats)
    >>> said = cause_of(Month(lines, facts, {"u1": 50_00, "u2": 50_00}, 2, ["EQUAL"], PLAIN))
    >>> said[:79]
    'Their amounts leave out gas: each difference is the unit’s share of it here, $4'
    """
    ours = ours_of(month)
    for find in (_lacking, _extra, _ratio, _two_otherwise, _blend):
        cause = find(month, ours)
        if cause is not None:
            return cause
    return None


def ours_of(month: Month) -> list[Amounts]:
    """The amounts of each line by unit under Prorata's share rules."""
    return [_parts(month, line, month.facts.rules.get(line.utility_type or "")) for line in month.lines]


def _parts(month: Month, line: Line, rule: Rule | None) -> Amounts:
    """The amounts of a line by unit under a share rule."""
    return charged_by_unit(line.amount, rule, line.service or of_month(month.facts.month), month.facts.units)


def charged_by_unit(amount: int, rule: Rule | None, days: LineDays, units: Sequence[UnitFacts]) -> Amounts:
    """The part of a line that each unit's invoices charge; nothing without weights."""
    there = units_on(days, units)
    parts = divide(amount, rule, days, there).units
    return {
        unit.unit_id: its.part - (its.empty if its.households else 0) for unit, its in zip(there, parts, strict=False)
    }


def by_method(method: str) -> Rule:
    """A rule that splits everything by one method."""
    return Rule("", method, {}, Fraction(), Fraction())


def _weighed(month: Month, method: str) -> Callable[[int], Amounts]:
    """Build a function that splits an amount of the month among units by a method.

    If no unit has a weight under this method, the function charges nobody.
    """
    rule, days = by_method(method), of_month(month.facts.month)
    return lambda amount: charged_by_unit(amount, rule, days, month.facts.units)


def by_kind(month: Month, parts: Sequence[Amounts]) -> dict[str, Amounts]:
    """The amounts by utility and unit, given the parts of the month's lines."""
    return {
        kind: summed([part for line, part in zip(month.lines, parts, strict=True) if line.utility_type == kind])
        for kind in _kinds(month)
    }


def summed(parts: Iterable[Amounts]) -> dict[str, int]:
    """Sum several parts by unit."""
    return added_up(of_unit for part in parts for of_unit in part.items())


def _kinds(month: Month) -> list[str]:
    return list(dict.fromkeys(line.utility_type or "" for line in month.lines))


def _lacking(month: Month, ours: Sequence[Amounts]) -> str | None:
    """Check for an uncharged utility, bill, bill line or pair of lines."""
    today = summed(ours)
    for chosen, name in _groups(month):
        if len(chosen) < len(month.lines) and month.agrees(today, but=[ours[at] for at in chosen]):
            amount = month.money(sum(month.lines[at].amount for at in chosen))
            return say(
                "Their amounts leave out {name}: each difference is the unit’s share of it here, {amount} in all. "
                "Add it there, or find out why ours include it.",
                name=name, amount=amount,
            )  # fmt: skip
    return None


def _groups(month: Month) -> Iterator[tuple[set[int], str]]:
    numbered = list(enumerate(month.lines))
    for kind in _kinds(month):
        yield {at for at, line in numbered if line.utility_type == kind}, within_a_sentence(kind)
    for bill in dict.fromkeys(line.bill_id for line in month.lines):
        its = {at for at, line in numbered if line.bill_id == bill}
        yield its, say("the bill of {issuer}", issuer=month.lines[min(its)].issuer)
    for at, line in numbered:
        yield {at}, _named(line)
    for (at, line), (other, another) in combinations(numbered[:MOST_LINES_TRIED], 2):
        yield {at, other}, listed([_named(line), _named(another)])


def _named(line: Line) -> str:
    kind = within_a_sentence(line.utility_type or "OTHER")
    return say("the {utility} of {issuer}", utility=kind, issuer=line.issuer)


def own_part_of(month: Month) -> str | None:
    """Check whether the former program also charged the owner's percentage, of one utility or all.

    The result is a sentence with advice, or None. Callers check this before they try other splits, because another
    split can happen to give the same amounts.
    """
    rules, ours = month.facts.rules, ours_of(month)
    having = [kind for kind in _kinds(month) if kind in rules and rules[kind].owner_percent]
    for kinds in [{kind} for kind in having] + [set(having)] * (len(having) > 1):
        charged = [
            _parts(month, line, rules[line.utility_type or ""]._replace(owner_percent=Fraction()))
            if line.utility_type in kinds
            else parts
            for line, parts in zip(month.lines, ours, strict=True)
        ]
        if month.agrees(summed(charged)):
            what = listed(sorted(map(within_a_sentence, kinds)))
            return say(
                "Their amounts also include your own part of {what}. Set it to 0 in the rule if that is intended.",
                what=what,
            )
    return None


def _ratio(month: Month, ours: Sequence[Amounts]) -> str | None:
    """Check for a percentage of our amounts in every unit, for one utility or all."""
    if len(month.theirs) < FEWEST_FOR_A_RATIO:
        return None
    kinds = _kinds(month)
    for kind in [*(kinds if len(kinds) > 1 else ()), None]:
        scaled, stays = list[Amounts](), list[Amounts]()
        for line, parts in zip(month.lines, ours, strict=True):
            (scaled if kind is None or line.utility_type == kind else stays).append(parts)
        of, beside = summed(scaled), summed(stays)
        whole = sum(of.get(unit, 0) for unit in month.theirs)
        theirs = sum(their - beside.get(unit, 0) for unit, their in month.theirs.items())
        if whole <= 0 or theirs <= 0:
            continue
        ratio = Fraction(theirs, whole)
        if all(
            abs(beside.get(unit, 0) + ratio * of.get(unit, 0) - their) <= month.cents
            for unit, their in month.theirs.items()
        ):
            percent = month.write.percent(ratio * _HUNDRED)
            told = say("Their amounts are {percent} of ours in every unit.", percent=percent)
            if kind is not None:
                told = say(
                    "Their amounts are {percent} of ours for {utility} in every unit.",
                    percent=percent,
                    utility=within_a_sentence(kind),
                )
            if ratio < 1:
                then = say("There, the owner bears the rest. Set your own part in the rule if that is intended.")
            else:
                then = say("Look for an additional fee there, or for a bill with a different amount.")
            return joined([told, then])
    return None


def _extra(month: Month, ours: Sequence[Amounts]) -> str | None:
    """Check for an additional amount in the former charges, split by a method."""
    if len(month.theirs) < FEWEST_FOR_A_RATIO:
        return None
    today = summed(ours)
    more = {unit: their - today.get(unit, 0) for unit, their in month.theirs.items()}
    if min(more.values()) < 0 or len(month.theirs) < len(month.facts.units):
        return None
    amount = sum(more.values())
    for method in month.methods:
        if month.agrees(today, _weighed(month, method)(amount)):
            return say(
                "Their amounts include {amount} on top of our bills, divided {how}: a bill that is missing here, or "
                "a fee. Add it, or find out why theirs include it.",
                amount=month.money(amount), how=SPLIT_METHODS[method].by,
            )  # fmt: skip
    return None


def _two_otherwise(month: Month, ours: Sequence[Amounts]) -> str | None:
    """Check for two utilities that the former program split by other methods.

    They may be split among all units, or only among occupied ones.
    """
    today = by_kind(month, ours)
    for occupied, units in units_tried(month.facts):
        over = month._replace(facts=month.facts._replace(units=units))
        otherwise = {
            method: by_kind(month, [_weighed(over, method)(line.amount) for line in month.lines])
            for method in month.methods
        }
        for kind_one, other in combinations(today, 2):
            rest = summed([its for kind, its in today.items() if kind not in (kind_one, other)])
            for method, another in product(month.methods, repeat=2):
                if month.agrees(rest, otherwise[method][kind_one], otherwise[another][other]):
                    sentence = _TWO_OF_LIVED_IN if occupied else _TWO
                    return sentence.format(
                        first=within_a_sentence(kind_one), how=SPLIT_METHODS[method].by,
                        second=within_a_sentence(other), otherwise=SPLIT_METHODS[another].by,
                    )  # fmt: skip
    return None


def units_tried(facts: MonthFacts) -> list[tuple[bool, tuple[UnitFacts, ...]]]:
    """The sets of units to try: all and, if they are fewer, the occupied ones.

    The flag before a set is True if it has only occupied units. A unit is occupied if somebody lives in it for at
    least a day of the month.
    """
    whole = of_month(facts.month)
    lived_in = tuple(
        unit for unit in facts.units if any(not unit_days.is_vacant for unit_days in units_on(whole, [unit]))
    )
    return [(False, facts.units), *([(True, lived_in)] if len(lived_in) < len(facts.units) else [])]


def _blend(month: Month, ours: Sequence[Amounts]) -> str | None:
    """Check for a blend of two methods, for one utility or all."""
    if len(month.theirs) < FEWEST_FOR_A_BLEND:
        return None
    kinds = _kinds(month)
    for kind in [*kinds, *([None] if len(kinds) > 1 else ())]:
        blended = [line for line in month.lines if kind is None or line.utility_type == kind]
        rest = summed([
            parts for line, parts in zip(month.lines, ours, strict=True) if kind and line.utility_type != kind
        ])  # fmt: skip
        for first, second in combinations(month.methods, 2):
            first_amounts, other = (
                summed([_weighed(month, way)(line.amount) for line in blended]) for way in (first, second)
            )
            percent = _percent(month, rest, first_amounts, other)
            if percent is not None:
                return say(
                    "Their amounts come from dividing {what} {percent}% {how} and {rest}% {otherwise}. If that is "
                    "intended, add it under Rules, Ways to divide.",
                    what=say("everything") if kind is None else within_a_sentence(kind),
                    percent=percent, how=SPLIT_METHODS[first].by,
                    rest=_HUNDRED - percent, otherwise=SPLIT_METHODS[second].by,
                )  # fmt: skip
    return None


def _percent(month: Month, rest: Amounts, one: Amounts, other: Amounts) -> int | None:
    """The percentage of `one` in a blend with `other` that gives the former program's amounts.

    `one` and `other` are the amounts under the two methods; `rest` are those of the utilities that are not blended.
    The result is None if no whole number fits, or if both methods give every unit the same.
    """
    widest = max(month.theirs, key=lambda unit: abs(one.get(unit, 0) - other.get(unit, 0)))
    if one.get(widest, 0) == other.get(widest, 0):
        return None

    def is_so(percent: int, unit: str) -> bool:
        mixed = percent * one.get(unit, 0) + (_HUNDRED - percent) * other.get(unit, 0)
        return abs(mixed - _HUNDRED * (month.theirs[unit] - rest.get(unit, 0))) <= _HUNDRED * month.cents

    likely = [percent for percent in range(1, _HUNDRED) if is_so(percent, widest)]
    return next((percent for percent in likely if all(is_so(percent, unit) for unit in month.theirs)), None)
