"""Bills that Prorata bills in a different month than the former program does.

They are found by comparing several months of a parallel run.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, next_month
from prorata.domain.months.parallel_runs import Finding
from prorata.domain.texts import say

Group = tuple[str, ...]
"""The utility types that a file combines; empty if it names none."""
SHIFTED = say(
    "Bills are billed in another month here than there: what one month has less here, a month beside it has more, to "
    "the cent. “The month of a bill” in Settings says which month a bill is billed in; on a bill’s page you can choose "
    "another."
)
_REPLACED = ("cause", "rule", "unexplained")


class SideBySide(NamedTuple):
    """A property's month in both programs; amounts are in cents, by group of utility types.

    `differences` are Prorata's charges less the former program's. `bills` are the amounts that Prorata charges for
    single bills.
    """

    month: Month
    differences: Mapping[Group, int]
    bills: Mapping[Group, frozenset[int]]


class Shift(NamedTuple):
    """The months of a bill that the programs bill differently.

    Prorata bills it in `here`, and the former program in `there`.
    """

    here: Month
    there: Month


def shifts(months: Sequence[SideBySide]) -> dict[Month, tuple[Shift, ...]]:
    """Find the shifts that explain all differences of a property's months.

    The result maps each explained month to its shifts. A difference is explained if the next month has the
    opposite difference, and Prorata has a bill that is no larger than the difference; a difference smaller than
    every bill is attributed to rounding. Differences of more than two consecutive months are explained if they sum to
    zero, and each amount carried over to the next month is one of Prorata's bills.

    >>> water = ("WATER",)
    >>> months = [SideBySide(Month(month), {water: cents}, {water: frozenset(bills)})
    ...     for month, cents, bills in (("2026-01", -50, ()), ("2026-02", -10, (50,)), ("2026-03", 60, (60, 70)))]
    >>> shifts(months)["2026-02"]
    (Shift(here='2026-02', there='2026-01'), Shift(here='2026-03', there='2026-02'))
    >>> shifts(months[:2])
    {}
    >>> shifts([month._replace(differences={water: cents}) for month, cents in zip(months[1:], (-11, 11))])
    {}
    """
    found: dict[tuple[Month, Group], list[Shift]] = defaultdict(list)
    for group in {group for month in months for group in month.differences}:
        at = 0
        while at < len(months):
            run = _run(months[at:], group)
            for shift in run:
                found[shift.here, group].append(shift)
                found[shift.there, group].append(shift)
            at += len(run) + 1
    explained = {}
    for month in months:
        differing = [group for group, cents in month.differences.items() if cents]
        if differing and all((month.month, group) in found for group in differing):
            explained[month.month] = tuple(
                dict.fromkeys(shift for group in differing for shift in found[month.month, group])
            )
    return explained


def _run(months: Sequence[SideBySide], group: Group) -> list[Shift]:
    """Find the shifts that explain the differences of consecutive months, from the first on.

    They are returned in order. The result is empty if no shift explains the first month's difference.
    """
    carried, its, are_bills = 0, list[Shift](), True
    for month, after in pairwise(months):
        carried += month.differences.get(group, 0)
        if not carried or after.month != next_month(month.month):
            return []
        here, there = (after, month) if carried < 0 else (month, after)
        its.append(Shift(here.month, there.month))
        bills = here.bills.get(group, frozenset())
        are_bills = are_bills and abs(carried) in bills
        if carried + after.differences.get(group, 0) == 0:
            several = len(its) == 1 and any(0 < cents <= abs(carried) for cents in bills)
            return its if are_bills or several else []
        if not are_bills:
            return []
    return []


def with_shifts(findings: Sequence[Finding], its: tuple[Shift, ...]) -> list[Finding]:
    """Replace the findings that shifts explain by one finding that names the shifts."""
    replaced = [finding for finding in findings if finding.kind in _REPLACED]
    labels = tuple(label for finding in replaced for label in finding.labels)
    theirs, ours = sum(finding.theirs for finding in replaced), sum(finding.ours for finding in replaced)
    rest = [finding for finding in findings if finding not in replaced]
    return [Finding("cause", SHIFTED, labels, theirs, ours, shifts=its), *rest]
