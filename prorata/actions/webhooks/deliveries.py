"""Delivery of events to webhook endpoints (docs/adr/0026).

Events are numbered, sent in order, retried, and abandoned after a week.
"""

import json
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from prorata.actions.jobs import jobs as job_actions
from prorata.actions.jobs.recurring import Kept
from prorata.actions.mail import account_mail
from prorata.actions.webhooks.webhooks import Noted
from prorata.domain.accounts.account_mail import Notice
from prorata.domain.accounts.permissions import may
from prorata.domain.audit.verbs import Verb
from prorata.domain.limits import LONGEST_WEBHOOK_ANSWER, MOST_WEBHOOK_FAILURES
from prorata.domain.texts import say
from prorata.domain.webhooks import webhooks as terms
from prorata.domain.webhooks.events import EVENTS_KEPT_DAYS, TEST
from prorata.domain.webhooks.webhooks import DELIVERED, FAILED, GONE_STATUS, OFF, ON, WAITING, Posted
from prorata.ids import first_at
from prorata.store.accounts import members
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.webhooks import event_feed, webhooks
from prorata.store.webhooks.event_feed import EventRow
from prorata.store.webhooks.webhooks import DeliveryRow, EndpointRow

QUICK, SLOW = "webhook", "webhook slow"
"""The kinds of jobs that send events: for fast endpoints, and for slow ones."""
LOOKED_AT_AGAIN = timedelta(minutes=1)
"""The time until the next check while a job is running.

When the job ends, it sets the next check.
"""
SLOW_TURN = timedelta(seconds=5)
"""The time that a slow endpoint waits while another endpoint of its account is served.

The endpoint that was served waits three times as long afterwards.
"""
NEW_AT_ONCE = 20
_GIVEN_UP = say(
    "The receiver did not accept an event for over a week. Fix the receiver, then turn this on again: everything "
    "that has happened since will be sent."
)
_GONE = say("The receiver answered 410 Gone: it wants no more events. Turn this on again to resume sending.")


class ToSend(NamedTuple):
    """A stored event to send to an endpoint; `delivery` records earlier attempts, if any."""

    event: EventRow
    delivery: DeliveryRow | None


class Sending(NamedTuple):
    """An endpoint, and the events to send to it now, in the order of sending."""

    endpoint: EndpointRow
    to_send: list[ToSend]


def count(tx: Tx, account_id: str) -> None:
    """Number some new events of an account; queue a check of endpoints that want them."""
    types = event_feed.count_some(tx, account_id)
    told = [
        row.id
        for row in webhooks.of_account(tx, account_id)
        if row.state == ON and any(event_type == TEST or terms.wants(row.types, event_type) for event_type in types)
    ]
    webhooks.wake(tx, account_id, told)


def queue(tx: Tx) -> int:
    """Queue a job for each endpoint with something to send; return the number of endpoints.

    Of an account's slow endpoints, only one is served at a time, so that they leave room for other accounts.
    """
    rows = webhooks.due(tx, tx.now)
    for row in rows:
        kind, key = _kind(row), row.account_id if row.is_slow else row.id
        is_queued = job_actions.enqueue(tx, row.account_id, kind, {}, subject=row.id, unique_key=key) is not None
        is_behind = row.is_slow and not is_queued
        webhooks.set_next(tx, row, timestamp(tx.moment + (SLOW_TURN if is_behind else LOOKED_AT_AGAIN)))
    return len(rows)


def _kind(row: EndpointRow) -> str:
    return SLOW if row.is_slow else QUICK


