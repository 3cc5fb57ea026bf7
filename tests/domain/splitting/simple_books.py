"""A division of a line in the simplest way, with fractions and loops.

Each unit has one household all month. The module imports nothing of the program.
"""

from fractions import Fraction
from typing import Any

Facts = dict[str, Any]


def largest_remainder(amount: int, shares: list[Fraction]) -> list[int]:
    """Round shares that sum to 1 to whole cents.

    Of equal remainders, the first gets the cent.
    """
    exact = [abs(amount) * share for share in shares]
    parts = [int(share) for share in exact]
    left = abs(amount) - sum(parts)
    for at in sorted(range(len(shares)), key=lambda at: parts[at] - exact[at])[:left]:
        parts[at] += 1
    return parts if amount >= 0 else [-part for part in parts]


def weigh(method: str, rule: Facts, unit: Facts) -> Fraction:
    if method == "EQUAL":
        return Fraction(1)
    if method == "SQFT":
        return Fraction(unit["sqft"] or 0)
    if method == "BEDROOMS":
        return Fraction(unit["bedrooms"] or 0)
    if method == "OCCUPANTS":
        return Fraction(unit["person_days"] or rule["vacant"] * unit["active_days"])
    return Fraction(rule["weights"].get(unit["id"], 0))


def is_entered(method: str, rule: Facts, unit: Facts) -> bool:
    """True if the unit's measure was entered.

    If it is missing, it counts as 0 and a sentence states that.
    """
    if method in ("PERCENTAGE", "CUSTOM"):
        return unit["id"] in rule["weights"]
    return unit.get({"SQFT": "sqft", "BEDROOMS": "bedrooms"}.get(method, "id")) is not None


def split_by(method: str, owner_percent: Fraction, rule: Facts, amount: int, units: list[Facts]) -> tuple[dict, int]:
    """Return each unit's part and reason, and the owner's part."""
    weights = [weigh(method, rule, unit) for unit in units]
    whole = sum(weights)
    if not whole:
        return {}, amount
    of = Fraction(100) if method == "PERCENTAGE" else whole
    rest = 1 - owner_percent / 100
    shares = [weight / of * rest for weight in weights]
    *parts, owner = largest_remainder(amount, [*shares, 1 - sum(shares)])
    of_whole = "" if method == "PERCENTAGE" else whole
    said = [
        (method, weight, is_entered(method, rule, unit), of_whole, owner_percent)
        for unit, weight in zip(units, weights, strict=True)
    ]
    return {unit["id"]: (part, why) for unit, part, why in zip(units, parts, said, strict=True)}, owner


def split(rule: Facts | None, amount: int, units: list[Facts]) -> tuple[dict, int]:
    if rule is None or not units:
        return {}, amount
    if not rule["blend"]:
        return split_by(rule["method"], rule["owner"], rule, amount, units)
    rest = 1 - rule["owner"] / 100
    *amounts, owner = largest_remainder(
        amount, [*(percent / 100 * rest for _, percent in rule["blend"]), rule["owner"] / 100]
    )
    parts: dict[str, tuple[int, list]] = {}
    for (method, percent), part in zip(rule["blend"], amounts, strict=True):
        of_method, left = split_by(method, Fraction(0), rule, part, units)
        owner += left
        for unit_id, (mine, why) in of_method.items():
            before, said = parts.get(unit_id, (0, []))
            parts[unit_id] = before + mine, [*said, (percent, why)]
    return {unit_id: (part, (said, rule["owner"])) for unit_id, (part, said) in parts.items()}, owner
