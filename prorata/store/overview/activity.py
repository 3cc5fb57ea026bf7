"""The activity list: the audit log's events, with the names of members and API keys."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, literal_column, not_, or_, select

from prorata.domain.audit.record_kinds import KINDS
from prorata.domain.audit.verbs import Verb
from prorata.domain.online_payments.payment_links import PROVIDERS
from prorata.domain.search_terms import LAST_CHARACTER
from prorata.store.audit.audit import begins
from prorata.store.bills.searches import beginning_values, has_number_that_begins
from prorata.store.database.engine import Tx
from prorata.store.database.statements import Statement, columns_for, is_among, is_one_of, returns, returns_one
from prorata.store.schema.invoice_indexes import is_of
from prorata.store.schema.joins import named_by
from prorata.store.schema.sign_in_tables import api_key
from prorata.store.schema.tables import bill, event, invoice, member

BY_ITSELF = ("clock", "mail")
"""The values of `actor` in the events of automatic changes."""
_LINKS = (Verb.ADD_PAYMENT_LINK, Verb.REMOVE_PAYMENT_LINK)
"""The verbs of the automatic changes to payment links.

Links are added once an invoice is sent, and removed once nothing is left to pay on it.
"""


class EventRow(NamedTuple):
    """An event of the audit log; `before` and `after` are the record's states as JSON.

    `member_name`, `member_email` and `key_name` are those of the actor, as long as the member or API key exists.
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


class GoneRow(NamedTuple):
    """A deleted record's id and its last state as JSON, from the audit log.

    The state lacks erased personal data.
    """

    record_id: str
    before: str


class About(NamedTuple):
    """The subject of a search in the activity list.

    If neither a month nor an amount is given, the subject is the properties, units and tenants, with their
    invoices, and the bills that are from `issuers` or have a number that begins with one of `beginnings`.
    Otherwise, the subject is only the invoices with that `month` and that `amount` (in cents). If `is_anybody` is
    not set, they must belong to one of the properties, units and tenants.
    """

    properties: Sequence[str] = ()
    units: Sequence[str] = ()
    tenants: Sequence[str] = ()
    issuers: Sequence[str] = ()
    beginnings: tuple[str, str, str] | None = None
    month: str | None = None
    amount: int | None = None
    is_anybody: bool = False

    @property
    def conditions(self) -> frozenset[str]:
        """The names of the conditions that the search's statements contain."""
        asked = {name for name in ("month", "amount") if getattr(self, name) is not None}
        return frozenset(asked | (set() if self.is_anybody else {"place"}) if asked else {"about"})

    @property
    def values(self) -> dict[str, Any]:
        """The parameters with which the search's statements run."""
        values: dict[str, Any] = {
            "properties": list(self.properties), "units": list(self.units), "tenants": list(self.tenants),
        }  # fmt: skip
        if "about" in self.conditions:
            values |= {"records": [*self.units, *self.tenants], "issuers": list(self.issuers)}
            return values | beginning_values(self.beginnings)
        asked = {"month": self.month, "amount": self.amount}
        return (values if "place" in self.conditions else {}) | {
            n: value for n, value in asked.items() if value is not None
        }


_PART_OF_MANY = "bulk"
"""The prefix of `actor` in the events of a bulk change's single changes.

See `audit.record_together`.
"""


def _walked_by(column: ColumnElement[str]) -> ColumnElement[str]:
    """Wrap a column so that the database uses none of the column's indexes.

    The database then reads the events in the order of the list, and only as many as needed.
    """
    return column.op("||")(literal_column("''"))


_record, _property = _walked_by(event.c.record_id), _walked_by(event.c.property_id)


_one: ColumnElement[int] = literal_column("1")
_ITS = {
    prefix: select(_one).where(named_by(table, event.c.record_id)).limit(_one)
    for prefix, table in (("inv", invoice), ("bill", bill))
}
"""The query for an event's invoice or bill, by the prefix of the id."""


