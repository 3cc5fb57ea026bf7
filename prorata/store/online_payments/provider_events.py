"""Providers' messages about payments, each stored once."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, Self

from sqlalchemy import and_, bindparam, delete, exists, func, literal_column, not_, null, or_, select, update

from prorata.domain.online_payments.payment_links import PAID
from prorata.domain.online_payments.provider_reasons import Reason, Why, in_words
from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, is_one_of, returns, returns_one, row_values, saves
from prorata.store.schema.joins import alike, named_by
from prorata.store.schema.payment_link_tables import payment_link, provider_event
from prorata.store.schema.tables import invoice


class Entry(Protocol):
    """The fields by which a ledger entry is assigned to a payment at a provider."""

    @property
    def account_id(self) -> str:
        """The id of the account that the entry belongs to."""
        ...

    @property
    def provider(self) -> str | None:
        """The payment provider that reported the payment; None if no provider did."""
        ...

    @property
    def source(self) -> str | None:
        """The text that identifies the provider's message from which the entry was made.

        For an entry made from a file, it identifies the file's row. For all other entries, it is None.
        """
        ...

    @property
    def reference(self) -> str | None:
        """The provider's id of the payment, refund or chargeback; None if there is none."""
        ...


class EventRow(NamedTuple):
    """A provider's message about a payment; `amount` is in cents.

    A message counts if it is recorded in the ledger of the invoice `invoice_id`. If it does not count, `why` is the
    code of the reason, and `invoice_id` the invoice for which it would count, if known. If it counts, `why` is the
    code of the problem that a person must check, or None. `why_details` contains the values for the sentence of the
    code.
    """

    account_id: str
    provider: str
    event_id: str
    happening: str
    payment: str
    link: str | None
    reference: str | None
    amount: int
    currency: str
    at: str
    state: str
    why: str | None
    invoice_id: str | None
    created_at: str
    why_details: str | None = None

    @property
    def says(self) -> str:
        """A sentence that says why the message does not count, or must be checked.

        The text is empty if `why` is None.
        """
        return in_words(self.why, self.why_details) if self.why else ""

    def because(self, why: Why | None, state: str | None = None, invoice_id: str | None = None) -> Self:
        """Return the message with the reason `why`, or without a reason if `why` is None.

        If `state` or `invoice_id` is given, it is replaced too.
        """
        code, details = why or (None, None)
        row = self._replace(why=code, why_details=details, state=state or self.state)
        return row._replace(invoice_id=invoice_id) if invoice_id else row

    @property
    def of_payment(self) -> str:
        """The `source` of the ledger entry of this message's payment, if the payment counts."""
        return f"{self.provider} {self.payment}"

    @property
    def of_entry(self) -> str:
        """The `source` of the ledger entry that this message leads to, if it counts."""
        return self.of_payment if self.happening == PAID else self.marked(self.happening)

    def marked(self, happening: str) -> str:
        """Return the `source` of the ledger entry that a related message leads to.

        The related message is of the kind `happening`, and about the same refund or chargeback as this one.
        """
        return f"{self.provider} {self.reference} {happening}"


