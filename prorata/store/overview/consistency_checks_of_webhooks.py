"""Data of `prorata check` about online payments and webhooks.

The checks find, for example, providers' messages that were counted without an effect, closed payment links that are
shown, and deliveries that are never tried.
"""

from sqlalchemy import and_, bindparam, case, exists, func, literal_column, or_, select

from prorata.domain.invoice_states import OVERDUE, SENT
from prorata.domain.invoices.ledger import PAYMENT, REFUND, REVERSAL
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    COUNTED,
    GIVEN_BACK,
    LIVE,
    PAID,
    REFUND_FAILED,
    REFUNDED,
    WAITS,
)
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns_one
from prorata.store.schema.joins import named_by
from prorata.store.schema.payment_link_tables import payment_link, provider_event
from prorata.store.schema.payment_tables import payment
from prorata.store.schema.tables import invoice
from prorata.store.schema.webhook_tables import DELIVERY_WAITS, ON, event_feed, webhook_delivery, webhook_endpoint

_of_account = provider_event.c.account_id == bindparam("account")
_payment_source = provider_event.c.provider + literal_column("' '") + provider_event.c.payment
_own_source = (
    provider_event.c.provider + literal_column("' '") + provider_event.c.reference + literal_column("' '")
    + provider_event.c.happening
)  # fmt: skip
_is_payment = provider_event.c.happening == bindparam("paid")
_its_invoice = exists().where(named_by(invoice, provider_event.c.invoice_id))
_is_its_entry = and_(
    payment.c.account_id == provider_event.c.account_id,
    or_(and_(_is_payment, payment.c.source == _payment_source), and_(~_is_payment, payment.c.source == _own_source)),
)
_has_entry = exists().where(_is_its_entry)
_kind_told = case(
    (or_(_is_payment, provider_event.c.happening == bindparam("won")), bindparam("payment")),
    (provider_event.c.happening == bindparam("undone"), bindparam("reversal")),
    else_=bindparam("refund"),
)
_payment_is_there = exists().where(
    payment.c.account_id == provider_event.c.account_id, payment.c.source == _payment_source
)
_WITHOUT_ENTRY = returns_one(
    select(provider_event.c.event_id)
    .where(_of_account, provider_event.c.state == bindparam("counted"), _its_invoice, ~_has_entry)
    .order_by(provider_event.c.event_id)
)
_UNLIKE_ENTRY = returns_one(
    select(provider_event.c.event_id)
    .select_from(provider_event)
    .join(payment, _is_its_entry)
    .where(
        _of_account,
        provider_event.c.state == bindparam("counted"),
        or_(
            payment.c.invoice_id != provider_event.c.invoice_id,
            payment.c.amount != provider_event.c.amount,
            payment.c.kind != _kind_told,
            payment.c.provider != provider_event.c.provider,
        ),
    )
    .order_by(provider_event.c.event_id)
)
_WAITS_FOR_NOTHING = returns_one(
    select(provider_event.c.event_id)
    .where(
        _of_account,
        provider_event.c.state == bindparam("waits"),
        provider_event.c.why.is_(None),
        or_(provider_event.c.happening == bindparam("refunded"), provider_event.c.happening == bindparam("lost")),
        _payment_is_there,
    )
    .order_by(provider_event.c.event_id)
)
_LIVE_TWICE = returns_one(
    select(payment_link.c.invoice_id)
    .where(payment_link.c.account_id == bindparam("account"), payment_link.c.state == bindparam("live"))
    .group_by(payment_link.c.invoice_id, payment_link.c.provider)
    .having(func.count() > literal_column("1"))
    .order_by(payment_link.c.invoice_id)
)
_is_live = exists().where(
    named_by(invoice, payment_link.c.invoice_id),
    payment_link.c.provider_id == invoice.c.payment_link_id,
    payment_link.c.state == bindparam("live"),
)
_SHOWN_AND_CLOSED = returns_one(
    select(invoice.c.number)
    .where(invoice.c.account_id == bindparam("account"), invoice.c.payment_link_id.is_not(None), ~_is_live)
    .order_by(invoice.c.number)
)
_ASKS_OTHERWISE = returns_one(
    select(invoice.c.number)
    .join(
        payment_link,
        and_(
            payment_link.c.account_id == invoice.c.account_id, payment_link.c.provider_id == invoice.c.payment_link_id
        ),
    )
    .where(
        invoice.c.account_id == bindparam("account"),
        invoice.c.payment_link_id.is_not(None),
        payment_link.c.invoice_id == invoice.c.id,
        or_(
            payment_link.c.amount != invoice.c.total - invoice.c.paid_amount,
            and_(invoice.c.status != bindparam("sent"), invoice.c.status != bindparam("overdue")),
        ),
    )
    .order_by(invoice.c.number)
)
_has_waiting = exists().where(
    named_by(webhook_endpoint, webhook_delivery.c.endpoint_id),
    DELIVERY_WAITS,
)
_NEVER_TRIED = returns_one(
    select(webhook_endpoint.c.id)
    .where(
        webhook_endpoint.c.account_id == bindparam("account"), ON, webhook_endpoint.c.next_at.is_(None), _has_waiting
    )
    .order_by(webhook_endpoint.c.id)
)
_AHEAD = returns_one(
    select(webhook_endpoint.c.id)
    .join(event_feed, event_feed.c.account_id == webhook_endpoint.c.account_id)
    .where(
        webhook_endpoint.c.account_id == bindparam("account"), webhook_endpoint.c.sent_to > event_feed.c.last_sequence
    )
    .order_by(webhook_endpoint.c.id)
)


