"""The one-time recalculation of open months after an upgrade that splits lines differently."""

from prorata.actions.recalculation import recalculation
from prorata.domain.audit.verbs import Verb
from prorata.domain.groups import grouped
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.store.overview import onboarding
from prorata.store.properties import properties
from prorata.store.recalculation import billing_months

_PROPERTIES_AT_ONCE = 100
_ACTOR = "upgrade"
_VERBS = [Verb.COMPUTE_BY_DAYS, Verb.READ_OF_DAYS]


def compute_due_months(database: Database) -> int:
    """Recalculate the open months after an upgrade, a hundred properties in each transaction.

    Return the number of properties. If the process is killed, the next call completes the work.
    """
    done = 0
    while database.read(_is_due):
        done += database.write(_compute_some)
    return done


def is_untold(tx: Tx, caller: Caller) -> bool:
    """True if no member has read the notice that open months are split by days."""
    return onboarding.latest_of(tx, caller.account_id, _VERBS) == Verb.COMPUTE_BY_DAYS


def note_read(tx: Tx, caller: Caller) -> None:
    """Store that a member has read the notice, so that the overview stops showing it."""
    if is_untold(tx, caller):
        audit.record(tx, caller, Verb.READ_OF_DAYS, caller.account_id)


def _is_due(tx: Tx) -> bool:
    return bool(billing_months.due(tx, 1))


def _compute_some(tx: Tx) -> int:
    due = billing_months.due(tx, _PROPERTIES_AT_ONCE)
    for account_id, ids in grouped(due).items():
        caller = Caller(account_id, _ACTOR)
        if not onboarding.latest_of(tx, account_id, _VERBS):
            audit.record(tx, caller, Verb.COMPUTE_BY_DAYS, account_id)
        recalculation.recalculate(tx, caller, properties.lock_many(tx, account_id, ids))
    return len(due)
