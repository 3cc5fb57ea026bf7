"""The import of share rules of many properties from a file, in one transaction.

If any row is bad, nothing is written.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Literal, NamedTuple

from prorata.actions.accounts import file_columns
from prorata.actions.limits import MOST_OCCUPANTS
from prorata.actions.properties import properties as property_actions
from prorata.actions.properties.units import decimal_text
from prorata.actions.recalculation import recalculation
from prorata.actions.recalculation.month_loader import as_blend
from prorata.actions.splitting import split_methods, undated_changes
from prorata.actions.splitting.rule_history import Saving, as_version, at_version, history_of, save_many
from prorata.actions.splitting.share_rules import ShownVersion, Terms
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, months_back
from prorata.domain.files.column_mappings import ColumnMapping, remembered_by
from prorata.domain.files.sheets import RowProblem, Sheet, without
from prorata.domain.groups import grouped
from prorata.domain.labels import same
from prorata.domain.money import quantity
from prorata.domain.problems import problems_of_month
from prorata.domain.splitting.rule_files import (
    OF_RULES,
    FileRule,
    OwnMethods,
    ReadRules,
    RuleTable,
    read_rules,
    understood,
)
from prorata.domain.splitting.rule_versions import ALWAYS, in_force
from prorata.domain.splitting.share_rules import Component
from prorata.domain.splitting.split_methods import BLENDABLE, SPLIT_METHODS, WEIGHTED
from prorata.domain.texts import say
from prorata.errors import DiffersMeanwhile, InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import RuleRow, VersionRow

Effect = Literal["NEW", "CHANGED", "SAME"]


class RuleEffect(NamedTuple):
    """The effect of one row of the file on a property's share rule.

    `before` is the version that the row replaces or follows, None if there is no rule, and `after` is the version
    that the row sets. `following` is the first later version that has other terms; None if `after` stays in force.
    """

    line: int
    property_name: str
    utility_type: str
    effect: Effect
    before: ShownVersion | None
    after: ShownVersion
    following: ShownVersion | None

    @property
    def until(self) -> Month | None:
        """The last month of `after`; None if no other version follows."""
        begins = self.following and self.following.effective_from
        return months_back(Month(begins), 1) if begins else None


class LookedAt(NamedTuple):
    """The preview of an import of rules: the rules, their effects, and every problem.

    If there is any problem, nothing is imported.
    """

    rules: tuple[FileRule, ...]
    effects: tuple[RuleEffect, ...]
    problems: tuple[RowProblem, ...]

    @property
    def new_blends(self) -> list[NewBlend]:
        """The blends that the import adds, each named as in the file."""
        return [
            NewBlend(
                name or "", [(method, Decimal(quantity(percent))) for method, percent in sorted(parts, key=_place)]
            )
            for name, parts in dict.fromkeys((rule.own_method, rule.new_parts) for rule in self.rules if rule.new_parts)
        ]

    @property
    def mark(self) -> str:
        """The fingerprint of the rules that the import would replace, with what follows."""
        replaced = [(*one[1:3], one.before, one.following) for one in self.effects if one.before]
        return sha256(repr(replaced).encode("utf-8", "surrogatepass")).hexdigest()

    def number(self, effect: Effect) -> int:
        """Count the rules of the file that have this effect: new, same or changed."""
        return sum(one.effect == effect for one in self.effects)

    @property
    def lasting(self) -> int:
        """Count the rules that are already as in the file and have no following version."""
        return sum(one.effect == "SAME" and not one.following for one in self.effects)

    @property
    def ending(self) -> list[RuleEffect]:
        """The rules of the file that a later version ends."""
        return [one for one in self.effects if one.following]


def _place(part: Component) -> int:
    return BLENDABLE.index(part.split_method)


class _Planned(NamedTuple):
    """A rule in the file, with its stored row before and after the import.

    `before` is None if there is no such rule yet. `following` is the first later version that has other terms.
    """

    rule: FileRule
    saving: Saving
    before: RuleRow | None
    after: RuleRow
    following: VersionRow | None

    @property
    def effect(self) -> Effect:
        """The effect of the import on the rule: new, same or changed."""
        return "NEW" if self.before is None else "SAME" if self.after == self.before else "CHANGED"

    @property
    def shown(self) -> RuleEffect:
        """The rule before and after the import, for display."""
        name, before, following = self.saving.house.name, self.before, self.following
        later = _shown(at_version(self.after, following), following.components) if following else None
        versions = _shown(before) if before else None, _shown(self.after), later
        return RuleEffect(self.rule.line, name, self.rule.utility_type, self.effect, *versions)

    @property
    def problem(self) -> RowProblem | None:
        """The problem if the rule needs unit weights but none are stored; otherwise None."""
        row, before = self.after, self.before
        if row.split_method not in WEIGHTED or row.split_method_id:
            return None
        if before and row.weights and (before.split_method, before.split_method_id) == (row.split_method, None):
            return None
        name = SPLIT_METHODS[row.split_method].name
        message = say("“{name}” needs a number for each unit. Enter this rule on the property’s page.", name=name)
        return RowProblem(self.rule.line, None, message)


def read_as(tx: Tx, caller: Caller, sheet: Sheet, mapping: ColumnMapping | None) -> RuleTable:
    """Parse a table of rules with a column mapping.

    If no mapping is given, the one stored for a file with the same columns is used.
    """
    if mapping is None:
        sheet, mapping = file_columns.recall(tx, caller, sheet, OF_RULES)
    return understood(sheet, mapping)


def remember(tx: Tx, caller: Caller, sheet: Sheet, mapping: ColumnMapping) -> None:
    """Store a rules file's column mapping for later files with the same columns."""
    file_columns.remember(tx, caller, remembered_by(sheet, mapping, OF_RULES, ()), sheet.header, mapping)