def without_entry(tx: Tx, account_id: str) -> list[str]:
    """List the ids of providers' messages that were counted without a ledger entry."""
    return tx.all(_WITHOUT_ENTRY, account=account_id, counted=COUNTED, paid=PAID)


def unlike_entry(tx: Tx, account_id: str) -> list[str]:
    """List the ids of counted messages of providers that differ from their ledger entries.

    They differ in the invoice, the amount, the kind or the provider.
    """
    kinds = {"payment": PAYMENT, "refund": REFUND, "reversal": REVERSAL}
    return tx.all(
        _UNLIKE_ENTRY, account=account_id, counted=COUNTED, paid=PAID, won=GIVEN_BACK, undone=REFUND_FAILED, **kinds
    )


def waiting_for_nothing(tx: Tx, account_id: str) -> list[str]:
    """List the ids of messages that wait for a payment that is already recorded.

    Only messages about refunds and chargebacks are listed. The ids are those of the provider.
    """
    return tx.all(_WAITS_FOR_NOTHING, account=account_id, waits=WAITS, refunded=REFUNDED, lost=CHARGED_BACK)


def live_twice(tx: Tx, account_id: str) -> list[str]:
    """List the ids of invoices with several payable links of one provider."""
    return tx.all(_LIVE_TWICE, account=account_id, live=LIVE)


def shown_and_closed(tx: Tx, account_id: str) -> list[str]:
    """List the numbers of invoices that show a payment link that is closed."""
    return tx.all(_SHOWN_AND_CLOSED, account=account_id, live=LIVE)


def asking_otherwise(tx: Tx, account_id: str) -> list[str]:
    """List the numbers of invoices whose payment link asks for a wrong amount.

    The amount is wrong if it is not the invoice's open amount, or if the invoice is neither SENT nor OVERDUE.
    """
    return tx.all(_ASKS_OTHERWISE, account=account_id, sent=SENT, overdue=OVERDUE)


def never_tried(tx: Tx, account_id: str) -> list[str]:
    """List the ids of enabled webhook endpoints whose waiting deliveries are never tried."""
    return tx.all(_NEVER_TRIED, account=account_id)


def ahead(tx: Tx, account_id: str) -> list[str]:
    """List the ids of webhook endpoints that are recorded as ahead of the account's events.

    Events are numbered per account. Such an endpoint is recorded as having received a number above the account's last.
    """
    return tx.all(_AHEAD, account=account_id)
