"""Open months that a new way to divide makes come out otherwise: an upgrade asks for them to be computed anew, once."""

from collections import defaultdict

from prorata.actions.recalculation import recalculation
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.store.properties import properties
from prorata.store.recalculation import billing_months

_PROPERTIES_AT_ONCE = 100
_ACTOR = "upgrade"


def compute_due_months(database: Database) -> int:
    """Compute the open months that an upgrade asks for, a hundred properties in a transaction, and return the number of
    properties. What a killed process left undone is done by the next call.
    """
    done = 0
    while database.read(_is_due):
        done += database.write(_compute_some)
    return done


def _is_due(tx: Tx) -> bool:
    return bool(billing_months.due(tx, 1))


def _compute_some(tx: Tx) -> int:
    due = billing_months.due(tx, _PROPERTIES_AT_ONCE)
    by_account: dict[str, list[str]] = defaultdict(list)
    for account_id, property_id in due:
        by_account[account_id].append(property_id)
    for account_id, ids in by_account.items():
        recalculation.recalculate(tx, Caller(account_id, _ACTOR), properties.lock_many(tx, account_id, ids))
    return len(due)
