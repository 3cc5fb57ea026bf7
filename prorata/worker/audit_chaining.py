"""A worker's step that adds new events to the audit log's chain of hashes.

Any number of workers may take this step: each continues the chain where the last one stopped.
"""

import secrets
import threading
import time
from functools import partial

from prorata.actions.audit import chaining as audit_chains
from prorata.store.database.engine import Database, Tx

SECONDS_AT_ONCE = 1.0
"""The maximum number of seconds for which jobs wait for this step.

Events that remain are added in the next round.
"""


def chain(database: Database, stop: threading.Event, seconds: float = SECONDS_AT_ONCE) -> bool:
    """Add the new events of every account to its chain, for at most `seconds`.

    Return True if all events were added, and False if the time ran out or `stop` was set first.
    """
    deadline = time.monotonic() + seconds
    while accounts := database.read(audit_chains.behind):
        for account_id in accounts:
            after: str | None = ""
            while after is not None:
                if stop.is_set() or time.monotonic() > deadline:
                    return False
                after = database.write(partial(_go_on, account_id=account_id, after=after))
    return True


def _go_on(tx: Tx, account_id: str, after: str) -> str | None:
    return audit_chains.go_on(tx, account_id, secrets.token_bytes, after)
