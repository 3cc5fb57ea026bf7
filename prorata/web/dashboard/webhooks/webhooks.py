"""The account's webhook endpoints: their settings, their secrets, and the log of deliveries."""

from secrets import token_bytes
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.webhooks import webhooks
from prorata.actions.webhooks.webhooks import Wanted
from prorata.domain.limits import LONGEST_WEBHOOK_DESCRIPTION, LONGEST_WEBHOOK_URL, MOST_WEBHOOKS
from prorata.domain.texts import say
from prorata.domain.webhooks.events import EVENT_TYPES, EVENTS_KEPT_DAYS, SAID_BY
from prorata.domain.webhooks.webhooks import ON, PAUSED, SECRET_BYTES
from prorata.store.webhooks.webhooks import EndpointRow
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import text

HOME = "/settings/webhooks"
_LOG_AT_ONCE = 25
_FIELDS = {event_type.replace(".", "_"): event_type for event_type in EVENT_TYPES}
"""The event types by the names of their checkboxes."""
_LOST = say("It will receive nothing more, and its log will be deleted. This can't be undone.")
_RENEWS = say(
    "From now on, messages are signed with the new secret. For 24 hours they are also signed with the previous one, "
    "so that you have time to switch."
)

EndpointForm: type[Struct] = msgspec.defstruct(
    "EndpointForm",
    [
        ("url", Annotated[str, text(LONGEST_WEBHOOK_URL)]),
        ("description", Annotated[str, text(LONGEST_WEBHOOK_DESCRIPTION, least=0)], ""),
        *((name, bool, False) for name in _FIELDS),
    ],
    kw_only=True,
)
"""The form of an endpoint.

Without a ticked type, the endpoint receives all events.
"""


class LogQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The sequence number that limits the log of deliveries to those of earlier events."""

    before: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 2**53


def _wanted(form: Any) -> Wanted:
    types = [event_type for name, event_type in _FIELDS.items() if getattr(form, name)]
    return Wanted(form.url, types, form.description)


def _shown_list(rows: list[EndpointRow]) -> Shown:
    return Shown("webhooks.html", {"endpoints": rows, "kinds": _kinds(), "most": MOST_WEBHOOKS})


def _kinds() -> list[tuple[str, str, str]]:
    """List the event types, each with the name and the label of its checkbox."""
    return [(name, event_type, SAID_BY[event_type]) for name, event_type in _FIELDS.items()]


@page("GET", HOME, may="manage")
def webhooks_page(ask: Ask[None, None]) -> Shown:
    """Show the account's webhook endpoints, and the form for a new one."""
    return _shown_list(webhooks.listed(ask.tx, ask.caller))


@page("POST", HOME, may="manage", form=EndpointForm, again=webhooks_page)
async def create_webhook(steps: Steps) -> Shown:
    """Create a webhook endpoint, and show its secret, which is never shown again."""
    wanted, receivers, caller = _wanted(steps.form), steps.outside.receivers, steps.caller
    await steps.pools.look_up(lambda: webhooks.refuse_address(wanted.url, receivers))
    random = token_bytes(SECRET_BYTES)
    row, secret = await steps.write(lambda tx: webhooks.create(tx, caller, wanted, receivers, random))
    return _secret(row, secret, is_new=True)


def _secret(row: EndpointRow, secret: str, *, is_new: bool) -> Shown:
    return Shown("webhook_secret.html", {"endpoint": row, "secret": secret, "is_new": is_new})


@page("GET", HOME + "/{endpoint}", may="manage", query=LogQuery)
def webhook_page(ask: Ask[Any, None]) -> Shown:
    """Show a webhook endpoint's state, its form, and the log of its deliveries."""
    row = access.webhook_endpoint(ask.tx, ask.caller, ask.path["endpoint"])
    before = ask.query.before if isinstance(ask.query, LogQuery) else None
    log = webhooks.log(ask.tx, ask.caller, row.id, before=before, limit=_LOG_AT_ONCE)
    ticked = {name: event_type in row.types.split() for name, event_type in _FIELDS.items()}
    filled = {"url": row.url, "description": row.description, **ticked}
    questions = {"lost": _LOST, "renews": _RENEWS, "kept_days": EVENTS_KEPT_DAYS}
    values = {"endpoint": row, "log": log, "kinds": _kinds(), "is_first": before is None or before == 2**53}
    values["is_overlapping"] = row.before_until is not None and row.before_until > ask.tx.now
    return Shown("webhook.html", {**values, **questions}, filled)


