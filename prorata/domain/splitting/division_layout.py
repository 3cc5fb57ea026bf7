"""A line's division laid out for a page: weights in words, exact shares and cents.

It also explains why the owner bears a part. The cents are those of `division.divide`; nothing is divided a second time.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import month_of
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import decimals_of, exact_sum
from prorata.domain.splitting.division import Piece, Shares, after_the_owners, divide, in_words
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.splitting.stays import LineDays, Presence, UnitDays, UnitFacts, of_month, people_there, units_on
from prorata.domain.texts import Text, joined, say, say_n

_HUNDRED = Fraction(100)
_NOTHING = Fraction()


class Share(NamedTuple):
    """A household's part of a line, laid out for a page.

    `weight` states the part in words ("850 of 2,000 sq ft"), and `exact` is the share in cents before rounding.
    `tenant_ids` are the household's tenants. They are None if the share is a whole unit's: either nobody lived
    there on any of the days, so that the owner pays (`is_vacant`), or the facts are from an older snapshot, which
    has no stays.
    """

    unit_id: str
    label: str
    tenant_ids: tuple[str, ...] | None
    weight: str
    exact: Fraction
    cents: int
    is_vacant: bool
    is_unknown: bool


class LaidOut(NamedTuple):
    """A line's division laid out for a page, with shares sorted by the units' labels.

    There are no shares if the owner bears the whole line.
    """

    shares: tuple[Share, ...]
    owner: int
    owner_exact: Fraction
    why_owner: tuple[str, ...]
    neighbors_pay: str = ""
    """The sentence about vacant units whose part the others pay, if there are any."""


def lay_out(
    amount: int, rule: Rule | None, days: LineDays, units: Sequence[UnitFacts], what: str, write: Forms = PLAIN
) -> LaidOut:
    """Lay out the division of `amount` cents for `what`, such as "water", over `units`.

    The units must be in tie order (`month_facts.in_tie_order`). In the example, $100.00 of water is split by square
    feet over flats of 500 and 1,000 sq ft, after the owner's 10%. Flat 2 is vacant:

    >>> from prorata.domain.billing_calendar import Month
    >>> from prorata.domain.splitting.stays import Stay, of_month
    >>> flats = [UnitFacts("u1", "1", Fraction(500), 1, None, None, (Stay("ann", None, None),)),
    ...          UnitFacts("u2", "2", Fraction(1000), 1, None, None)]
    >>> rule = Rule("WATER", "SQFT", {}, Fraction(10), Fraction(0))
    >>> shown = lay_out(100_00, rule, of_month(Month("2026-03")), flats, "water")
    >>> [(share.label, share.cents, share.is_vacant) for share in shown.shares], shown.owner, shown.why_owner
    ([('1', 3000, False), ('2', 6000, True)], 1000, ('10% of the amount is the owner’s before the rest is divided.',))
    """
    there = units_on(days, units)
    divided = divide(amount, rule, days, there)
    why = why_owner(rule, days, there, what, write)
    if not divided.units:
        return LaidOut((), divided.owner, Fraction(amount), why)
    shares = tuple(_shares(divided, there, days, write))
    owner = divided.owner + divided.empty
    empty = [
        say(
            "Unit {label} stood empty on {number} of {number_2} days: that part is the owner’s.",
            label=unit.label,
            number=write.count(unit.empty),
            number_2=write.count(unit.active),
        )
        for unit, its in zip(there, divided.units, strict=True)
        if its.households and its.empty
    ]
    exact = amount - exact_sum([share.exact for share in shares])
    return LaidOut(shares, owner, exact, (*why, *empty), _neighbors_pay(rule, there, write))


def _neighbors_pay(rule: Rule | None, units: Sequence[UnitDays], write: Forms) -> str:
    """State how many vacant units the other units pay for; "" if none.

    Under a blend, the others pay only the part that is divided by people.
    """
    assert rule is not None, "what has shares was divided by a rule"
    empty = sum(bool(unit.empty) for unit in units) if rule.leaves_vacant_out else 0
    if not empty or all(unit.is_vacant for unit in units):
        return ""
    by_people = rule.percent_by_people
    if by_people < _HUNDRED:
        return say_n(
            "{n} unit was vacant for some or all days. For these days, the other units pay its part of the {percent} "
            "divided by people, because the rule counts nobody there; the owner pays its part of the rest.",
            "{n} units were vacant for some or all days. For these days, the other units pay their part of the "
            "{percent} divided by people, because the rule counts nobody there; the owner pays their part of the rest.",
            empty, n=write.count(empty), percent=write.percent(by_people),
        )  # fmt: skip
    return say_n(
        "{n} unit was vacant for some or all days. The rule counts nobody there, so the other units pay its part.",
        "{n} units were vacant for some or all days. The rule counts nobody there, so the other units pay their part.",
        empty, n=write.count(empty),
    )  # fmt: skip


def _shares(divided: Shares, there: Sequence[UnitDays], days: LineDays, write: Forms) -> Iterator[Share]:
    for at, (unit, its) in enumerate(zip(there, divided.units, strict=True)):
        unknown = unit.unit_id in divided.missing
        for who, part in zip(unit.present or (None,), its.households or (its.part,), strict=True):
            yield Share(
                unit.unit_id,
                unit.label,
                None if who is None or unit.is_former else who.household.tenant_ids,
                _weight(divided, at, unit, who, days, write),
                divided.amount * divided.exact(at, unit, who),
                part,
                unit.is_vacant,
                unknown,
            )


def _weight(divided: Shares, at: int, unit: UnitDays, who: Presence | None, days: LineDays, write: Forms) -> Text:
    """Describe a household's weight in the words of its invoice.

    If the method counts people, their days are included: "2 people × 31 days = 62 of 155 person-days".
    """
    pieces = [divided.piece(layer, at, unit, who) for layer in divided.layers]
    stays = () if who is None or unit.is_former else who.household.stays
    ways = [_with_people(piece, people_there(days, stays), write) for piece in pieces]
    how = ways[0] if len(ways) == 1 else joined(ways, "; ")
    assert divided.rule is not None, "what has shares was divided by a rule"
    return after_the_owners(how, divided.rule.owner_percent, write)


def _with_people(piece: Piece, people: Sequence[tuple[int, int]], write: Forms) -> Text:
    """Describe a calculation; for a method that counts people, with their numbers and days.

    `people` are pairs of a number of people and their number of days. They are left out if they don't add up to
    the calculated part.
    """
    counts = SPLIT_METHODS[piece.split_method].counts_people
    if not counts or sum(number * on for number, on in people) != piece.part or not people:
        return in_words(piece, write)
    products = [
        say(
            "{people} × {days}",
            people=say_n("{n} person", "{n} people", number, n=write.count(number)),
            days=say_n("{n} day", "{n} days", on, n=write.count(on)),
        )
        for number, on in people
    ]
    how_many = say(
        "{people} = {how}",
        people=products[0] if len(products) == 1 else joined(products, " + "),
        how=in_words(piece._replace(percent=None), write),
    )
    return (
        how_many
        if piece.percent is None
        else say("{percent} by {how}", percent=write.percent(piece.percent), how=how_many)
    )


def undivided(days: LineDays, units: Sequence[UnitFacts]) -> Iterator[Share]:
    """Yield a share of 0 cents per unit, for a line that no rule divides."""
    for unit in units_on(days, units):
        yield Share(
            unit.unit_id, unit.label, None, say("nothing"), _NOTHING, 0, unit.is_vacant, is_unknown=False
        )  # fmt: skip


def _measures(method: str, rule: Rule, units: Sequence[UnitDays]) -> list[Fraction]:
    measure = SPLIT_METHODS[method].measure
    return [measure(unit, rule) or _NOTHING for unit in units]


def _without_weight(method: str) -> Text:
    """State that no unit has the measure of a method."""
    return say("{divided}, and {lacked}", divided=SPLIT_METHODS[method].by, lacked=SPLIT_METHODS[method].lacked)


def why_owner(
    rule: Rule | None, days: LineDays, units: Sequence[UnitDays], what: str, write: Forms = PLAIN
) -> tuple[str, ...]:
    """Explain the owner's part of a line of `what`, with one sentence for each reason.

    >>> from datetime import date
    >>> why_owner(None, LineDays(date(2026, 3, 1), date(2026, 3, 31)), (), "water")
    ('No rule for water is switched on, so all of it is the owner’s.',)
    """
    if rule is None:
        return (say("No rule for {utility} is switched on, so all of it is the owner’s.", utility=what),)
    if not units:
        month = month_of(days.first)
        if days == of_month(month):
            form = say("No unit takes part in {month}, so all of it is the owner’s.", month=write.month(month))
        else:
            form = say("No unit takes part from {first} to {last}, so all of it is the owner’s.")
        return (form.format(first=write.day(days.first), last=write.day(days.last)),)
    sentences = []
    if rule.owner_percent:
        percent = write.percent(rule.owner_percent)
        sentences.append(say("{percent} of the amount is the owner’s before the rest is divided.", percent=percent))
    if not rule.blend:
        method = SPLIT_METHODS[rule.split_method]
        measures = _measures(rule.split_method, rule, units)
        if not any(measures):
            return (
                say(
                    "It is divided {split_method}: all of it is the owner’s.",
                    split_method=_without_weight(rule.split_method),
                ),
            )
        given = exact_sum(
            [Fraction(measure * unit.active, days.number) for measure, unit in zip(measures, units, strict=True)]
        )
        if method.of_hundred and given < _HUNDRED:
            left = _HUNDRED - given
            sentences.append(
                say("As units come and go, a part is given to no unit, and is the owner’s.")
                if decimals_of(left) is None
                else say("{percent} is given to no unit, and is the owner’s.", percent=write.percent(left))
            )
        return tuple(sentences)
    sentences += [
        say(
            "{percent} is divided {how}: that part is the owner’s.",
            percent=write.percent(component.percent),
            how=_without_weight(component.split_method),
        )
        for component in rule.blend
        if not any(_measures(component.split_method, rule, units))
    ]
    return tuple(sentences)
