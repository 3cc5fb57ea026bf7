"""The list of bulk changes, filtered by the person who started them and by day."""

from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.audit import activity
from prorata.actions.audit.activity import Actor
from prorata.actions.bulk import bulk
from prorata.actions.bulk.bulk import ShownBulk
from prorata.domain.audit.actor_names import called
from prorata.domain.due_times import end_of_day
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.ids import first_at, is_id
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx


class ListedBulk(NamedTuple):
    """A bulk change, with the name of the person who started it."""

    change: ShownBulk
    actor_name: str


class BulkList(NamedTuple):
    """A page of bulk changes, newest first.

    `further` is the id of the page's last bulk change, or None if no page follows. `actors` are the people by whose
    bulk changes the list can be filtered.
    """

    changes: list[ListedBulk]
    further: str | None
    actors: list[Actor]


def page(
    tx: Tx, caller: Caller, *, by: str, day: date | None, before: str, limit: int, write: Forms = PLAIN
) -> BulkList:
    """List one page of the account's bulk changes, newest first.

    `by` is the id of the person who started the changes, or empty for anybody. `day` limits the list to changes up to
    that day in the account's time zone. `before` is the id of the previous page's last bulk change.
    """
    ends = None
    if day is not None:
        moment = end_of_day(day, account_actions.the_account(tx, caller).timezone)
        ends = first_at("bulk", int(moment.timestamp()) * 1000)
    behind = min(filter(None, (ends, before if is_id(before, "bulk") else None)), default=None)
    bulk_changes = bulk.latest(tx, caller, limit=limit + 1, before=behind, by=by or None, write=write)
    actors = activity.actors(tx, caller)
    names = {actor.id: actor.name for actor in actors}
    listed = [
        ListedBulk(shown_bulk, names.get(shown_bulk.actor) or called(shown_bulk.actor))
        for shown_bulk in bulk_changes[:limit]
    ]
    return BulkList(listed, bulk_changes[limit - 1].id if len(bulk_changes) > limit else None, actors)