@page("POST", HOME + "/{endpoint}", may="manage", form=EndpointForm, again=webhook_page)
async def change_webhook(steps: Steps) -> GoTo:
    """Save an endpoint's address, description and event types."""
    wanted, receivers, caller = _wanted(steps.form), steps.outside.receivers, steps.caller
    endpoint = steps.path["endpoint"]
    await steps.pools.look_up(lambda: webhooks.refuse_address(wanted.url, receivers))
    await steps.write(lambda tx: webhooks.change(tx, caller, endpoint, **wanted._asdict()))
    return GoTo(f"{HOME}/{endpoint}", say("Saved."))


@page("POST", HOME + "/{endpoint}/pause", may="manage", again=webhook_page)
def pause_webhook(ask: Ask[None, None]) -> GoTo:
    """Pause a webhook endpoint; it receives nothing until it is resumed."""
    row = webhooks.change(ask.tx, ask.caller, ask.path["endpoint"], state=PAUSED)
    return GoTo(
        f"{HOME}/{row.id}",
        say("The webhook is paused. Events that happen in the meantime are sent once it is turned on again."),
    )


@page("POST", HOME + "/{endpoint}/resume", may="manage", again=webhook_page)
def resume_webhook(ask: Ask[None, None]) -> GoTo:
    """Resume a paused webhook endpoint.

    The events that occurred in the meantime are sent as well.
    """
    row = webhooks.change(ask.tx, ask.caller, ask.path["endpoint"], state=ON)
    return GoTo(f"{HOME}/{row.id}", say("The webhook is on. Events that happened in the meantime are being sent."))


@page("GET", HOME + "/{endpoint}/rotate-secret", may="manage")
def rotate_secret_question(ask: Ask[None, None]) -> Shown:
    """Ask to confirm replacing a webhook endpoint's secret, for browsers without scripts."""
    row = access.webhook_endpoint(ask.tx, ask.caller, ask.path["endpoint"])
    does = {
        "title": say("Create a new secret?"),
        "lost": _RENEWS,
        "does": say("Create a new secret"),
        "is_grave": False,
    }
    return Shown("confirm.html", {**does, "back": f"{HOME}/{row.id}"})


@page("POST", HOME + "/{endpoint}/rotate-secret", may="manage", again=webhook_page)
def rotate_secret(ask: Ask[None, None]) -> Shown:
    """Replace a webhook endpoint's secret, and show the new one, which is never shown again."""
    random = token_bytes(SECRET_BYTES)
    row, secret = webhooks.renew_secret(
        ask.tx, ask.caller, ask.path["endpoint"], ask.outside.receivers, random
    )  # fmt: skip
    return _secret(row, secret, is_new=False)


@page("GET", HOME + "/{endpoint}/remove", may="manage")
def remove_webhook_question(ask: Ask[None, None]) -> Shown:
    """Ask to confirm removing an endpoint, for browsers without scripts."""
    row = access.webhook_endpoint(ask.tx, ask.caller, ask.path["endpoint"])
    does = {"title": say("Remove the webhook?"), "lost": _LOST, "does": say("Remove the webhook")}
    return Shown("confirm.html", {**does, "back": f"{HOME}/{row.id}"})


@page("POST", HOME + "/{endpoint}/remove", may="manage", again=webhook_page)
def remove_webhook(ask: Ask[None, None]) -> GoTo:
    """Remove an endpoint for good."""
    webhooks.remove(ask.tx, ask.caller, ask.path["endpoint"])
    return GoTo(HOME, say("The webhook was removed. It will receive nothing more."))


@page("POST", HOME + "/{endpoint}/deliveries/{delivery}/replay", may="manage", again=webhook_page)
def replay_delivery(ask: Ask[None, None]) -> GoTo:
    """Send a delivery's event to its endpoint again."""
    webhooks.replay(ask.tx, ask.caller, ask.path["endpoint"], ask.path["delivery"])
    return GoTo(f"{HOME}/{ask.path['endpoint']}", say("The event is being sent again."))
