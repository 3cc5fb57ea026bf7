"""Share rules: one per utility type and property, with versions.

A version applies from a billing month on, until the next one (docs/decisions.md#dated-rules). Changes recalculate
open months.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.lists import walks
from prorata.actions.lists.walks import Listed, Window
from prorata.actions.properties.units import decimal_text, times_of
from prorata.actions.recalculation import recalculation
from prorata.actions.splitting import rule_history, undated_changes
from prorata.actions.splitting.rule_history import History, Saving, as_version, at_version, history_of
from prorata.domain.audit.verbs import Verb
from prorata.domain.groups import grouped
from prorata.domain.problems import Problem, problems_of_month
from prorata.domain.splitting.rule_versions import ALWAYS, NEVER, in_force
from prorata.domain.splitting.share_rules import problems_of_rule, problems_of_text, read_weights, write_weights
from prorata.domain.splitting.split_methods import CUSTOM, METHODS
from prorata.errors import InvalidRequest
from prorata.ids import is_id
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import RuleRow, VersionRow
from prorata.store.webhooks import event_outbox


class Terms(NamedTuple):
    """A rule's terms as clients write them; `custom_weights_json` maps unit labels to weights."""

    split_method: str
    split_method_id: str | None
    is_active: bool
    custom_weights_json: str | None
    owner_percent: Decimal
    vacant_occupants: Decimal


_DIVIDING = frozenset({"split_method", "split_method_id", "custom_weights_json"})
"""The terms that must fit one another, and are checked when one of them changes."""


class ShownVersion(NamedTuple):
    """A version of a rule, with the month from which it applies (None: always).

    `components` are those of the version's blend at that time, in the format of `SplitMethodRow`; None if they are
    the blend's current ones.
    """

    effective_from: str | None
    terms: Terms
    components: str | None = None


class ShownRule(NamedTuple):
    """A rule with the terms of one of its versions, usually the newest.

    Units are named by their current labels. `versions` are all versions, earliest first.
    """

    row: RuleRow
    terms: Terms
    versions: tuple[ShownVersion, ...]


class UtilityRule(NamedTuple):
    """All versions of a property's rule for a utility type, even if it was deleted."""

    utility_type: str
    versions: tuple[ShownVersion, ...]


def of_property(tx: Tx, caller: Caller, property_id: str, *, month: str | None = None) -> list[ShownRule]:
    """List a property's share rules in order of creation.

    Each is shown in its newest version or, if a month is given, in the version that applies then. Raises `NotFound`
    if there is no such property.
    """
    property_row = access.property_(tx, caller, property_id)
    return _shown_many(tx, caller, share_rules.of_properties(tx, caller.account_id, [property_row.id]), month)


def listed(tx: Tx, caller: Caller, filters: Mapping[str, str], window: Window) -> Listed[ShownRule]:
    """List a window of the account's share rules in order of creation."""

    def page() -> tuple[list[ShownRule], int]:
        rows, total = share_rules.page(tx, caller.account_id, filters, limit=window.limit, offset=window.offset)
        return _shown_many(tx, caller, rows), total

    def found(ids: list[str]) -> list[ShownRule]:
        return _shown_many(tx, caller, share_rules.find_many(tx, caller.account_id, ids))

    return walks.listed(
        tx, caller, share_rules.RULES, filters, window, page=page, found=found, id_of=lambda rule: rule.row.id
    )


def create(
    tx: Tx, caller: Caller, property_id: str, utility_type: str, terms: Terms, *, since: str | None = None
) -> ShownRule:
    """Create a property's rule for a utility type, replacing any earlier rule.

    The rule gets a new id. It applies from the billing month `since` on, or else from the month that
    `undated_changes.begins` gives; later versions stay. If there is neither month, the newest version is replaced.
    Raises `InvalidRequest`, for instance if the month is before the property's `billingStartsMonth`.
    """
    _refuse_without_weights(terms.split_method, terms.split_method_id, terms.custom_weights_json)
    locked = access.property_to_change(tx, caller, property_id)
    _refuse_out_of_reach(locked, since)
    since = since or undated_changes.begins(tx, caller, [locked.id]).get(locked.id)
    existing = share_rules.of_properties(tx, caller.account_id, [locked.id])
    replaced = next((row for row in existing if row.utility_type == utility_type), None)
    history = _history(tx, locked, replaced, utility_type)
    begins = since or history.newest
    blank = share_rules.equal(tx, caller.account_id, locked.id, utility_type)._replace(is_active=terms.is_active)
    labelled = units.of_properties(tx, caller.account_id, [locked.id])
    row = _with_terms(tx, blank, terms, labelled)._replace(effective_from=begins or None)
    before = None if replaced is None else at_version(replaced, in_force(history.versions, begins))
    versions = {**history.versions, begins: as_version(row)}
    versions.setdefault(ALWAYS, as_version(row._replace(is_active=False, effective_from=None)))
    if replaced is not None:
        share_rules.remove(tx, caller.account_id, replaced.id)
        event_outbox.note_gone(tx, caller.account_id, "share_rule.deleted", replaced.id, locked.id)
    after = rule_history.save(tx, Saving(locked, row, history, versions, is_new=True))
    audit.record(tx, caller, Verb.CREATE_SHARE_RULE, row.id, before=before, after=row)
    recalculation.recalculate(tx, caller, [locked])
    return _shown(after, after.row or row, _labels(labelled))


