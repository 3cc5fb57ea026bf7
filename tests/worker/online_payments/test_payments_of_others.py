"""Messages about payments by links that are not ours are dropped after a while.

Such payments come, for example, from a shop that uses the same provider account.
"""

from prorata.actions.overview import schedule
from prorata.actions.payments.provider_events import OTHERS_KEPT
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    COUNTED,
    PASSED_OVER,
    REFUNDED,
    TO_CHECK,
    WAITS,
    LinkMarks,
    ProviderEvent,
)
from prorata.store.online_payments import provider_events
from tests.worker.trade import AT, paid


def lost(event, payment, happening=REFUNDED):
    return ProviderEvent(event, happening, payment, 10_00, "USD", AT, None, f"re_{event}")


def kept(trade, *events):
    return [one for one in events if trade.landlord.read(provider_events.find, "stripe", one) is not None]


def tidied(trade):
    """Delete what was kept long enough, and return True if there was any such work."""
    is_work = trade.landlord.run(lambda tx: schedule.TIDYING.look(tx, trade.landlord.account)).is_work
    trade.landlord.run(lambda tx: schedule.tidy(tx, trade.account_id))
    return is_work


def test_what_is_said_of_payments_of_others_is_let_go_after_a_while_and_what_is_said_of_ours_stays(trade, clock):
    ours = trade.link()
    assert trade.hear(lost("evt_1", "pi_shop")) == WAITS
    assert trade.hear(paid("plink_shop", event="evt_2", payment="pi_till")) == PASSED_OVER
    assert trade.hear(lost("evt_3", "pi_till", CHARGED_BACK)) == PASSED_OVER
    assert trade.hear(paid(ours, event="evt_4")) == COUNTED
    assert trade.hear(lost("evt_5", "pi_1")) == COUNTED
    lost_link = paid("plink_lost", event="evt_6", payment="pi_6")._replace(
        marks=LinkMarks("plink_x", trade.account_id, "N")
    )
    assert trade.hear(lost_link) == TO_CHECK
    every = [f"evt_{number}" for number in range(1, 7)]
    clock.forward(seconds=OTHERS_KEPT.total_seconds() - 60)
    tidied(trade)
    assert kept(trade, *every) == every
    tidied(trade)
    clock.forward(minutes=2)
    assert tidied(trade)
    assert not tidied(trade)
    assert kept(trade, *every) == ["evt_4", "evt_5", "evt_6"]
    assert trade.hear(lost("evt_7", "pi_6")) == TO_CHECK, "what a person had to look at is known still"
