"""The base of tests of automatic months: a house with bills.

A worker runs while time passes.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.months import reviews as month_reviews, runs as month_runs
from prorata.actions.months.runs import Outlook
from prorata.store.bills.bills import BillRow
from prorata.store.months import runs as stored
from tests.worker.mailing import House

AQUA, GAS = "Aqua Water Co.", "Prairie Gas"


def with_bills(house: House) -> House:
    """The house with water bills for the months from November to February.

    The first month that runs automatically is March.
    """
    for month in ("2025-11", "2025-12", "2026-01"):
        water(house, month)
    return house


def water(house: House, month: str, total: int = 120_50, **more: Any) -> BillRow:
    return house.landlord.bill(house.maple, total, on=date.fromisoformat(f"{month}-20"), **more)


def runs(house: House, automatic: str = "send", day: int = 5, **more: Any) -> None:
    house.landlord.do(accounts.change_settings, Wishes(automatic=automatic, automatic_day=day, **more))


def at(house: House, moment: str) -> None:
    """Let time pass until a moment in UTC.

    The worker runs once a day, and every hour on the last day.
    """
    until = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    while house.clock.moment < until:
        step = timedelta(hours=1) if until - house.clock.moment <= timedelta(days=1) else timedelta(days=1)
        house.clock.moment = min(house.clock.moment + step, until)
        house.work()
    house.work()


def status(house: House, month: str = "2026-03") -> str:
    (found,) = set(house.landlord.statuses(house.maple, month).values())
    return found


def run_of(house: House, month: str = "2026-03") -> tuple[str, str | None] | None:
    row = house.landlord.read(stored.find, house.maple.id, month)
    return (row.state, row.why) if row else None


def outlook(house: House) -> Outlook:
    found = house.landlord.see(month_runs.outlook)
    assert found is not None
    return found


def said_of_month(house: House, month: str = "2026-03") -> str | None:
    review = house.landlord.see(month_reviews.review, house.maple.id, month)
    return house.landlord.see(month_runs.of_month, review)