def change(
    tx: Tx, caller: Caller, rule_id: str, changes: dict[str, Any], *, seen: str | None = None, since: str | None = None
) -> ShownRule:
    """Change some of a rule's terms; `changes` has the field names of `Terms`.

    A new split method without the id of a blend replaces any blend. `seen` is the time of the rule's latest change
    that the user saw (`access.require_seen`). The change applies from the billing month `since` on, or else from the
    month that `undated_changes.begins` gives. Omitted terms are taken from the version that applies then, and later
    versions stay. If there is neither month, the newest version is changed. Raises everything that `create` raises.
    """
    text = changes.get("custom_weights_json")
    if text is not None and (problems := problems_of_text(text)):
        raise InvalidRequest.because(problems)
    locked, row = access.rule_to_change(tx, caller, rule_id)
    access.require_seen(row.updated_at, seen)
    labelled = units.of_properties(tx, caller.account_id, [locked.id])
    labels = _labels(labelled)
    _refuse_out_of_reach(locked, since)
    since = since or undated_changes.begins(tx, caller, [locked.id]).get(locked.id)
    history = _history(tx, locked, row, row.utility_type)
    begins = since or history.newest
    base = at_version(row, in_force(history.versions, begins))
    if "split_method" in changes and "split_method_id" not in changes:
        changes = changes | {"split_method_id": None}
    terms = _terms_of(base, labels)._replace(**changes)
    divides_anew = changes.keys() & _DIVIDING
    changed = _with_terms(tx, base, terms, labelled) if divides_anew else _with_numbers(base, terms)
    after = changed._replace(effective_from=begins or None)
    if after == base:
        return _shown(history, row, labels)
    version = as_version(after)
    if "split_method_id" not in changes:  # the blend as it was in this version, even if it changed since
        version = version._replace(components=history.versions[base.effective_from or ALWAYS].components)
    saved = rule_history.save(tx, Saving(locked, row, history, {**history.versions, begins: version}))
    audit.record(tx, caller, Verb.CHANGE_SHARE_RULE, row.id, before=base, after=after._replace(updated_at=tx.now))
    recalculation.recalculate(tx, caller, [locked])
    return _shown(saved, saved.row or row, labels)


def replace(tx: Tx, caller: Caller, rule_id: str, values: dict[str, Any], *, since: str | None = None) -> ShownRule:
    """Replace a rule's method, activity and weights together; omitted ones get defaults.

    The owner's percentage and the assumed occupants stay unless they are given. `since` is as in `change`.
    """
    values = {"split_method_id": None, "is_active": True, "custom_weights_json": None} | values
    _refuse_without_weights(values["split_method"], values["split_method_id"], values["custom_weights_json"])
    return change(tx, caller, rule_id, values, since=since)


def _refuse_without_weights(split_method: str, split_method_id: str | None, weights: str | None) -> None:
    """Raise `InvalidRequest` for mistakes in weights that the request alone reveals, before any query."""
    blended = split_method_id is not None
    problems = problems_of_rule(split_method, None, blended=blended) if weights is None else problems_of_text(weights)
    if problems:
        raise InvalidRequest.because(problems)


