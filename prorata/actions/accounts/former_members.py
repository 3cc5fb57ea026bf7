"""Names of an account's former members, read from the audit log."""

import json
from collections.abc import Collection

from prorata.domain.audit.actor_names import former
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.overview import activity
from prorata.store.overview.activity import GoneRow


def names(row: GoneRow) -> list[str]:
    """Return a former member's name, if it is known, followed by the e-mail address."""
    was = json.loads(row.before)
    return [name for name in (was["name"], was["email"]) if name]


def called(tx: Tx, caller: Caller, ids: Collection[str]) -> dict[str, str]:
    """Map the ids of former members to their names, or e-mail addresses if unnamed.

    If there are no ids, no SQL statement is run.
    """
    return {row.record_id: former(names(row)[0]) for row in activity.gone_members(tx, caller.account_id, sorted(ids))}