def look(tx: Tx, caller: Caller, table: RuleTable, since: str | None = None) -> LookedAt:
    """Preview the import of a table of rules whose columns are all understood.

    `since` is the month from which the rules apply, as in `import_rules`. Nothing is written or locked. Raises
    `InvalidRequest` if the month is not supported.
    """
    if problems := problems_of_month("effectiveFrom", since):
        raise InvalidRequest.because(problems)
    read = _read(tx, caller, table)
    rows = properties.find_many(tx, caller.account_id, sorted({rule.property_id for rule in read.rules}))
    return _looked_at(read, _plan(tx, caller, rows, read.rules, since))


def good_rows(table: RuleTable, looked: LookedAt) -> tuple[RuleTable, tuple[int, ...]]:
    """Return a table without its bad rows, and the lines of these rows."""
    lines = sorted({problem.line for problem in looked.problems})
    return table._replace(sheet=without(table.sheet, lines)), tuple(lines)


def import_rules(tx: Tx, caller: Caller, table: RuleTable, since: str | None = None, *, seen: str) -> LookedAt:
    """Store the rules of a table, replacing existing rules.

    If there is any problem, nothing is written. Blends that don't exist yet are added. Each rule applies from the month
    `since` on. If `since` is None, it applies from the month after the property's last closed one; if no month is
    closed there, the rule's newest version is replaced. An owner's percentage or number of assumed occupants that the
    file omits stays unchanged. `seen` is the `LookedAt.mark` of the preview that a person saw. Open months are
    recalculated once. Raises `DiffersMeanwhile` if rules have changed since, `InvalidRequest` if the month is not
    supported, and `Conflict` if a rule has too many versions, or the account too many blends.
    """
    if problems := problems_of_month("effectiveFrom", since):
        raise InvalidRequest.because(problems)
    to_lock = _read(tx, caller, table).rules
    locked = properties.lock_many(tx, caller.account_id, sorted({rule.property_id for rule in to_lock}))
    used = {rule.own_method for rule in to_lock if rule.own_method and not rule.new_parts}
    share_rules.lock_methods(tx, caller.account_id, sorted(used))
    planned, looked = _plan_locked(tx, caller, table, locked, since)
    if looked.problems:
        return looked
    if looked.mark != seen:
        raise DiffersMeanwhile
    if looked.new_blends:
        split_methods.create_many(tx, caller, looked.new_blends)
        planned, looked = _plan_locked(tx, caller, table, locked, since)
    new, changed = ([one for one in planned if one.effect == effect] for effect in ("NEW", "CHANGED"))
    save_many(tx, [one.saving for one in (*new, *changed)])
    audit.record_many(tx, caller, Verb.CREATE_SHARE_RULE, [(one.after.id, None, one.after) for one in new])
    records = [(one.after.id, one.before, one.after._replace(updated_at=tx.now)) for one in changed]
    audit.record_many(tx, caller, Verb.CHANGE_SHARE_RULE, records)
    if new or changed:
        recalculation.recalculate(tx, caller, locked)
    return looked