def set_terms(
    tx: Tx,
    caller: Caller,
    property_id: str,
    utility_type: str,
    terms: Terms,
    *,
    seen: str | None = None,
    since: str | None = None,
) -> ShownRule:
    """Change a property's rule for a utility type to these terms, or create the rule.

    `seen` is the time of the rule's latest change that the user saw, or empty if there was no rule. `since` is as in
    `change`. If `terms` already apply in that month, nothing is changed.
    """
    access.property_to_change(tx, caller, property_id)
    rule, versions = of_type(tx, caller, property_id, utility_type)
    access.require_seen(rule.row.updated_at if rule else "", seen)
    if rule is None:
        return create(tx, caller, property_id, utility_type, terms, since=since)
    begins = since or undated_changes.begins(tx, caller, [property_id]).get(property_id)
    if terms == version_in(versions, begins).terms:
        return rule
    return change(tx, caller, rule.row.id, terms._asdict(), since=since)


def remove(tx: Tx, caller: Caller, rule_id: str) -> None:
    """Delete a rule; the owner bears its utility type's lines until there is another rule.

    This affects only the months in which the rule's newest version would apply, and none before the month that
    `undated_changes.begins` gives, if any.
    """
    locked, row = access.rule_to_change(tx, caller, rule_id)
    history = _history(tx, locked, row, row.utility_type)
    begins = max(history.newest, undated_changes.begins(tx, caller, [locked.id]).get(locked.id, ALWAYS))
    ended = history.versions[history.newest]._replace(is_active=False, effective_from=begins)
    share_rules.remove(tx, caller.account_id, row.id)
    rule_history.save_former(tx, [(history, row, {**history.versions, begins: ended})])
    audit.record(tx, caller, Verb.DELETE_SHARE_RULE, row.id, before=row)
    recalculation.recalculate(tx, caller, [locked])


def find(tx: Tx, caller: Caller, rule_id: str, *, month: str | None = None) -> ShownRule:
    """Find a rule in its newest version, or as it applies in a month.

    Raises `NotFound` if there is no such rule.
    """
    row = access.rule(tx, caller, rule_id)
    labels = _labels(units.of_properties(tx, caller.account_id, [row.property_id]))
    former = share_rules.former_of_properties(tx, caller.account_id, [row.property_id])
    return _shown(history_of(row, former, row.utility_type), row, labels, month)


def of_type(
    tx: Tx, caller: Caller, property_id: str, utility_type: str
) -> tuple[ShownRule | None, tuple[ShownVersion, ...]]:
    """Find a property's rule for a utility type; also return its versions, earliest first.

    The rule is None if it was deleted or never existed; a deleted rule still has versions. Raises `NotFound` if there
    is no such property.
    """
    property_row = access.property_(tx, caller, property_id)
    rows = share_rules.of_properties(tx, caller.account_id, [property_row.id])
    row = next((rule for rule in rows if rule.utility_type == utility_type), None)
    history = _history(tx, property_row, row, utility_type)
    labels = _labels(units.of_properties(tx, caller.account_id, [property_row.id]))
    return None if row is None else _shown(history, row, labels), _shown_versions(history, labels)


def by_utility(tx: Tx, caller: Caller, property_id: str) -> list[UtilityRule]:
    """List a property's utility types that have or had a rule, each with its versions.

    Raises `NotFound` if there is no such property.
    """
    property_row = access.property_(tx, caller, property_id)
    rows = {row.utility_type: row for row in share_rules.of_properties(tx, caller.account_id, [property_row.id])}
    former = share_rules.former_of_properties(tx, caller.account_id, [property_row.id])
    labels = _labels(units.of_properties(tx, caller.account_id, [property_row.id]))
    return [
        UtilityRule(kind, _shown_versions(history_of(rows.get(kind), former, kind), labels))
        for kind in sorted({*rows, *(version.utility_type for version in former)})
    ]


def version_in(versions: Iterable[ShownVersion], month: str | None) -> ShownVersion:
    """Return a rule's version that applies in a billing month; None means the newest."""
    version = in_force({version.effective_from or ALWAYS: version for version in versions}, month or NEVER)
    assert version is not None, "the first version is from always"
    return version


def weights_of(terms: Terms, labelled: Iterable[UnitRow]) -> dict[str, Decimal]:
    """Map unit ids to the weights in a rule's terms."""
    weights, _ = read_weights(terms.custom_weights_json or "{}", {unit.label_key: unit.id for unit in labelled})
    return {unit: Decimal(weight) for unit, weight in weights.items()}


def _refuse_out_of_reach(locked: PropertyRow, since: str | None) -> None:
    """Raise `InvalidRequest` for a first month that is history or not a supported month.

    See docs/decisions.md#dated-rules.
    """
    if since is None:
        return
    first, problems = locked.billing_starts_month or ALWAYS, problems_of_month("effectiveFrom", since)
    if not problems and since < first:
        message = f"effectiveFrom must not be before {first}, the first month that this property bills."
        problems = [Problem("effectiveFrom", message)]
    if problems:
        raise InvalidRequest.because(problems)


