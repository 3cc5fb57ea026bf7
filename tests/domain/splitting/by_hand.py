"""A division of lines that is worked out day by day with fractions and loops.

It finds who bears how much of a line, and imports nothing of the program.
"""

import re
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

BEGIN, END = date(2025, 12, 1), date(2026, 7, 31)
"""Always is as long as nothing that is drawn lies beyond."""
Things = dict[str, Any]


def days_from(first: date | None, last: date | None) -> list[date]:
    day, found = first or BEGIN, []
    while day <= (last or END):
        found.append(day)
        day += timedelta(days=1)
    return found


def days_of_month(month: str) -> list[date]:
    year, number = map(int, month.split("-"))
    return [day for day in days_from(None, None) if (day.year, day.month) == (year, number)]


def days_of_line(line: Things) -> list[date]:
    if line["from"] is None or line["to"] is None:
        return days_of_month(line["month"])
    days = days_from(line["from"], line["to"])
    return [day for day in days if day in days_of_month(line["part"])] if line["part"] else days


def overlap(one: list[date], other: list[date]) -> bool:
    shared = [day for day in one if day in other]
    if len(shared) == 1:
        return not (one[-1] == shared[0] == other[0] or other[-1] == shared[0] == one[0])
    return bool(shared)


def households_of(unit: Things) -> list[list[str]]:
    """The households of a unit, as lists of tenants whose stays overlap in a chain.

    Begin with every tenant alone, and join groups while any two of their stays overlap.
    """
    own = set(days_from(unit["from"], unit["to"]))
    stays = {key: [day for day in days_from(t["in"], t["out"]) if day in own] for key, t in unit["tenants"].items()}
    groups = [[key] for key, days in stays.items() if days]
    joined = True
    while joined:
        joined = False
        for one in groups:
            for other in groups:
                if one is not other and any(overlap(stays[a], stays[b]) for a in one for b in other):
                    one.extend(other)
                    groups.remove(other)
                    joined = True
                    break
            if joined:
                break
    return sorted(
        (sorted(group) for group in groups), key=lambda group: (min(stays[key][0] for key in group), min(group))
    )


def hand_out(amount: int, shares: list[Fraction]) -> list[int]:
    """Round all shares down, and give the missing cents to the largest remainders.

    Of equal remainders, the first gets a cent first.
    """
    size = abs(amount)
    down = [size * share // 1 for share in shares]
    lost = [size * share - one for share, one in zip(shares, down, strict=True)]
    for _ in range(size - sum(down)):
        at = lost.index(max(lost))
        down[at] += 1
        lost[at] = Fraction(-1)
    return [int(one) if amount >= 0 else -int(one) for one in down]


def label_order(label: str) -> list[Any]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", label)]


def measure(method: str, unit: Things, rule: Things) -> Fraction:
    if method == "EQUAL":
        return Fraction(1)
    if method in ("SQFT", "BEDROOMS"):
        return Fraction(unit[method.lower()] or 0)
    return Fraction(rule["weights"].get(unit["id"], 0))


def weigh(method: str, unit: Things, rule: Things, days: list[date]) -> tuple[Fraction, list[Fraction], Fraction]:
    """Return a unit's weight over the days, with its households' and its vacant weights."""
    own = set(days_from(unit["from"], unit["to"]))
    groups = households_of(unit)
    whole, empty, parts = Fraction(), Fraction(), [Fraction() for _ in groups]
    for day in days:
        if day not in own:
            continue
        there = [key for key, t in unit["tenants"].items() if (t["in"] or BEGIN) <= day <= (t["out"] or END)]
        for at, group in enumerate(groups):
            here = [key for key in group if key in there]
            if method == "OCCUPANTS":
                parts[at] += sum(unit["tenants"][key]["occupants"] for key in here)
            elif here:
                parts[at] += 1
        if not there:
            empty += rule["vacant"] if method == "OCCUPANTS" else 1
        whole += measure(method, unit, rule) if method != "OCCUPANTS" else 0
    if method == "OCCUPANTS":
        whole = sum(parts, empty)
    return whole, parts, empty


def divide_by(method: str, amount: int, owner: Fraction, rule: Things, units: list[Things], days: list[date]) -> Things:
    weighed = [weigh(method, unit, rule, days) for unit in units]
    whole = sum((one[0] for one in weighed), Fraction())
    if not whole:
        return {"owner": amount}
    of = Fraction(100 * len(days)) if method == "PERCENTAGE" else whole
    shares = [one[0] / of * (1 - owner / 100) for one in weighed]
    *cents, owners = hand_out(amount, [*shares, 1 - sum(shares)])
    found: Things = {"owner": owners}
    for unit, part, (_, parts, empty) in zip(units, cents, weighed, strict=True):
        days_lived = weigh("EQUAL", unit, rule, days)[1]
        if not any(days_lived):
            found[unit["id"], None] = part
            continue
        inner = sum(parts, empty)
        if not inner:
            continue
        *mine, nobodys = hand_out(part, [one / inner for one in [*parts, empty]])
        found["owner"] += nobodys
        for group, one in zip(households_of(unit), mine, strict=True):
            found[unit["id"], tuple(group)] = one
    return found


def divide(line: Things, rule: Things | None, units: list[Things]) -> Things:
    """Divide a line among households, empty units and the owner.

    The result has amounts by (unit, tenants of a household), by (unit, None) if nobody lived there, and for the owner.
    """
    days = days_of_line(line)
    taking = [unit for unit in units if set(days) & set(days_from(unit["from"], unit["to"]))]
    taking.sort(key=lambda unit: (label_order(unit["label"]), unit["id"]))
    if rule is None or not taking:
        return {"owner": line["amount"]}
    if not rule["blend"]:
        found = divide_by(rule["method"], line["amount"], rule["owner"], rule, taking, days)
    else:
        rest = 1 - rule["owner"] / 100
        shares = [percent / 100 * rest for _, percent in rule["blend"]]
        *amounts, owner = hand_out(line["amount"], [*shares, rule["owner"] / 100])
        found = {"owner": owner}
        for (method, _), part in zip(rule["blend"], amounts, strict=True):
            for key, cents in divide_by(method, part, Fraction(), rule, taking, days).items():
                found[key] = found.get(key, 0) + cents
    return {key: cents for key, cents in found.items() if cents or key == "owner"}
