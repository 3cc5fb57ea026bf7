"""Who did what, as a page shows it: newest first, with the names of those who did it."""

from functools import cache
from typing import NamedTuple

from sqlalchemy import bindparam, literal_column, select

from prorata.store.engine import Tx
from prorata.store.statements import Statement, returns, returns_one
from prorata.store.tables import api_key, event, member

BY_ITSELF = ("clock", "mail")
"""Who does what nobody asked for just then."""


class EventRow(NamedTuple):
    """Something that was done. `before` and `after` are the record as JSON; the names are those of a member or key that
    is still there.
    """

    id: str
    at: str
    actor: str
    verb: str
    record_id: str
    property_id: str | None
    before: str | None
    after: str | None
    member_name: str | None
    member_email: str | None
    key_name: str | None


@cache
def _page(filters: frozenset[str]) -> Statement[EventRow]:
    own = [event.c[name] for name in EventRow._fields if name in event.c]
    statement = (
        select(
            *own,
            member.c.name.label("member_name"),
            member.c.email.label("member_email"),
            api_key.c.name.label("key_name"),
        )
        .outerjoin(member, (member.c.account_id == event.c.account_id) & (member.c.id == event.c.actor))
        .outerjoin(api_key, (api_key.c.account_id == event.c.account_id) & (api_key.c.id == event.c.actor))
        .where(event.c.account_id == bindparam("account"))
        .order_by(event.c.id.desc())
        .limit(bindparam("limit"))
    )
    if "before" in filters:
        statement = statement.where(event.c.id < bindparam("before"))
    if "since" in filters:
        statement = statement.where(event.c.id >= bindparam("since"))
    if "record" in filters:
        statement = statement.where(event.c.record_id == bindparam("record"))
    if "by" in filters:
        statement = statement.where(event.c.actor == bindparam("by"))
    if "people" in filters:
        statement = statement.where(*(event.c.actor != literal_column(f"'{name}'") for name in BY_ITSELF))
    return returns(EventRow, statement)


@cache
def _so_far_back(filters: frozenset[str]) -> Statement[str]:
    """The statement that finds the id of the event so many places behind another, or behind the newest."""
    statement = select(event.c.id).where(event.c.account_id == bindparam("account")).order_by(event.c.id.desc())
    if "before" in filters:
        statement = statement.where(event.c.id < bindparam("before"))
    return returns_one(statement.limit(literal_column("1")).offset(bindparam("places")))


def page(
    tx: Tx,
    account_id: str,
    *,
    limit: int,
    before: str | None = None,
    since: str | None = None,
    record: str | None = None,
    by: str | None = None,
    people_only: bool = False,
) -> list[EventRow]:
    """What was done in the account, newest first: before an event's id, from an id on, to one record, by somebody, or
    by anybody but Prorata itself.
    """
    filters = {"before": before, "since": since, "record": record, "by": by}
    given = {name: value for name, value in filters.items() if value is not None}
    chosen = frozenset(given) | ({"people"} if people_only else set())
    return tx.all(_page(chosen), account=account_id, limit=limit, **given)


def so_far_back(tx: Tx, account_id: str, *, before: str | None, places: int) -> str | None:
    """The id of the event that stands `places` behind another, or behind the newest; None where there are fewer."""
    given = {} if before is None else {"before": before}
    return tx.one(_so_far_back(frozenset(given)), account=account_id, places=places, **given)
