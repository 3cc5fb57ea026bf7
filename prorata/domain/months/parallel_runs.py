"""A parallel run: the former program's charges compared with Prorata's, to the cent.

Reasons are given for the differences. If another split gives the former amounts, it is named, so that a person can
choose this split, or see that the current one is intended.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.groups import grouped
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.parallel_run_causes import cause_of, own_part_of
from prorata.domain.months.tried_divisions import TriedMonth, summed
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.texts import joined, say
from prorata.domain.utility_names import within_a_sentence

Kind = Literal[
    "same", "unknownUnit", "notBilled", "missing", "vacant", "byHand", "rounding", "rule", "cause", "unexplained"
]

_RULE: Kind = "rule"
_CAUSE: Kind = "cause"
_UNEXPLAINED: Kind = "unexplained"
_ORDER: Mapping[Kind, int] = {"rounding": 1, "vacant": 1, "same": 2}
"""The place of a kind among others: differences that a person should look at come first, and equal amounts last."""
_OTHERWISE_DIVIDED = say(
    "No reason was found. Both charge the same total, so the bills are the same, but were divided differently. "
    "Check the floor areas, bedrooms and weights of the units, and who lived there on which days."
)
_OTHER_BILLS = say(
    "No reason was found. The two sums differ, so check first whether this month has the same bills with the same "
    "amounts in both; then check the floor areas, bedrooms and weights of the units, and who lived there on which days."
)


class Theirs(NamedTuple):
    """The former program's charge for a unit, in cents, with its lines in the file.

    If `unit_id` is None, the unit is unknown: `reason` says why, or is empty if simply no unit has this label.
    """

    unit_id: str | None
    label: str
    amount: int
    lines: tuple[int, ...] = ()
    reason: str = ""


class Ours(NamedTuple):
    """Prorata's charges for a unit, in cents.

    `by_hand` is the amount of custom charges among them.
    """

    unit_id: str
    label: str
    amount: int
    by_hand: int
    is_vacant: bool


class Compared(NamedTuple):
    """A unit's charges in both programs, in cents; None where a program has no charge.

    `difference` is Prorata's amount less the former program's. If the unit is unknown, `lines` are the lines of
    the file that name it.
    """

    unit_id: str | None
    label: str
    theirs: int | None
    ours: int | None
    difference: int
    kind: Kind
    reason: str
    lines: tuple[int, ...] = ()

    @property
    def order(self) -> int:
        """The unit's rank in a sorted list of units, by kind of difference (`_ORDER`)."""
        return _ORDER.get(self.kind, 0)


class Finding(NamedTuple):
    """Units whose amounts differ for the same reason, with both programs' sums in cents.

    If the units are unknown, `lines` are the lines of the file that name them. If the reason is that the programs
    bill some bills in different months, `shifts` are pairs of months, Prorata's month first.
    """

    kind: Kind
    reason: str
    labels: tuple[str, ...]
    theirs: int
    ours: int
    lines: tuple[int, ...] = ()
    shifts: tuple[tuple[Month, Month], ...] = ()

    @property
    def order(self) -> int:
        """The finding's rank in a list (`_ORDER`); 0 if a person should check it."""
        return _ORDER.get(self.kind, 0)

    @property
    def is_shared(self) -> bool:
        """True if the reason is shown once for all units, instead of with each unit."""
        return len(self.labels) > 1 or bool(self.lines) or self.kind in (_RULE, _CAUSE)


class OtherWay(NamedTuple):
    """A split, other than Prorata's, that gives the former program's amounts.

    All bills are split by `split_method`, or only those for `utility_type` if it is given. If `occupied` is set,
    only occupied units are charged. `is_exact` means that the amounts agree to the cent, not only up to rounding.
    """

    split_method: str
    utility_type: str | None
    occupied: bool
    is_exact: bool

    @property
    def sentence(self) -> str:
        """A sentence that states how the former amounts were divided, with advice."""
        form = say("Their amounts come from dividing {what} {by}.")
        if self.occupied and self.is_exact:
            form = say("Their amounts come from dividing {what} {by}, among occupied units only.")
        elif self.occupied:
            form = say("Their amounts come from dividing {what} {by}, among occupied units only, apart from rounding.")
        elif not self.is_exact:
            form = say("Their amounts come from dividing {what} {by}, apart from rounding.")
        what = within_a_sentence(self.utility_type) if self.utility_type else say("everything")
        told = form.format(what=what, by=SPLIT_METHODS[self.split_method].by)
        then = say("Change the rule if that is intended; otherwise, the old amounts were divided differently.")
        return joined([told, then])


