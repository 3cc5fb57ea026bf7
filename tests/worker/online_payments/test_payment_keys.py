"""When a payment provider's key is replaced or forgotten, no open link goes unheard.

Prorata would not learn of money that is paid by such a link.
"""

import threading
from functools import partial

import pytest

from prorata.actions.jobs.retries import RETRY
from prorata.actions.limits import MOST_FORMER_PROVIDER_SECRETS
from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.online_payments.payment_links import LINK
from prorata.adapters.online_payments.sandbox import SandboxPayments
from prorata.domain.jobs.jobs import FAILED
from prorata.domain.online_payments.payment_links import CLOSED, REFUNDED, SANDBOX, STRIPE, ProviderEvent
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.errors import Conflict
from prorata.settings import read_settings
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.jobs.jobs import JobRow
from prorata.store.online_payments import payment_links as stored_links, providers as stored_providers
from prorata.wiring import payments
from prorata.worker.job_kinds import Done, Later, Refused
from prorata.worker.payment_links import payment_link_kind
from prorata.worker.rounds import Worker
from tests.worker.trade import AT, VAULT, Trade, paid


def finish(trade: Trade) -> object:
    """Run the job, and write its outcome."""
    outcome = trade.keep()
    if isinstance(outcome, Done):
        trade.landlord.run(outcome.write)
    return outcome


def provider(trade: Trade) -> stored_providers.ProviderRow | None:
    return trade.landlord.read(stored_providers.find)


def secrets(trade: Trade) -> list[str]:
    row = provider(trade)
    assert row is not None
    return [one.text for one in payment_providers.secrets_of(row, VAULT)]


def _failed(job: JobRow, now: str) -> JobRow:
    return job._replace(state=FAILED, last_error="Not with this key.", ended_at=now)


def is_called_no_more(trade: Trade) -> bool:
    """True if no key is stored.

    Stripe's messages about earlier payments are still accepted.
    """
    row = provider(trade)
    assert row is not None
    return (row.sealed_key, row.former_key, row.is_stopping, row.takes_payments) == (None, None, False, False)


def another_key(trade: Trade, key: str) -> None:
    trade.landlord.do(payment_providers.use, PROVIDERS[0], key, "", VAULT)


def test_stopping_closes_the_links_with_the_key_before_that_is_forgotten(trade):
    link, number = trade.link(), trade.invoice().number
    trade.landlord.do(payment_providers.stop)
    assert trade.invoice().payment_link_url is None
    assert len(trade.waiting()) == 2, "the link's first job, and one that closes it"
    row = provider(trade)
    assert (row.is_stopping, row.sealed_key, row.former_key_ends) == (True, None, "st_1")
    (shown,) = trade.landlord.see(payment_providers.still_open)
    assert (shown.provider_id, shown.number, shown.amount) == (link, number, 90_00)
    assert isinstance(finish(trade), Done)
    assert trade.provider.closed == [link]
    assert trade.provider.open == {}
    assert is_called_no_more(trade)


def test_what_is_paid_by_a_link_before_it_is_closed_still_counts(trade):
    link = trade.link()
    trade.landlord.do(payment_providers.stop)
    assert trade.hear(paid(link)) == "counted"
    assert trade.invoice().status == "PAID"
    assert secrets(trade) == ["whsec_1"]
    finish(trade)
    assert is_called_no_more(trade)


def test_a_link_that_was_asked_for_while_it_is_stopped_is_found_and_closed(trade):
    step_of = trade.provider.make
    trade.landlord.set_status(trade.maple, "1", "DRAFT")
    trade.keep()
    trade.send()

    def make(key, asked):
        made = step_of(key, asked)
        trade.landlord.do(payment_providers.stop)  # while the provider is asked
        return made

    trade.provider.make = make
    finish(trade)
    trade.provider.make = step_of
    assert trade.provider.open == {}
    assert trade.invoice().payment_link_url is None
    assert is_called_no_more(trade)