def _is_one(prefix: str, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Build the condition that an event is about an invoice or bill that meets `conditions`.

    The ids of such records begin with `prefix`. For each event that the database examines, it looks the record up
    by id. If the condition were an EXISTS, PostgreSQL might read all of the account's records first.
    """
    its = _ITS[prefix].where(*conditions).correlate(event).scalar_subquery()
    return and_(begins(_record, prefix), its.is_not(None))


_OF_INVOICES: dict[str, ColumnElement[bool]] = {
    "month": invoice.c.month == bindparam("month"),
    "amount": invoice.c.total == bindparam("amount"),
    "place": or_(
        is_among(invoice.c.property_id, "properties"),
        is_among(invoice.c.unit_id, "units"),
        is_among(invoice.c.tenant_id, "tenants"),
    ),
}
"""The conditions on the invoices whose events are wanted."""
_shown = (
    select(
        *columns_for(EventRow, event, member_name=member.c.name, member_email=member.c.email, key_name=api_key.c.name)
    )
    .outerjoin(member, named_by(member, event.c.actor))
    .outerjoin(api_key, named_by(api_key, event.c.actor))
    .where(event.c.account_id == bindparam("account"))
)
_CONDITIONS: dict[str, tuple[ColumnElement[bool], ...]] = {
    "before": (event.c.id < bindparam("before"),),
    "since": (event.c.id >= bindparam("since"),),
    "after": (event.c.id > bindparam("after"),),
    "until": (event.c.id <= bindparam("until"),),
    "record": (event.c.record_id == bindparam("record"),),
    "property": (_property == bindparam("property"),),
    "by": (event.c.actor == bindparam("by"),),
    "people": (
        *(event.c.actor != literal_column(f"'{name}'") for name in BY_ITSELF),
        not_(and_(is_of(event.c.actor, PROVIDERS), is_of(event.c.verb, _LINKS))),
    ),
    "one line of many": (not_(begins(event.c.actor, _PART_OF_MANY)),),
    "about": (
        or_(
            is_among(_property, "properties"),
            is_among(_record, "records"),
            _is_one("inv", or_(is_among(invoice.c.unit_id, "units"), is_among(invoice.c.tenant_id, "tenants"))),
            _is_one("bill", or_(is_among(bill.c.issuer_name, "issuers"), has_number_that_begins())),
        ),
    ),
    **{f"of {kind}": (or_(*(begins(_record, id_prefix) for id_prefix in of.prefixes)),) for kind, of in KINDS.items()},
}


@cache
def _page(filters: frozenset[str], *, oldest_first: bool = False) -> Statement[EventRow]:
    conditions = [condition for name, its in _CONDITIONS.items() if name in filters for condition in its]
    of_invoices = [condition for name, condition in _OF_INVOICES.items() if name in filters]
    if of_invoices:
        conditions.append(_is_one("inv", *of_invoices))
    order = event.c.id if oldest_first else event.c.id.desc()
    return returns(EventRow, _shown.where(*conditions).order_by(order).limit(bindparam("limit")))


@cache
def _places_away(filters: frozenset[str], *, forwards: bool = False) -> Statement[str]:
    """Build the statement that finds the id of the event that is `places` events away.

    It skips `places` events from the newest event on, or, if `filters` contains "before", from the event that precedes
    `before`, and finds the next older one. If `forwards` is set, it skips the first `places` events after the event
    `after`, and finds the next newer one.
    """
    statement = select(event.c.id).where(event.c.account_id == bindparam("account"))
    if forwards:
        statement = statement.where(event.c.id > bindparam("after")).order_by(event.c.id)
    else:
        statement = statement.order_by(event.c.id.desc())
    if "before" in filters:
        statement = statement.where(event.c.id < bindparam("before"))
    return returns_one(statement.limit(literal_column("1")).offset(bindparam("places")))


_PARTS = returns(
    EventRow,
    _shown.where(event.c.actor == bindparam("by"), event.c.id > bindparam("after"), event.c.id <= bindparam("until"))
    .order_by(event.c.id)
    .limit(bindparam("limit")),
)
_OF_RECORDS = returns(
    EventRow,
    _shown.where(is_one_of(event.c.record_id, "records")).order_by(event.c.id).limit(bindparam("limit")),
)
_DONE_TO = returns(
    EventRow,
    _shown.where(event.c.record_id == bindparam("record"), is_one_of(event.c.verb, "verbs")).order_by(event.c.id),
)
_OF_RULES = returns(
    EventRow,
    _shown.where(event.c.property_id == bindparam("property"), begins(event.c.record_id, "rule")).order_by(event.c.id),
)
_gone = select(event.c.record_id, event.c.before).where(
    event.c.account_id == bindparam("account"), event.c.verb == bindparam("verb"), event.c.before.is_not(None)
)
_GONE = returns(GoneRow, _gone.where(is_one_of(event.c.record_id, "records")))
_GONE_MEMBERS = returns(GoneRow, _gone.where(begins(event.c.record_id, "member")).order_by(event.c.record_id))
_BEGUN = returns(EventRow, _shown.where(is_one_of(event.c.record_id, "changes"), event.c.verb == bindparam("together")))


def of_records(tx: Tx, account_id: str, records: Sequence[str], *, limit: int) -> list[EventRow]:
    """List the events of these records, earliest first."""
    return tx.all(_OF_RECORDS, account=account_id, records=list(records), limit=limit) if records else []


def done_to(tx: Tx, account_id: str, record: str, verbs: Sequence[str]) -> list[EventRow]:
    """List a record's events whose action is one of these verbs, earliest first."""
    return tx.all(_DONE_TO, account=account_id, record=record, verbs=list(verbs))


def of_rules(tx: Tx, account_id: str, property_id: str) -> list[EventRow]:
    """List the events of a property's rules, deleted ones included, earliest first."""
    return tx.all(_OF_RULES, account=account_id, property=property_id)


def page(
    tx: Tx,
    account_id: str,
    *,
    limit: int,
    before: str | None = None,
    since: str | None = None,
    after: str | None = None,
    until: str | None = None,
    oldest_first: bool = False,
    record: str | None = None,
    of_property: str | None = None,
    by: str | None = None,
    about: About | None = None,
    but: frozenset[str] = frozenset(),
) -> list[EventRow]:
    """List a page of the account's events, newest or oldest first.

    Each argument that is given limits the events: to ids lower than `before`, higher than `after`, and from `since`
    to `until`, both included; to events of one `record`, of the property `of_property`, done `by` one actor, or
    `about` a subject. `but` names further conditions of `_CONDITIONS`.
    """
    filters: dict[str, Any] = {"before": before, "since": since, "record": record, "by": by}
    filters |= {"after": after, "until": until}
    filters["property"] = of_property
    given = {name: value for name, value in filters.items() if value is not None}
    chosen = frozenset(given) | but
    if about is not None:
        chosen |= about.conditions
        given |= about.values
    return tx.all(_page(chosen, oldest_first=oldest_first), account=account_id, limit=limit, **given)


def so_far_back(tx: Tx, account_id: str, *, before: str | None, places: int) -> str | None:
    """Skip `places` events that precede the event `before`, and return the next older id.

    If `before` is None, begin with the newest event. Return None if there are not enough events.
    """
    given = {} if before is None else {"before": before}
    return tx.one(_places_away(frozenset(given)), account=account_id, places=places, **given)


def so_far_on(tx: Tx, account_id: str, *, after: str | None, places: int) -> str | None:
    """Skip `places` events that follow the event `after`, and return the next newer id.

    If `after` is None, begin with the oldest event. Return None if there are not enough events.
    """
    asked = {"after": after or "", "places": places}
    return tx.one(_places_away(frozenset(), forwards=True), account=account_id, **asked)


def parts(tx: Tx, account_id: str, change_id: str, *, after: str, places: int, limit: int) -> list[EventRow]:
    """List up to `limit` single changes of a bulk change, oldest first.

    The list begins after the event `after`. Only the next `places` + 1 events of the account are searched, so the
    list may be incomplete.
    """
    until = so_far_on(tx, account_id, after=after, places=places)
    asked = {"by": change_id, "after": after, "until": until or LAST_CHARACTER, "limit": limit}
    return tx.all(_PARTS, account=account_id, **asked)


def begun(tx: Tx, account_id: str, change_ids: list[str]) -> dict[str, EventRow]:
    """Map the ids of these bulk changes to the events that summarize them."""
    rows = tx.all(_BEGUN, account=account_id, changes=change_ids, together=Verb.CHANGE_TOGETHER) if change_ids else []
    return {row.record_id: row for row in rows}


def gone_properties(tx: Tx, account_id: str, property_ids: list[str]) -> list[GoneRow]:
    """List the deleted properties among these, each with its last state."""
    asked = {"verb": Verb.DELETE_PROPERTY, "records": property_ids}
    return tx.all(_GONE, account=account_id, **asked) if property_ids else []


def gone_members(tx: Tx, account_id: str, member_ids: list[str] | None = None) -> list[GoneRow]:
    """List former members in order of joining: all, or only those with these ids.

    Each has its last state.
    """
    if member_ids is None:
        return tx.all(_GONE_MEMBERS, account=account_id, verb=Verb.REMOVE_MEMBER)
    return tx.all(_GONE, account=account_id, verb=Verb.REMOVE_MEMBER, records=member_ids) if member_ids else []
