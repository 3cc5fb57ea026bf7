"""A payment link is made after an invoice is sent, and asks for its balance.

It is closed once the invoice has no balance.
"""

import pytest

from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import properties
from prorata.adapters.online_payments.stripe import StripePayments
from prorata.domain.online_payments.payment_links import FAILED, SANDBOX, STRIPE, ProviderEvent
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.ports.payments import PaymentsDelayed, PaymentsRefused
from prorata.store.online_payments import payment_links as stored_links
from prorata.worker.job_kinds import Done, Later, Refused
from prorata.worker.payment_links import payment_link_kind
from tests.landlord import FakeArchive, Landlord
from tests.stripe_server import KEY
from tests.worker.trade import AT, VAULT, Trade


@pytest.fixture
def trade(landlord: Landlord) -> Trade:
    return Trade(landlord)


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


def test_a_balance_below_what_the_provider_takes_gets_no_link_and_no_job_that_fails(trade):
    one = trade.send()
    trade.keep()
    today = trade.landlord.clock().date()
    trade.landlord.do(payments.receive, one.id, Received(89_51, today))
    assert isinstance(trade.keep(), Done)
    assert trade.provider.open == {}
    assert trade.invoice().payment_link_url is None
    entry = trade.landlord.see(payments.ledger, one.id).entries[0].id
    trade.landlord.do(payments.take_back, one.id, entry)
    trade.landlord.do(payments.receive, one.id, Received(89_50, today))
    trade.keep()
    assert list(trade.provider.open.values()) == [(50, "USD")]


def test_a_deleted_property_leaves_no_link_open(trade):
    one = trade.send()
    trade.keep()
    trade.landlord.do(properties.remove, trade.maple.id, FakeArchive())
    trade.keep(one.id)
    assert trade.provider.open == {}


def test_a_worker_that_dies_after_asking_asks_again_by_the_same_key(trade):
    trade.send()
    trade.provider.answers = [PaymentsDelayed("Stripe could not be reached.")]
    assert isinstance(trade.keep(), Later)
    trade.keep()
    assert len(trade.provider.made) == 1
    assert len(trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id)) == 1


def test_what_a_link_is_called_is_learned_once_and_from_its_own_provider_alone(trade):
    trade.send()
    trade.provider.answers = [PaymentsDelayed("Stripe could not be reached.")]
    trade.keep()
    (asked,) = trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id)

    def learn(provider, called, link_id=asked.id):
        return trade.landlord.run(lambda tx: payment_links.learn(tx, trade.account_id, provider, link_id, called))

    assert learn(SANDBOX, "plink_of_another") is learn(STRIPE, "plink_none", "link_none") is None
    assert trade.landlord.read(stored_links.find, asked.id) == asked._replace(provider_id=None)
    assert learn(STRIPE, "plink_1").provider_id == learn(STRIPE, "plink_2").provider_id == "plink_1"
    assert trade.landlord.read(stored_links.find, asked.id).provider_id == "plink_1"


def test_a_link_that_nobody_heard_of_is_asked_for_again_with_the_same_words_though_its_invoice_is_gone(trade, stripe):
    one = trade.send()
    trade.landlord.do(payment_providers.use, PROVIDERS[0], KEY, "", VAULT)
    trade.kind = payment_link_kind({STRIPE: StripePayments(stripe.url, timeout=0.3)}, lambda: VAULT)
    hears_nothing = StripePayments("http://127.0.0.1:1", timeout=0.3)

    class Unheard:
        def make(self, key, asked):
            StripePayments(stripe.url).make(key, asked)
            return hears_nothing.make(key, asked)

    heard, trade.kind = trade.kind, payment_link_kind({STRIPE: Unheard()}, lambda: VAULT)
    assert isinstance(trade.keep(), Later)
    trade.kind = heard
    trade.landlord.do(properties.remove, trade.maple.id, FakeArchive())
    assert isinstance(trade.keep(one.id), Done)
    assert [link["active"] for link in stripe.links.values()] == [False]
    words = [form for path, _, form in stripe.requests if path == "/v1/payment_links"]
    assert words[0] == words[1]


def test_a_server_error_that_the_provider_keeps_for_its_key_is_asked_again_under_another(trade, stripe):
    trade.send()
    trade.landlord.do(payment_providers.use, PROVIDERS[0], KEY, "", VAULT)
    trade.kind = payment_link_kind({STRIPE: StripePayments(stripe.url)}, lambda: VAULT)
    stripe.answers = [(500, {}), (503, {})]
    assert [type(trade.keep()) for _ in range(3)] == [Later, Later, Done]
    (link,) = stripe.links.values()
    assert link["form"]["line_items[0][price_data][unit_amount]"] == "9000"
    assert trade.invoice().payment_link_id == link["id"]
    assert len(trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id)) == 1


def test_what_the_provider_refuses_for_good_says_why_and_another_try_makes_another_link(trade):
    trade.send()
    trade.provider.answers = [PaymentsRefused("Stripe refused the request: too small.")]
    assert trade.keep() == Refused("Stripe refused the request: too small.")
    assert isinstance(trade.keep(), Done)
    assert len(trade.provider.open) == 1


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
