"""Causes of differences in a parallel run, tried if no other split explains them.

For example, one side lacks a bill, the owner bears a part, two utilities are split by other methods, or a blend is
used.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from prorata.domain.limits import MOST_LINES_TRIED
from prorata.domain.months.tried_divisions import Amounts, TriedMonth, by_method, summed
from prorata.domain.splitting.month_facts import Line
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.splitting.stays import of_month
from prorata.domain.texts import joined, listed, say
from prorata.domain.utility_names import within_a_sentence

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


def cause_of(month: TriedMonth) -> str | None:
    """Name a cause, with advice, that explains all former amounts; None if none does.

    Two flats share $100.00 of water and $40.00 of gas equally, and the former program charged only water:

    >>> from datetime import date
    >>> from prorata.domain.billing_calendar import Month
    >>> from prorata.domain.locale_forms import PLAIN
    >>> from prorata.domain.splitting.month_facts import MonthFacts
    >>> from prorata.domain.splitting.share_rules import Rule
    >>> from prorata.domain.splitting.stays import Stay, UnitFacts
    >>> stays = (Stay("ann", None, None),)
    >>> flats = tuple(UnitFacts(f"u{n}", f"{n}", Fraction(500 * n), 1, None, None, stays) for n in (1, 2))
    >>> lines = [Line("b1", 1, 100_00, "WATER", "City", date(2026, 3, 1), 100_00),
    ...          Line("b2", 1, 40_00, "GAS", "Gas Co.", date(2026, 3, 1), 40_00)]
    >>> rules = {kind: Rule(kind, "EQUAL", {}, Fraction(0), Fraction(0)) for kind in ("WATER", "GAS")}
    >>> facts = MonthFacts(Month("2026-03"), "USD", tuple(lines), rules, flats)
    >>> said = cause_of(TriedMonth(facts, {"u1": 50_00, "u2": 50_00}, 2, PLAIN))
    >>> said[:79]
    'Their amounts leave out gas: each difference is the unit’s share of it here, $4'
    """
    for find in (_lacking, _extra, _ratio, _two_otherwise, _blend):
        cause = find(month)
        if cause is not None:
            return cause
    return None


def _lacking(month: TriedMonth) -> str | None:
    """Check whether the former program omitted a utility, bill, bill line or pair of lines."""
    ours = summed(month.ours)
    for chosen, name in _groups(month):
        if len(chosen) < len(month.lines) and month.agrees(ours, but=[month.ours[at] for at in chosen]):
            amount = month.money(sum(month.lines[at].amount for at in chosen))
            return say(
                "Their amounts leave out {name}: each difference is the unit’s share of it here, {amount} in "
                "total. Add it there, or find out why ours include it.",
                name=name, amount=amount,
            )  # fmt: skip
    return None


def _groups(month: TriedMonth) -> Iterator[tuple[set[int], str]]:
    numbered = list(enumerate(month.lines))
    for kind in month.kinds:
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


def own_part_of(month: TriedMonth) -> str | None:
    """Check whether the former program also charged the owner's percentage, of one utility or all.

    The result is a sentence with advice, or None. Callers check this before they try other splits, because another
    split can happen to give the same amounts.
    """
    rules = month.facts.rules
    having = [kind for kind in month.kinds if kind in rules and rules[kind].owner_percent]
    for kinds in [{kind} for kind in having] + [set(having)] * (len(having) > 1):
        charged = [
            month.parts(line, rules[line.utility_type or ""]._replace(owner_percent=Fraction()))
            if line.utility_type in kinds
            else parts
            for line, parts in zip(month.lines, month.ours, strict=True)
        ]
        if month.agrees(summed(charged)):
            what = listed(sorted(map(within_a_sentence, kinds)))
            return say(
                "Their amounts also include your own part of {what}. Set it to 0 in the rule if that is intended.",
                what=what,
            )
    return None


def _ratio(month: TriedMonth) -> str | None:
    """Check whether the former program charged every unit the same percentage of our amounts.

    The percentage may be of one utility's amounts or of all amounts.
    """
    if len(month.theirs) < FEWEST_FOR_A_RATIO:
        return None
    kinds = month.kinds
    for kind in [*(kinds if len(kinds) > 1 else ()), None]:
        of = summed(its for name, its in month.today.items() if kind in (None, name))
        beside = summed(its for name, its in month.today.items() if kind not in (None, name))
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


def _extra(month: TriedMonth) -> str | None:
    """Check whether the former charges include an additional amount, divided by a single method."""
    if len(month.theirs) < FEWEST_FOR_A_RATIO:
        return None
    today = summed(month.ours)
    more = {unit: their - today.get(unit, 0) for unit, their in month.theirs.items()}
    if min(more.values()) < 0 or len(month.theirs) < len(month.facts.units):
        return None
    amount, days = sum(more.values()), of_month(month.facts.month)
    for method in month.methods:
        if month.agrees(today, month.charged(amount, by_method(method), days)):
            return say(
                "Their amounts include {amount} on top of our bills, divided {how}: a bill that is missing here, or "
                "a fee. Add it, or find out why theirs include it.",
                amount=month.money(amount), how=SPLIT_METHODS[method].by,
            )  # fmt: skip
    return None


def _two_otherwise(month: TriedMonth) -> str | None:
    """Check for two utilities that the former program split by methods other than ours.

    The utilities may be split among all units, or only among occupied units.
    """
    for occupied in month.units_tried:
        otherwise = {method: month.divided(method, occupied=occupied) for method in month.methods}
        for kind_one, other in combinations(month.kinds, 2):
            rest = summed(its for kind, its in month.today.items() if kind not in (kind_one, other))
            for method, another in product(month.methods, repeat=2):
                if month.agrees(rest, otherwise[method][kind_one], otherwise[another][other]):
                    sentence = _TWO_OF_LIVED_IN if occupied else _TWO
                    return sentence.format(
                        first=within_a_sentence(kind_one), how=SPLIT_METHODS[method].by,
                        second=within_a_sentence(other), otherwise=SPLIT_METHODS[another].by,
                    )  # fmt: skip
    return None


def _blend(month: TriedMonth) -> str | None:
    """Check for a blend of two methods, for one utility or all.

    A method for which no unit has a measure is not tried, because it divides nothing.
    """
    if len(month.theirs) < FEWEST_FOR_A_BLEND:
        return None
    kinds = month.kinds
    for kind in [*kinds, *([None] if len(kinds) > 1 else ())]:
        rest = summed(its for name, its in month.today.items() if kind not in (None, name))
        blended = {
            method: summed(its for name, its in month.divided(method).items() if kind in (None, name))
            for method in month.methods
        }
        measured = [method for method in month.methods if any(blended[method].values())]
        for first, second in combinations(measured, 2):
            percent = _percent(month, rest, blended[first], blended[second])
            if percent is not None:
                return say(
                    "Their amounts come from dividing {what} {percent}% {how} and {rest}% {otherwise}. If that is "
                    "intended, add it under Rules, Ways to divide.",
                    what=say("everything") if kind is None else within_a_sentence(kind),
                    percent=percent, how=SPLIT_METHODS[first].by,
                    rest=_HUNDRED - percent, otherwise=SPLIT_METHODS[second].by,
                )  # fmt: skip
    return None


def _percent(month: TriedMonth, rest: Amounts, one: Amounts, other: Amounts) -> int | None:
    """Find the percentage of `one` method in a blend that gives the former program's amounts.

    `one` and `other` are the amounts that the two methods give; `rest` are our amounts for the utilities that are
    not blended. The result is None if no whole percentage fits, or if both methods give every unit the same
    amount.
    """
    widest = max(month.theirs, key=lambda unit: abs(one.get(unit, 0) - other.get(unit, 0)))
    ends, their = sorted((one.get(widest, 0), other.get(widest, 0))), month.theirs[widest] - rest.get(widest, 0)
    if ends[0] == ends[1] or not ends[0] - month.cents <= their <= ends[1] + month.cents:
        return None

    def is_so(percent: int, unit: str) -> bool:
        mixed = percent * one.get(unit, 0) + (_HUNDRED - percent) * other.get(unit, 0)
        return abs(mixed - _HUNDRED * (month.theirs[unit] - rest.get(unit, 0))) <= _HUNDRED * month.cents

    likely = [percent for percent in range(1, _HUNDRED) if is_so(percent, widest)]
    return next((percent for percent in likely if all(is_so(percent, unit) for unit in month.theirs)), None)
