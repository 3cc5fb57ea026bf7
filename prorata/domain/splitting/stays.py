"""Stays, the households they form, and the days of a bill line.

Days are calendar days, including both ends; None means unbounded.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, first_day, last_day

_A_DAY = timedelta(days=1)


class LineDays(NamedTuple):
    """The service days of a bill line, from the first to the last, both included."""

    first: date
    last: date

    @property
    def number(self) -> int:
        """The number of days, including both ends."""
        return (self.last - self.first).days + 1

    def within(self, since: date | None, until: date | None) -> int:
        """Count the days of the line that lie within a period; None means unbounded."""
        start = self.first if since is None or since < self.first else since
        end = self.last if until is None or until > self.last else until
        return max(0, (end - start).days + 1)


def of_month(month: Month) -> LineDays:
    """Return the days of a month, from the first to the last.

    >>> of_month(Month("2028-02")).number
    29
    """
    return LineDays(first_day(month), last_day(month))


class Stay(NamedTuple):
    """A tenant's stay in a unit, and the number of occupants under the tenant's name."""

    tenant_id: str
    first: date | None
    last: date | None
    occupants: int = 1

    @property
    def begin(self) -> date:
        """The first day of the stay; the earliest possible date if the stay is unbounded."""
        return self.first or date.min

    @property
    def end(self) -> date:
        """The last day of the stay; the latest possible date if the stay is unbounded."""
        return self.last or date.max


class Household(NamedTuple):
    """A chain of overlapping stays of a unit, in order: roommates, who pay together.

    The order is by first day and then tenant id.
    """

    stays: tuple[Stay, ...]

    @property
    def tenant_ids(self) -> tuple[str, ...]:
        """The ids of the household's tenants, which identify it among the unit's households."""
        return tuple(stay.tenant_id for stay in self.stays)

    @property
    def first(self) -> date:
        """The first day on which any tenant of the household was there."""
        return self.stays[0].begin

    @property
    def last(self) -> date:
        """The last day on which any tenant of the household was there."""
        return max(stay.end for stay in self.stays)

    @property
    def order(self) -> tuple[date, str]:
        """The sort key for missing cents and invoice sequences: first day, then lowest tenant id."""
        return self.first, min(self.tenant_ids)

    def days_among(self, days: LineDays) -> int:
        """Count the service days on which any tenant of the household was there.

        The days have no gaps, because the stays of a household overlap.
        """
        return days.within(self.first, self.last)

    def person_days(self, days: LineDays) -> int:
        """Count the household's person-days: its people who were there, summed day by day."""
        return sum(stay.occupants * days.within(stay.first, stay.last) for stay in self.stays)


def _by_begin(stay: Stay) -> tuple[date, str]:
    return stay.begin, stay.tenant_id


def clipped(stays: Iterable[Stay], since: date | None, until: date | None) -> tuple[Stay, ...]:
    """Limit stays to the unit's active time, sorted by first day and tenant id.

    Stays entirely outside that time are left out, such as the stay of t2 in the example.

    >>> clipped([Stay("t1", None, date(2026, 3, 14)), Stay("t2", None, date(2026, 1, 9))], date(2026, 2, 1), None)
    (Stay(tenant_id='t1', first=datetime.date(2026, 2, 1), last=datetime.date(2026, 3, 14), occupants=1),)
    """
    if since is not None or until is not None:
        stays = (
            stay._replace(
                first=max(stay.begin, since) if since else stay.first, last=min(stay.end, until) if until else stay.last
            )
            for stay in stays
        )
    return tuple(sorted((stay for stay in stays if stay.begin <= stay.end), key=_by_begin))


def households(stays: Sequence[Stay]) -> tuple[Household, ...]:
    """Group a unit's stays into households, earliest household first.

    The stays must be limited to the unit's active time. Two stays do not overlap if they share only a moving day,
    which is the last day of one and the first of the other:

    >>> moved = [Stay("ann", None, date(2026, 3, 15)), Stay("bo", date(2026, 3, 15), None)]
    >>> [household.tenant_ids for household in households(moved)]
    [('ann',), ('bo',)]

    A third tenant who was there with both makes them one household:

    >>> [household.tenant_ids for household in households([*moved, Stay("cy", date(2026, 3, 1), None)])]
    [('ann', 'cy', 'bo')]
    """
    if len(stays) == 1:
        return (Household(tuple(stays)),)
    chains: list[list[Stay]] = []
    end = date.min
    for stay in sorted(stays, key=lambda stay: (stay.begin, stay.end, stay.tenant_id)):
        if chains and stay.begin < end:
            chains[-1].append(stay)
            end = max(end, stay.end)
        else:
            chains.append([stay])
            end = stay.end
    by_begin = (sorted(chain, key=_by_begin) for chain in chains)
    return tuple(sorted((Household(tuple(chain)) for chain in by_begin), key=lambda household: household.order))


