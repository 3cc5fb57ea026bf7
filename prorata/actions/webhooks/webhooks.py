"""Webhook endpoints: adding, changing, pausing and removing them.

Each endpoint has secrets that sign its messages, and a log of its deliveries.
"""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.accounts.api_keys import refuse_more_than_own
from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import CONFIRM_FIRST
from prorata.domain.limits import MOST_FORMER_WEBHOOK_SECRETS, MOST_WEBHOOKS
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.domain.webhooks.addresses import Networks, NotAllowed, read_destination, refuse_unless_allowed
from prorata.domain.webhooks.events import EVENT_TYPES
from prorata.domain.webhooks.webhooks import OFF, ON, OVERLAP, WAITING, LookUp, new_secret
from prorata.errors import Conflict, InvalidRequest
from prorata.ports import Vault
from prorata.store.accounts import accounts, members
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.webhooks import event_feed, webhooks
from prorata.store.webhooks.webhooks import DeliveryRow, EndpointRow

_HIGHEST = 2**62
"""A number higher than that of any event."""


class Receivers(NamedTuple):
    """The services needed to add and change endpoints.

    They are the vault for secrets, the name lookup, and the allowed private networks.
    """

    vault: Vault
    look_up: LookUp
    private: Networks = ()


class Wanted(NamedTuple):
    """The settings of an endpoint to add; without event types, it receives all events."""

    url: str
    types: Sequence[str] = ()
    description: str = ""


class Noted(NamedTuple):
    """The audit note of an endpoint's settings; it contains no secrets."""

    url: str
    description: str
    types: str
    state: str


class _Message(NamedTuple):
    """The audit note of a message that a member sent again."""

    url: str
    event_id: str
    type: str
    state: str


class Log(NamedTuple):
    """A page of an endpoint's deliveries, newest first; `is_more` is set if older ones exist."""

    deliveries: list[DeliveryRow]
    is_more: bool


def refuse_address(url: str, receivers: Receivers) -> None:
    """Raise `InvalidRequest` for an address to which webhooks must not be sent.

    This may query name servers, so never call it while a transaction is open. A name that can't be resolved at the
    moment is accepted: it is resolved again at each delivery.
    """
    try:
        destination = read_destination(url, receivers.private)
        addresses = [destination.host] if destination.literal else receivers.look_up(destination.host)
        refuse_unless_allowed(destination, addresses, receivers.private)
    except NotAllowed as wrong:
        raise InvalidRequest.because([Problem("url", f"url {wrong}.")]) from None


def listed(tx: Tx, caller: Caller) -> list[EndpointRow]:
    """List the account's endpoints, oldest first."""
    return webhooks.of_account(tx, caller.account_id)


def create(
    tx: Tx, caller: Caller, wanted: Wanted, receivers: Receivers, random_bytes: bytes
) -> tuple[EndpointRow, str]:
    """Add an endpoint for events from now on, and return it with its secret.

    The address must have passed `refuse_address`. The secret is made from `random_bytes` and can't be displayed again
    later. The endpoint counts as slow until it has responded quickly. Raises `Conflict` if there are too many
    endpoints, if another has this address, or if the member's own e-mail address is not confirmed, and `Forbidden`
    for an API key that expires, because the endpoint would outlive the key.
    """
    refuse_more_than_own(tx, caller, None)
    maker = members.find(tx, caller.account_id, caller.actor)
    if maker is not None and maker.verified_at is None:
        raise Conflict(CONFIRM_FIRST)
    accounts.lock(tx, caller.account_id)
    others = webhooks.of_account(tx, caller.account_id)
    _refuse_taken(wanted.url, others)
    if len(others) >= MOST_WEBHOOKS:
        raise Conflict(
            say(
                "There are already {most} webhook endpoints, which is the maximum. Remove one first.",
                most=MOST_WEBHOOKS,
            )
        )
    endpoint_id, secret = tx.new_id("hook"), new_secret(random_bytes)
    row = EndpointRow(
        account_id=caller.account_id,
        id=endpoint_id,
        url=wanted.url,
        description=wanted.description,
        types=_types(wanted.types),
        state=ON,
        why_off=None,
        secret=receivers.vault.seal(secret.encode(), endpoint_id),
        secret_before=None,
        before_until=None,
        sent_to=event_feed.last_sequence(tx, caller.account_id),
        next_at=None,
        is_slow=True,
        failures=0,
        delivered_at=None,
        failed_at=None,
        failure=None,
        created_at=tx.now,
        updated_at=tx.now,
    )
    webhooks.add(tx, row)
    audit.record(tx, caller, Verb.CREATE_WEBHOOK_ENDPOINT, row.id, after=_noted(row))
    return row, secret


