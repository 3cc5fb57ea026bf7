"""Earlier charges of the same household, printed beside the charges of an invoice.

They are from the month before, and from the same month a year before.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, months_back
from prorata.domain.printing.replaced_invoices import Charged, of_charge, sums

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


def earlier_amounts(month_before: Iterable[Charged], year_before: Iterable[Charged]) -> tuple[Earlier, ...]:
    """Sum the charges of the two earlier months, without corrections of other months.

    Each item has the utility type, the custom charge's name, and the cents in the month before and in the same
    month a year before.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> [tuple(one) for one in earlier_amounts([gas, water], [gas._replace(amount=116_03)])]
    [('GAS', '', 13137, 11603), ('WATER', '', 4000, None)]
    """
    month_sums, other = (
        sums(charge for charge in of if not charge.corrects_month) for of in (month_before, year_before)
    )
    return tuple(Earlier(*of, month_sums.get(of), other.get(of)) for of in dict.fromkeys([*month_sums, *other]))


def beside(charges: Sequence[Charged], earlier: Iterable[Earlier]) -> list[tuple[int | None, int | None]]:
    """Return, for each charge, the earlier amounts to print beside the charge.

    They are the amounts of the month before and of the same month a year before; None if there is none. If several
    charges are for one utility, none of them has an amount beside it.
    """
    own = [None if charge.corrects_month else of_charge(charge) for charge in charges]
    times, known = Counter(own), {amount_before[:2]: amount_before[2:] for amount_before in earlier}
    return [known.get(of, (None, None)) if of and times[of] == 1 else (None, None) for of in own]