def test_where_the_provider_is_away_the_key_stays_and_the_links_are_named(trade):
    link = trade.link()
    trade.landlord.do(payment_providers.stop)
    trade.provider.is_away = True
    assert isinstance(finish(trade), Later)
    assert [one.provider_id for one in trade.landlord.see(payment_providers.still_open)] == [link]
    with pytest.raises(Conflict):
        trade.landlord.do(payment_providers.stop)
    trade.provider.is_away = False
    trade.landlord.do(payment_providers.try_again)
    finish(trade)
    assert is_called_no_more(trade)
    assert trade.provider.open == {}


def test_a_key_that_is_refused_leaves_its_links_named_until_somebody_has_it_forgotten(trade):
    trade.provider.refused = {"sk_test_1"}
    trade.landlord.do(payment_providers.stop)
    refused = finish(trade)
    assert isinstance(refused, Refused)
    assert "Turn it off in Stripe's dashboard" in refused.why
    trade.landlord.do(payment_providers.forget_former_key)
    assert provider(trade) is None
    assert trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id) == []


def test_another_key_closes_the_links_of_the_one_before_and_makes_them_anew(trade):
    first = trade.link()
    another_key(trade, "sk_other_1")
    assert provider(trade).former_key_ends == "st_1"
    assert isinstance(finish(trade), Done)
    assert trade.provider.closed == [first]
    assert trade.provider.of[trade.link()] == "sk_other_"
    assert trade.invoice().payment_link_id == trade.link()
    assert provider(trade).former_key is None


def test_a_mistyped_key_is_put_right_by_entering_the_right_one(trade):
    """The former key is no longer needed, since all of its links are closed.

    The mistyped key has made no links.
    """
    trade.link()
    trade.provider.refused = {"sk_typo_1"}
    another_key(trade, "sk_typo_1")
    assert isinstance(finish(trade), Refused)
    assert provider(trade).former_key is None
    trade.landlord.run(lambda tx: stored_jobs.save(tx, [_failed(one, tx.now) for one in trade.waiting()]))
    another_key(trade, "sk_test_1")
    assert trade.landlord.read(stored_jobs.find_live, RETRY, LINK) is not None, "what failed is tried again"
    assert isinstance(finish(trade), Done)
    assert trade.invoice().payment_link_id == trade.link()


def test_a_mistyped_key_after_one_that_was_revoked_is_put_right_too(trade):
    """Neither of the two keys can close the revoked key's links.

    The right key closes them.
    """
    first = trade.link()
    trade.provider.refused = {"sk_test_1", "sk_typo_1"}
    another_key(trade, "sk_typo_1")
    assert isinstance(finish(trade), Refused)
    another_key(trade, "sk_test_2")
    assert isinstance(finish(trade), Done)
    assert trade.provider.closed == [first]
    assert (provider(trade).former_key, provider(trade).key_ends) == (None, "st_2")
    assert trade.invoice().payment_link_id == trade.link()


def test_a_third_key_waits_until_the_links_of_the_first_are_closed_where_the_second_has_made_some(trade):
    trade.link()
    another_key(trade, "sk_other_1")
    (former,) = trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id)
    of_now = former._replace(id="plink_of_now", provider_id="of_now", is_former=False)
    trade.landlord.run(lambda tx: stored_links.add(tx, of_now))
    with pytest.raises(Conflict, match="created with the previous key"):
        another_key(trade, "sk_third_1")
    trade.landlord.run(lambda tx: stored_links.save(tx, of_now._replace(state=CLOSED)))


def test_a_former_key_without_open_links_stands_in_nobodys_way(trade):
    trade.provider.refused = {"sk_typo_1"}
    another_key(trade, "sk_typo_1")
    for row in trade.landlord.read(stored_links.open_of_invoice, trade.invoice().id):
        trade.landlord.run(lambda tx, row=row: payment_links.note_closed(tx, row))
    assert provider(trade).former_key is not None, "as a worker left it that was killed"
    another_key(trade, "sk_test_1")
    assert provider(trade).key_ends == "st_1"
    trade.landlord.do(payment_providers.stop)
    assert is_called_no_more(trade)


