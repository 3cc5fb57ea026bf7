"""Earlier charges of the same household, printed beside the charges of an invoice.

They are from the month before, and from the same month a year before.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, months_back
from prorata.domain.printing.replaced_invoices import NO_NAMES, Charge, Charged, Names, of_charge, sums

_MONTHS_OF_A_YEAR = 12


class Earlier(NamedTuple):
    """A household's earlier amounts for a utility or a custom charge, in cents.

    They are from the month before the invoice's month, and from the same month a year before; an amount is None if
    nothing was charged.
    """

    utility_type: str | None
    name: str
    month_before: int | None
    year_before: int | None


def months_before(month: Month) -> tuple[Month, Month]:
    """Return the month before a month, and the same month a year before.

    >>> months_before(Month("2026-01"))
    ('2025-12', '2025-01')
    """
    return months_back(month, 1), months_back(month, _MONTHS_OF_A_YEAR)


def earlier_amounts(
    month_before: Iterable[Charged], year_before: Iterable[Charged], names: Names = NO_NAMES
) -> tuple[Earlier, ...]:
    """Sum the charges of the two earlier months, without corrections of other months.

    Each item has the utility type, the name of a custom charge or, in `names`, of the line, and the cents in the
    month before and in the same month a year before.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> [tuple(one) for one in earlier_amounts([gas, water], [gas._replace(amount=116_03)])]
    [('GAS', '', 13137, 11603), ('WATER', '', 4000, None)]
    """
    month_sums, other = (
        sums((charge for charge in of if not charge.corrects_month), names) for of in (month_before, year_before)
    )
    return tuple(Earlier(*of, month_sums.get(of), other.get(of)) for of in dict.fromkeys([*month_sums, *other]))


def beside(
    charges: Sequence[Charged], earlier: Iterable[Earlier], names: Names = NO_NAMES
) -> list[tuple[int | None, int | None]]:
    """Return, for each charge, the earlier amounts to print beside the charge.

    They are the amounts of the month before and of the same month a year before; None if there is none. If several
    charges are for one utility and name, none of them has an amount beside it. If a charge has a name in
    `names` and the earlier charges for its utility have none, it is compared with them, unless the invoice has several.

    >>> heating, lift = (Charged(bill_id, 0, None, 1_00, "…") for bill_id in ("b3", "b4"))
    >>> names = {("b3", None): "Heating", ("b4", None): "Lift"}
    >>> before = [Earlier("OTHER", "Heating", 90, None), Earlier("OTHER", "", 80, None)]
    >>> beside([heating, lift], before, names), beside([lift], before, names)
    ([(90, None), (None, None)], [(80, None)])
    """
    own = [None if charge.corrects_month else of_charge(charge, names) for charge in charges]
    times, of_utility = Counter(own), Counter(of[0] for of in own if of)
    known = {amount_before[:2]: amount_before[2:] for amount_before in earlier}

    def amounts(of: Charge | None) -> tuple[int | None, int | None]:
        if of is None or times[of] > 1:
            return None, None
        unnamed = known.get((of[0], ""), (None, None)) if of_utility[of[0]] == 1 else (None, None)
        return known.get(of, unnamed)

    return [amounts(of) for of in own]