class Comparison(NamedTuple):
    """The units that both programs charge, with sums in cents and any explanation.

    The explanation is `other_way`, another split that gives the former amounts. If there is none, `cause` may be a
    sentence that explains all differences (`parallel_run_causes`).
    """

    units: tuple[Compared, ...]
    theirs: int
    ours: int
    other_way: OtherWay | None
    cause: str | None = None

    @property
    def differing(self) -> list[Compared]:
        """The units that are charged differently.

        A vacant unit that the former program charged nothing is not included, because in Prorata the owner bears
        the unit's amount.
        """
        return [unit for unit in self.units if unit.kind not in ("same", "vacant")]

    @property
    def findings(self) -> list[Finding]:
        """The reasons for differences, each with the units that it explains.

        Reasons that a person should look at come first.
        """
        each = (
            Finding(unit.kind, unit.reason, (unit.label,), unit.theirs or 0, unit.ours or 0, tuple(unit.lines))
            for unit in self.units
            if unit.kind != "same"
        )
        its = [together(some) for some in grouped(((one.kind, one.reason), one) for one in each).values()]
        return sorted(its, key=lambda finding: finding.order)

    @property
    def vacant(self) -> int:
        """Prorata's amount, in cents, for vacant units that the former program charged nothing."""
        return sum(unit.ours or 0 for unit in self.units if unit.kind == "vacant")

    @property
    def agrees(self) -> bool:
        """True if both programs charge tenants the same amounts, to the cent."""
        return not self.differing


def only_reason(findings: Sequence[Finding]) -> str:
    """Return the reason that explains all differences; "" if there are several reasons."""
    of_month = [finding.reason for finding in findings if finding.kind in (_RULE, _CAUSE)]
    reasons = of_month or [finding.reason for finding in findings]
    return reasons[0] if len(reasons) == 1 else ""


def together(findings: Sequence[Finding]) -> Finding:
    """Combine findings with the same reason, about several units or months, into one.

    The result lists each unit's label and each line of the file once.
    """
    labels = dict.fromkeys(label for finding in findings for label in finding.labels)
    lines = {line for finding in findings for line in finding.lines}
    theirs, ours = sum(finding.theirs for finding in findings), sum(finding.ours for finding in findings)
    return Finding(findings[0].kind, findings[0].reason, tuple(labels), theirs, ours, tuple(sorted(lines)))


def sum_row(theirs: Sequence[Theirs]) -> Theirs | None:
    """Return the last row if it is the sum of all rows above, otherwise None.

    Such a row names no unit. There must be at least two rows above. Spreadsheets often end with such a row.

    >>> rows = [Theirs("u1", "1", 40_00), Theirs("u2", "2", 60_00), Theirs(None, "Total", 100_00)]
    >>> sum_row(rows) == rows[2], sum_row(rows[:2]), sum_row(rows[1:])
    (True, None, None)
    """
    above = theirs[:-1]
    if len(above) <= 1 or theirs[-1].unit_id is not None:
        return None
    return theirs[-1] if theirs[-1].amount == sum(row.amount for row in above) else None


def compare(theirs: Sequence[Theirs], ours: Sequence[Ours], facts: MonthFacts, write: Forms = PLAIN) -> Comparison:
    """Compare the former program's charges of a month with Prorata's, unit by unit.

    The charges of a unit that is listed repeatedly are added up. In the example, $100.00 of water is split over flats
    of 500 and 1,500 sq ft: equally by Prorata, and by floor area by the former program:

    >>> from datetime import date
    >>> from fractions import Fraction
    >>> from prorata.domain.billing_calendar import Month
    >>> from prorata.domain.splitting.month_facts import Line
    >>> from prorata.domain.splitting.share_rules import Rule
    >>> from prorata.domain.splitting.stays import Stay, UnitFacts
    >>> stays = (Stay("ann", None, None),)
    >>> flats = tuple(UnitFacts(f"u{n}", f"{n}", Fraction(500 * n), 1, None, None, stays) for n in (1, 3))
    >>> line = Line("b1", 1, 100_00, "WATER", "City", date(2026, 3, 1), 100_00)
    >>> equal = Rule("WATER", "EQUAL", {}, Fraction(0), Fraction(0))
    >>> facts = MonthFacts(Month("2026-03"), "USD", (line,), {"WATER": equal}, flats)
    >>> ours = [Ours("u1", "1", 50_00, 0, False), Ours("u3", "3", 50_00, 0, False)]
    >>> found = compare([Theirs("u1", "1", 25_00), Theirs("u3", "3", 75_00)], ours, facts)
    >>> [(unit.label, unit.difference, unit.kind) for unit in found.units], found.other_way[:2]
    ([('1', 2500, 'rule'), ('3', -2500, 'rule')], ('SQFT', 'WATER'))
    """
    by_unit, theirs = {charge.unit_id: charge for charge in ours}, _once(theirs)
    both = {their.unit_id: their.amount for their in theirs if their.unit_id is not None and their.unit_id in by_unit}
    cents = max(1, sum(line.utility_type is not None for line in facts.lines))
    far = any(
        cents < abs(by_unit[unit].amount - amount) and amount != by_unit[unit].amount - by_unit[unit].by_hand
        for unit, amount in both.items()
    )
    month = TriedMonth(facts, both, cents, write)
    cause = own_part_of(month) if far else None
    other = _other_way(month) if far and cause is None else None
    cause = cause_of(month) if far and cause is None and other is None else cause
    sums = sum(their.amount for their in theirs), sum(charge.amount for charge in ours)
    why, kind = (other.sentence if other else cause), _RULE if other else _CAUSE
    if why is None:
        is_same_sum = abs(sum(both.values()) - sum(by_unit[unit].amount for unit in both)) <= cents
        why, kind = _OTHERWISE_DIVIDED if is_same_sum else _OTHER_BILLS, _UNEXPLAINED
    compared = [_with_theirs(their, by_unit.get(their.unit_id or ""), cents, why, kind) for their in theirs]
    named = {their.unit_id for their in theirs}
    compared += [_without_theirs(charge) for charge in ours if charge.unit_id not in named]
    return Comparison(tuple(compared), *sums, other, cause)


