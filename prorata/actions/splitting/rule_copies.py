"""Copying of share rules, first month to bill and payment instructions between properties."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.limits import MOST_PROPERTIES_TO_CHOOSE_FROM
from prorata.actions.properties import properties
from prorata.actions.splitting import share_rules, undated_changes
from prorata.domain.accounts.pay_to import COLUMNS as PAY_TO
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx


class Left(NamedTuple):
    """A rule that was not copied to a property, with the reason.

    Usually the rule has weights for units that the property does not have.
    """

    property_name: str
    utility_type: str
    why: str


class Copied(NamedTuple):
    """The number of properties copied to, and the rules that could not be copied."""

    properties: int
    left: tuple[Left, ...]


def copy(
    tx: Tx,
    caller: Caller,
    property_id: str,
    to: Sequence[str],
    utilities: Collection[str] = (),
    *,
    first_month: bool = False,
    how_to_pay: bool = False,
    since: str | None = None,
) -> Copied:
    """Copy a property's rules, first month to bill or payment instructions to others.

    A copied rule applies from the month `since` on, as if it had been entered by a person. If `since` is None, it
    applies from the month after the other property's last closed one; if no month is closed there, it replaces the
    newest version of the other property's rule. Weights are matched by unit labels; if a property lacks a unit with a
    weight, the rule is not copied to that property. Open months are recalculated once for each property. Raises
    `NotFound` if there is no such property, and `InvalidRequest` if no settings, no properties or too many are chosen.
    """
    source = access.property_(tx, caller, property_id)
    others = [fromkey for fromkey in dict.fromkeys(to) if fromkey != source.id]
    if not others or len(others) > MOST_PROPERTIES_TO_CHOOSE_FROM:
        raise InvalidRequest(say("Choose 1 to {most} properties to copy to.", most=MOST_PROPERTIES_TO_CHOOSE_FROM))
    rules = [
        shown_rule
        for shown_rule in share_rules.of_property(tx, caller, source.id)
        if shown_rule.row.utility_type in utilities
    ]
    changes = {"billing_starts_month": source.billing_starts_month} if first_month else {}
    changes |= {name: getattr(source, name) for name in PAY_TO} if how_to_pay else {}
    if not rules and not changes:
        raise InvalidRequest(say("Nothing has been chosen to copy. Choose at least one rule, or the first month."))
    left = []
    begins = {} if since else undated_changes.after_closed(tx, caller, others)
    for other in others:
        its = properties.change(tx, caller, other, changes) if changes else access.property_(tx, caller, other)
        month = since or begins.get(its.id)
        month = max(month, its.billing_starts_month or month) if month else None
        for rule in rules:
            try:
                share_rules.set_terms(tx, caller, its.id, rule.row.utility_type, rule.terms, since=month)
            except InvalidRequest as refused:
                left.append(Left(its.name, rule.row.utility_type, _why(refused)))
    return Copied(len(others), tuple(left))


def _why(refused: InvalidRequest) -> str:
    return refused.problems[0].message if refused.problems else str(refused)
