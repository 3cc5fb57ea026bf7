"""Events, which record changes, for programs that read them in order (docs/webhooks.md)."""

from msgspec import Raw

from prorata.actions.webhooks import events
from prorata.store.webhooks.event_feed import EventRow
from prorata.web.api.webhooks.event_schemas import Event, Events
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import EventsQuery, given


def shown(row: EventRow) -> Event:
    """Convert an event to the API's format."""
    return Event(
        id=row.id,
        type=row.type,  # type: ignore[arg-type]
        timestamp=row.at,
        sequence=row.sequence,
        data=Raw(row.content),
    )


@operation(
    "GET", "/events", at_once=True, summary="List events", query=EventsQuery, answer=Events,
    gone="Events that follow `after` are no longer stored: read the records again.",
)  # fmt: skip
def list_events(call: Call[EventsQuery, None]) -> Events:
    """List events after the number `after`, oldest first.

    To get the next events, pass the `sequence` of the last event that you received as `after`. An event appears in
    the list about a second after its change. Webhook endpoints receive the same events.
    """
    query = call.query
    event_page = events.page(
        call.tx, call.caller, after=given(query.after), event_type=given(query.type), limit=query.limit
    )
    return Events(
        data=[shown(row) for row in event_page.events], has_more=event_page.is_more, last_sequence=event_page.last,
        oldest_sequence=event_page.oldest,
    )  # fmt: skip
