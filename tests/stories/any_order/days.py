"""The division of a line day by day, and the household of each invoice.

Written from docs/decisions.md, from "Participants" to "Tenant of an invoice", with fractions and loops. The module
imports nothing from the program.
"""

import re
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

Facts = dict[str, Any]
Group = tuple[str, ...]
FIRST, LAST = date.min, date.max
CLOSING = {"SENT", "PAID", "OVERDUE"}


def days_from(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def is_active(unit: Facts, day: date) -> bool:
    return (unit["from"] or FIRST) <= day <= (unit["to"] or LAST)


def stays_of(unit: Facts) -> dict[str, tuple[date, date]]:
    """The first and last day of each tenant while the unit is active.

    Tenants without such days are left out.
    """
    cut = {
        key: (max(one["in"] or FIRST, unit["from"] or FIRST), min(one["out"] or LAST, unit["to"] or LAST))
        for key, one in unit["tenants"].items()
    }
    return {key: stay for key, stay in cut.items() if stay[0] <= stay[1]}


def overlap(one: tuple[date, date], other: tuple[date, date]) -> bool:
    start, end = max(one[0], other[0]), min(one[1], other[1])
    if start != end:
        return start < end
    return not (one[1] == start == other[0] or other[1] == start == one[0])


def groups_of(unit: Facts) -> list[Group]:
    """The households of a unit, by first day and then by lowest tenant id."""
    stays = stays_of(unit)
    groups = [{key} for key in stays]
    joined = True
    while joined:
        joined = False
        for one in groups:
            for other in groups:
                if one is not other and any(overlap(stays[a], stays[b]) for a in one for b in other):
                    one.update(other)
                    groups.remove(other)
                    joined = True
                    break
            if joined:
                break
    return sorted(
        (tuple(sorted(group)) for group in groups), key=lambda group: (min(stays[key][0] for key in group), group[0])
    )


def hand_out(amount: int, shares: list[Fraction]) -> list[int]:
    """Divide an amount by shares that add up to 1.

    The missing cents go to the largest remainders; among equal remainders, the first gets the cent.
    """
    exact = [abs(amount) * share for share in shares]
    parts = [int(share) for share in exact]
    for at in sorted(range(len(shares)), key=lambda at: parts[at] - exact[at])[: abs(amount) - sum(parts)]:
        parts[at] += 1
    return parts if amount >= 0 else [-part for part in parts]


def daily(method: str, rule: Facts, unit: Facts) -> Fraction:
    if method == "EQUAL":
        return Fraction(1)
    if method in ("SQFT", "BEDROOMS"):
        return Fraction(unit[method.lower()] or 0)
    return Fraction(rule["weights"].get(unit["id"], 0))


def weigh(method: str, rule: Facts, unit: Facts, days: list[date]) -> tuple[Fraction, dict[Group, Fraction], Fraction]:
    """The weights of a unit, of its households and of its empty days."""
    stays, groups = stays_of(unit), groups_of(unit)
    whole, empty = Fraction(), Fraction()
    parts = dict.fromkeys(groups, Fraction())
    for day in days:
        if not is_active(unit, day):
            continue
        there = [key for key, (first, last) in stays.items() if first <= day <= last]
        for group in groups:
            here = [unit["tenants"][key]["occupants"] for key in group if key in there]
            parts[group] += sum(here) if method == "OCCUPANTS" else bool(here)
        if not there:
            empty += rule["vacant"] if method == "OCCUPANTS" else 1
        whole += daily(method, rule, unit) if method != "OCCUPANTS" else 0
    return (sum(parts.values(), empty) if method == "OCCUPANTS" else whole), parts, empty


def by_method(method: str, owner: Fraction, rule: Facts, amount: int, units: list[Facts], days: list[date]) -> Facts:
    weighed = [weigh(method, rule, unit, days) for unit in units]
    whole = sum((one[0] for one in weighed), Fraction())
    if not whole:
        return {"owner": amount}
    of = Fraction(100 * len(days)) if method == "PERCENTAGE" else whole
    shares = [one[0] / of * (1 - owner / 100) for one in weighed]
    *cents, owners = hand_out(amount, [*shares, 1 - sum(shares)])
    found: Facts = {"owner": owners, "divided": True}
    for unit, part, (_, parts, empty) in zip(units, cents, weighed, strict=True):
        if not any(weigh("EQUAL", rule, unit, days)[1].values()):
            found[unit["id"], None] = part
            continue
        inner = sum(parts.values(), empty)
        mine = hand_out(part, [one / inner for one in [*parts.values(), empty]]) if inner else [0] * (len(parts) + 1)
        found["owner"] += mine.pop()
        found |= {(unit["id"], group): one for group, one in zip(parts, mine, strict=True)}
    return found


def divide(rule: Facts | None, amount: int, units: list[Facts], days: list[date]) -> Facts:
    """Divide an amount among households, empty units and the owner.

    The result has amounts by (unit, household), by (unit, None) if nobody lived there on any of the days, and for the
    owner. `divided` is set if a rule gave the units anything.
    """
    if rule is None or not units:
        return {"owner": amount}
    if not rule["blend"]:
        return by_method(rule["method"], rule["owner"], rule, amount, units, days)
    rest = 1 - rule["owner"] / 100
    shares = [*(percent / 100 * rest for _, percent in rule["blend"]), rule["owner"] / 100]
    *amounts, owner = hand_out(amount, shares)
    found: Facts = {"owner": owner}
    for (method, _), part in zip(rule["blend"], amounts, strict=True):
        for key, cents in by_method(method, Fraction(0), rule, part, units, days).items():
            found[key] = found.get(key, 0) + cents
    return found


def natural(label: str) -> list[Any]:
    return [int(piece) if piece.isdigit() else piece for piece in re.findall(r"\d+|\D+", label.strip().lower())]


def is_in(unit: Facts, line: Facts) -> bool:
    return any(is_active(unit, day) for day in line["days"])


def shares_of(facts: Facts) -> dict[tuple[str, int], Facts]:
    """Divide each billed line among households, empty units and the owner."""
    units = sorted(facts["units"], key=lambda unit: (natural(unit["label"]), unit["id"]))
    return {
        key: divide(
            facts["rules"].get(line["type"]), line["amount"], [u for u in units if is_in(u, line)], line["days"]
        )
        for key, line in facts["lines"].items()
        if line["type"]
    }


def last_of(tenants: dict[str, Facts], keys: Any, stays: dict[str, tuple[date, date]], until: date) -> str | None:
    """The addressee among the given tenants.

    The choice is among the tenants who are there at the end, or else the last to leave. The first of them to move in
    who has an e-mail address is chosen, or else the first to move in.
    """
    there = [key for key in keys if stays[key][0] <= until]
    if not there:
        return None
    leaves = max(min(stays[key][1], until) for key in there)
    last = [key for key in there if min(stays[key][1], until) == leaves]
    return min(last, key=lambda key: (not tenants.get(key, {}).get("email"), stays[key][0], key))


def addressee(tenants: dict[str, Facts], unit: Facts, group: Group, end: date) -> str | None:
    stays = stays_of(unit)
    mine = [key for key in group if key in stays]
    if not mine:
        return group[0]
    first, last = min(stays[key][0] for key in mine), max(stays[key][1] for key in mine)
    return last_of(tenants, mine, stays, max(min(last, end), first))


class UnitMonth:
    """A unit's invoices for a month, by sequence, and the household of each draft."""

    def __init__(self, unit: Facts, tenants: dict[str, Facts], month: list[date], invoices: dict[int, Facts]) -> None:
        self.unit, self.tenants, self.month, self.invoices = unit, tenants, month, invoices
        self.groups = groups_of(unit)

    def group_of(self, tenant: str | None) -> Group | None:
        if tenant is None:
            return None
        return next((group for group in self.groups if tenant in group), (tenant,))

    def lives(self, group: Group | None) -> bool:
        return group in self.groups

    def of_whole(self, elsewhere: list[Group | None]) -> Group | None:
        stays = stays_of(self.unit)
        others = [key for key in stays if not any(group and key in group for group in elsewhere)]
        touching = [key for key in others if stays[key][0] <= self.month[-1] and stays[key][1] >= self.month[0]]
        return self.group_of(last_of(self.tenants, touching, stays, self.month[-1]))

    def keeps(self, sequence: int, one: Facts) -> bool:
        """Check whether an invoice keeps its household whatever happens to the unit."""
        if one["status"] != "DRAFT" or one["issued"]:
            return True
        return bool(one["custom"]) and (sequence > 0 or self.lives(self.group_of(one["tenant"])))

    def whose_first(self) -> Group | None:
        """Return the household that the unit's own invoice is for.

        It is the household that the invoice keeps, or else the household of the unit's month.
        """
        whose = {at: self.group_of(one["tenant"]) for at, one in self.invoices.items()}
        kept = {at for at, one in self.invoices.items() if self.keeps(at, one)}
        return whose[0] if 0 in kept and not self.is_free() else self.of_whole([whose[at] for at in kept if at])

    def is_free(self) -> bool:
        """Check whether the unit's own invoice is CANCELLED and for nobody who lives there.

        This is only so if the invoice was never issued.
        """
        first = self.invoices.get(0)
        is_cancelled = first and first["status"] == "CANCELLED" and not first["issued"]
        return bool(is_cancelled and not self.lives(self.group_of(first["tenant"])))

    def places(self, wanted: Any) -> dict[int, Group | None]:
        """Return the household of each draft, by sequence."""
        whose = {at: self.group_of(one["tenant"]) for at, one in self.invoices.items()} | {0: self.whose_first()}
        kept = {at for at, one in self.invoices.items() if self.keeps(at, one)}
        places = dict[int, Group | None]()
        if 0 not in kept or self.invoices[0]["status"] == "DRAFT":
            places[0] = whose[0]
        for at in sorted(self.invoices, key=lambda at: (at not in kept, at)):
            group = whose[at]
            is_draft = at and self.invoices[at]["status"] == "DRAFT"
            if is_draft and group and group not in places.values() and (at in kept or wanted(group)):
                places[at] = group
        status = {at: one["status"] for at, one in self.invoices.items()}
        issued = {whose[at] for at in status if status[at] in CLOSING}
        cancelled = {whose[at] for at in status if status[at] == "CANCELLED"} - issued
        gone = [whose[at] for at in self.invoices if whose[at] and not self.lives(whose[at])]
        for group in [*self.groups, *sorted(set(gone))]:
            if group not in places.values() and group not in cancelled and wanted(group):
                free = (at for at in range(1, 99) if at not in kept and at not in places)
                places[next(free)] = group
        return places
