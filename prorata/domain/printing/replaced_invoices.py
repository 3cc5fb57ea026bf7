"""The invoice that another one replaces: its number, and the amounts that changed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
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

    `name` is that of a custom charge, or the bill's own name for OTHER. `was` is the amount on the replaced invoice,
    and `became` that on the new one.
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


def changed(
    before: Iterable[Charged], after: Iterable[Charged], names: Mapping[str, str] = MappingProxyType({})
) -> tuple[Changed, ...]:
    """List the amounts that differ between two invoices, by utility or custom charge.

    They are in the order of the new charges, followed by the charges that were removed. `names` maps bills to their
    names for OTHER.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> changed([gas, water], [gas._replace(amount=116_03), water])
    (Changed(utility_type='GAS', name='', was=13137, became=11603),)
    >>> changed([water], [Charged(None, None, None, 5_00, "Key"), water])
    (Changed(utility_type=None, name='Key', was=0, became=500),)
    >>> heating, lift = (Charged(bill_id, 0, None, 1_00, "…") for bill_id in ("b3", "b4"))
    >>> changed([heating, lift], [heating, lift._replace(amount=2_00)], {"b3": "Heating"})
    (Changed(utility_type='OTHER', name='', was=100, became=200),)
    """
    was, became = sums(before, names), sums(after, names)
    every = dict.fromkeys([*became, *was])
    both = ((of, was.get(of, 0), became.get(of, 0)) for of in every)
    return tuple(Changed(*of, amount_before, other) for of, amount_before, other in both if amount_before != other)


Charge = tuple[str | None, str]
"""The subject of a charge.

It is a utility, for OTHER with the bill's name for it, or the name of a charge that a person added.
"""


def of_charge(charge: Charged, names: Mapping[str, str] = MappingProxyType({})) -> Charge:
    """Return the key of a charge: its utility and name."""
    if charge.bill_id is None:
        return None, charge.description
    return (charge.utility_type, "") if charge.utility_type else ("OTHER", names.get(charge.bill_id, ""))


def sums(charges: Iterable[Charged], names: Mapping[str, str] = MappingProxyType({})) -> dict[Charge, int]:
    """Sum charges, in cents, by utility and name."""
    return added_up((of_charge(charge, names), charge.amount) for charge in charges)


def to_json(charges: Sequence[Charged]) -> str:
    """Serialize charges for `from_json`."""
    return json.dumps(charges, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> tuple[Charged, ...]:
    """Parse charges that `to_json` wrote."""
    return tuple(Charged(*load) for load in json.loads(text))
