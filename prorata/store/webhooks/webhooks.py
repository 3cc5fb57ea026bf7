"""Webhook endpoints, and the deliveries of events to them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, literal_column, or_, select, update

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, changes, returns, returns_one, row_values, saves
from prorata.store.schema.webhook_tables import DELIVERY_WAITS, ON, webhook_delivery, webhook_endpoint

DUE_AT_ONCE = 100


class EndpointRow(NamedTuple):
    """A webhook endpoint, with its sealed secrets.

    store/schema/webhook_tables.py describes the columns.
    """

    account_id: str
    id: str
    url: str
    description: str
    types: str
    state: str
    why_off: str | None
    secret: str
    secret_before: str | None
    before_until: str | None
    sent_to: int
    next_at: str | None
    is_slow: bool
    failures: int
    delivered_at: str | None
    failed_at: str | None
    failure: str | None
    created_at: str
    updated_at: str


class DeliveryRow(NamedTuple):
    """The delivery of an event to an endpoint, with its attempts and last response.

    `next_at` is the time of the next attempt.
    """

    account_id: str
    id: str
    endpoint_id: str
    sequence: int
    event_id: str
    type: str
    state: str
    attempts: int
    next_at: str | None
    status: int | None
    said: str
    milliseconds: int
    created_at: str
    tried_at: str


_mine = webhook_endpoint.c.account_id == bindparam("account")
_this = webhook_endpoint.c.id == bindparam("id")
_ADD = adds(webhook_endpoint)
_SAVE = saves(webhook_endpoint)
_REMOVE = changes(delete(webhook_endpoint).where(_mine, _this))
_FIND = returns(EndpointRow, select(webhook_endpoint).where(_mine, _this))
_LOCK = returns(EndpointRow, select(webhook_endpoint).where(_mine, _this).with_for_update())
_OF_ACCOUNT = returns(EndpointRow, select(webhook_endpoint).where(_mine).order_by(webhook_endpoint.c.id))
_NUMBER_IN = returns_one(
    select(func.count()).select_from(webhook_endpoint).where(_mine, webhook_endpoint.c.state == bindparam("in_state"))
)
_WAKE = changes(
    update(webhook_endpoint)
    .where(_mine, _this, ON, or_(webhook_endpoint.c.next_at.is_(None), webhook_endpoint.c.next_at > bindparam("now")))
    .values(next_at=bindparam("now"))
)
_SET_NEXT = changes(update(webhook_endpoint).where(_mine, _this).values(next_at=bindparam("to_next")))
_due = (ON, webhook_endpoint.c.next_at <= bindparam("now"))
_IS_ANY_DUE = returns_one(select(webhook_endpoint.c.next_at).where(*_due).limit(literal_column("1")))
_DUE = returns(
    EndpointRow,
    select(webhook_endpoint)
    .where(*_due)
    .order_by(webhook_endpoint.c.next_at)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True),
)

_its = (
    webhook_delivery.c.account_id == bindparam("account"),
    webhook_delivery.c.endpoint_id == bindparam("endpoint"),
)
_ADD_DELIVERY = adds(webhook_delivery)
_SAVE_DELIVERY = saves(webhook_delivery)
_DELIVERY = returns(DeliveryRow, select(webhook_delivery).where(*_its, webhook_delivery.c.id == bindparam("id")))
_DELIVERY_OF = returns(
    DeliveryRow, select(webhook_delivery).where(*_its, webhook_delivery.c.sequence == bindparam("sequence"))
)
_LOG = returns(
    DeliveryRow,
    select(webhook_delivery)
    .where(*_its, webhook_delivery.c.sequence < bindparam("before"))
    .order_by(webhook_delivery.c.sequence.desc())
    .limit(bindparam("limit")),
)
_FIRST_WAITING = returns(
    DeliveryRow,
    select(webhook_delivery)
    .where(*_its, DELIVERY_WAITS)
    .order_by(webhook_delivery.c.next_at)
    .limit(literal_column("1")),
)
_older = (webhook_delivery.c.account_id == bindparam("account"), webhook_delivery.c.id < bindparam("before"))
_FORGET = changes(delete(webhook_delivery).where(*_older))


def add(tx: Tx, row: EndpointRow) -> None:
    """Add a webhook endpoint."""
    tx.run(_ADD, **row._asdict())


def save(tx: Tx, row: EndpointRow) -> None:
    """Save all fields of a webhook endpoint."""
    tx.run(_SAVE, **row_values(webhook_endpoint, row))


def remove(tx: Tx, account_id: str, endpoint_id: str) -> None:
    """Delete a webhook endpoint, with the log of its deliveries."""
    tx.run(_REMOVE, account=account_id, id=endpoint_id)


def find(tx: Tx, account_id: str, endpoint_id: str) -> EndpointRow | None:
    """Find the account's webhook endpoint with this id."""
    return tx.one(_FIND, account=account_id, id=endpoint_id)


