"""Tests of payments that a tenant has made, but that take the bank some days.

Such a payment is recorded, and the tenant is not reminded meanwhile.
"""

from datetime import timedelta

import pytest

from prorata.actions.online_payments import payments_under_way
from prorata.domain.online_payments.payment_links import (
    COUNTED,
    FAILED,
    PASSED_OVER,
    STRIPE,
    UNDER_WAY,
    WAITS,
    ProviderEvent,
)
from prorata.store.online_payments import provider_events
from prorata.store.online_payments.provider_events import EventRow
from prorata.store.overview import activity
from tests.worker.delivery.test_reminders import mornings
from tests.worker.mailing import House
from tests.worker.trade import AT, Trade, paid


def said(link: str, happening: str, event: str) -> ProviderEvent:
    return paid(link, event=event)._replace(happening=happening)


def shown(trade: Trade) -> list[str]:
    """The payments of the invoice that are under way."""
    found = trade.landlord.database.read(
        lambda tx: payments_under_way.of_invoices(tx, trade.account_id, [trade.invoice().id])
    )
    return [one.payment for one in found]


def noted(trade: Trade) -> int:
    rows = trade.landlord.read(activity.page, record=trade.invoice().id, limit=50)
    return [row.verb for row in rows].count("note payment under way")


@pytest.mark.parametrize(
    ("end", "state", "status"), [("paid", COUNTED, ("PAID", 90_00)), (FAILED, PASSED_OVER, ("SENT", 0))]
)
def test_a_payment_that_is_under_way_is_so_until_it_came_or_failed_and_is_written_down_once(
    trade: Trade, end: str, state: str, status: tuple[str, int]
) -> None:
    link = trade.link()
    assert trade.hear(said(link, UNDER_WAY, "evt_1")) == WAITS
    assert (shown(trade), noted(trade)) == (["pi_1"], 1)
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("SENT", 0)
    assert trade.hear(said(link, end, "evt_2")) == state
    assert (shown(trade), noted(trade)) == ([], 1)
    assert (trade.invoice().status, trade.invoice().paid_amount) == status


@pytest.mark.parametrize("end", ["paid", FAILED])
def test_that_a_payment_was_under_way_says_nothing_after_its_end(trade: Trade, end: str) -> None:
    link = trade.link()
    trade.hear(said(link, end, "evt_2"))
    assert trade.hear(said(link, UNDER_WAY, "evt_1")) == PASSED_OVER
    assert (shown(trade), noted(trade)) == ([], 0)


def test_a_payment_of_others_that_is_under_way_is_nothing_to_us(trade: Trade) -> None:
    assert trade.hear(said("plink_shop", UNDER_WAY, "evt_1")) == PASSED_OVER
    assert shown(trade) == []


@pytest.mark.parametrize(("days_ago", "state", "number"), [(0, WAITS, 0), (31, WAITS, 2), (0, PASSED_OVER, 2)])
def test_while_a_payment_is_under_way_nobody_is_reminded_for_a_month_at_most(
    house: House, days_ago: int, state: str, number: int
) -> None:
    house.wishes(days_before=(3,), days_after=(7,))
    house.set_status("SENT")
    house.work()
    at = (house.clock() - timedelta(days=days_ago)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    row = EventRow(
        house.landlord.account.id, STRIPE, "evt_1", UNDER_WAY, "pi_1", None, None, 120_50, "USD", at, state, None,
        house.invoice.id, AT,
    )  # fmt: skip
    house.landlord.run(lambda tx: provider_events.add(tx, row))
    assert len(mornings(house, 22)) == number
