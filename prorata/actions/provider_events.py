"""What payment providers say has happened, entered in the ledgers of invoices: each message once, in whatever order
they come, and only where account, link, currency and amount agree (decisions section 6).
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from prorata.actions import accounts as account_actions
from prorata.actions import payments
from prorata.actions.payments import Received
from prorata.domain.ledger import CARD, PAYMENT, REFUND
from prorata.domain.payment_links import (
    COUNTED,
    FAILED,
    GIVEN_BACK,
    PAID,
    PASSED_OVER,
    TO_CHECK,
    WAITS,
    ProviderEvent,
    why_not_counted,
)
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store import payment_links, provider_events
from prorata.store import payments as stored_payments
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.provider_events import EventRow

SHOWN = 50
"""Messages that are shown for somebody to look at."""


def take(tx: Tx, account_id: str, provider: str, event: ProviderEvent) -> str:
    """Keep a message of an account's provider with what it does to a ledger; returns what became of it. One that came
    before does nothing. A payment is counted for its link; what is told of a payment that is not known yet waits for
    it; that a payment failed takes nothing back.
    """
    there = provider_events.find(tx, account_id, provider, event.id)
    if there is not None:
        return there.state
    row = EventRow(
        account_id, provider, event.id, event.happening, event.payment, event.link, event.reference, event.amount,
        event.currency, event.at, WAITS, None, None, tx.now,
    )  # fmt: skip
    done = _counted(tx, row)
    provider_events.add(tx, done)
    if done.state == COUNTED and event.happening == PAID:
        for waiting in provider_events.waiting(tx, account_id, provider, event.payment):
            provider_events.save(tx, _counted(tx, waiting))
    return done.state


def to_check(tx: Tx, caller: Caller) -> list[EventRow]:
    """Messages that somebody has to look at, the latest first."""
    return provider_events.to_check(tx, caller.account_id, SHOWN)


def _counted(tx: Tx, row: EventRow) -> EventRow:
    if row.happening == FAILED:
        return row._replace(state=PASSED_OVER)
    if row.happening == PAID:
        return _paid(tx, row)
    known = stored_payments.by_sources(tx, row.account_id, [_source(row.provider, row.payment)])
    if not known:
        return row
    kind = PAYMENT if row.happening == GIVEN_BACK else REFUND
    source = _source(row.provider, f"{row.reference} {row.happening}")
    return _entered(tx, row, known[0].invoice_id, kind, source)


def _paid(tx: Tx, row: EventRow) -> EventRow:
    link = payment_links.of_provider(tx, row.account_id, row.provider, row.link) if row.link else None
    if link is None:
        return row._replace(state=PASSED_OVER, why="It was not paid by a link of ours.")
    why = why_not_counted(row.amount, row.currency, link.amount, link.currency)
    if why is not None:
        return row._replace(state=TO_CHECK, why=why, invoice_id=link.invoice_id)
    return _entered(tx, row, link.invoice_id, PAYMENT, _source(row.provider, row.payment))


def _entered(tx: Tx, row: EventRow, invoice_id: str, kind: str, source: str) -> EventRow:
    """A message with its entry in the ledger; one that the ledger does not take is for a person."""
    caller = Caller(row.account_id, row.provider)
    received = Received(
        row.amount, _day_of(tx, caller, row.at), CARD, kind, reference=row.reference or row.payment,
        provider=row.provider, source=source, at=row.at,
    )  # fmt: skip
    try:
        payments.receive(tx, caller, invoice_id, received)
    except NotFound:
        return row._replace(state=TO_CHECK, why="Its invoice was deleted.", invoice_id=invoice_id)
    except (InvalidRequest, Conflict) as refused:
        return row._replace(state=TO_CHECK, why=refused.message, invoice_id=invoice_id)
    return row._replace(state=COUNTED, why=None, invoice_id=invoice_id)


def _source(provider: str, reference: str) -> str:
    return f"{provider} {reference}"


def _day_of(tx: Tx, caller: Caller, at: str) -> date:
    account = account_actions.the_account(tx, caller)
    return datetime.fromisoformat(at).astimezone(ZoneInfo(account.timezone)).date()