_mine = provider_event.c.account_id == bindparam("account")
_of_provider = provider_event.c.provider == bindparam("provider")
_FIND = returns(
    EventRow, select(provider_event).where(_mine, _of_provider, provider_event.c.event_id == bindparam("event"))
)
_of_payment = (
    select(provider_event)
    .where(_mine, _of_provider, provider_event.c.payment == bindparam("payment"))
    .order_by(provider_event.c.at, provider_event.c.event_id)
)
_WAITING = returns(EventRow, _of_payment.where(provider_event.c.state == literal_column("'waits'")))
_OF_HAPPENING = returns(EventRow, _of_payment.where(provider_event.c.happening == bindparam("happening")))
_to_check = and_(provider_event.c.why.is_not(None), provider_event.c.state != literal_column("'passed'"))
_to_look_at = (
    select(provider_event)
    .where(_mine, _to_check)
    .order_by(provider_event.c.created_at.desc(), provider_event.c.provider, provider_event.c.event_id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_of_invoice = provider_event.c.invoice_id == bindparam("invoice")
_TO_CHECK = returns(EventRow, _to_look_at)
_TO_CHECK_OF_INVOICE = returns(EventRow, _to_look_at.where(_of_invoice))
_count_to_check = select(func.count()).select_from(provider_event).where(_mine, _to_check)
_COUNT_TO_CHECK = returns_one(_count_to_check)
_COUNT_TO_CHECK_OF_INVOICE = returns_one(_count_to_check.where(_of_invoice))
_ask_of_counted = (
    update(provider_event)
    .where(
        _mine,
        _of_provider,
        is_one_of(provider_event.c.payment, "payments"),
        provider_event.c.state == literal_column("'counted'"),
        provider_event.c.why.is_(None),
    )
    .values(why=bindparam("asked"), why_details=null())
)
_ASK_OF_REFUND = changes(
    _ask_of_counted.where(
        provider_event.c.reference == bindparam("of"),
        or_(
            provider_event.c.happening == literal_column("'refunded'"),
            provider_event.c.happening == literal_column("'charged back'"),
        ),
    )
)
_ASK_OF_PAYMENTS = changes(_ask_of_counted.where(provider_event.c.happening == literal_column("'paid'")))
_asked_of_counted = and_(
    _mine,
    _to_check,
    provider_event.c.state == literal_column("'counted'"),
    is_one_of(provider_event.c.invoice_id, "invoices"),
)
_ASKED_OF_COUNTED = returns(EventRow, select(provider_event).where(_asked_of_counted))
_ASK_INSTEAD = changes(
    update(provider_event)
    .where(
        _mine,
        _of_provider,
        provider_event.c.event_id == bindparam("event"),
        provider_event.c.state == literal_column("'counted'"),
        provider_event.c.why == bindparam("asked"),
    )
    .values(why=bindparam("instead"), why_details=null())
)
_ASK_NO_MORE = changes(update(provider_event).where(_asked_of_counted).values(why=null(), why_details=null()))
_is_of_another = exists().where(
    payment_link.c.account_id == provider_event.c.account_id,
    payment_link.c.provider == provider_event.c.provider,
    payment_link.c.provider_id == provider_event.c.link,
    named_by(invoice, provider_event.c.invoice_id),
    payment_link.c.tenant_id.is_not(None),
    payment_link.c.tenant_id.is_distinct_from(invoice.c.tenant_id),
)
_UNDER_WAY = returns(
    EventRow,
    select(provider_event)
    .where(
        _mine,
        provider_event.c.happening == literal_column("'under way'"),
        provider_event.c.state == literal_column("'waits'"),
        is_one_of(provider_event.c.invoice_id, "invoices"),
        provider_event.c.at >= bindparam("since"),
        not_(_is_of_another),
    )
    .order_by(provider_event.c.at, provider_event.c.event_id),
)
_told = provider_event.alias("told")
_is_known = exists().where(
    alike(_told, provider_event, "provider", "payment"),
    or_(
        _told.c.invoice_id.is_not(None),
        and_(_told.c.state != literal_column("'waits'"), _told.c.state != literal_column("'passed'")),
        func.coalesce(_told.c.why, bindparam("of_others")) != bindparam("of_others"),
        and_(_told.c.happening == literal_column("'paid'"), _told.c.why.is_(None)),
    ),
)
_is_of_others = and_(
    _mine, provider_event.c.invoice_id.is_(None), provider_event.c.created_at < bindparam("before"), not_(_is_known)
)
"""The condition that a message is from before a time and about an unknown payment.

A payment is unknown if no message about it belongs to an invoice. Messages that say that the payment was not made
through one of Prorata's links don't make it known.
"""
_IS_ANY_OF_OTHERS = returns_one(select(provider_event.c.event_id).where(_is_of_others).limit(literal_column("1")))
_FORGET_OF_OTHERS = changes(delete(provider_event).where(_is_of_others))
_ADD = adds(provider_event)
_SAVE = saves(provider_event)


def find(tx: Tx, account_id: str, provider: str, event_id: str) -> EventRow | None:
    """Find the message with this id, if it was received earlier."""
    return tx.one(_FIND, account=account_id, provider=provider, event=event_id)


def waiting(tx: Tx, account_id: str, provider: str, payment: str) -> list[EventRow]:
    """List the messages that wait for the message that confirms their payment.

    Only messages about this payment are listed, in the order of the events at the provider.
    """
    return tx.all(_WAITING, account=account_id, provider=provider, payment=payment)


def of_happening(tx: Tx, account_id: str, provider: str, payment: str, happening: str) -> list[EventRow]:
    """List the messages of one kind, such as "refunded", about one payment.

    They are in the order of the events at the provider.
    """
    return tx.all(_OF_HAPPENING, account=account_id, provider=provider, payment=payment, happening=happening)


def to_check(tx: Tx, account_id: str, invoice_id: str | None, *, limit: int, offset: int) -> list[EventRow]:
    """List the messages that a person must check, latest first.

    If `invoice_id` is given, only messages about this invoice are listed.
    """
    if invoice_id is None:
        return tx.all(_TO_CHECK, account=account_id, limit=limit, offset=offset)
    return tx.all(_TO_CHECK_OF_INVOICE, account=account_id, invoice=invoice_id, limit=limit, offset=offset)


def count_to_check(tx: Tx, account_id: str, invoice_id: str | None) -> int:
    """Count the messages that a person must check.

    If `invoice_id` is given, only messages about this invoice count.
    """
    if invoice_id is None:
        return tx.one(_COUNT_TO_CHECK, account=account_id) or 0
    return tx.one(_COUNT_TO_CHECK_OF_INVOICE, account=account_id, invoice=invoice_id) or 0


def ask_of_refunds(tx: Tx, ledger: Sequence[Entry], refunds: Sequence[Entry], asked: Reason) -> None:
    """Mark the counted messages about these refunds as needing a person's check.

    `asked` is the reason for the check. Messages that already need one stay unchanged. `ledger` contains all
    entries of the invoice's ledger that come from the provider of the `refunds`.
    """
    paid_by = _called(ledger)
    for row in refunds:
        of = {"account": row.account_id, "provider": row.provider, "payments": paid_by, "of": row.reference}
        tx.run(_ASK_OF_REFUND, **of, asked=asked)


def ask_of_payments(tx: Tx, paid: Sequence[Entry], asked: Reason) -> None:
    """Mark the counted messages about these payments as needing a person's check.

    `paid` contains the ledger entries of the payments, and `asked` is the reason for the check. Messages that
    already need one stay unchanged.
    """
    for provider in sorted({row.provider for row in paid if row.provider}):
        some = _called([row for row in paid if row.provider == provider])
        tx.run(_ASK_OF_PAYMENTS, account=paid[0].account_id, provider=provider, payments=some, asked=asked)


def asked_of_counted(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> list[EventRow]:
    """List the messages counted for these invoices that a person must check."""
    return tx.all(_ASKED_OF_COUNTED, account=account_id, invoices=list(invoice_ids)) if invoice_ids else []


def ask_instead(tx: Tx, row: EventRow, instead: Reason | None) -> None:
    """Replace or clear the stored reason for which a person must check a counted message.

    If `instead` is None, the reason is cleared. If the stored reason is no longer that in `row`, nothing is
    changed.
    """
    of = {"account": row.account_id, "provider": row.provider, "event": row.event_id, "asked": row.why}
    tx.run(_ASK_INSTEAD, **of, instead=instead)


def ask_no_more(tx: Tx, account_id: str, invoice_ids: Sequence[str]) -> None:
    """Clear the reasons for which a person must check messages counted for these invoices."""
    if invoice_ids:
        tx.run(_ASK_NO_MORE, account=account_id, invoices=list(invoice_ids))


def under_way(tx: Tx, account_id: str, invoice_ids: Sequence[str], since: str) -> list[EventRow]:
    """List the messages about payments of these invoices that are under way, earliest first.

    For such payments, it is not known yet whether the money will arrive. Messages about events before `since`, and
    payments made with a former tenant's link, are left out.
    """
    return tx.all(_UNDER_WAY, account=account_id, invoices=list(invoice_ids), since=since) if invoice_ids else []


def is_any_of_others(tx: Tx, account_id: str, before: str) -> bool:
    """True if a message received before `before` is about an unknown payment.

    A payment is unknown if no message about it belongs to an invoice. Messages that say that the payment was not
    made through one of Prorata's links don't make it known.
    """
    return tx.one(_IS_ANY_OF_OTHERS, account=account_id, before=before, of_others=Reason.OF_OTHERS) is not None


def forget_of_others(tx: Tx, account_id: str, before: str) -> None:
    """Delete messages received before `before` about unknown payments (`is_any_of_others`)."""
    tx.run(_FORGET_OF_OTHERS, account=account_id, before=before, of_others=Reason.OF_OTHERS)


def _called(entries: Sequence[Entry]) -> list[str]:
    """List the ids that the provider gave to the payments in these ledger entries."""
    return [row.source.removeprefix(f"{row.provider} ") for row in entries if row.source]


def add(tx: Tx, row: EventRow) -> None:
    """Store a provider's message that was not received before."""
    tx.run(_ADD, **row._asdict())


def save(tx: Tx, row: EventRow) -> None:
    """Save the outcome of a provider's message."""
    tx.run(_SAVE, **row_values(provider_event, row))
