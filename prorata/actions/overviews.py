"""What an account looks like at a glance: this month's figures, what needs a person, and how far a new account is."""

from typing import NamedTuple

from prorata.actions import accounts as account_actions
from prorata.domain.months import Month, month_of
from prorata.store import accounts, billing_months
from prorata.store.audit import Caller
from prorata.store.billing_months import MonthSums
from prorata.store.engine import Tx

MONTHS_SHOWN = 12


class Overview(NamedTuple):
    """`months` are those of the last year that have invoices, the newest first, one for each currency."""

    month: Month
    months: list[MonthSums]
    counts: accounts.Counts
    properties: int
    bills: int
    shown: list[MonthSums]
    """The newest month that has invoices, in each currency, the largest first."""
    charted: list[MonthSums]
    """The months in the currency of the largest, the oldest first."""

    @property
    def currency(self) -> str:
        """The currency that most is billed in."""
        return self.shown[0].currency if self.shown else ""


def overview(tx: Tx, caller: Caller) -> Overview:
    """The figures of the month that is billed now: the newest that has invoices, and those of the year before it."""
    account = account_actions.the_account(tx, caller)
    today = account_actions.today_in(account, tx)
    months = billing_months.sums(tx, account.id, _a_year_before(month_of(today)))
    newest = months[0].month if months else month_of(today)
    counts = accounts.invoice_counts(tx, account.id)
    shown = sorted((one for one in months if one.month == newest), key=lambda one: -one.billed)
    charted = [one for one in reversed(months) if one.currency == shown[0].currency]
    return Overview(Month(newest), months, counts, account.property_count, account.bill_count, shown, charted)


def _a_year_before(month: Month) -> str:
    """The first of the twelve months that end with `month`.

    >>> _a_year_before(Month("2026-03")), _a_year_before(Month("2026-12"))
    ('2025-04', '2026-01')
    """
    at = int(month[:4]) * MONTHS_SHOWN + int(month[5:]) - MONTHS_SHOWN
    return f"{at // MONTHS_SHOWN:04d}-{at % MONTHS_SHOWN + 1:02d}"