def _once(theirs: Sequence[Theirs]) -> list[Theirs]:
    """Merge the charges of each unit that has several rows in the file."""
    by_unit: dict[str, Theirs] = {}
    for their in theirs:
        key = their.unit_id or f" {their.label}"
        there = by_unit.get(key, their._replace(amount=0, lines=()))
        by_unit[key] = there._replace(amount=there.amount + their.amount, lines=there.lines + their.lines)
    return list(by_unit.values())


def _with_theirs(their: Theirs, our: Ours | None, cents: int, why: str, kind_of_why: Kind) -> Compared:
    if their.unit_id is None:
        reason = their.reason or say(
            "No unit in this property has this label. Correct it in the file, or add the unit."
        )
        return Compared(None, their.label, their.amount, None, -their.amount, "unknownUnit", reason, their.lines)
    if our is None:
        same = their.amount == 0
        reason = (
            ""
            if same
            else say(
                "This unit is charged nothing here, because it takes no part in the month or its invoice is cancelled."
            )
        )
        kind: Kind = "same" if same else "notBilled"
        return Compared(their.unit_id, their.label, their.amount, None, -their.amount, kind, reason)
    difference = our.amount - their.amount
    kind, reason = _why(difference, our, cents, why, kind_of_why)
    return Compared(our.unit_id, our.label, their.amount, our.amount, difference, kind, reason)


def _why(difference: int, our: Ours, cents: int, why: str, kind: Kind) -> tuple[Kind, str]:
    if not difference:
        return "same", ""
    if our.by_hand and difference == our.by_hand:
        return "byHand", say("Our amount includes a charge that was added by hand.")
    if our.is_vacant and difference == our.amount:
        return "vacant", say("The unit was vacant. Here, the owner bears its share, and no neighbor pays for it.")
    if kind == _UNEXPLAINED and abs(difference) <= cents:
        return "rounding", say(
            "Rounding: here, the cents of every line are distributed so that the shares add up to the bill."
        )
    return kind, why


def _without_theirs(our: Ours) -> Compared:
    kind: Kind = "vacant" if our.is_vacant else "missing"
    reason: str = (
        say("The unit was vacant and is not in the file. Here, the owner bears its share, and no neighbor pays for it.")
        if our.is_vacant
        else say("The unit is not in the file.")
    )
    if not our.amount:
        kind, reason = "same", ""
    return Compared(our.unit_id, our.label, None, our.amount, our.amount, kind, reason)


# --- other splits -----------------------------------------------------------------------------------------------------


def _other_way(month: TriedMonth) -> OtherWay | None:
    """Find the first other split that gives all of the former amounts exactly.

    If no split does, find the first one whose amounts differ from the former ones by at most a cent for each line. If
    there is no such split either, return None.
    """
    near = None
    for way, sums in _ways(month):
        off = max(abs(sums.get(unit, 0) - amount) for unit, amount in month.theirs.items())
        if not off:
            return way
        if off <= month.cents and near is None:
            near = way._replace(is_exact=False)
    return near


def _ways(month: TriedMonth) -> Iterator[tuple[OtherWay, dict[str, int]]]:
    """Yield every split to try, with the amounts that it gives each unit.

    Splits that differ from Prorata's in one utility come first, followed by those that differ in all utilities.
    """
    kinds = month.kinds
    for occupied in month.units_tried:
        tried = {method: month.divided(method, occupied=occupied) for method in month.methods}
        for kind in kinds if len(kinds) > 1 else ():
            rest = [its for name, its in month.today.items() if name != kind]
            for method, its in tried.items():
                yield OtherWay(method, kind, occupied, is_exact=True), summed([its[kind], *rest])
        for method, its in tried.items():
            only = kinds[0] if len(kinds) == 1 else None
            yield OtherWay(method, only, occupied, is_exact=True), summed(its.values())