def change(
    tx: Tx,
    caller: Caller,
    endpoint_id: str,
    *,
    url: str | None = None,
    types: Sequence[str] | None = None,
    description: str | None = None,
    state: str | None = None,
) -> EndpointRow:
    """Change the given settings of an endpoint; None leaves a setting unchanged.

    A new `url` must have passed `refuse_address`. `state` is on or paused. An endpoint that is turned on again also
    receives the events that happened while it was off or paused. Raises `NotFound` if there is no such endpoint.
    Raises `Conflict` if another endpoint has the new address, which would then receive each event twice. Raises
    `Forbidden` if an API key that expires sets a new address, because the address would outlive the key.
    """
    if url is not None:
        accounts.lock(tx, caller.account_id)
    row = access.webhook_endpoint_to_change(tx, caller, endpoint_id)
    if url is not None and url != row.url:
        refuse_more_than_own(tx, caller, None)
        _refuse_taken(url, webhooks.of_account(tx, caller.account_id))
    after = row._replace(
        url=row.url if url is None else url,
        is_slow=row.is_slow or url not in {None, row.url},  # nothing is known of a new receiver yet
        types=row.types if types is None else _types(types),
        description=row.description if description is None else description,
    )
    if state is not None and state != row.state:
        is_on = state == ON
        after = after._replace(
            state=state, why_off=None, failures=0 if is_on else row.failures, next_at=tx.now if is_on else None
        )
    if after == row:
        return row
    after = after._replace(updated_at=tx.now)
    webhooks.save(tx, after)
    audit.record(tx, caller, Verb.CHANGE_WEBHOOK_ENDPOINT, row.id, before=_noted(row), after=_noted(after))
    return after


def _refuse_taken(url: str, others: Sequence[EndpointRow]) -> None:
    if any(other.url == url for other in others):
        message = say("A webhook endpoint with this address already exists. Change that one instead.")
        raise Conflict(message, problems=[Problem("url", message)])


def renew_secret(
    tx: Tx, caller: Caller, endpoint_id: str, receivers: Receivers, random_bytes: bytes
) -> tuple[EndpointRow, str]:
    """Give an endpoint a new secret; for a day, both secrets sign its messages.

    This gives the receiver time to switch. Older secrets that still sign messages continue to do so until that day is
    over. Raises `NotFound` if there is no such endpoint, and `Conflict` if too many secrets sign its messages
    already.
    """
    row, secret = access.webhook_endpoint_to_change(tx, caller, endpoint_id), new_secret(random_bytes)
    before = [row.secret, *secrets_before(row, tx.now)]
    if len(before) > MOST_FORMER_WEBHOOK_SECRETS:
        raise Conflict(
            say(
                "Messages are still signed with {most} earlier secrets, too. Wait until a day after the latest "
                "secret was created, then create another.",
                most=MOST_FORMER_WEBHOOK_SECRETS,
            )
        )
    after = row._replace(
        secret=receivers.vault.seal(secret.encode(), row.id),
        secret_before=" ".join(before),
        before_until=timestamp(tx.moment + OVERLAP),
        updated_at=tx.now,
    )
    webhooks.save(tx, after)
    audit.record(tx, caller, Verb.RENEW_WEBHOOK_SECRET, row.id, after=_noted(after))
    return after, secret


