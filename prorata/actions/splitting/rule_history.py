"""The stored history of a share rule: the newest version's row, and the others."""

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

    It also contains the row of the newest version, None if the rule was deleted or never existed.
    """

    row: RuleRow | None
    versions: Mapping[str, VersionRow]

    @property
    def newest(self) -> str:
        """The month from which the newest version applies."""
        return max(self.versions, default=ALWAYS)


def history_of(row: RuleRow | None, former: Sequence[VersionRow], utility_type: str) -> History:
    """Build the history of a utility type's rule from the property's earlier versions."""
    versions = {version.effective_from: version for version in former if version.utility_type == utility_type}
    if row is not None:
        versions[row.effective_from or ALWAYS] = as_version(row)
    return History(row, versions)


def as_version(row: RuleRow) -> VersionRow:
    """Convert a rule's row to a version."""
    return VersionRow(
        row.account_id, row.property_id, row.utility_type, row.effective_from or ALWAYS, row.split_method,
        row.split_method_id, None, row.is_active, row.weights, row.owner_percent, row.vacant_occupants,
    )  # fmt: skip


def at_version(row: RuleRow, version: VersionRow | None) -> RuleRow:
    """Build a rule's row for one of its versions."""
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


def save(
    tx: Tx,
    locked: PropertyRow,
    row: RuleRow,
    history: History,
    versions: Mapping[str, VersionRow],
    *,
    is_new: bool = False,
) -> History:
    """Save a rule with all its versions, the newest in its row.

    Raises `Conflict` if there are too many versions.
    """
    if len(versions) > MOST_RULE_VERSIONS:
        message = say(
            "A rule of “{name}” already has {most} versions, which is the maximum.",
            name=shown(locked.name),
            most=MOST_RULE_VERSIONS,
        )
        raise Conflict(message)
    newest = max(versions)
    after = at_version(row, versions[newest])._replace(updated_at=tx.now)
    if is_new:
        share_rules.add_many(tx, [after])
    else:
        share_rules.save(tx, after)
    save_former(tx, history, row, {month: version for month, version in versions.items() if month != newest})
    return History(after, versions)


def save_former(tx: Tx, history: History, row: RuleRow, former: Mapping[str, VersionRow]) -> None:
    """Save a rule's earlier versions, with the current components of blends."""
    newest = history.newest if history.row else None
    if former == {month: version for month, version in history.versions.items() if month != newest}:
        return
    rows = [_with_components(tx, version) for _, version in sorted(former.items())]
    share_rules.set_former(tx, row.account_id, row.property_id, row.utility_type, rows)


def _with_components(tx: Tx, version: VersionRow) -> VersionRow:
    if version.split_method_id is None or version.components is not None:
        return version
    method = share_rules.find_method(tx, version.account_id, version.split_method_id)
    assert method is not None, "a blend in use is not deleted"
    return version._replace(components=method.components)


def begin_anew(tx: Tx, properties: Sequence[PropertyRow], method_id: str, begins: Mapping[str, str]) -> None:
    """Start a new version of each property's rules whose newest version uses a changing blend.

    Earlier months keep the blend's components. `begins` maps properties to the first month of the new version. A
    property that is not in it gets no new version, so the change applies to its newest version at once.
    """
    locked = {row.id: row for row in properties if row.id in begins}
    if not locked:
        return
    account_id = properties[0].account_id
    former = share_rules.former_of_properties(tx, account_id, sorted(locked))
    for row in share_rules.of_properties(tx, account_id, sorted(locked)):
        if row.split_method_id != method_id or (row.effective_from or ALWAYS) >= begins[row.property_id]:
            continue
        its = [version_row for version_row in former if version_row.property_id == row.property_id]
        history, since = history_of(row, its, row.utility_type), begins[row.property_id]
        version = as_version(row)._replace(effective_from=since)
        save(tx, locked[row.property_id], row, history, {**history.versions, since: version})
