"""What an invoice replaces: the number under which it was sent before, and which of its amounts changed."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.groups import added_up


class Charged(NamedTuple):
    """A charge as it is kept of an invoice that is taken back, in cents. Without a utility type it is a custom charge;
    without a bill, a person's. It is a correction where it `corrects_month`.
    """

    bill_id: str | None
    line: int | None
    utility_type: str | None
    amount: int
    description: str
    corrects_month: str | None = None


class Changed(NamedTuple):
    """What is charged of a utility, or of what a person added under a name, before and now, in cents."""

    utility_type: str | None
    name: str
    was: int
    became: int


class Replaced(NamedTuple):
    """What an invoice replaces: its number, the day it was sent, what it came to, and what has changed since."""

    number: str
    invoice_date: date
    total: int
    changes: tuple[Changed, ...]


def changed(before: Iterable[Charged], after: Iterable[Charged]) -> tuple[Changed, ...]:
    """What comes to another amount: utility by utility in the order of the later charges, then what is gone.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> changed([gas, water], [gas._replace(amount=116_03), water])
    (Changed(utility_type='GAS', name='', was=13137, became=11603),)
    >>> changed([water], [Charged(None, None, None, 5_00, "Key"), water])
    (Changed(utility_type=None, name='Key', was=0, became=500),)
    """
    was, became = sums(before), sums(after)
    every = dict.fromkeys([*became, *was])
    both = ((of, was.get(of, 0), became.get(of, 0)) for of in every)
    return tuple(Changed(*of, one, other) for of, one, other in both if one != other)


Charge = tuple[str | None, str]
"""What is charged: a utility, those of bills for others together; or what a person added, by its name."""


def of_charge(charge: Charged) -> Charge:
    """What a charge is of."""
    return (None, charge.description) if charge.bill_id is None else (charge.utility_type or "OTHER", "")


def sums(charges: Iterable[Charged]) -> dict[Charge, int]:
    """What charges come to, in cents, by what they are of."""
    return added_up((of_charge(one), one.amount) for one in charges)


def to_json(charges: Sequence[Charged]) -> str:
    """Charges as text that `from_json` reads back."""
    return json.dumps(charges, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> tuple[Charged, ...]:
    """The charges that `to_json` wrote."""
    return tuple(Charged(*one) for one in json.loads(text))
