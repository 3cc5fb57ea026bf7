"""Payment links that are made late, or while the provider is being changed.

The tests also cover invoices that are sent again meanwhile.
"""

import threading
from datetime import timedelta

import pytest

from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.online_payments.payment_links import Step
from prorata.domain.jobs.backoff import delay
from prorata.ports.payments import LinkAsked
from prorata.store.database.engine import Tx, timestamp
from prorata.store.jobs import jobs as stored_jobs
from prorata.worker.job_kinds import Done
from tests.landlord import Landlord
from tests.worker.trade import Trade


@pytest.fixture
def trade(landlord: Landlord) -> Trade:
    return Trade(landlord)


def test_links_are_asked_for_as_long_as_mail_is(trade: Trade) -> None:
    terms = trade.kind.terms
    seconds = sum(delay(terms.backoff, tried, 0.5).total_seconds() for tried in range(1, terms.attempts))
    assert 4.5 * 86_400 < seconds < 5.5 * 86_400


def put_off(trade: Trade) -> stored_jobs.JobRow:
    """The invoice's job, which failed once and was put off for an hour."""
    (job,) = trade.waiting()
    later = timestamp(trade.landlord.clock() + timedelta(hours=1))
    after = job._replace(due_at=later, attempts=1, last_error="Stripe could not be reached.")
    trade.landlord.run(lambda tx: stored_jobs.save(tx, [after]))
    return after


def test_an_invoice_that_is_sent_again_over_as_much_waits_for_no_job_that_was_put_off(trade: Trade) -> None:
    trade.send()
    first = put_off(trade)
    trade.landlord.set_status(trade.maple, "1", "DRAFT")
    trade.send()
    now = timestamp(trade.landlord.clock())
    assert [(row.id == first.id, row.due_at <= now) for row in trade.waiting()] == [(True, True), (False, True)]


def test_an_invoice_that_is_sent_again_while_its_job_runs_has_another(trade: Trade) -> None:
    trade.send()
    (job,) = trade.waiting()
    running = job._replace(state="running", attempts=1, lease_token="t", lease_until=timestamp(trade.landlord.clock()))
    trade.landlord.run(lambda tx: stored_jobs.save(tx, [running]))
    trade.landlord.set_status(trade.maple, "1", "DRAFT")
    trade.send()
    assert [row.state for row in trade.waiting()] == ["running", "waiting", "waiting"]


def test_a_link_that_could_not_be_made_yet_says_why(trade: Trade) -> None:
    trade.send()
    put_off(trade)
    said = trade.landlord.see(payment_links.online, trade.invoice().id).why_not
    assert said == (
        "The payment link could not be created yet. Prorata will keep trying for some days. Stripe could not be "
        "reached."
    )


def test_a_provider_that_is_stopped_while_a_link_is_noted_leaves_none_open(trade: Trade) -> None:
    trade.send()
    invoice_id, noted, go_on, found = trade.invoice().id, threading.Event(), threading.Event(), list[Step]()

    def note(tx: Tx) -> None:
        step = payment_links.next_step(tx, trade.account_id, invoice_id)
        assert step is not None
        found.append(step)
        noted.set()
        assert go_on.wait(30)

    worker = threading.Thread(target=lambda: trade.landlord.database.write(note))
    stopping = threading.Thread(target=lambda: trade.landlord.do(payment_providers.stop))
    worker.start()
    assert noted.wait(30)
    stopping.start()
    stopping.join(0.3)
    assert stopping.is_alive(), "it waits for the link that is being noted"
    go_on.set()
    worker.join(30)
    stopping.join(30)
    link = found[0].link
    made = trade.provider.make("sk_test_1", LinkAsked(link.id, link.account_id, link.amount, "USD", link.number))
    trade.landlord.run(lambda tx: payment_links.note_made(tx, link, made.id, made.url))
    assert trade.invoice().payment_link_url is None
    assert isinstance(trade.keep(), Done)
    assert (trade.provider.open, trade.invoice().payment_link_url) == ({}, None)