def _with_terms(tx: Tx, row: RuleRow, terms: Terms, labelled: Iterable[UnitRow]) -> RuleRow:
    """Return a rule's row with these `terms`. Raises `InvalidRequest` with every problem at once."""
    own = terms.split_method_id is None or _is_own_method(tx, row.account_id, terms.split_method_id)
    weights, problems = checked(terms, labelled, knows_method=own)
    if problems:
        raise InvalidRequest.because(problems)
    return _with_numbers(row, terms)._replace(
        split_method=CUSTOM if terms.split_method_id is not None else terms.split_method,
        split_method_id=terms.split_method_id,
        weights=None if weights is None else json.dumps(weights),
    )


def checked(
    terms: Terms, labelled: Iterable[UnitRow], *, knows_method: bool
) -> tuple[dict[str, str] | None, list[Problem]]:
    """Check a rule's terms; return their weights by unit id, and every problem.

    `knows_method` is set if the terms name none of the account's blends, or one that exists.
    """
    problems: list[Problem] = []
    weights: dict[str, str] | None = None
    if terms.custom_weights_json is not None:
        ids = {unit.label_key: unit.id for unit in labelled}
        weights, problems = read_weights(terms.custom_weights_json, ids)
    if terms.split_method not in METHODS:
        problems.append(Problem("splitMethod", f"splitMethod must be one of {', '.join(METHODS)}."))
    if not knows_method:
        problems.append(
            Problem("splitMethodId", "splitMethodId must be the id of one of your own split methods; "
                    "a built-in method is named by splitMethod alone.")
        )  # fmt: skip
    if not problems:
        blended, times = terms.split_method_id is not None, times_of(labelled)
        problems = problems_of_rule(terms.split_method, weights, blended=blended, times=times)
    return weights, problems


def _with_numbers(row: RuleRow, terms: Terms) -> RuleRow:
    """Set a rule's activity, owner's percentage and assumed occupants, which never conflict."""
    return row._replace(
        is_active=terms.is_active,
        owner_percent=decimal_text(terms.owner_percent) or "0",
        vacant_occupants=decimal_text(terms.vacant_occupants) or "0",
    )


def _is_own_method(tx: Tx, account_id: str, method_id: str) -> bool:
    return is_id(method_id, "split") and share_rules.lock_method(tx, account_id, method_id) is not None


def _history(tx: Tx, of: PropertyRow, row: RuleRow | None, utility_type: str) -> History:
    return history_of(row, share_rules.former_of_properties(tx, of.account_id, [of.id]), utility_type)


def _labels(labelled: Iterable[UnitRow]) -> dict[str, str]:
    return {unit.id: unit.label for unit in labelled}


def _shown(history: History, row: RuleRow, labels: Mapping[str, str], month: str | None = None) -> ShownRule:
    if month is not None:
        row = at_version(row, in_force(history.versions, month))
    return ShownRule(row, _terms_of(row, labels), _shown_versions(history, labels))


def _shown_many(tx: Tx, caller: Caller, rows: Sequence[RuleRow], month: str | None = None) -> list[ShownRule]:
    """Convert rules of several properties for display, in the order of `rows`."""
    former = share_rules.former_of_properties(tx, caller.account_id, sorted({row.property_id for row in rows}))
    every: list[RuleRow | VersionRow] = [*rows, *former]
    weighted = sorted({rule_row.property_id for rule_row in every if rule_row.weights})
    labels = _labels(units.of_properties(tx, caller.account_id, weighted)) if weighted else {}
    its = grouped((version.property_id, version) for version in former)
    return [_shown(history_of(row, its[row.property_id], row.utility_type), row, labels, month) for row in rows]


def _shown_versions(history: History, labels: Mapping[str, str]) -> tuple[ShownVersion, ...]:
    return tuple(
        ShownVersion(since or None, _terms_of(version, labels), version.components)
        for since, version in sorted(history.versions.items())
    )


def _terms_of(row: RuleRow | VersionRow, labels: Mapping[str, str]) -> Terms:
    return Terms(
        row.split_method,
        row.split_method_id,
        row.is_active,
        None if row.weights is None else write_weights(json.loads(row.weights), labels),
        Decimal(row.owner_percent),
        Decimal(row.vacant_occupants),
    )
