"""A month's amounts that differ widely from those of earlier months."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median_high, median_low
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, months_back
from prorata.domain.labels import same
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import apportion
from prorata.domain.months.findings import Finding, Kind, PastLine
from prorata.domain.texts import say
from prorata.domain.utility_names import within_a_sentence

COMPARED, COMPARED_FROM = 6, 3
"""The maximum and minimum numbers of earlier amounts whose median is compared."""
YEARS_COMPARED = 3
"""The number of earlier years whose same month is preferred for comparison.

Heating costs more in January than in October.
"""
_UNUSUAL = {
    (True, True): say("{issuer} charges {amount} for {utility}: more than twice the {usual} in {month}."),
    (False, True): say("{issuer} charges {amount} for {utility}: less than half the {usual} in {month}."),
    (True, False): say("{issuer} charges {amount} for {utility}: more than twice the usual {usual}."),
    (False, False): say("{issuer} charges {amount} for {utility}: less than half the usual {usual}."),
}
"""The sentences for an unusual amount.

The keys tell whether it is more than usual, and whether it is compared with the same month of an earlier year.
"""
LOOKED_BACK = 12
"""The number of earlier months that are searched for unusual amounts."""

UNUSUAL_AMOUNT: Kind = "unusualAmount"


class Asked(NamedTuple):
    """An unusual amount about which somebody was asked: the sentence that reported it.

    If `of_bill` is set, the sentence is a flag of the bill, open or accepted. Otherwise it is from the check of a
    month, which somebody accepted.
    """

    message: str
    of_bill: bool


NOTHING_ASKED: Mapping[str, Sequence[Asked]] = {}


def months_compared(month: Month) -> list[Month]:
    """Return the months whose amounts are needed to judge those of `month`, in order.

    They are the same month of three earlier years, the last twelve months and `month` itself. The example shows four.

    >>> months_compared(Month("2026-07"))[:4]
    ['2023-07', '2024-07', '2025-07', '2025-08']
    """
    years = {months_back(month, 12 * back) for back in range(1, YEARS_COMPARED + 1)}
    return sorted(years | {months_back(month, back) for back in range(LOOKED_BACK + 1)})


def unusual_amounts(
    month: Month,
    lines: Iterable[PastLine],
    currency: str,
    write: Forms = PLAIN,
    asked: Mapping[str, Sequence[Asked]] = NOTHING_ASKED,
) -> Iterator[Finding]:
    """Report an issuer's amounts for a utility above twice or below half the usual.

    Amounts are summed by month and compared with those of earlier months (`usual`) that are for about as many
    service days (`are_as_long`). `asked` has, by bill id, the sentences with which a person was already asked
    about an unusual amount. An amount is not reported if each bill in it has such a sentence: either an accepted
    check about the same sum, or a flag for this utility. An open flag already asks, and a bill is flagged again
    when it is corrected.
    """
    sums: dict[tuple[str, str], dict[Month, int]] = defaultdict(lambda: defaultdict(int))
    days: dict[tuple[str, str], dict[Month, int | None]] = defaultdict(dict)
    here: dict[tuple[str, str], list[PastLine]] = defaultdict(list)
    for line in lines:
        if line.utility_type is None or line.month > month:
            continue
        key = same(line.issuer), line.utility_type
        sums[key][line.month] += line.amount
        days[key][line.month] = _longer(days[key].get(line.month, 0), line.days)
        if line.month == month:
            here[key].append(line)
    for key, lines_here in sorted(here.items()):
        amount, of_months = sums[key][month], sorted(sums[key].items())
        before = [(of, cents) for of, cents in of_months if of < month and are_as_long(days[key][month], days[key][of])]
        twice, year = usual(month, before)
        bill_ids = tuple(dict.fromkeys(line.bill_id for line in lines_here))
        if not is_unusual(amount, twice) or all(
            _is_asked(asked.get(bill_id, ()), PLAIN.money(amount, currency), within_a_sentence(key[1]))
            for bill_id in bill_ids
        ):
            continue
        half = write.money(apportion(twice, [1, 1])[0], currency)
        asks = {
            "issuer": lines_here[0].issuer,
            "amount": write.money(amount, currency),
            "utility": within_a_sentence(key[1]),
            "usual": half,
            "month": write.month(year) if year else "",
        }
        yield Finding(
            UNUSUAL_AMOUNT,
            _UNUSUAL[amount > twice, year is not None].format(**asks),
            say("Compare the amount with the bill, and correct it if it is wrong."),
            len(lines_here),
            bill_ids,
        )


def _is_asked(asked: Sequence[Asked], amount: str, utility: str) -> bool:
    return any(utility in one.message if one.of_bill else amount in one.message for one in asked)


def _longer(days: int | None, others: int | None) -> int | None:
    return None if days is None or others is None else max(days, others)


def are_as_long(days: int | None, others: int | None) -> bool:
    """True if amounts for these numbers of service days can be compared.

    This is so if the longer period is at most one and a half times as long as the shorter one, or if one of the
    numbers is unknown.

    >>> are_as_long(30, 31), are_as_long(31, 92), are_as_long(31, None)
    (True, False, True)
    """
    return days is None or others is None or 2 * max(days, others) <= 3 * min(days, others)


def is_unusual(amount: int, twice: int) -> bool:
    """True if an amount is above twice or below half the usual amount.

    `twice` is twice the usual amount.

    >>> is_unusual(101, 100), is_unusual(100, 100), is_unusual(24, 100), is_unusual(5, 0)
    (True, False, True, False)
    """
    return twice > 0 and not twice <= 4 * amount <= 4 * twice


def usual(month: Month, past: Sequence[tuple[Month, int]]) -> tuple[int, Month | None]:
    """Return twice the usual amount in cents, and the month that it was taken from.

    `past` are earlier amounts, each with its month, in order. The usual amount is that of the same month a year
    before. If that month has no amount, the year before it is used, and so on for at most `YEARS_COMPARED` years.
    If none of them has an amount, the usual amount is the median of the last three to six of the twelve months
    before, and the month is None. If no usual amount is known, the result is 0 and None.

    >>> usual(Month("2026-07"), [(Month("2025-07"), 50), (Month("2026-05"), 90), (Month("2026-06"), 90)])
    (100, '2025-07')
    """
    for back in range(1, YEARS_COMPARED + 1):
        year = months_back(month, 12 * back)
        of_year = twice_the_median([amount for name, amount in past if name == year])
        if of_year > 0:
            return of_year, year
    before = [amount for name, amount in past if months_back(month, LOOKED_BACK) <= name][-COMPARED:]
    return (twice_the_median(before) if len(before) >= COMPARED_FROM else 0), None


def twice_the_median(amounts: Sequence[int]) -> int:
    """Return twice the median of amounts, as a whole number; 0 if there are none.

    >>> twice_the_median([30, 10, 20]), twice_the_median([10, 25]), twice_the_median([])
    (40, 35, 0)
    """
    return median_low(amounts) + median_high(amounts) if amounts else 0