def next_to_send(tx: Tx, account_id: str, endpoint_id: str, *, kind: str) -> Sending | None:
    """Choose the events to send to an endpoint now.

    They are one event whose retry is due, or else new events. After repeated failures, new events wait for a while.
    Return None if there is nothing to send or the endpoint is not on.

    `kind` is the kind of the job that sends, `QUICK` or `SLOW`. Return None if the endpoint belongs to the other
    kind, because a job of that kind may be sending to it.
    """
    row = webhooks.find(tx, account_id, endpoint_id)
    if row is None or row.state != ON or kind != _kind(row):
        return None
    waiting = webhooks.first_waiting(tx, account_id, endpoint_id)
    if waiting is not None and waiting.next_at is not None and waiting.next_at <= tx.now:
        event = event_feed.find(tx, account_id, waiting.sequence)
        return Sending(row, [ToSend(event or _forgotten(waiting), waiting)])
    if _rests_until(row) > tx.now:
        return None
    events = _new(tx, row, NEW_AT_ONCE)
    return Sending(row, [ToSend(event, None) for event in events]) if events else None


def body_of(event: EventRow) -> bytes:
    """Return the bytes of an event's message, which are the same each time."""
    head = {"id": event.id, "type": event.type, "timestamp": event.at, "sequence": event.sequence}
    return json.dumps(head, separators=(",", ":")).encode()[:-1] + b',"data":' + event.content + b"}"


def note(tx: Tx, endpoint: EndpointRow, sent: ToSend, posted: Posted) -> bool:
    """Record the result of an attempt to send; return True to send more.

    An endpoint is turned off after the last retry of an event, and after the response 410 Gone. Sending ends if the
    endpoint is turned off or removed, or has become fast or slow and so belongs to the other kind of job. It also
    ends if the endpoint's address was changed meanwhile, because the response came from the old one.
    """
    row = webhooks.lock(tx, endpoint.account_id, endpoint.id)
    if row is None:
        return False
    before = webhooks.delivery_of(tx, row.account_id, row.id, sent.event.sequence)
    delivery = _after(tx, row, sent, before, posted)
    if before is None:
        webhooks.add_delivery(tx, delivery)
    else:
        webhooks.save_delivery(tx, delivery)
    after = row._replace(sent_to=max(row.sent_to, sent.event.sequence))
    is_its_answer = endpoint.url == row.url
    if is_its_answer:
        is_slow = terms.is_slow(posted.seconds) or (bool(row.is_slow) and _was_slow_lately(tx, after))
        after = after._replace(is_slow=is_slow)
    if delivery.state == DELIVERED:
        after = after._replace(failures=0, delivered_at=tx.now)
    else:
        after = after._replace(failures=row.failures + 1, failed_at=tx.now, failure=delivery.said)
    is_gone = is_its_answer and posted.status == GONE_STATUS
    why_off = _GONE if is_gone else _GIVEN_UP if delivery.state == FAILED else None
    if why_off is not None and row.state == ON:
        _turn_off(tx, row, after, why_off)
        return False
    webhooks.save(tx, after)
    return is_its_answer and row.state == ON and _kind(after) == _kind(row)


def _was_slow_lately(tx: Tx, row: EndpointRow) -> bool:
    """True if an endpoint responded slowly to one of its latest messages.

    The message just sent is one of them.
    """
    last = webhooks.log(tx, row.account_id, row.id, before=row.sent_to + 1, limit=terms.QUICK_IN_A_ROW)
    return any(terms.is_slow(delivery.milliseconds / 1000) for delivery in last)


def rest(tx: Tx, account_id: str, endpoint_id: str) -> None:
    """Set an endpoint's next check: now if more events wait, otherwise at the next retry.

    New events wait longer if the endpoint is slow or has failed repeatedly.
    """
    row = webhooks.lock(tx, account_id, endpoint_id)
    if row is None or row.state != ON:
        return
    last = event_feed.last_sequence(tx, account_id)
    is_more = bool(_new(tx, row, 1))
    if not is_more and last > row.sent_to:
        row = row._replace(sent_to=last)  # none of these is for it
    waiting = webhooks.first_waiting(tx, account_id, endpoint_id)
    moments = [waiting.next_at] if waiting is not None and waiting.next_at is not None else []
    if is_more:
        begins = timestamp(tx.moment + 3 * SLOW_TURN) if row.is_slow else tx.now  # others get a turn first
        moments.append(max(_rests_until(row), begins))
    webhooks.save(tx, row._replace(next_at=min(moments, default=None)))


