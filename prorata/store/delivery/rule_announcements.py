"""Announcements of rule changes to households, and properties whose rules will change."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select, union

from prorata.store.database.engine import Tx
from prorata.store.database.statements import adds, returns, returns_one
from prorata.store.schema.tables import former_share_rule, rule_announcement, share_rule


class AnnouncementRow(NamedTuple):
    """An announcement of a rule change to one household.

    `mark` identifies the rule change, and `told` is the content of the announcement as JSON. The household is given by
    its unit and tenant.
    """

    account_id: str
    id: str
    property_id: str
    utility_type: str
    effective_from: str
    mark: str
    unit_id: str
    unit_label: str
    tenant_id: str
    to_name: str
    told: str
    told_at: str


_mine = rule_announcement.c.account_id == bindparam("account")
_FIND = returns(AnnouncementRow, select(rule_announcement).where(_mine, rule_announcement.c.id == bindparam("id")))
_OF_PROPERTY = returns(
    AnnouncementRow,
    select(rule_announcement)
    .where(_mine, rule_announcement.c.property_id == bindparam("property"))
    .order_by(rule_announcement.c.id),
)
_later = tuple(
    select(of.c.property_id).where(of.c.account_id == bindparam("account"), of.c.effective_from > bindparam("month"))
    for of in (share_rule, former_share_rule)
)
_CHANGING = returns_one(union(*_later))
_IS_CHANGING = returns_one(
    union(*(query.where(query.selected_columns.property_id == bindparam("property")) for query in _later))
)
_ADD = adds(rule_announcement)


def find(tx: Tx, account_id: str, announcement_id: str) -> AnnouncementRow | None:
    """Find an announcement of a rule change by its id."""
    return tx.one(_FIND, account=account_id, id=announcement_id)


def of_property(tx: Tx, account_id: str, property_id: str) -> list[AnnouncementRow]:
    """List all announcements to a property's households, oldest first."""
    return tx.all(_OF_PROPERTY, account=account_id, property=property_id)


def properties_changing(tx: Tx, account_id: str, month: str) -> list[str]:
    """List the ids of properties whose rules change after a month, in the ids' order.

    These are the properties with a rule version that begins after `month`.
    """
    return sorted(tx.all(_CHANGING, account=account_id, month=month))


def is_changing(tx: Tx, account_id: str, property_id: str, month: str) -> bool:
    """True if a property has a rule version that begins after a month."""
    return tx.one(_IS_CHANGING, account=account_id, property=property_id, month=month) is not None


def add_many(tx: Tx, rows: Sequence[AnnouncementRow]) -> None:
    """Add announcements of rule changes."""
    tx.run_many(_ADD, [row._asdict() for row in rows])
