"""A month's amounts that differ widely from those of earlier months."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from statistics import median_high, median_low
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, last_day, months_back
from prorata.domain.labels import same
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import apportion
from prorata.domain.months.findings import Finding, Kind, PastLine
from prorata.domain.texts import Text, say, say_n
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
    """Report an issuer's amounts for a utility that differ widely from the usual amounts.

    Amounts above twice or below half the usual amount (`usual`) are reported. Amounts are summed by month, as are
    their service days.
    `asked` has, by bill id, the sentences with which a person was already asked about an unusual amount. An amount
    is not reported if each bill in it has such a sentence: either an accepted check about the same sum, or a flag
    for this utility. An open flag already asks about the amount, and a bill is flagged again when it is corrected.
    """
    by_month: dict[tuple[str, str], dict[Month, list[PastLine]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if line.utility_type is not None and line.month <= month:
            by_month[same(line.issuer), line.utility_type][line.month].append(line)
    for key, of_months in sorted(by_month.items()):
        if month not in of_months:
            continue
        lines_here = of_months.pop(month)
        amount, days = sum(line.amount for line in lines_here), service_days(lines_here)
        before = [
            Earlier(of, sum(line.amount for line in its), service_days(its)) for of, its in sorted(of_months.items())
        ]
        twice, _, year, is_per_day = usual(month, days, before)
        bill_ids = tuple(dict.fromkeys(line.bill_id for line in lines_here))
        if not is_unusual(amount, twice) or all(
            _is_asked(asked.get(bill_id, ()), PLAIN.money(amount, currency), within_a_sentence(key[1]))
            for bill_id in bill_ids
        ):
            continue
        asks = {
            "issuer": lines_here[0].issuer,
            "amount": write.money(amount, currency),
            "utility": within_a_sentence(key[1]),
            "usual": usual_in_words(write, twice, currency, days if is_per_day else None),
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


def service_days(lines: Iterable[PastLine]) -> int | None:
    """Count the service days of a month's lines; days of several lines count once.

    The result is None if the days of a line are unknown. The lines of a spread bill in a month are for the last days
    of the bill's service up to the end of the month.

    >>> january, both = (date(2026, 1, 1), date(2026, 1, 31)), (date(2026, 1, 1), date(2026, 2, 28))
    >>> bill = PastLine("b1", Month("2026-02"), "GAS", 50_00, "Prairie Gas", "", january)
    >>> service_days([bill, bill._replace(service=both)]), service_days([bill, bill._replace(service=None)])
    (59, None)
    >>> service_days([bill._replace(service=both, days=28)])
    28
    """
    periods, ends = list[tuple[date, date]](), dict[str, date]()
    for line in lines:
        if line.service is None:
            return None
        first, last = line.service
        if line.days is not None:
            last = ends.get(line.bill_id, min(last, last_day(line.month)))
            first = last - timedelta(days=line.days - 1)
            ends[line.bill_id] = first - timedelta(days=1)
        periods.append((first, last))
    number, counted = 0, date.min
    for first, last in sorted(periods):
        number += max(0, (last - max(first - timedelta(days=1), counted)).days)
        counted = max(counted, last)
    return number


def usual_in_words(write: Forms, twice: int, currency: str, days: int | None) -> Text | str:
    """Write the usual amount, half of `twice`, in words.

    If `days` is given, the words add that the amount is for this number of service days.

    >>> usual_in_words(PLAIN, 100_00, "USD", None), usual_in_words(PLAIN, 100_00, "USD", 61)
    ('$50.00', '$50.00 for 61 days')
    """
    amount = write.money(apportion(twice, [1, 1])[0], currency)
    if days is None:
        return amount
    return say_n("{amount} for {n} day", "{amount} for {n} days", days, amount=amount, n=write.count(days))


def are_as_long(days: int | None, others: int | None) -> bool:
    """True if amounts for these numbers of service days can be compared as they are.

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


class Earlier(NamedTuple):
    """An earlier amount in cents, with its month.

    `days` is the number of service days, if known. `bill_id` is empty if the amount is not that of a single bill.
    """

    month: Month
    amount: int
    days: int | None
    bill_id: str = ""


class Usual(NamedTuple):
    """A usual amount, with the earlier amounts from which it was computed.

    `twice` is twice the usual amount in cents, or 0 if the usual amount is unknown. `year` is the same month of an
    earlier year, or None if the amount is a median. `is_per_day` is set if earlier amounts were converted to another
    number of service days.
    """

    twice: int
    taken_from: Sequence[Earlier] = ()
    year: Month | None = None
    is_per_day: bool = False


def usual(month: Month, days: int | None, past: Sequence[Earlier]) -> Usual:
    """Return the usual amount of a month for a number of service days.

    `past` are earlier amounts, in order. The usual amount is that of the same month a year before. If that month has
    no amount, the year before it is used, and so on for at most `YEARS_COMPARED` years. If none of them has an
    amount, the usual amount is the median of the last three to six of the twelve months before.

    In each of these two steps, amounts for about as many service days (`are_as_long`) are looked for first. If there
    are none, or too few, the amounts for other numbers of days are converted to `days` and used as well. From an
    earlier year, an amount is converted only if it is for at least a third of `days`, because base fees do not grow
    with the number of days.

    >>> past = [Earlier(Month("2025-07"), 50, 31), Earlier(Month("2026-05"), 90, 31), Earlier(Month("2026-06"), 90, 30)]
    >>> usual(Month("2026-07"), 31, past).twice, usual(Month("2026-07"), 62, past).twice
    (100, 200)
    """
    as_long = [earlier for earlier in past if are_as_long(days, earlier.days)]
    converted = [_for_days(earlier, days) for earlier in past] if len(as_long) < len(past) else []
    for amounts in as_long, converted:
        for back in range(1, YEARS_COMPARED + 1):
            year = months_back(month, 12 * back)
            of_year = [earlier for earlier in amounts if earlier.month == year and _is_a_third(earlier.days, days)]
            if (twice := _twice_the_median(of_year)) > 0:
                return Usual(twice, of_year, year, amounts is converted)
    for amounts in as_long, converted:
        last = [earlier for earlier in amounts if months_back(month, LOOKED_BACK) <= earlier.month][-COMPARED:]
        if len(last) >= COMPARED_FROM:
            return Usual(_twice_the_median(last), last, is_per_day=amounts is converted)
    return Usual(0)


def _is_a_third(part: int | None, days: int | None) -> bool:
    """True if `part` is at least a third of `days`, or either is unknown."""
    return part is None or days is None or 3 * part >= days


def _for_days(earlier: Earlier, days: int | None) -> Earlier:
    """Convert an amount to another number of service days.

    The amount stays unchanged if both numbers of days are about the same, or if either is unknown (`are_as_long`).
    """
    if days is None or earlier.days is None or are_as_long(days, earlier.days):
        return earlier
    return earlier._replace(amount=apportion(earlier.amount * days, [1, earlier.days - 1])[0])


def _twice_the_median(earlier: Sequence[Earlier]) -> int:
    return twice_the_median([one.amount for one in earlier])


def twice_the_median(amounts: Sequence[int]) -> int:
    """Return twice the median of amounts, as a whole number; 0 if there are none.

    >>> twice_the_median([30, 10, 20]), twice_the_median([10, 25]), twice_the_median([])
    (40, 35, 0)
    """
    return median_low(amounts) + median_high(amounts) if amounts else 0
