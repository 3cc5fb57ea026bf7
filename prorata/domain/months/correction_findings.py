"""Corrections of earlier months that wait for a decision: decided first, they go onto the invoices that are sent."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.findings import Finding, Kind
from prorata.domain.texts import joined, say

EARLIER_CORRECTIONS: Kind = "earlierCorrections"


class WaitingMonth(NamedTuple):
    """What waits of a month's corrections for tenants: more to pay, and less, in cents, and how many they are."""

    month: Month
    corrections: int
    more: int
    less: int


def of_earlier(found: Iterable[WaitingMonth], currency: str, write: Forms = PLAIN) -> Iterator[Finding]:
    """What waits of earlier months where a month is about to be sent; `month` is the record that each is about.

    >>> [one.message for one in of_earlier([WaitingMonth(Month("2026-10"), 2, 56_69, -23_30)], "USD")]
    ['Corrections of October 2026 wait for your decision (+$56.69, -$23.30).']
    """
    for one in found:
        more = f"+{write.money(one.more, currency)}" if one.more else ""
        less = write.money(one.less, currency) if one.less else ""
        amounts = joined(filter(None, (more, less)), ", ")
        message = say(
            "Corrections of {month} wait for your decision ({amounts}).", month=write.month(one.month), amounts=amounts
        )
        advice = say("Decide first, and they go onto these invoices.")
        yield Finding(EARLIER_CORRECTIONS, message, advice, one.corrections, (one.month,))
