"""Differences between two versions of a month's facts, in tenants' stays and numbers of people."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Literal, NamedTuple

from prorata.domain.splitting.explanations import Explanation
from prorata.domain.splitting.month_facts import MonthFacts, billed_days
from prorata.domain.splitting.split_methods import SPLIT_METHODS
from prorata.domain.splitting.stays import LineDays, Stay

What = Literal["in", "out", "people", "came", "gone", "others"]
"""The kind of a change in a unit's days.

`in` and `out` are a tenant's first and last day, and `people` is the tenant's number of people. With `came`, the tenant
was unknown before, and with `gone`, the tenant no longer counts. `others` is any change of tenants other than the
reader.
"""


class DaysChange(NamedTuple):
    """A change in a tenant's stay: the day or number of people before and now.

    The day is a move-in or move-out day; it is None if none was entered.
    """

    what: What
    tenant_id: str
    label: str
    before: date | int | None = None
    now: date | int | None = None


def changed_days(then: MonthFacts, now: MonthFacts, days: LineDays) -> tuple[DaysChange, ...]:
    """List the changes in the units' stays between two versions of a month's facts.

    Only changes that matter on the `days` of a bill line are listed, unit by unit. The list is empty if either
    version is from an older snapshot, which has no stays.
    """
    if then.is_former or now.is_former:
        return ()
    known = {unit.unit_id: unit for unit in then.units} | {unit.unit_id: unit for unit in now.units}
    of_then, of_now = ({unit.unit_id: unit.stays for unit in facts.units} for facts in (then, now))
    return tuple(
        DaysChange(what, tenant_id, unit.label, before, after)
        for unit in known.values()
        for what, tenant_id, before, after in _of_unit(
            of_then.get(unit.unit_id, ()), of_now.get(unit.unit_id, ()), days
        )
    )


def changed_in_month(then: MonthFacts, now: MonthFacts) -> tuple[DaysChange, ...]:
    """List the distinct changes in stays on the days of a month's billed lines."""
    found = (one for days in sorted(billed_days(now.month, now.lines)) for one in changed_days(then, now, days))
    return tuple(dict.fromkeys(found))


_OTHERS = DaysChange("others", "", "")


def that_matter(changes: Iterable[DaysChange], now: Explanation, tenant_id: str | None) -> tuple[DaysChange, ...]:
    """List those changes behind a charge that the charge's tenant may see.

    The list contains the tenant's own changes. If a method in the charge's explanation (`now`) counts people, one
    more entry says only that something changed for other tenants. A tenant isn't shown the days or
    number of people of anybody else, whether a neighbor or an earlier or later tenant of the unit.
    """
    all_changes = tuple(changes)
    own = tuple(change for change in all_changes if change.tenant_id == tenant_id)
    counts_people = any(SPLIT_METHODS[step.split_method].counts_people for step in now.steps)
    return (*own, _OTHERS) if counts_people and len(own) < len(all_changes) else own


_Change = tuple[What, str, date | int | None, date | int | None]


def _of_unit(then: tuple[Stay, ...], now: tuple[Stay, ...], days: LineDays) -> Iterator[_Change]:
    """Yield the differences between a unit's stays then and now, on these days.

    Each difference has its kind (`What`), the tenant's id, and the day or number of people before and after.

    >>> then, now = Stay("ann", date(2026, 3, 1), None), Stay("ann", date(2026, 3, 10), None, occupants=2)
    >>> found = list(_of_unit((then,), (now,), LineDays(date(2026, 3, 1), date(2026, 3, 31))))
    >>> [(what, str(before), str(after)) for what, _, before, after in found]
    [('in', '2026-03-01', '2026-03-10'), ('people', '1', '2')]
    """
    before, after = ({stay.tenant_id: stay for stay in stays if _is_there(stay, days)} for stays in (then, now))
    every = {stay.tenant_id: stay for stay in then}, {stay.tenant_id: stay for stay in now}
    for tenant_id in dict.fromkeys([*before, *after]):
        was, is_now = every[0].get(tenant_id), every[1].get(tenant_id)
        if was is None or is_now is None:
            yield ("came" if was is None else "gone"), tenant_id, None, None
            continue
        if max(was.begin, days.first) != max(is_now.begin, days.first):
            yield "in", tenant_id, was.first, is_now.first
        if min(was.end, days.last) != min(is_now.end, days.last):
            yield "out", tenant_id, was.last, is_now.last
        if was.occupants != is_now.occupants:
            yield "people", tenant_id, was.occupants, is_now.occupants


def _is_there(stay: Stay, days: LineDays) -> bool:
    return days.within(stay.first, stay.last) > 0
