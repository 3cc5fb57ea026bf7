"""The stored versions of a share rule.

The newest version is in the rule's row; the earlier ones are stored separately.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.actions.limits import MOST_RULE_VERSIONS
from prorata.domain.problems import shown
from prorata.domain.splitting.rule_versions import ALWAYS
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import RuleRow, VersionRow


class History(NamedTuple):
    """The versions of a property's rule for a utility type, by first month.

    `row` contains the newest version; it is None if the rule was deleted or never existed.
    """

    row: RuleRow | None
    versions: Mapping[str, VersionRow]

    @property
    def newest(self) -> str:
        """The month from which the newest version applies."""
        return max(self.versions, default=ALWAYS)


def history_of(row: RuleRow | None, former: Sequence[VersionRow], utility_type: str) -> History:
    """Build a rule's history from its row and the property's earlier versions of all rules."""
    versions = {version.effective_from: version for version in former if version.utility_type == utility_type}
    if row is not None:
        versions[row.effective_from or ALWAYS] = as_version(row)
    return History(row, versions)


def as_version(row: RuleRow) -> VersionRow:
    """Convert a rule's row, which contains the newest version, to a `VersionRow`."""
    return VersionRow(
        row.account_id, row.property_id, row.utility_type, row.effective_from or ALWAYS, row.split_method,
        row.split_method_id, None, row.is_active, row.weights, row.owner_percent, row.vacant_occupants,
    )  # fmt: skip


def at_version(row: RuleRow, version: VersionRow | None) -> RuleRow:
    """Return a rule's row with the terms of one of its versions."""
    assert version is not None, "the first version is from always"
    return row._replace(
        effective_from=version.effective_from or None,
        split_method=version.split_method,
        split_method_id=version.split_method_id,
        is_active=version.is_active,
        weights=version.weights,
        owner_percent=version.owner_percent,
        vacant_occupants=version.vacant_occupants,
    )


class Saving(NamedTuple):
    """A rule of a locked property, to be saved with these `versions`.

    `row` is the rule's current row, or a new one if `is_new`.
    """

    house: PropertyRow
    row: RuleRow
    history: History
    versions: Mapping[str, VersionRow]
    is_new: bool = False

    @property
    def former(self) -> Mapping[str, VersionRow]:
        """All versions except the newest."""
        return {month: version for month, version in self.versions.items() if month != max(self.versions)}


def save(tx: Tx, saving: Saving) -> History:
    """Save a rule with all of its versions.

    Raises `Conflict` if there are too many versions.
    """
    (history,) = save_many(tx, [saving])
    return history


def save_many(tx: Tx, savings: Sequence[Saving]) -> list[History]:
    """Save rules with all of their versions, the newest version in the rule's row.

    Raises `Conflict` if a rule has too many versions.
    """
    for saving in savings:
        if len(saving.versions) > MOST_RULE_VERSIONS:
            message = say(
                "A rule of “{name}” already has {most} versions, which is the maximum.",
                name=shown(saving.house.name),
                most=MOST_RULE_VERSIONS,
            )
            raise Conflict(message)
    newest = [(saving, saving.versions[max(saving.versions)]) for saving in savings]
    rows = [at_version(saving.row, version)._replace(updated_at=tx.now) for saving, version in newest]
    pairs = list(zip(savings, rows, strict=True))
    share_rules.add_many(tx, [row for saving, row in pairs if saving.is_new])
    share_rules.save_many(tx, [row for saving, row in pairs if not saving.is_new])
    save_former(tx, [(saving.history, saving.row, saving.former) for saving in savings])
    return [History(row, saving.versions) for saving, row in pairs]


def save_former(tx: Tx, rules: Sequence[tuple[History, RuleRow, Mapping[str, VersionRow]]]) -> None:
    """Save the earlier versions of rules, with the components that their blends have now."""
    changed = [(row, former) for history, row, former in rules if former != _former_of(history)]
    if not changed:
        return
    versions = [version for _, former in changed for _, version in sorted(former.items())]
    is_blended = any(version.split_method_id and version.components is None for version in versions)
    account_id = changed[0][0].account_id
    blends = {method.id: method.components for method in share_rules.methods(tx, account_id)} if is_blended else {}
    of = [(row.property_id, row.utility_type) for row, _ in changed]
    share_rules.set_former(tx, account_id, of, [_with_components(version, blends) for version in versions])


def _former_of(history: History) -> Mapping[str, VersionRow]:
    newest = history.newest if history.row else None
    return {month: version for month, version in history.versions.items() if month != newest}


def _with_components(version: VersionRow, blends: Mapping[str, str]) -> VersionRow:
    if version.split_method_id is None or version.components is not None:
        return version
    return version._replace(components=blends[version.split_method_id])


def begin_anew(tx: Tx, properties: Sequence[PropertyRow], method_id: str, begins: Mapping[str, str]) -> None:
    """Start a new version of each rule whose blend is about to get other components.

    Earlier months keep the former components. `begins` maps properties to the first month of the new version. The
    rules of a property that is not in it get no new version, so the change applies to their newest version at once.
    """
    locked = {row.id: row for row in properties if row.id in begins}
    if not locked:
        return
    account_id = properties[0].account_id
    former = share_rules.former_of_properties(tx, account_id, sorted(locked))
    savings = []
    for row in share_rules.of_properties(tx, account_id, sorted(locked)):
        if row.split_method_id != method_id or (row.effective_from or ALWAYS) >= begins[row.property_id]:
            continue
        its = [version_row for version_row in former if version_row.property_id == row.property_id]
        history, since = history_of(row, its, row.utility_type), begins[row.property_id]
        version = as_version(row)._replace(effective_from=since)
        savings.append(Saving(locked[row.property_id], row, history, {**history.versions, since: version}))
    save_many(tx, savings)
