"""Payment links: made after an invoice is sent, asking for its balance, closed when it no longer has one; and what the
provider says is counted once.
"""

import random
import threading

import pytest

from prorata.actions import payment_providers, payments, properties, provider_events
from prorata.actions.payment_links import LINK
from prorata.actions.payments import Received
from prorata.adapters.vault import AesVault
from prorata.domain.ledger import REFUND
from prorata.domain.payment_links import (
    CHARGED_BACK,
    FAILED,
    GIVEN_BACK,
    PAID,
    REFUNDED,
    STRIPE,
    Happening,
    ProviderEvent,
)
from prorata.ports.payments import LinkClosed, LinkMade, PaymentsDelayed, PaymentsRefused
from prorata.store import jobs as stored_jobs
from prorata.store import payment_links as stored_links
from prorata.store import provider_events as stored_events
from prorata.worker.kinds import Done, Job, Later, Lease, Refused
from prorata.worker.payment_links import payment_link_kind
from tests.landlord import Landlord
from tests.meanwhile import while_somebody_else_writes

VAULT = AesVault([b"v" * 32])
AT = "2026-03-10T15:00:00.000Z"


class Provider:
    """A provider that makes links by their keys, once each, and answers otherwise when told to."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[int, str]] = {}
        self.closed: list[str] = []
        self.answers: list[object] = []
        self.keys: set[str] = set()

    def make(self, key, asked):
        self.keys.add(key)
        if self.answers:
            return self.answers.pop(0)
        self.made[f"plink_{asked.key}"] = asked.amount, asked.currency
        return LinkMade(f"plink_{asked.key}", f"https://pay.example/{asked.key}")

    def close(self, key, link_id):
        self.keys.add(key)
        if self.answers:
            return self.answers.pop(0)
        self.closed.append(link_id)
        return LinkClosed()

    @property
    def open(self):
        return {name: asks for name, asks in self.made.items() if name not in self.closed}


class Trade:
    """A landlord whose tenants pay by a provider, and the job that keeps the links."""

    def __init__(self, landlord: Landlord) -> None:
        self.landlord, self.provider = landlord, Provider()
        landlord.do(payment_providers.use_stripe, "sk_test_1", "whsec_1", VAULT)
        self.kind = payment_link_kind({STRIPE: self.provider}, lambda: VAULT)
        self.maple = landlord.property_()
        landlord.tenant(landlord.unit(self.maple, "1"), "Ann", email="ann@example.org")
        landlord.bill(self.maple, 90_00)

    @property
    def account_id(self):
        return self.landlord.caller.account_id

    def invoice(self):
        return self.landlord.invoices(self.maple, "2026-02")["1"].summary

    def send(self):
        return self.landlord.set_status(self.maple, "1", "SENT").summary

    def waiting(self):
        return [row for row in self.landlord.read(stored_jobs.of_subject, self.invoice().id) if row.kind == LINK]

    def keep(self, invoice_id: str | None = None):
        job = Job(self.account_id, "job_1", LINK, {"invoice": invoice_id or self.invoice().id}, None, 1)
        return self.kind.handler(job, self.landlord.database, Lease(threading.Event()))

    def hear(self, event: ProviderEvent) -> str:
        return self.landlord.database.write(lambda tx: provider_events.take(tx, self.account_id, STRIPE, event))

    def link(self):
        (one,) = self.provider.open
        return one


@pytest.fixture
def trade(landlord: Landlord) -> Trade:
    return Trade(landlord)


def paid(link: str, amount: int = 90_00, *, event: str = "evt_1", payment: str = "pi_1", currency: str = "USD"):
    return ProviderEvent(event, PAID, payment, amount, currency, AT, link)


def test_a_sent_invoice_gets_a_link_for_its_balance_and_the_api_shows_it(trade):
    sent = trade.send()
    assert [row.state for row in trade.waiting()] == ["waiting"]
    assert isinstance(trade.keep(), Done)
    assert list(trade.provider.open.values()) == [(90_00, "USD")]
    row = trade.landlord.read(stored_links.find, trade.link().removeprefix("plink_"))
    assert (row.invoice_id, row.state) == (sent.id, "live")
    shown = trade.landlord.read(stored_links.open_of_invoice, sent.id)
    assert [one.url for one in shown] == [f"https://pay.example/{row.id}"]
    assert trade.invoice().payment_link_url == row.url
    assert trade.provider.keys == {"sk_test_1"}
    assert isinstance(trade.keep(), Done)
    assert len(trade.provider.made) == 1


def test_a_changed_balance_closes_the_link_and_asks_for_the_rest(trade):
    one = trade.send()
    trade.keep()
    first = trade.link()
    trade.landlord.do(payments.receive, one.id, Received(30_00, trade.landlord.clock().date()))
    assert trade.invoice().payment_link_url is None, "nobody is shown a link that asks for too much"
    trade.keep()
    assert trade.provider.closed == [first]
    assert list(trade.provider.open.values()) == [(60_00, "USD")]


@pytest.mark.parametrize("status", ["DRAFT", "CANCELLED", "PAID"])
def test_an_invoice_that_owes_nothing_has_no_link(trade, status):
    trade.send()
    trade.keep()
    trade.landlord.set_status(trade.maple, "1", status)
    trade.keep()
    assert trade.provider.open == {}
    assert trade.invoice().payment_link_url is None


def test_a_deleted_property_leaves_no_link_open(trade):
    one = trade.send()
    trade.keep()

    class Nothing:
        def keep(self, name, text):
            pass

    trade.landlord.do(properties.remove, trade.maple.id, Nothing())
    trade.keep(one.id)
    assert trade.provider.open == {}


def test_a_worker_that_dies_after_asking_asks_again_by_the_same_key(trade):
    trade.send()
    trade.provider.answers = [PaymentsDelayed("Stripe could not be reached.")]
    assert isinstance(trade.keep(), Later)
    trade.keep()
    assert len(trade.provider.made) == 1
    assert len(trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id)) == 1


def test_what_the_provider_refuses_for_good_says_why_and_another_try_makes_another_link(trade):
    trade.send()
    trade.provider.answers = [PaymentsRefused("Stripe refuses: too small.")]
    assert trade.keep() == Refused("Stripe refuses: too small.")
    assert isinstance(trade.keep(), Done)
    assert len(trade.provider.open) == 1


def test_a_payment_by_the_link_pays_the_invoice_once(trade):
    trade.send()
    trade.keep()
    event = paid(trade.link())
    assert [trade.hear(event), trade.hear(event), trade.hear(event._replace(id="evt_2"))] == ["counted"] * 3
    row = trade.invoice()
    assert (row.status, row.paid_amount, row.payment_status) == ("PAID", 90_00, "paid")
    (entry,) = trade.landlord.see(payments.ledger, row.id).entries
    assert (entry.amount, entry.method, entry.provider, entry.reference) == (90_00, "CARD", "stripe", "pi_1")


@pytest.mark.parametrize(
    ("change", "state"),
    [({"amount": 89_99}, "to check"), ({"currency": "EUR"}, "to check"), ({"link": "plink_of_a_stranger"}, "passed")],
)
def test_what_does_not_agree_is_not_counted(trade, change, state):
    trade.send()
    trade.keep()
    assert trade.hear(paid(trade.link())._replace(**change)) == state
    assert trade.invoice().paid_amount == 0


def test_a_refund_that_is_told_of_first_waits_for_its_payment(trade):
    trade.send()
    trade.keep()
    refund = ProviderEvent("evt_9", REFUNDED, "pi_1", 90_00, "USD", AT, None, "re_1")
    assert trade.hear(refund) == "waits"
    assert trade.hear(paid(trade.link())) == "counted"
    row = trade.invoice()
    assert (row.status, row.paid_amount) == ("SENT", 0)
    assert [one.kind for one in trade.landlord.see(payments.ledger, row.id).entries] == ["PAYMENT", REFUND]


def test_a_late_failure_takes_nothing_back(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    assert trade.hear(ProviderEvent("evt_5", FAILED, "pi_1", 90_00, "USD", AT, trade.link())) == "passed"
    assert trade.invoice().status == "PAID"


def test_money_for_an_invoice_that_is_gone_is_for_a_person(trade):
    trade.send()
    trade.keep()
    link = trade.link()

    class Nothing:
        def keep(self, name, text):
            pass

    trade.landlord.do(properties.remove, trade.maple.id, Nothing())
    assert trade.hear(paid(link)) == "to check"
    (waits,) = trade.landlord.read(stored_events.to_check, 10)
    assert waits.why == "Its invoice was deleted."


def test_messages_that_come_at_once_see_each_other(trade):
    trade.send()
    trade.keep()
    refund = ProviderEvent("evt_9", REFUNDED, "pi_1", 90_00, "USD", AT, None, "re_1")
    take, link = provider_events.take, trade.link()
    while_somebody_else_writes(
        trade.landlord.database,
        lambda tx: take(tx, trade.account_id, STRIPE, paid(link)),
        lambda tx: take(tx, trade.account_id, STRIPE, refund),
    )
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("SENT", 0)


def test_a_dispute_that_is_lost_and_won_leaves_what_was_refunded(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    about = ("pi_1", 90_00, "USD", AT, None)
    assert trade.hear(ProviderEvent("evt_2", REFUNDED, "pi_1", 30_00, "USD", AT, None, "re_1")) == "counted"
    assert trade.hear(ProviderEvent("evt_3", CHARGED_BACK, *about, "dp_1")) == "waits"
    assert trade.landlord.see(provider_events.number_to_check) == 1
    assert trade.hear(ProviderEvent("evt_4", GIVEN_BACK, *about, "dp_1")) == "passed"
    assert trade.landlord.see(provider_events.number_to_check) == 0
    assert trade.invoice().paid_amount == 60_00


def test_a_refund_after_a_won_dispute_counts_though_it_is_told_of_first(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link()))
    about = ("pi_1", 90_00, "USD", AT, None)
    trade.hear(ProviderEvent("evt_3", CHARGED_BACK, *about, "dp_1"))
    assert trade.hear(ProviderEvent("evt_2", REFUNDED, "pi_1", 30_00, "USD", AT, None, "re_1")) == "waits"
    trade.hear(ProviderEvent("evt_4", GIVEN_BACK, *about, "dp_1"))
    assert trade.invoice().paid_amount == 60_00


def test_what_was_not_counted_is_shown_until_somebody_has_looked(trade):
    trade.send()
    trade.keep()
    trade.hear(paid(trade.link(), 1_00))
    (row,) = trade.landlord.see(provider_events.to_check)
    trade.landlord.do(provider_events.checked, STRIPE, row.event_id)
    assert trade.landlord.see(provider_events.to_check) == []
    assert trade.invoice().paid_amount == 0


def test_a_link_that_was_used_is_closed_and_another_asks_for_what_is_owed(trade):
    trade.send()
    trade.keep()
    first = trade.link()
    trade.hear(ProviderEvent("evt_5", FAILED, "pi_1", 90_00, "USD", AT, first))
    assert trade.invoice().payment_link_url is None
    trade.keep()
    assert trade.invoice().payment_link_id not in (None, first)


def test_a_balance_that_comes_back_before_the_job_shows_its_link_again(trade):
    one = trade.send()
    trade.keep()
    entry = trade.landlord.do(payments.receive, one.id, Received(30_00, trade.landlord.clock().date()))
    trade.landlord.do(payments.take_back, one.id, entry)
    assert trade.invoice().payment_link_id is None
    trade.keep()
    assert trade.invoice().payment_link_id == trade.link()


def test_a_link_that_may_not_be_closed_stays_known_as_open(trade):
    trade.send()
    trade.keep()
    trade.landlord.set_status(trade.maple, "1", "DRAFT")
    trade.provider.answers = [PaymentsRefused("Stripe does not accept the key.")]
    assert isinstance(trade.keep(), Refused)
    assert isinstance(trade.keep(), Done)
    assert trade.provider.open == {}


def told(events: list[ProviderEvent], amount: int) -> set[int]:
    """What an invoice may have received by these messages, in whatever order they came: the model. Where refunds and a
    lost dispute come to more than was paid, those count that were told of first.
    """
    if not any(event.happening == PAID for event in events):
        return {0}
    refunded = sum({event.reference: event.amount for event in events if event.happening == REFUNDED}.values())
    disputes = {event.happening for event in events} & {CHARGED_BACK, GIVEN_BACK}
    if disputes == {CHARGED_BACK}:
        return {0, amount - refunded} if refunded else {0}
    return {amount - refunded}


def messages(link: str, amount: int, chance: random.Random) -> list[ProviderEvent]:
    """Messages about one payment that can be true together, some more than once and some lost, shuffled."""
    payment = f"pi of {link}"

    def about(name: str, happening: Happening, cents: int, reference: str | None = None) -> ProviderEvent:
        return ProviderEvent(f"{name} of {link}", happening, payment, cents, "USD", AT, link, reference)

    found = [about("paid", PAID, amount), about("paid later", PAID, amount), about("failed", FAILED, amount)]
    if chance.random() < 0.3:
        found += [
            about("lost", CHARGED_BACK, amount, f"dp of {link}"),
            about("won", GIVEN_BACK, amount, f"dp of {link}"),
        ]
    for number in range(chance.randint(0, 3)):
        cents = chance.randint(1, amount // 3)
        found += [
            about(f"{again} {number}", REFUNDED, cents, f"re_{number} of {link}") for again in ("made", "changed")
        ]
    sent = chance.choices(found, k=len(found) * 2) if chance.random() < 0.5 else found + chance.choices(found, k=3)
    chance.shuffle(sent)
    return sent


def sequences(landlord: Landlord, number: int, seed: int) -> None:
    """So many invoices, each with messages of its own."""
    trade, chance = Trade(landlord), random.Random(seed)
    place = landlord.property_(name="Oak House")
    for unit in range(number):
        landlord.tenant(landlord.unit(place, str(unit)), f"Tenant {unit}", email=f"t{unit}@example.org")
    landlord.bill(place, number * 90_00)
    for label, shown in landlord.invoices(place, "2026-02").items():
        landlord.set_status(place, label, "SENT")
        trade.keep(shown.summary.id)
        link = trade.link()
        sent = messages(link, shown.summary.total, chance)
        for event in sent:
            trade.hear(event)
        trade.provider.made.clear()
        found = landlord.see(payments.ledger, shown.summary.id)
        assert found.received in told(sent, shown.summary.total), [(e.id, e.reference, e.amount) for e in sent]


def test_messages_in_any_order_and_number_come_to_what_the_model_says(landlord):
    sequences(landlord, 25, seed=7)


@pytest.mark.soak
def test_ten_thousand_sequences_of_messages_come_to_what_the_model_says(landlord):
    for seed in range(25):
        sequences(landlord, 400, seed)