def test_a_key_that_was_rolled_in_the_same_account_closes_its_links_with_the_new_one(trade):
    first = trade.link()
    trade.provider.refused = {"sk_test_1"}
    another_key(trade, "sk_test_2")
    assert isinstance(finish(trade), Done)
    assert trade.provider.closed == [first]
    assert len(trade.provider.open) == 1
    assert provider(trade).former_key is None


def test_a_dead_key_of_another_account_leaves_its_link_shown_and_heard_until_it_is_forgotten(trade):
    first = trade.link()
    trade.provider.refused = {"sk_test_1"}
    trade.landlord.do(payment_providers.use, PROVIDERS[0], "sk_other_1", "whsec_2", VAULT)
    assert isinstance(finish(trade), Refused)
    assert trade.invoice().payment_link_id == first
    assert secrets(trade) == ["whsec_2", "whsec_1"]
    jobs = len(trade.waiting())
    trade.landlord.do(payment_providers.forget_former_key)
    assert trade.invoice().payment_link_url is None
    assert len(trade.waiting()) == jobs + 1
    assert isinstance(finish(trade), Done)
    assert trade.provider.of[trade.invoice().payment_link_id] == "sk_other_"


def test_the_same_key_once_more_changes_nothing_and_takes_up_what_was_being_stopped(trade):
    link = trade.link()
    another_key(trade, "sk_test_1")
    assert provider(trade).former_key is None
    trade.landlord.do(payment_providers.stop)
    trade.landlord.do(payment_providers.use, PROVIDERS[0], "sk_test_1", "whsec_1", VAULT)
    row = provider(trade)
    assert (row.is_stopping, row.former_key) == (False, None)
    finish(trade)
    assert list(trade.provider.open) == [link]
    assert trade.invoice().payment_link_id == link


def refund(cents: int = 30_00) -> ProviderEvent:
    return ProviderEvent("evt_2", REFUNDED, "pi_1", cents, "USD", AT, None, "re_1")


def test_stopping_without_an_open_link_forgets_the_key_and_still_hears_of_refunds(trade):
    trade.hear(paid(trade.link()))
    trade.landlord.do(payment_providers.stop)
    assert is_called_no_more(trade)
    assert secrets(trade) == ["whsec_1"]
    assert trade.hear(refund()) == "counted"
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("SENT", 60_00)
    assert isinstance(trade.keep(), Done)
    assert len(trade.provider.made) == 1, "no link asks for what it owes again"
    with pytest.raises(Conflict, match="Online payments aren’t turned on"):
        trade.landlord.do(payment_providers.stop)


def test_what_earlier_messages_are_signed_with_is_forgotten_when_somebody_says_so(trade):
    trade.hear(paid(trade.link()))
    trade.landlord.do(payment_providers.stop)
    trade.landlord.do(payment_providers.forget_former_key)
    assert provider(trade) is None
    with pytest.raises(Conflict):
        trade.landlord.do(payment_providers.forget_former_key)


def test_a_key_of_another_account_still_hears_of_refunds_of_what_was_paid_by_the_one_before(trade):
    trade.hear(paid(trade.link()))
    trade.landlord.do(payment_providers.use, PROVIDERS[0], "sk_other_1", "whsec_2", VAULT)
    assert provider(trade).former_key is None
    assert secrets(trade) == ["whsec_2", "whsec_1"]
    trade.landlord.do(payment_providers.use, PROVIDERS[0], "sk_third_1", "whsec_3", VAULT)
    assert secrets(trade) == ["whsec_3", "whsec_2", "whsec_1"]
    trade.landlord.do(payment_providers.use, PROVIDERS[0], "sk_test_1", "whsec_1", VAULT)
    assert secrets(trade) == ["whsec_1", "whsec_3", "whsec_2"]


def test_so_many_former_secrets_are_kept_and_the_oldest_goes(trade):
    for number in range(2, MOST_FORMER_PROVIDER_SECRETS + 4):
        trade.landlord.do(payment_providers.use, PROVIDERS[0], "", f"whsec_{number}", VAULT)
    kept = secrets(trade)
    assert len(kept) == MOST_FORMER_PROVIDER_SECRETS + 1
    assert (kept[0], kept[-1]) == ("whsec_13", "whsec_3")


