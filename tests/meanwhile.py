"""The outcome of a change that begins during another person's change."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from prorata.store.database.engine import Database, Tx

Result = TypeVar("Result")


def while_somebody_else_writes(
    database: Database, theirs: Callable[[Tx], None], mine: Callable[[Tx], Result]
) -> Result:
    """Return the result of `mine`, which begins during another person's write.

    The other write holds the records that both of them change.
    """
    has_written, is_asked = threading.Event(), threading.Event()

    def write(tx: Tx) -> None:
        theirs(tx)
        has_written.set()
        is_asked.wait(0.5)  # on SQLite mine does not begin before this ends
        time.sleep(0.3)  # until mine waits for what is held

    def ask(tx: Tx) -> Result:
        is_asked.set()
        return mine(tx)

    with ThreadPoolExecutor(1) as thread:
        other = thread.submit(database.write, write)
        has_written.wait(10)
        try:
            return database.write(ask)
        finally:
            other.result()
