"""Amounts beside each other on one line: what shows that the last of them is this bill's. `This bill | Last bill` and
`Past due | Current | Total` look alike to a reader of words and numbers; where nothing shows which is which, a person
has to say.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import combinations, pairwise, product

from prorata.domain.intake.bill_reading.amount_roles import is_tax
from prorata.domain.intake.bill_reading.numbers import Amount
from prorata.domain.intake.bill_reading.previous_bill import is_not_of_now
from prorata.domain.intake.bill_reading.text_folding import MEASURES, plain

_NUMBER = re.compile(
    r"(?<![\w.,])[0-9]{1,3}(?: [0-9]{3})+[.,][0-9]{2}(?![0-9])|(?<![\w.,])[0-9][0-9.,]*[0-9]|(?<![\w.,])[0-9]"
)
_MEASURED = re.compile(rf"(?<=[0-9])(?= ?({MEASURES}|mbit/s)\b)")
_READINGS = 3
"""The one before, that of now, and what was used."""
_NET = re.compile(r"\bnet(to)?\b|\bht\b|\bbase\b|hors tax|\b(before|without|excl\w*\.?) (tax|vat)|\bsin iva")
_MOST_NUMBERS = 8
"""On one line, that are multiplied with each other."""


def is_shown(amount: Amount, others: Sequence[Amount], between: str, heads: Sequence[str]) -> bool:
    """Whether it is shown that of the amounts on a line the last one is what the line comes to. `others` stand before
    it under `heads`, and `between` is all that stands between the line's words and it.

    It is a price times a quantity; or the others are readings of a meter, which differ by the quantity behind them; or
    they are headed as net and tax, and sum to it.

    >>> from prorata.domain.intake.bill_reading.numbers import read_amount
    >>> def shown(texts, between="", heads=()):
    ...     *others, last = (read_amount(text) for text in texts.split())
    ...     return is_shown(last, others, between or texts, heads)
    >>> shown("12.50 8.00 100.00"), shown("$90.00 $100.00"), shown("0.00 100.00 100.00"), shown("0.00 100.00")
    (True, False, False, False)
    >>> shown("100.00 5.00 105.00", heads=["Net", "VAT"]), shown("100.00 5.00 105.00", heads=["Past due", "Current"])
    (True, False)
    >>> shown("1200.50 $15.00", "1200.50 1300 99 kWh"), shown("50.00 $150.00", "350 kWh 50.00")
    (True, False)
    """
    if not others:
        return True
    cents = [one.cents for one in others]
    if amount.cents is None or None in cents:
        return False
    known = [one for one in cents if one is not None]
    is_priced = _is_product(amount.cents, known, between) and not any(map(is_not_of_now, heads))
    return is_priced or _are_readings(known, between) or _is_gross(amount.cents, known, heads)


def is_net(head: str) -> bool:
    """Whether a column is headed as amounts before tax."""
    return bool(_NET.search(plain(head)))


def _are_readings(others: Sequence[int], between: str) -> bool:
    """Whether the other amounts are readings of a meter before a quantity in its unit, by which two numbers differ."""
    measured = _MEASURED.search(plain(between))
    if measured is None:
        return False
    *readings, used = list(_numbers(plain(between)[: measured.end()]))[-_READINGS:]
    needed = {Decimal(abs(one)).scaleb(-2) for one in others}
    return any(
        needed <= {before, now} and abs(now - before - quantity) <= 1
        for one, other in pairwise(readings)
        for before, now, quantity in product(one, other, used)
    )


def _is_product(cents: int, others: Sequence[int], between: str) -> bool:
    """Whether two numbers of the line, all of its other amounts among them, multiply to the amount."""
    needed = {Decimal(abs(one)).scaleb(-2) for one in others}
    numbers = list(_numbers(between))[:_MOST_NUMBERS]
    for one, other in combinations(numbers, 2):
        for price in one:
            for quantity in other:
                if (
                    len(needed) == len(others)
                    and needed <= {price, quantity}
                    and abs(price * quantity * 100 - abs(cents)) <= 1
                ):
                    return True
    return False


def _numbers(text: str) -> Iterator[set[Decimal]]:
    """The numbers of a text, each in every way it may be read."""
    for written in (found.replace(" ", "") for found in _NUMBER.findall(text)):
        readings = set()
        for thousands, mark in ((",", "."), (".", ",")):
            try:
                readings.add(Decimal(written.replace(thousands, "").replace(mark, ".")))
            except InvalidOperation:
                continue
        if readings:
            yield readings


def _is_gross(cents: int, others: Sequence[int], heads: Sequence[str]) -> bool:
    """Whether the two columns before are headed as net and as tax, the tax is the smaller part, and they sum to it."""
    match (others, heads):
        case ([net, tax], [of_net, of_tax]):
            return net + tax == cents and is_net(of_net) and is_tax(of_tax) and 2 * abs(tax) < abs(net)
    return False