def _plan_locked(
    tx: Tx, caller: Caller, table: RuleTable, locked: Sequence[PropertyRow], since: str | None
) -> tuple[list[_Planned], LookedAt]:
    """Compute the import of a table to locked properties.

    Raises `DiffersMeanwhile` if the table names another property, because one has just been renamed.
    """
    read = _read(tx, caller, table)
    if not {rule.property_id for rule in read.rules} <= {row.id for row in locked}:
        raise DiffersMeanwhile
    planned = _plan(tx, caller, locked, read.rules, since)
    return planned, _looked_at(read, planned)


def _read(tx: Tx, caller: Caller, table: RuleTable) -> ReadRules:
    methods = share_rules.methods(tx, caller.account_id)
    by_name = {method.name_key: method.id for method in methods} | {same(method.id): method.id for method in methods}
    by_parts = {frozenset(as_blend(method.components)): method.id for method in reversed(methods)}
    own = OwnMethods(by_name, by_parts)
    return read_rules(table, property_actions.that_rows_name(tx, caller), own, MOST_OCCUPANTS)


def _looked_at(read: ReadRules, planned: Sequence[_Planned]) -> LookedAt:
    further = [problem for one in planned if (problem := one.problem)]
    problems = sorted((*read.problems, *further), key=lambda problem: problem.line)
    return LookedAt(read.rules, tuple(one.shown for one in planned), tuple(problems))


def _plan(
    tx: Tx, caller: Caller, rows: Sequence[PropertyRow], rules: Sequence[FileRule], month: str | None
) -> list[_Planned]:
    """Compute each rule's rows before and after the import of a file."""
    houses, ids = {row.id: row for row in rows}, [row.id for row in rows]
    stored = {(row.property_id, row.utility_type): row for row in share_rules.of_properties(tx, caller.account_id, ids)}
    former = grouped((row.property_id, row) for row in share_rules.former_of_properties(tx, caller.account_id, ids))
    blends = {method.id: as_blend(method.components) for method in share_rules.methods(tx, caller.account_id)}
    begins = dict.fromkeys(ids, month) if month else undated_changes.after_closed(tx, caller, ids)
    planned = []
    for rule in rules:
        row = stored.get((rule.property_id, rule.utility_type))
        history = history_of(row, former[rule.property_id], rule.utility_type)
        since = begins.get(rule.property_id)
        since = max(since, houses[rule.property_id].billing_starts_month or since) if since else history.newest
        version = in_force(history.versions, since)
        before = at_version(row, version) if row else None
        parts = rule.new_parts or blends.get(rule.own_method or "", ())
        methods = [part.split_method for part in parts] or [rule.split_method]
        counts_people = any(SPLIT_METHODS[method].counts_people for method in methods)
        after = before or share_rules.equal(tx, caller.account_id, rule.property_id, rule.utility_type)
        after = _with(after, rule, counts_people=counts_people)
        if after != before:
            after = after._replace(effective_from=since or None)
        is_same_blend = before and version and before.split_method_id == after.split_method_id
        components = version.components if is_same_blend and version else None
        versions = {**history.versions, since: as_version(after)._replace(components=components)}
        versions.setdefault(ALWAYS, as_version(after._replace(is_active=False, effective_from=None)))
        saving = Saving(houses[rule.property_id], after, history, versions, is_new=row is None)
        planned.append(_Planned(rule, saving, before, after, _following(saving, since, blends)))
    return planned


def _following(saving: Saving, since: str, blends: Mapping[str, Sequence[Component]]) -> VersionRow | None:
    """Return the first version after the month `since` that has other terms."""

    def terms(version: VersionRow) -> object:
        parts = as_blend(version.components) if version.components else blends.get(version.split_method_id or "")
        return version._replace(effective_from="", components=None), parts

    later = (version for month, version in sorted(saving.versions.items()) if month > since)
    return next((version for version in later if terms(version) != terms(saving.versions[since])), None)


def _with(row: RuleRow, rule: FileRule, *, counts_people: bool) -> RuleRow:
    """Return a rule's row, activated and with the terms that the file gives.

    The number of people in a vacant unit is used only if the rule counts people.
    """
    owner = decimal_text(rule.owner_percent)
    vacant = decimal_text(rule.vacant_occupants) if counts_people else None
    return row._replace(
        split_method=rule.split_method,
        split_method_id=rule.own_method,
        is_active=True,
        owner_percent=row.owner_percent if owner is None else owner,
        vacant_occupants=row.vacant_occupants if vacant is None else vacant,
    )


def _shown(row: RuleRow, components: str | None = None) -> ShownVersion:
    owner, vacant = Decimal(row.owner_percent), Decimal(row.vacant_occupants)
    terms = Terms(row.split_method, row.split_method_id, row.is_active, None, owner, vacant)
    return ShownVersion(row.effective_from, terms, components)
