"""A second computation of a month's shares, from its explanation alone.

This module imports nothing of the program, and is written from docs/explanations.md and the rules of division.
"""

import hashlib
import json
from datetime import date
from fractions import Fraction
from typing import Any

Things = dict[str, Any]
Charges = dict[tuple[str, int, str, tuple[str, ...]], int]
"""Cents by bill, line, unit and household; of a unit in which nobody lived by an empty one."""
FIRST, LAST = date.min.toordinal(), date.max.toordinal()


def read(text: str) -> Things:
    """Read an explanation, and check its hash."""
    found = json.loads(text)
    rest = {name: value for name, value in found.items() if name != "sha256"}
    written = json.dumps(rest, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert hashlib.sha256(written.encode()).hexdigest() == found["sha256"]
    return found


def charges_of(explanation: Things) -> tuple[Charges, dict[tuple[str, int], int]]:
    """Return the households' amounts of each line, and the owner's amounts."""
    found: Charges = {}
    owner: dict[tuple[str, int], int] = {}
    rules = {rule["utilityType"]: rule for rule in explanation["rules"]}
    for line in explanation["lines"]:
        key = line["bill"]["id"], line["number"]
        shares, owners = bear(line, rules.get(line["utilityType"]), explanation["units"])
        owner[key] = owners
        found.update({(*key, *who): cents for who, cents in shares.items() if cents})
    return found, owner


def charged(charge: Things) -> int | None:
    """Return an invoice charge's cents by its steps, or None if it has none.

    Amounts that are not in the charge are subtracted.
    """
    if "steps" not in charge:
        return None
    found = 0
    for step in charge["steps"]:
        part = cents(step["amount"]) if step["unit"] else 0
        for one in (step["unit"], step["household"]):
            if one is not None:
                exact = abs(part) * Fraction(one["share"])
                more = exact % 1 > 0 and one["place"] <= one["centsLeft"]
                part = (int(exact) + more) * (1 if part >= 0 else -1)
        found += part
    return found - sum(
        cents(charge.get(name, "0.00")) for name in ("issuedBefore", "charged", "leftToOwner", "undecided")
    )


def bear(line: Things, rule: Things | None, units: list[Things]) -> tuple[dict[Any, int], int]:
    amount = cents(line["amount"])
    begin, end = ordinal(line["service"]["from"], FIRST), ordinal(line["service"]["to"], LAST)
    there = [unit for unit in units if span(unit["activeFrom"], unit["activeTo"], begin, end)]
    if rule is None or not there:
        return {}, amount
    left = 100 - Fraction(rule["ownerPercent"])
    if not rule["blend"]:
        return by_method(rule["splitMethod"], amount, left, rule, there, (begin, end))
    percents = [Fraction(part["percent"]) * left / 100 for part in rule["blend"]]
    *amounts, owner = largest_remainder(amount, [*percents, 100 - left])
    borne: dict[Any, int] = {}
    for part, mine in zip(rule["blend"], amounts, strict=True):
        shares, more = by_method(part["splitMethod"], mine, Fraction(100), rule, there, (begin, end))
        owner += more
        for who, share in shares.items():
            borne[who] = borne.get(who, 0) + share
    return borne, owner


def by_method(
    method: str, amount: int, left: Fraction, rule: Things, units: list[Things], days: tuple[int, int]
) -> tuple[dict[Any, int], int]:
    weights = [weight_of(method, unit, rule, days) for unit in units]
    whole = sum(weights, Fraction())
    if not whole:
        return {}, amount
    of = max(whole, Fraction(100 * (days[1] - days[0] + 1))) if method == "PERCENTAGE" else whole
    *parts, owner = largest_remainder(amount, [*(weight * left for weight in weights), of * 100 - whole * left])
    borne: dict[Any, int] = {}
    for unit, part in zip(units, parts, strict=True):
        homes = [home for home in households(unit) if presence(home, days)]
        if not homes:
            borne[unit["id"], ()] = part
            continue
        if not part:
            continue
        *mine, empty = largest_remainder(part, [*(weigh_home(method, home, days) for home in homes),
                                                weigh_empty(method, unit, homes, rule, days)])  # fmt: skip
        owner += empty
        for home, share in zip(homes, mine, strict=True):
            borne[unit["id"], tuple(sorted(stay["tenantId"] for stay in home))] = share
    return borne, owner


def weight_of(method: str, unit: Things, rule: Things, days: tuple[int, int]) -> Fraction:
    active = span(unit["activeFrom"], unit["activeTo"], *days)
    if method == "OCCUPANTS":
        homes = [home for home in households(unit) if presence(home, days)]
        people = sum((weigh_home(method, home, days) for home in homes), Fraction())
        return people + weigh_empty(method, unit, homes, rule, days)
    measures = {"EQUAL": "1", "SQFT": unit["sqft"] or "0", "BEDROOMS": unit["bedrooms"] or 0}
    return Fraction(measures[method] if method in measures else rule["weights"].get(unit["id"], "0")) * active


def weigh_home(method: str, home: list[Things], days: tuple[int, int]) -> Fraction:
    if method == "OCCUPANTS":
        return Fraction(sum(stay["occupants"] * span(stay["from"], stay["to"], *days) for stay in home))
    return Fraction(presence(home, days))


def weigh_empty(method: str, unit: Things, homes: list[list[Things]], rule: Things, days: tuple[int, int]) -> Fraction:
    begin, end = max(days[0], ordinal(unit["activeFrom"], FIRST)), min(days[1], ordinal(unit["activeTo"], LAST))
    lived: set[int] = set()
    for home in homes:
        for stay in home:
            lived.update(range(max(begin, ordinal(stay["from"], FIRST)), min(end, ordinal(stay["to"], LAST)) + 1))
    empty = len(set(range(begin, end + 1)) - lived)
    return empty * Fraction(rule["vacantOccupants"]) if method == "OCCUPANTS" else Fraction(empty)


def presence(home: list[Things], days: tuple[int, int]) -> int:
    """The number of days on which somebody of the household was there."""
    lived: set[int] = set()
    for stay in home:
        lived.update(range(max(days[0], ordinal(stay["from"], FIRST)), min(days[1], ordinal(stay["to"], LAST)) + 1))
    return len(lived)


def households(unit: Things) -> list[list[Things]]:
    """The households of a unit: stays that overlap in a chain.

    A move-out and a move-in on the same day are no overlap.
    """
    homes: list[list[Things]] = []
    for stay in unit["stays"]:
        meets = [home for home in homes if any(overlap(stay, other) for other in home)]
        homes = [home for home in homes if home not in meets] + [[stay, *(one for home in meets for one in home)]]
    return sorted(homes, key=lambda home: (min(ordinal(stay["from"], FIRST) for stay in home),
                                           min(stay["tenantId"] for stay in home)))  # fmt: skip


def overlap(one: Things, other: Things) -> bool:
    a, b = (ordinal(one["from"], FIRST), ordinal(one["to"], LAST))
    c, d = (ordinal(other["from"], FIRST), ordinal(other["to"], LAST))
    first, last = max(a, c), min(b, d)
    is_move = first == last and ((b == first and c == first) or (d == first and a == first))
    return first <= last and not is_move


def largest_remainder(amount: int, weights: list[Fraction]) -> list[int]:
    whole, size = sum(weights, Fraction()), abs(amount)
    exact = [size * weight / whole for weight in weights]
    down = [share.numerator // share.denominator for share in exact]
    order = sorted(range(len(weights)), key=lambda at: (down[at] - exact[at], at))
    for at in order[: size - sum(down)]:
        down[at] += 1
    return [one if amount >= 0 else -one for one in down]


def cents(text: str) -> int:
    return int(text.replace(".", ""))


def span(since: str | None, until: str | None, begin: int, end: int) -> int:
    return max(0, min(end, ordinal(until, LAST)) - max(begin, ordinal(since, FIRST)) + 1)


def ordinal(day: str | None, always: int) -> int:
    return always if day is None else date.fromisoformat(day).toordinal()