def test_trial_payments_after_real_ones_still_hear_of_refunds_of_these(trade):
    trade.hear(paid(trade.link()))
    trade.landlord.do(payment_providers.stop)
    trade.landlord.do(payment_providers.use_sandbox, is_on=True)
    assert (provider(trade).provider, provider(trade).takes_payments) == (SANDBOX, True)
    trade.landlord.do(payment_providers.stop)
    assert is_called_no_more(trade)
    assert secrets(trade) == ["whsec_1"]


def test_forgetting_earlier_payments_leaves_trial_payments_as_they_are(trade):
    trade.hear(paid(trade.link()))
    trade.landlord.do(payment_providers.stop)
    trade.landlord.do(payment_providers.use_sandbox, is_on=True)
    trade.landlord.do(payment_providers.forget_former_key)
    assert (provider(trade).takes_payments, provider(trade).former_secrets) == (True, None)


def test_a_provider_that_never_made_a_link_leaves_nothing_behind(landlord):
    trade = Trade(landlord)
    landlord.do(payment_providers.stop)
    assert provider(trade) is None


def test_nothing_is_asked_for_while_online_payments_are_being_stopped(trade):
    trade.landlord.do(payment_providers.stop)
    trade.landlord.set_status(trade.maple, "1", "DRAFT")
    trade.send()
    trade.provider.is_away = True
    assert isinstance(finish(trade), Later)
    assert len(trade.provider.made) == 1
    assert provider(trade).provider == STRIPE


def test_links_of_trial_payments_are_closed_when_real_ones_begin_and_keep_no_key(landlord):
    trade = Trade(landlord)
    landlord.do(payment_providers.stop)
    landlord.do(payment_providers.use_sandbox, is_on=True)
    trade.kind = payment_link_kind(
        {STRIPE: trade.provider, SANDBOX: SandboxPayments("https://prorata.example")}, lambda: VAULT
    )
    trade.send()
    trade.keep()
    assert "/sandbox/pay/" in trade.invoice().payment_link_url
    landlord.do(payment_providers.use, PROVIDERS[0], "sk_test_1", "whsec_1", VAULT)
    assert trade.invoice().payment_link_url is None
    trade.keep()
    assert trade.invoice().payment_link_id == trade.link()
    landlord.do(payment_providers.stop)
    finish(trade)
    assert is_called_no_more(trade)


def test_trial_payments_end_with_their_links_where_the_server_has_them_no_more(landlord):
    """Otherwise, tenants would follow dead links, and each sent invoice would leave a failed job."""
    trade = Trade(landlord)
    landlord.do(payment_providers.stop)
    landlord.do(payment_providers.use_sandbox, is_on=True)
    trade.kind = payment_link_kind({SANDBOX: SandboxPayments("https://prorata.example")}, lambda: VAULT)
    trade.send()
    trade.keep()
    begin(landlord, PRORATA_PAYMENTS="sandbox")
    assert "/sandbox/pay/" in trade.invoice().payment_link_url
    begin(landlord)
    assert (trade.invoice().payment_link_url, provider(trade)) == (None, None)
    assert landlord.read(stored_links.open_of_invoice, trade.invoice().id) == []
    jobs = len(trade.waiting())
    landlord.set_status(trade.maple, "1", "DRAFT")
    trade.send()
    assert len(trade.waiting()) == jobs
    begin(landlord)
    landlord.sound()


def test_other_providers_stay_where_a_server_has_no_trial_payments(trade):
    begin(trade.landlord)
    assert provider(trade).takes_payments
    assert trade.invoice().payment_link_id == trade.link()


def begin(landlord, **environment):
    """Run the start of a worker on a server with these settings."""
    settings = read_settings(environment)
    begins = partial(payments.end_trials, settings, landlord.database)
    stop = threading.Event()
    Worker(landlord.database, lambda: 0, [], begin=lambda: (begins(), stop.set())).do_round(stop)
