"""Earlier charges of the same household, printed beside the charges of an invoice.

They are from the month before, and from the same month a year before.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, months_back
from prorata.domain.groups import added_up, grouped
from prorata.domain.printing.replaced_invoices import NO_NAMES, Charge, Charged, Names, of_charge, sums
from prorata.domain.splitting.correction_sentences import reason_of

_MONTHS_OF_A_YEAR = 12
_OF_ANYTHING = (None, "OTHER")
"""The utility types of custom charges, and of lines that are billed as “Other”."""
_HUNDRED = 100
"""The whole of a part in percent."""
BillLine = tuple[str | None, int | None]
"""The id of a bill, and the number of one of its lines; None for a custom charge."""


class Then(NamedTuple):
    """A charge of an earlier month; None for what is unknown or was not charged.

    `amount` is the household's amount, and `billed` the part of the bills that was divided, in cents. `part` is the
    unit's part of the measure by which it was divided, such as "850:1470:SQFT"; in older invoices, the method is
    missing. `together` is the sum of the invoice's charges with which the amount is compared, if there are several.
    """

    amount: int | None = None
    billed: int | None = None
    part: str | None = None
    together: int | None = None


Compared = tuple[Then, Then]
"""A charge of the month before, and of the same month a year before."""
NOTHING: Compared = (Then(), Then())


class Earlier(NamedTuple):
    """A household's earlier amounts for a utility or a custom charge, in cents.

    They are from the month before the invoice's month, and from the same month a year before; an amount is None if
    nothing was charged. The next two are the parts of the bills that were divided then, and the last two the unit's
    part of the measure by which they were divided, such as "850:1470:SQFT", if known. `is_corrected` is set if the
    amount of the month before includes corrections.
    """

    utility_type: str | None
    name: str
    month_before: int | None
    year_before: int | None
    billed_month_before: int | None = None
    billed_year_before: int | None = None
    part_month_before: str | None = None
    part_year_before: str | None = None
    is_corrected: bool = False

    @property
    def compared(self) -> Compared:
        """The charge of each of the two months."""
        return (
            Then(self.month_before, self.billed_month_before, self.part_month_before),
            Then(self.year_before, self.billed_year_before, self.part_year_before),
        )


def months_before(month: Month) -> tuple[Month, Month]:
    """Return the month before a month, and the same month a year before.

    >>> months_before(Month("2026-01"))
    ('2025-12', '2025-01')
    """
    return months_back(month, 1), months_back(month, _MONTHS_OF_A_YEAR)


def earlier_amounts(
    month_before: Sequence[Charged],
    year_before: Sequence[Charged],
    names: Names = NO_NAMES,
    billed: Mapping[BillLine, int | None] = MappingProxyType({}),
) -> tuple[Earlier, ...]:
    """Sum the charges of the two earlier months, without corrections of other months.

    Each item has the utility type, the name of a custom charge or, in `names`, of the line, and the cents in the
    month before and in the same month a year before. A charge without a description is a correction, which is included.
    `billed` are the amounts of the bill lines that were charged; None if unknown.

    >>> gas, water = Charged("b1", 0, "GAS", 131_37, "…"), Charged("b2", 0, "WATER", 40_00, "…")
    >>> [tuple(one) for one in earlier_amounts([gas, water], [gas._replace(amount=116_03)])]
    [('GAS', '', 13137, 11603, None, None, None, None, False), ('WATER', '', 4000, None, None, None, None, None, False)]
    >>> corrected = gas._replace(amount=-2_00, description="")
    >>> [tuple(one) for one in earlier_amounts([gas, corrected], [], billed={("b1", 0): 400_00})]
    [('GAS', '', 12937, None, 40000, None, None, None, True)]
    """
    own = [[charge for charge in of if not charge.corrects_month] for of in (month_before, year_before)]
    month_sums, other = (sums(of, names) for of in own)
    month_bills, other_bills = (_billed(of, names, billed) for of in own)
    month_parts, other_parts = (_parts(of, names) for of in own)
    corrected = {of_charge(charge, names) for charge in own[0] if not charge.description}
    return tuple(
        Earlier(
            *of,
            month_sums.get(of),
            other.get(of),
            month_bills.get(of),
            other_bills.get(of),
            month_parts.get(of),
            other_parts.get(of),
            of in corrected,
        )
        for of in dict.fromkeys([*month_sums, *other])
    )


def _billed(charges: Iterable[Charged], names: Names, billed: Mapping[BillLine, int | None]) -> Mapping[Charge, int]:
    """Sum the lines of bills that were charged, each line once, if all are known."""
    lines = {(of_charge(charge, names), (charge.bill_id, charge.line)) for charge in charges}
    unknown = {of for of, line in lines if billed.get(line) is None}
    return added_up((of, billed.get(line) or 0) for of, line in lines if of not in unknown)


def _parts(charges: Iterable[Charged], names: Names) -> Mapping[Charge, str]:
    """Map charges to the unit's part of the whole.

    Charges for several bills, or for a bill that was divided in several steps, are left out.

    >>> _parts([Charged("b1", 0, "GAS", 5_00, "Gas Co., bill of 2026-03-14, $10.00: 1 of 2 units")], NO_NAMES)
    {('GAS', ''): '1:2:EQUAL'}
    """
    found: dict[Charge, str] = {}
    for of, its in grouped((of_charge(charge, names), charge) for charge in charges if charge.bill_id).items():
        reason = reason_of(its[0].description.rpartition(": ")[2]) if len(its) == 1 else None
        if reason is not None:
            found[of] = f"{reason.part}:{reason.whole or _HUNDRED}:{reason.split_method}"
    return found


def beside(charges: Sequence[Charged], earlier: Iterable[Earlier], names: Names = NO_NAMES) -> list[Compared]:
    """Find what stands beside each charge: the charge a month and a year before.

    If several charges are for one utility and name, their sum is compared, at the last of them; charges that are billed
    as “Other” or that a person added are then not compared, because they may be for different things. If only one of
    the two has a name, they are compared, unless one of the months has several charges for the utility.

    >>> heating, lift = (Charged(bill_id, 0, None, 1_00, "…") for bill_id in ("b3", "b4"))
    >>> names = {("b3", None): "Heating", ("b4", None): "Lift"}
    >>> before = [Earlier("OTHER", "Heating", 90, None, 360), Earlier("OTHER", "", 80, None)]
    >>> beside([heating, lift], before, names) == [(Then(90, 360), Then()), NOTHING]
    True
    >>> [then.amount for of in (beside([lift], before[1:], names), beside([heating], before[:1])) for then, _ in of]
    [80, 90]
    """
    own = [None if charge.corrects_month else of_charge(charge, names) for charge in charges]
    now = sums((charge for charge in charges if not charge.corrects_month), names)
    times, of_utility = Counter(own), Counter(of[0] for of in own if of)
    known = {one[:2]: one.compared for one in earlier}
    earlier_of = grouped((of[0], of) for of in known)

    def amounts(at: int, of: Charge | None) -> Compared:
        if of is None:
            return NOTHING
        if times[of] > 1:
            if of in own[at + 1 :] or of[0] in _OF_ANYTHING:
                return NOTHING
            month, year = known.get(of, NOTHING)
            return month._replace(together=now[of]), year._replace(together=now[of])
        others = earlier_of[of[0]] if of[0] else []
        if of not in known and of_utility[of[0]] == len(others) == 1 and _may_be_one(of, others[0]):
            return known[others[0]]
        return known.get(of, NOTHING)

    return [amounts(at, of) for at, of in enumerate(own)]


def only_before(charges: Iterable[Charged], earlier: Iterable[Earlier], names: Names = NO_NAMES) -> tuple[Earlier, ...]:
    """Return the earlier amounts that were charged the month before, but have no charge now.

    If a charge and an earlier amount are for one utility, and only one of them has a name, they may be the same.

    >>> water = Charged("b1", 0, "WATER", 40_00, "…")
    >>> before = [Earlier("WATER", "", 38_00, None), Earlier("GAS", "", 9_00, None), Earlier("SEWER", "", None, 7_00)]
    >>> [one.utility_type for one in only_before([water], before)]
    ['GAS']
    >>> only_before([water._replace(utility_type="GAS")], [Earlier("GAS", "Boiler", 9_00, None)])
    ()
    """
    now = {of_charge(charge, names) for charge in charges if not charge.corrects_month}

    def is_charged(one: Earlier) -> bool:
        return any(_may_be_one(of, one[:2]) for of in now)

    return tuple(one for one in earlier if one.month_before and not is_charged(one))


def _may_be_one(of: Charge, other: Charge) -> bool:
    """Check whether two charges may be for the same service.

    They are for one utility, and have the same name, or only one of them has a name.
    """
    return of[0] == other[0] and (of[1] == other[1] or "" in (of[1], other[1]))
