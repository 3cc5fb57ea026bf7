"""A replaced secret of Stripe still verifies messages, but only about earlier payments.

The payments must be from before the replacement.
"""

import pytest

from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.payments import provider_events
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    FAILED,
    REFUNDED,
    STRIPE,
    LinkMarks,
    ProviderEvent,
)
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.errors import InvalidRequest
from prorata.store.online_payments import providers as stored_providers
from tests.landlord import Landlord
from tests.worker.trade import AT, VAULT, Trade, paid


@pytest.fixture
def trade(landlord: Landlord) -> Trade:
    trade = Trade(landlord)
    trade.send()
    trade.keep()
    trade.landlord.clock.forward(hours=1)
    return trade


def secrets(trade: Trade) -> list[payment_providers.Secret]:
    row = trade.landlord.read(stored_providers.find)
    assert row is not None
    return payment_providers.secrets_of(row, VAULT)


def rotate(trade: Trade) -> str:
    """Replace the secret that signs messages.

    Return the time until which the former secret was used.
    """
    trade.landlord.do(payment_providers.use, PROVIDERS[0], "", "whsec_2", VAULT)
    now, before = secrets(trade)
    assert (now.text, now.until, before.text) == ("whsec_2", None, "whsec_1")
    assert before.until is not None
    trade.landlord.clock.forward(hours=1)
    return before.until


def hear(trade: Trade, event: ProviderEvent, until: str) -> str:
    """Take a message that was signed with the former secret."""
    return trade.landlord.database.write(
        lambda tx: provider_events.take(tx, trade.account_id, STRIPE, event, until)
    )  # fmt: skip


def about(happening: str, event: str, payment: str = "pi_1") -> ProviderEvent:
    return ProviderEvent(event, happening, payment, 30_00, "USD", AT, None, f"of {event}")  # type: ignore[arg-type]


def test_a_payment_by_a_link_from_before_counts_and_so_do_its_refund_and_dispute(trade: Trade) -> None:
    until = rotate(trade)
    assert hear(trade, paid(trade.link()), until) == "counted"
    assert hear(trade, about(REFUNDED, "evt_2"), until) == "counted"
    assert hear(trade, about(CHARGED_BACK, "evt_3"), until) == "counted"
    assert trade.invoice().paid_amount == 30_00


@pytest.mark.parametrize("happening", ["paid", FAILED])
def test_nothing_is_believed_about_a_link_that_was_made_since(trade: Trade, happening: str) -> None:
    until = rotate(trade)
    trade.landlord.set_status(trade.maple, "1", "DRAFT")
    trade.keep()
    trade.send()
    trade.keep()
    event = paid(trade.link())._replace(happening=happening)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="a secret that is no longer used"):
        hear(trade, event, until)
    assert trade.invoice().status == "SENT"
    assert trade.hear(event) in ("counted", "passed"), "signed with the secret of now"


@pytest.mark.parametrize(
    "event",
    [
        paid("plink_of_nobody"),
        paid("plink_of_nobody")._replace(marks=LinkMarks("plink_lost", None, "MAPLECOURT-1-2026-02")),
        about(REFUNDED, "evt_2"),
        about(CHARGED_BACK, "evt_3"),
    ],
)
def test_nothing_is_believed_about_a_payment_that_is_not_known(trade: Trade, event: ProviderEvent) -> None:
    with pytest.raises(InvalidRequest, match="a secret that is no longer used"):
        hear(trade, event, rotate(trade))
    assert trade.landlord.see(provider_events.number_to_check) == 0


def test_a_secret_that_was_kept_without_its_moment_was_used_till_the_latest_change(trade: Trade) -> None:
    rotate(trade)
    row = trade.landlord.read(stored_providers.find)
    assert row is not None
    assert row.former_secrets is not None
    older = row._replace(former_secrets=row.former_secrets.partition(" ")[0])
    trade.landlord.run(lambda tx: stored_providers.save(tx, older))
    assert [one.until for one in secrets(trade)] == [None, row.updated_at]
    trade.landlord.do(payment_providers.use, PROVIDERS[0], "", "whsec_3", VAULT)
    assert [one.text for one in secrets(trade)] == ["whsec_3", "whsec_2", "whsec_1"]
    assert secrets(trade)[2].until == row.updated_at < (secrets(trade)[1].until or "")
