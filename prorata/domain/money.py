"""Money in whole minor units (cents), and `apportion`, the only rounding in the program."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

CENTS = 2
"""The decimal places of the currencies that Prorata bills in."""
_SIGNS = {"USD": "$", "CAD": "$", "AUD": "$", "NZD": "$", "EUR": "€", "GBP": "£"}


def whole_numbers(ratios: Sequence[Fraction | int]) -> list[int]:
    """Scale ratios to whole numbers in the same proportions, for exact shares.

    >>> whole_numbers([Fraction(3, 10), Fraction(1, 4), 1])
    [6, 5, 20]
    """
    scale = lcm(*(ratio.denominator for ratio in ratios))
    return [ratio.numerator * (scale // ratio.denominator) for ratio in ratios]


def exact_sum(ratios: Sequence[Fraction]) -> Fraction:
    """Sum ratios over a common denominator, ten times as fast as repeated addition.

    >>> exact_sum([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 6)
    """
    scale = lcm(*(ratio.denominator for ratio in ratios))
    return Fraction(sum(ratio.numerator * (scale // ratio.denominator) for ratio in ratios), scale)


def apportion(amount: int, weights: Sequence[int]) -> list[int]:
    """Divide `amount` cents in proportion to `weights`, to the cent, by largest remainder (docs/decisions.md#rounding).

    Every exact share is rounded down. The missing cents go, one each, to the shares that lost the largest
    fractions; of equal fractions, those that come first get a cent. Callers therefore put units in the order of
    `month_facts.in_tie_order`, and the owner last. The parts sum to the amount, and each part is within one cent
    of the exact share. A weight of zero gets nothing, and a negative amount is divided like the positive one, with
    the opposite sign.

    For $100.00 and three equal weights, 33.33 each gives 99.99, and the first part gets the missing cent.

    >>> apportion(100_00, [1, 1, 1])
    [3334, 3333, 3333]
    >>> apportion(-100_00, [1, 1, 1])
    [-3334, -3333, -3333]
    >>> apportion(10, [0, 2, 1])
    [0, 7, 3]

    No weight may be negative, and at least one must be positive: anything else is the caller's mistake.
    """
    whole = sum(weights)
    assert whole > 0, "someone must have a weight"
    assert min(weights) >= 0, "no weight is negative"
    size = abs(amount)
    parts = [size * weight // whole for weight in weights]
    missing = size - sum(parts)
    if missing:
        for place in _by_fraction(size, weights, whole)[:missing]:
            parts[place] += 1
    return parts if amount >= 0 else [-part for part in parts]


def _by_fraction(size: int, weights: Sequence[int], whole: int) -> list[int]:
    """Order the indexes of weights by the fraction that rounding down dropped, largest first.

    If several weights have the same fraction, they keep the order of the list.
    """
    fractions = [size * weight % whole for weight in weights]
    return sorted(range(len(weights)), key=fractions.__getitem__, reverse=True)


class CentsLeft(NamedTuple):
    """The number of cents missing after rounding down, and the order of the weights.

    `order` has the indexes of all weights; the first `number` of them get one cent each.
    """

    number: int
    order: list[int]

    @property
    def handed_out(self) -> list[int]:
        """The indexes of the weights that get one of the missing cents, in order."""
        return self.order[: self.number]


def cents_left(amount: int, weights: Sequence[int]) -> CentsLeft:
    """Count the missing cents that `apportion` hands out, and order the weights for them.

    The first `number` weights of the order get a cent each (`handed_out`).

    >>> cents_left(100_00, [1, 1, 1]), cents_left(100_00, [1, 2]).handed_out
    (CentsLeft(number=1, order=[0, 1, 2]), [1])
    """
    whole, size = sum(weights), abs(amount)
    missing = size - sum(size * weight // whole for weight in weights)
    return CentsLeft(missing, _by_fraction(size, weights, whole))


def part_with_place(amount: int, weight: int, whole: int, *, place: int, left: int) -> int:
    """Compute the part that `apportion` gives to one weight, without the other weights.

    `whole` is the sum of all weights, and `left` the number of missing cents. `place` is the weight's position,
    counted from 1, in the order in which `cents_left` hands out these cents. If the exact share is a whole number
    of cents, the part gets no missing cent.

    >>> part_with_place(100_00, 1, 3, place=1, left=1), part_with_place(-100_00, 1, 3, place=2, left=1)
    (3334, -3333)
    """
    size = abs(amount)
    part = size * weight // whole + (1 if place <= left and size * weight % whole else 0)
    return part if amount >= 0 else -part


def beyond_rounding(part: int, numerator: int, denominator: int) -> int:
    """Return the cents by which a part exceeds the exact share, rounded to whole cents.

    The exact share is `numerator` / `denominator` cents. It is rounded to the nearest cent, with half a cent
    rounded away from zero.

    >>> beyond_rounding(3334, 10_000, 3), beyond_rounding(3333, 10_000, 3), beyond_rounding(-3334, -10_000, 3)
    (1, 0, -1)
    >>> beyond_rounding(8002, 16_005, 2), beyond_rounding(-8002, -16_005, 2)
    (-1, 1)
    """
    nearest = (2 * abs(numerator) + denominator) // (2 * denominator)
    return part - (nearest if numerator >= 0 else -nearest)


def in_figures(cents: int) -> str:
    """Format an amount as in the API: a decimal with two places.

    >>> in_figures(1230), in_figures(-5)
    ('12.30', '-0.05')
    """
    figures = f"{cents:03d}" if cents >= 0 else f"{cents:04d}"
    return f"{figures[:-2]}.{figures[-2:]}"


def in_words(cents: int, currency: str) -> str:
    """Format an amount for a sentence, with its currency and thousands separators.

    >>> in_words(123_456_78, "USD"), in_words(-5_00, "CHF")
    ('$123,456.78', '-CHF 5.00')
    """
    sign = _SIGNS.get(currency, currency + " ")
    return f"{'-' if cents < 0 else ''}{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def quantity(value: Fraction) -> str:
    """Format a measure with all decimals; as a fraction if they never end.

    >>> quantity(Fraction(12400)), quantity(Fraction("850.5")), quantity(Fraction("61.335")), quantity(Fraction(1, 3))
    ('12,400', '850.5', '61.335', '1/3')
    """
    if value.denominator == 1:
        return f"{value.numerator:,}"
    places = decimals_of(value)
    if places is None:
        return str(value)
    digits = str(abs(value.numerator) * 10**places // value.denominator).zfill(places + 1)
    whole = f"{'-' if value < 0 else ''}{int(digits[: len(digits) - places]):,}"
    return f"{whole}.{digits[-places:]}"


def decimals_of(value: Fraction) -> int | None:
    """Count the decimals of a number; None if they never end.

    >>> [decimals_of(Fraction(text)) for text in ("12", "0.5", "0.125", "1/3")]
    [0, 1, 3, None]
    """
    most = value.denominator.bit_length()
    if 10**most % value.denominator:
        return None
    return next(places for places in range(most + 1) if 10**places % value.denominator == 0)


def rounded_quantity(value: Fraction) -> str:
    """Format a measure with at most two decimals, as in the sentences of older charges.

    >>> rounded_quantity(Fraction("61.335")), rounded_quantity(Fraction("850.5"))
    ('61.34', '850.5')
    """
    if value.denominator == 1:
        return f"{value.numerator:,}"
    hundredths = (value.numerator * 200 + value.denominator) // (value.denominator * 2)
    return f"{hundredths // 100:,}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
