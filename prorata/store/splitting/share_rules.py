"""Share rules with their earlier versions, and the blends of the account."""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, select, union

from prorata.domain.splitting.split_methods import EQUAL
from prorata.store.database.engine import Tx
from prorata.store.database.list_steps import Group
from prorata.store.database.statements import (
    Statement,
    adds,
    changes,
    columns_for,
    is_one_of,
    returns,
    returns_one,
    row_values,
    saves,
)
from prorata.store.database.walks import Walked
from prorata.store.schema.tables import former_share_rule, property_, share_rule, split_method


class RuleRow(NamedTuple):
    """The newest version of a share rule, which applies from the month `effective_from` on.

    If `effective_from` is None, the version applies from the beginning. `weights` is JSON that maps unit ids to
    decimal text, or None; `owner_percent` and `vacant_occupants` are decimal text, too.
    """

    account_id: str
    id: str
    property_id: str
    utility_type: str
    split_method: str
    split_method_id: str | None
    is_active: bool
    weights: str | None
    owner_percent: str
    vacant_occupants: str
    created_at: str
    updated_at: str
    effective_from: str | None = None


class VersionRow(NamedTuple):
    """An earlier version of a share rule, or a version of a deleted rule.

    `effective_from` is empty if the version applied from the beginning. `components` are the components of the
    version's blend, as in `SplitMethodRow`; they are None if the blend's present components apply.
    """

    account_id: str
    property_id: str
    utility_type: str
    effective_from: str
    split_method: str
    split_method_id: str | None
    components: str | None
    is_active: bool
    weights: str | None
    owner_percent: str
    vacant_occupants: str


class SplitMethodRow(NamedTuple):
    """A blend of the account; `components` is JSON: [[method, percent as decimal text], …]."""

    account_id: str
    id: str
    name: str
    name_key: str
    components: str
    created_at: str
    updated_at: str


class MethodUse(NamedTuple):
    """The use of a split method: the number of properties, and one property's name.

    Properties that used the split method in the past count, too.
    """

    split_method_id: str
    properties: int
    name: str


_mine = share_rule.c.account_id == bindparam("account")
_this = share_rule.c.id == bindparam("id")
_FIND = returns(RuleRow, select(share_rule).where(_mine, _this))
_OF_PROPERTIES = returns(RuleRow, select(share_rule).where(_mine, is_one_of(share_rule.c.property_id, "properties")))
_PROPERTIES_USING = returns_one(
    select(share_rule.c.property_id)
    .where(_mine, share_rule.c.split_method_id == bindparam("method"))
    .distinct()
    .order_by(share_rule.c.property_id)
)
_blended = union(
    *(
        select(of.c.split_method_id, of.c.property_id).where(
            of.c.account_id == bindparam("account"), of.c.split_method_id.is_not(None)
        )
        for of in (share_rule, former_share_rule)
    )
).subquery("found")
_USES = returns(
    MethodUse,
    select(
        _blended.c.split_method_id,
        func.count(_blended.c.property_id.distinct()).label("properties"),
        func.min(property_.c.name).label("name"),
    )
    .join(property_, and_(property_.c.account_id == bindparam("account"), property_.c.id == _blended.c.property_id))
    .group_by(_blended.c.split_method_id),
)
FILTERS: dict[str, ColumnElement[bool]] = {"property": share_rule.c.property_id == bindparam("property")}
"""The filters for the rules of an account."""
RULES = Walked(
    "rules", share_rule, share_rule.c.account_id, (Group((share_rule.c.id,)),), share_rule.c.updated_at, FILTERS
)
_FIND_MANY = returns(RuleRow, select(share_rule).where(_mine, is_one_of(share_rule.c.id, "ids")))
_ADD, _SAVE = adds(share_rule), saves(share_rule)
_REMOVE = changes(delete(share_rule).where(_mine, _this))
_FORMER = returns(
    VersionRow,
    select(*columns_for(VersionRow, former_share_rule)).where(
        former_share_rule.c.account_id == bindparam("account"),
        is_one_of(former_share_rule.c.property_id, "properties"),
    ),
)
_ADD_FORMER = adds(former_share_rule)
_REMOVE_FORMER = changes(
    delete(former_share_rule).where(
        former_share_rule.c.account_id == bindparam("account"),
        former_share_rule.c.property_id == bindparam("property"),
        former_share_rule.c.utility_type == bindparam("utility"),
    )
)

_my_method = split_method.c.account_id == bindparam("account")
_FIND_METHOD = returns(SplitMethodRow, select(split_method).where(_my_method, split_method.c.id == bindparam("id")))
_LOCK_METHODS = returns(
    SplitMethodRow,
    select(split_method)
    .where(_my_method, is_one_of(split_method.c.id, "ids"))
    .order_by(split_method.c.id)
    .with_for_update(),
)
_METHODS = returns(SplitMethodRow, select(split_method).where(_my_method).order_by(split_method.c.id))
_ADD_METHOD, _SAVE_METHOD = adds(split_method), saves(split_method)
_REMOVE_METHOD = changes(delete(split_method).where(_my_method, split_method.c.id == bindparam("id")))


def find(tx: Tx, account_id: str, rule_id: str) -> RuleRow | None:
    """Find the account's share rule with this id."""
    return tx.one(_FIND, account=account_id, id=rule_id)


