"""Who did what, as a page shows it: newest first, with the names of those who did it."""

from functools import cache
from typing import NamedTuple

from sqlalchemy import bindparam, select

from prorata.store.engine import Tx
from prorata.store.statements import Statement, returns
from prorata.store.tables import api_key, event, member


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
    if "record" in filters:
        statement = statement.where(event.c.record_id == bindparam("record"))
    return returns(EventRow, statement)


def page(tx: Tx, account_id: str, *, before: str | None, record: str | None, limit: int) -> list[EventRow]:
    """What was done in the account, to one record or to any, newest first, from before an event's id."""
    given = {name: value for name, value in (("before", before), ("record", record)) if value is not None}
    return tx.all(_page(frozenset(given)), account=account_id, limit=limit, **given)