def secrets_before(row: EndpointRow, now: str) -> list[str]:
    """Return the encrypted older secrets that still sign an endpoint's messages, latest first."""
    is_over = row.secret_before is None or row.before_until is None or row.before_until <= now
    return [] if is_over else (row.secret_before or "").split(" ")


def remove(tx: Tx, caller: Caller, endpoint_id: str) -> EndpointRow:
    """Remove an endpoint and its log; the endpoint receives no further events.

    Raises `NotFound` if there is no such endpoint.
    """
    row = access.webhook_endpoint_to_change(tx, caller, endpoint_id)
    webhooks.remove(tx, caller.account_id, row.id)
    audit.record(tx, caller, Verb.REMOVE_WEBHOOK_ENDPOINT, row.id, before=_noted(row))
    return row


def log(tx: Tx, caller: Caller, endpoint_id: str, *, before: int | None, limit: int) -> Log:
    """List an endpoint's deliveries of events numbered below `before`, newest first.

    While the endpoint is paused or off, no retry is shown; deliveries continue once it is on again. Raises `NotFound`
    if there is no such endpoint.
    """
    row = access.webhook_endpoint(tx, caller, endpoint_id)
    highest = _HIGHEST if before is None else before
    delivery_rows = webhooks.log(tx, caller.account_id, row.id, before=highest, limit=limit + 1)
    shown = (
        delivery_rows[:limit]
        if row.state == ON
        else [delivery._replace(next_at=None) for delivery in delivery_rows[:limit]]
    )
    return Log(shown, len(delivery_rows) > limit)


def replay(tx: Tx, caller: Caller, endpoint_id: str, delivery_id: str) -> DeliveryRow:
    """Send an event to an endpoint again, with the same bytes and message id.

    Raises `NotFound` if there is no such endpoint or delivery, and `Conflict` if the endpoint is not on or the event
    is no longer stored.
    """
    row = access.webhook_endpoint_to_change(tx, caller, endpoint_id)
    delivery = access.webhook_delivery(tx, caller, row, delivery_id)
    if row.state != ON:
        raise Conflict(say("This endpoint is turned off. Turn it on, then send the event again."))
    if event_feed.find(tx, caller.account_id, delivery.sequence) is None:
        raise Conflict(say("This event is no longer stored, so it can't be sent again."))
    after = delivery._replace(state=WAITING, attempts=0, next_at=tx.now)
    webhooks.save_delivery(tx, after)
    webhooks.wake(tx, caller.account_id, [row.id])
    before, now = (
        _Message(row.url, delivery.event_id, delivery.type, delivery_row.state) for delivery_row in (delivery, after)
    )
    audit.record(tx, caller, Verb.REPLAY_WEBHOOK_MESSAGE, row.id, before=before, after=now)
    return after


def test(tx: Tx, caller: Caller, endpoint_id: str) -> EndpointRow:
    """Send a test event to one endpoint, even if the endpoint's event types exclude it.

    Raises `NotFound` if there is no such endpoint, and `Conflict` if it is not on.
    """
    row = access.webhook_endpoint_to_change(tx, caller, endpoint_id)
    if row.state != ON:
        raise Conflict(say("This endpoint is turned off. Turn it on, then test it."))
    audit.record(tx, caller, Verb.TEST_WEBHOOK_ENDPOINT, row.id, after=_noted(row))
    return row


def number_off(tx: Tx, caller: Caller) -> int:
    """Count the endpoints that Prorata turned off and a person must turn on again."""
    return webhooks.number_in(tx, caller.account_id, OFF)


def _types(types: Sequence[str]) -> str:
    """Encode an endpoint's event types for storage, without duplicates and sorted.

    The text is empty if all events are wanted.
    """
    wanted = [event_type for event_type in EVENT_TYPES if event_type in types]
    return "" if len(wanted) == len(EVENT_TYPES) else " ".join(wanted)


def _noted(row: EndpointRow) -> Noted:
    return Noted(row.url, row.description, row.types, row.state)