def find_many(tx: Tx, account_id: str, ids: Sequence[str]) -> list[RuleRow]:
    """List the account's share rules with these ids, in no particular order."""
    return tx.all(_FIND_MANY, account=account_id, ids=list(ids)) if ids else []


@cache
def _page(filters: frozenset[str]) -> Statement[RuleRow]:
    rules = select(share_rule).where(_mine, *RULES.fit(filters)).order_by(share_rule.c.id)
    return returns(RuleRow, rules.limit(bindparam("limit")).offset(bindparam("offset")))


@cache
def _number(filters: frozenset[str]) -> Statement[int]:
    return returns_one(select(func.count()).select_from(share_rule).where(_mine, *RULES.fit(filters)))


def page(tx: Tx, account_id: str, filters: Mapping[str, str], *, limit: int, offset: int) -> tuple[list[RuleRow], int]:
    """Return a page of the matching share rules in creation order, and their number.

    `filters` may contain the names in `FILTERS`. All matches are counted.
    """
    names, values = frozenset(filters), {"account": account_id, **filters}
    rows = tx.all(_page(names), **values, limit=limit, offset=offset)
    return rows, tx.one(_number(names), **values) or 0


def of_properties(tx: Tx, account_id: str, property_ids: list[str]) -> list[RuleRow]:
    """List all share rules of these properties, in order of creation."""
    # Sorted here: with an ORDER BY, SQLite would walk all of the account's rules.
    return sorted(tx.all(_OF_PROPERTIES, account=account_id, properties=property_ids), key=attrgetter("id"))


def properties_using(tx: Tx, account_id: str, method_id: str) -> list[str]:
    """List the ids of properties whose share rules use a split method, in id order."""
    return tx.all(_PROPERTIES_USING, account=account_id, method=method_id)


def uses_of_methods(tx: Tx, account_id: str) -> dict[str, MethodUse]:
    """Map the ids of the account's split methods to the uses of the methods.

    Split methods that were never used are left out.
    """
    return {use.split_method_id: use for use in tx.all(_USES, account=account_id)}


def equal(tx: Tx, account_id: str, property_id: str, utility_type: str) -> RuleRow:
    """Build a new, active share rule with the split method EQUAL, without storing the rule."""
    return RuleRow(
        account_id=account_id,
        id=tx.new_id("rule"),
        property_id=property_id,
        utility_type=utility_type,
        split_method=EQUAL,
        split_method_id=None,
        is_active=True,
        weights=None,
        owner_percent="0",
        vacant_occupants="0",
        created_at=tx.now,
        updated_at=tx.now,
    )


def add_many(tx: Tx, rows: list[RuleRow]) -> None:
    """Add share rules."""
    tx.run_many(_ADD, [row._asdict() for row in rows])


def save_many(tx: Tx, rows: Sequence[RuleRow]) -> None:
    """Save share rules."""
    tx.run_many(_SAVE, [row_values(share_rule, row) for row in rows])


def remove(tx: Tx, account_id: str, rule_id: str) -> None:
    """Remove a share rule."""
    tx.run(_REMOVE, account=account_id, id=rule_id)


def former_of_properties(tx: Tx, account_id: str, property_ids: list[str]) -> list[VersionRow]:
    """List these properties' earlier rule versions, earliest first.

    Versions of deleted rules are included.
    """
    return sorted(tx.all(_FORMER, account=account_id, properties=property_ids), key=attrgetter("effective_from"))


def set_former(tx: Tx, account_id: str, of: Sequence[tuple[str, str]], rows: list[VersionRow]) -> None:
    """Replace all earlier versions of some rules by `rows`.

    `of` names the rules, each by its property and utility type.
    """
    tx.run_many(_REMOVE_FORMER, [{"account": account_id, "property": house, "utility": kind} for house, kind in of])
    tx.run_many(_ADD_FORMER, [row._asdict() for row in rows])


def find_method(tx: Tx, account_id: str, method_id: str) -> SplitMethodRow | None:
    """Find the account's split method with this id."""
    return tx.one(_FIND_METHOD, account=account_id, id=method_id)


def lock_methods(tx: Tx, account_id: str, ids: Sequence[str]) -> list[SplitMethodRow]:
    """Find and lock the account's split methods with these ids.

    They are locked in id order, until the transaction ends.
    """
    return tx.all(_LOCK_METHODS, account=account_id, ids=list(ids)) if ids else []


def lock_method(tx: Tx, account_id: str, method_id: str) -> SplitMethodRow | None:
    """Find and lock the account's split method with this id until the transaction ends."""
    return next(iter(lock_methods(tx, account_id, [method_id])), None)


def methods(tx: Tx, account_id: str) -> list[SplitMethodRow]:
    """List the account's split methods, in order of creation."""
    return tx.all(_METHODS, account=account_id)


def add_methods(tx: Tx, rows: Sequence[SplitMethodRow]) -> None:
    """Add split methods of the account."""
    tx.run_many(_ADD_METHOD, [row._asdict() for row in rows])


def save_method(tx: Tx, row: SplitMethodRow) -> None:
    """Save a split method of the account."""
    tx.run(_SAVE_METHOD, **row_values(split_method, row))


def remove_method(tx: Tx, account_id: str, method_id: str) -> None:
    """Delete a split method, which no rule may use."""
    tx.run(_REMOVE_METHOD, account=account_id, id=method_id)
