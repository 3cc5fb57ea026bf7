"""Corrections of earlier months that wait for a decision before the next invoices are sent."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.months.findings import Finding, Kind
from prorata.domain.texts import joined, say

EARLIER_CORRECTIONS: Kind = "earlierCorrections"


class WaitingMonth(NamedTuple):
    """A month's pending corrections: their number, and the cents of charges and credits."""

    month: Month
    corrections: int
    more: int
    less: int


def of_earlier(waiting_months: Iterable[WaitingMonth], currency: str, write: Forms = PLAIN) -> Iterator[Finding]:
    """Report earlier months' corrections that wait for a decision, one finding per month.

    >>> [one.message for one in of_earlier([WaitingMonth(Month("2026-10"), 2, 56_69, -23_30)], "USD")]
    ['Corrections for October 2026 are waiting for your decision (+$56.69, -$23.30).']
    """
    for waiting_month in waiting_months:
        more = f"+{write.money(waiting_month.more, currency)}" if waiting_month.more else ""
        less = write.money(waiting_month.less, currency) if waiting_month.less else ""
        amounts = joined(filter(None, (more, less)), ", ")
        message = say(
            "Corrections for {month} are waiting for your decision ({amounts}).",
            month=write.month(waiting_month.month),
            amounts=amounts,
        )
        advice = say("Decide first, and they will be added to these invoices.")
        yield Finding(EARLIER_CORRECTIONS, message, advice, waiting_month.corrections, (waiting_month.month,))
