"""Names of an account's former members."""

import json
from collections.abc import Collection

from prorata.domain.audit.actor_names import former
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.overview import activity
from prorata.store.overview.activity import GoneRow


def names(row: GoneRow) -> list[str]:
    """List a former member's name, if known, and address."""
    was = json.loads(row.before)
    return [name for name in (was["name"], was["email"]) if name]


def called(tx: Tx, caller: Caller, ids: Collection[str]) -> dict[str, str]:
    """Map the ids of former members to their names.

    An empty collection of ids runs no SQL statement.
    """
    return {row.record_id: former(names(row)[0]) for row in activity.gone_members(tx, caller.account_id, sorted(ids))}