def lock(tx: Tx, account_id: str, endpoint_id: str) -> EndpointRow | None:
    """Find and lock the account's webhook endpoint with this id."""
    return tx.one(_LOCK, account=account_id, id=endpoint_id)


def of_account(tx: Tx, account_id: str) -> list[EndpointRow]:
    """List every webhook endpoint of the account, oldest first."""
    return tx.all(_OF_ACCOUNT, account=account_id)


def number_in(tx: Tx, account_id: str, state: str) -> int:
    """Count the account's webhook endpoints in a state."""
    return tx.one(_NUMBER_IN, account=account_id, in_state=state) or 0


def wake(tx: Tx, account_id: str, endpoint_ids: Sequence[str]) -> None:
    """Make enabled endpoints due for delivery now, unless they are due already."""
    tx.run_many(_WAKE, [{"account": account_id, "id": endpoint_id, "now": tx.now} for endpoint_id in endpoint_ids])


def set_next(tx: Tx, row: EndpointRow, next_at: str | None) -> None:
    """Set the time at which an endpoint is next due; None means never."""
    tx.run(_SET_NEXT, account=row.account_id, id=row.id, to_next=next_at)


def is_any_due(tx: Tx, now: str) -> bool:
    """True if an endpoint of any account is due for delivery.

    This is for the worker only.
    """
    return tx.one(_IS_ANY_DUE, now=now) is not None


def due(tx: Tx, now: str) -> list[EndpointRow]:
    """Lock and return up to `DUE_AT_ONCE` endpoints of all accounts due for delivery.

    Endpoints that other workers have locked are skipped. This is for the worker only.
    """
    return tx.all(_DUE, now=now, limit=DUE_AT_ONCE)


# --- deliveries -----------------------------------------------------------------------------------------------------


def add_delivery(tx: Tx, row: DeliveryRow) -> None:
    """Add the delivery of an event to a webhook endpoint."""
    tx.run(_ADD_DELIVERY, **row._asdict())


def save_delivery(tx: Tx, row: DeliveryRow) -> None:
    """Save the outcome of a delivery to a webhook endpoint."""
    tx.run(_SAVE_DELIVERY, **row_values(webhook_delivery, row))


def find_delivery(tx: Tx, account_id: str, endpoint_id: str, delivery_id: str) -> DeliveryRow | None:
    """Find the delivery with this id to an endpoint of the account."""
    return tx.one(_DELIVERY, account=account_id, endpoint=endpoint_id, id=delivery_id)


def delivery_of(tx: Tx, account_id: str, endpoint_id: str, sequence: int) -> DeliveryRow | None:
    """Find the delivery of the event with this number to a webhook endpoint."""
    return tx.one(_DELIVERY_OF, account=account_id, endpoint=endpoint_id, sequence=sequence)


def log(tx: Tx, account_id: str, endpoint_id: str, *, before: int, limit: int) -> list[DeliveryRow]:
    """List an endpoint's deliveries of events with lower numbers than `before`, newest first."""
    return tx.all(_LOG, account=account_id, endpoint=endpoint_id, before=before, limit=limit)


def first_waiting(tx: Tx, account_id: str, endpoint_id: str) -> DeliveryRow | None:
    """Find the waiting delivery to an endpoint whose next attempt is due first."""
    return tx.one(_FIRST_WAITING, account=account_id, endpoint=endpoint_id)


def forget(tx: Tx, account_id: str, before: str) -> None:
    """Delete the account's deliveries that are older than the delivery id `before`."""
    tx.run(_FORGET, account=account_id, before=before)
