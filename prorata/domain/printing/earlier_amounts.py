"""Earlier charges of the same household, printed beside an invoice's charges.

They are from the month before and the same month of the year before.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, months_back
from prorata.domain.printing.replaced_invoices import Charged, of_charge, sums

_MONTHS_OF_A_YEAR = 12


class Earlier(NamedTuple):
    """A household's earlier charges of a utility or custom charge, in cents.

    They are from the month before the invoice's month, and from the same month a year before; None if nothing was
    charged.
    """

    utility_type: str | None
    name: str
    month_before: int | None
    year_before: int | None


def months_before(month: Month) -> tuple[Month, Month]:
    """Return the month before, and the same month of the year before.

    >>> months_before(Month("2026-01"))
    ('2025-12', '2025-01')
    """
    return months_back(month, 1), months_back(month, _MONTHS_OF_A_YEAR)


def earlier_amounts(month_before: Iterable[Charged], year_before: Iterable[Charged]) -> tuple[Earlier, ...]:
    """Sum the charges of both months for comparison, without corrections of other months.

    Each sum has the utility type, the custom charge's name, and the cents of the month before and of the month a
    year before.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> [tuple(one) for one in earlier_amounts([gas, water], [gas._replace(amount=116_03)])]
    [('GAS', '', 13137, 11603), ('WATER', '', 4000, None)]
    """
    month_sums, other = (
        sums(charge for charge in of if not charge.corrects_month) for of in (month_before, year_before)
    )
    return tuple(Earlier(*of, month_sums.get(of), other.get(of)) for of in dict.fromkeys([*month_sums, *other]))


def beside(charges: Sequence[Charged], earlier: Iterable[Earlier]) -> list[tuple[int | None, int | None]]:
    """Return the earlier amounts to print beside each charge: a month and a year before.

    An amount is None if there is none. If several charges are for one utility, no amount is beside them.
    """
    own = [None if charge.corrects_month else of_charge(charge) for charge in charges]
    times, known = Counter(own), {amount_before[:2]: amount_before[2:] for amount_before in earlier}
    return [known.get(of, (None, None)) if of and times[of] == 1 else (None, None) for of in own]