class FormerDays(NamedTuple):
    """The person-days and active days that an older snapshot kept instead of stays."""

    person_days: int
    active_days: int


class UnitFacts(NamedTuple):
    """A participating unit with its measures, its active time and the stays within that time.

    A measure is None if nobody entered it.
    """

    unit_id: str
    label: str
    sqft: Fraction | None
    bedrooms: int | None
    active_from: date | None
    active_to: date | None
    stays: tuple[Stay, ...] = ()
    former: FormerDays | None = None
    """The days from an older snapshot without stays.

    The unit then has one household, and takes part all month.
    """


class Presence(NamedTuple):
    """A household in a unit, with its days and person-days among a line's service days."""

    household: Household
    days: int
    person_days: int


NOBODY = Household(())
"""The household of a unit whose stays are missing from an older snapshot."""


class UnitDays(NamedTuple):
    """A unit on a line's service days: its active days, households and vacant days."""

    unit_id: str
    label: str
    sqft: Fraction | None
    bedrooms: int | None
    active: int
    present: tuple[Presence, ...]
    empty: int
    days: int
    """The number of occupied and vacant days, in which a moving day counts twice.

    It counts for both households.
    """
    is_former: bool = False
    """True if one household bears the unit's whole part, regardless of the days.

    This was the rule before households existed.
    """

    @property
    def person_days(self) -> int:
        """The person-days of all households: the people who were there, summed day by day."""
        return sum(presence.person_days for presence in self.present)

    @property
    def is_vacant(self) -> bool:
        """True if no tenant lived there on any of the line's service days.

        A tenant with 0 occupants counts as living there.
        """
        return not self.person_days if self.is_former else not self.present


def among(days: LineDays, unit: UnitFacts, of_unit: Sequence[Household]) -> UnitDays | None:
    """Find a unit's households on a line's service days; None if the unit was inactive.

    Ann was there until the 14th, and Bo from the 16th:

    >>> stays = (Stay("ann", None, date(2026, 3, 14)), Stay("bo", date(2026, 3, 16), None))
    >>> seen = among(of_month(Month("2026-03")), UnitFacts("u1", "1", None, None, None, None, stays), households(stays))
    >>> seen.active, [one.days for one in seen.present], seen.empty
    (31, [14, 16], 1)
    """
    if unit.former is not None:
        present = (Presence(NOBODY, days.number, unit.former.person_days),)
        empty = 0 if unit.former.person_days else unit.former.active_days
        return UnitDays(*unit[:4], days.number, present, empty, days.number, is_former=True)
    active = days.within(unit.active_from, unit.active_to)
    if not active:
        return None
    presences = [
        Presence(household, there, household.person_days(days))
        for household in of_unit
        if (there := household.days_among(days))
    ]
    empty = _empty(days, active, [presence.household for presence in presences])
    return UnitDays(*unit[:4], active, tuple(presences), empty, empty + sum(presence.days for presence in presences))


def units_on(days: LineDays, units: Iterable[UnitFacts]) -> list[UnitDays]:
    """List the units active on any of a line's service days, with their households."""
    its_units = (among(days, unit, households_of(unit)) for unit in units)
    return [unit for unit in its_units if unit is not None]


def people_there(days: LineDays, stays: Iterable[Stay]) -> tuple[tuple[int, int], ...]:
    """Group the people of these stays by the number of days that they were there.

    Each pair in the result is a number of people and their number of days, which is never 0.
    """
    people: Counter[int] = Counter()
    for stay in stays:
        people[days.within(stay.first, stay.last)] += stay.occupants
    return tuple((number, on) for on, number in people.items() if on)


def households_of(unit: UnitFacts) -> tuple[Household, ...]:
    """List the households of a unit, earliest first.

    A unit from an older snapshot, which has no stays, has a single household.
    """
    return (NOBODY,) if unit.former else households(unit.stays)


def _empty(days: LineDays, active: int, there: Sequence[Household]) -> int:
    """Count the active days of a unit on which nobody lived there.

    Households must be sorted by their first day. A moving day that two households share counts as one
    occupied day.
    """
    if len(there) == 1:
        return active - there[0].days_among(days)
    lived, seen = 0, days.first - _A_DAY
    for household in there:
        lived += days.within(max(household.first, seen + _A_DAY), household.last)
        seen = max(seen, min(household.last, days.last))
    return active - lived
