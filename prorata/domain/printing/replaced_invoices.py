"""The invoice that another one replaces: its number, and the amounts that changed."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.groups import added_up


class Charged(NamedTuple):
    """A charge of a replaced invoice, as stored, in cents.

    If there is no utility type, it is a custom charge; if there is no bill, a person added it. If `corrects_month`
    is set, the charge is a correction of that month.
    """

    bill_id: str | None
    line: int | None
    utility_type: str | None
    amount: int
    description: str
    corrects_month: str | None = None


class Changed(NamedTuple):
    """The amount of a utility or custom charge on both invoices, in cents.

    `was` is the amount on the replaced invoice, and `became` that on the new one.
    """

    utility_type: str | None
    name: str
    was: int
    became: int


class Replaced(NamedTuple):
    """The replaced invoice: its number, date and total, and the amounts that changed since."""

    number: str
    invoice_date: date
    total: int
    changes: tuple[Changed, ...]


def changed(before: Iterable[Charged], after: Iterable[Charged]) -> tuple[Changed, ...]:
    """List the amounts that differ between two invoices, by utility or custom charge.

    They are in the order of the new charges, followed by the charges that were removed.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> changed([gas, water], [gas._replace(amount=116_03), water])
    (Changed(utility_type='GAS', name='', was=13137, became=11603),)
    >>> changed([water], [Charged(None, None, None, 5_00, "Key"), water])
    (Changed(utility_type=None, name='Key', was=0, became=500),)
    """
    was, became = sums(before), sums(after)
    every = dict.fromkeys([*became, *was])
    both = ((of, was.get(of, 0), became.get(of, 0)) for of in every)
    return tuple(Changed(*of, amount_before, other) for of, amount_before, other in both if amount_before != other)


Charge = tuple[str | None, str]
"""The subject of a charge.

It is a utility (the charges of bills for other utilities are combined), or the name of a charge that a person added.
"""


def of_charge(charge: Charged) -> Charge:
    """Return the key of a charge: its utility, or the name of a custom charge."""
    return (None, charge.description) if charge.bill_id is None else (charge.utility_type or "OTHER", "")


def sums(charges: Iterable[Charged]) -> dict[Charge, int]:
    """Sum charges, in cents, by utility or by name of the custom charge."""
    return added_up((of_charge(charge), charge.amount) for charge in charges)


def to_json(charges: Sequence[Charged]) -> str:
    """Serialize charges for `from_json`."""
    return json.dumps(charges, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> tuple[Charged, ...]:
    """Parse charges that `to_json` wrote."""
    return tuple(Charged(*load) for load in json.loads(text))
