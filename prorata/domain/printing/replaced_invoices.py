"""The invoice that another one replaces: its number, and the amounts that changed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.groups import added_up

Names = Mapping[tuple[str, str | None], str]
"""The names that tenants see for charges, by bill and charge type."""
NO_NAMES: Names = MappingProxyType({})


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

    def own_name(self, names: Names) -> str | None:
        """Return the name of the bill's line that is charged, if it has one."""
        return names.get((self.bill_id, self.utility_type)) if self.bill_id else None


class Changed(NamedTuple):
    """The amount of a utility or custom charge on both invoices, in cents.

    `name` is that of a custom charge, or the name of the bill's line. `was` is the amount on the replaced invoice,
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


def changed(before: Iterable[Charged], after: Iterable[Charged], names: Names = NO_NAMES) -> tuple[Changed, ...]:
    """List the amounts that differ between two invoices, by utility or custom charge.

    They are in the order of the new charges, followed by the charges that were removed. `names` are those that tenants
    see instead of utilities.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> changed([gas, water], [gas._replace(amount=116_03), water])
    (Changed(utility_type='GAS', name='', was=13137, became=11603),)
    >>> changed([water], [Charged(None, None, None, 5_00, "Key"), water])
    (Changed(utility_type=None, name='Key', was=0, became=500),)
    >>> heating, lift = (Charged(bill_id, 0, None, 1_00, "…") for bill_id in ("b3", "b4"))
    >>> changed([heating, lift], [heating, lift._replace(amount=2_00)], {("b3", None): "Heating"})
    (Changed(utility_type='OTHER', name='', was=100, became=200),)
    """
    was, became = sums(before, names), sums(after, names)
    every = dict.fromkeys([*became, *was])
    both = ((of, was.get(of, 0), became.get(of, 0)) for of in every)
    return tuple(Changed(*of, amount_before, other) for of, amount_before, other in both if amount_before != other)


Charge = tuple[str | None, str]
"""The subject of a charge.

It is a utility with the name of the bill's line, if any, or the name of a charge that a person added.
"""


def of_charge(charge: Charged, names: Names = NO_NAMES) -> Charge:
    """Return the key of a charge: its utility and name."""
    if charge.bill_id is None:
        return None, charge.description
    return charge.utility_type or "OTHER", charge.own_name(names) or ""


def sums(charges: Iterable[Charged], names: Names = NO_NAMES) -> dict[Charge, int]:
    """Sum charges, in cents, by utility and name."""
    return added_up((of_charge(charge, names), charge.amount) for charge in charges)


def to_json(charges: Sequence[Charged]) -> str:
    """Serialize charges for `from_json`."""
    return json.dumps(charges, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> tuple[Charged, ...]:
    """Parse charges that `to_json` wrote."""
    return tuple(Charged(*load) for load in json.loads(text))