def _new(tx: Tx, row: EndpointRow, limit: int) -> list[EventRow]:
    """List an endpoint's new events, without test events for other endpoints."""
    types = [*row.types.split(" "), TEST] if row.types else []
    after = row.sent_to
    while True:
        events = event_feed.page(tx, row.account_id, after=after, types=types, limit=limit)
        its = [event for event in events if event.type != TEST or json.loads(event.content).get("id") == row.id]
        if its or len(events) < limit:
            return its
        after = events[-1].sequence


def _rests_until(row: EndpointRow) -> str:
    """Return the time until which new events wait after repeated failures; empty if none."""
    if row.failures < MOST_WEBHOOK_FAILURES or row.failed_at is None:
        return ""
    return timestamp(datetime.fromisoformat(row.failed_at) + terms.REST)


def _forgotten(waiting: DeliveryRow) -> EventRow:
    """Build an event without data, for retrying a delivery whose event was deleted."""
    return EventRow(waiting.event_id, waiting.type, waiting.created_at, waiting.sequence, b"{}")


def _after(tx: Tx, row: EndpointRow, sent: ToSend, before: DeliveryRow | None, posted: Posted) -> DeliveryRow:
    attempts = (before.attempts if before is not None else 0) + 1
    state, next_at = DELIVERED, None
    if not terms.is_taken(posted.status):
        wait = terms.next_try(attempts)
        state, next_at = (FAILED, None) if wait is None else (WAITING, timestamp(tx.moment + wait))
    return DeliveryRow(
        account_id=row.account_id,
        id=before.id if before is not None else tx.new_id("whd"),
        endpoint_id=row.id,
        sequence=sent.event.sequence,
        event_id=sent.event.id,
        type=sent.event.type,
        state=state,
        attempts=attempts,
        next_at=next_at,
        status=posted.status,
        said=posted.said[:LONGEST_WEBHOOK_ANSWER],
        milliseconds=int(posted.seconds * 1000),
        created_at=before.created_at if before is not None else tx.now,
        tried_at=tx.now,
    )


def turn_off(tx: Tx, account_id: str, endpoint_id: str, why: str) -> None:
    """Turn off an endpoint whose messages can't be signed, for the reason `why`."""
    row = webhooks.lock(tx, account_id, endpoint_id)
    if row is not None and row.state == ON:
        _turn_off(tx, row, row, why)


def _turn_off(tx: Tx, row: EndpointRow, after: EndpointRow, why: str) -> None:
    """Turn an endpoint off, and notify the account's managers."""
    off = after._replace(state=OFF, why_off=why, next_at=None, updated_at=tx.now)
    webhooks.save(tx, off)
    noted = [Noted(endpoint.url, endpoint.description, endpoint.types, endpoint.state) for endpoint in (row, off)]
    clock = Caller(row.account_id, "clock")
    audit.record(tx, clock, Verb.TURN_WEBHOOK_ENDPOINT_OFF, row.id, before=noted[0], after=noted[1])
    for member in members.all_of(tx, row.account_id):
        if may(member.role, "manage"):
            account_mail.tell(tx, member, Notice.WEBHOOK_OFF)


def _first_kept(tx: Tx, prefix: str) -> str:
    """Return an id that sorts before every event or delivery that is still stored."""
    kept_since = tx.moment - timedelta(days=EVENTS_KEPT_DAYS)
    return first_at(prefix, int(kept_since.timestamp() * 1000))


def _forget(tx: Tx, account_id: str) -> None:
    event_feed.forget(tx, account_id, _first_kept(tx, "evt"))
    webhooks.forget(tx, account_id, _first_kept(tx, "whd"))


EVENTS: Final = Kept(
    lambda tx, account_id: event_feed.is_any_before(tx, account_id, _first_kept(tx, "evt")),
    _forget,
)
