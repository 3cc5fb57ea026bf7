"""The clock: what happens by itself. Due dates pass, stored answers and old exports are let go (decisions section 6).

Each step is idempotent and in a transaction of its own, so that any number of processes may do it and any of them may
end at any moment. When the database is gone it says so and goes on: the next round makes up for what was missed.
"""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

import structlog

from prorata.actions import accounts as account_actions
from prorata.actions.invoices import mark_overdue
from prorata.errors import Unavailable
from prorata.store import accounts, idempotency, invoices
from prorata.store.accounts import AccountRow
from prorata.store.engine import Database, Tx, timestamp

SECONDS_BETWEEN_ROUNDS = 30.0
ANSWERS_KEPT = timedelta(hours=24)
"""How long the answer to an Idempotency-Key is stored (decisions section 2)."""
TIDIED_EVERY = timedelta(hours=1)

_log = structlog.stdlib.get_logger("prorata.worker")


class Worker:
    """Does the recurring work until it is told to stop. `drop_old_exports` removes those that were kept long enough."""

    def __init__(self, database: Database, drop_old_exports: Callable[[], int]) -> None:
        self._database = database
        self._drop_old_exports = drop_old_exports
        self._tidied: datetime | None = None

    def run(self, stop: threading.Event, seconds_between: float = SECONDS_BETWEEN_ROUNDS) -> None:
        """Do a round at once and then every `seconds_between`, until `stop` is set; the step under way is finished."""
        _log.info("worker started")
        while not stop.is_set():
            self.do_round(stop)
            stop.wait(seconds_between)
        _log.info("worker stopped")

    def do_round(self, stop: threading.Event) -> None:
        """Do for every account what is due now. What fails for one account keeps no other waiting."""
        now = self._database.clock()
        tidy = self._tidied is None or now - self._tidied >= TIDIED_EVERY
        everyone: list[AccountRow] = []
        went_well = self._survive("list accounts", lambda: everyone.extend(self._database.read(accounts.everyone)))
        for account in everyone:
            if stop.is_set():
                return
            went_well &= self._survive("mark overdue", partial(self._mark_overdue, account), account.id)
            if tidy:
                went_well &= self._survive("forget answers", partial(self._forget_answers, account, now), account.id)
        if tidy:
            went_well &= self._survive("drop old exports", self._drop_old_exports)
        if tidy and went_well:
            self._tidied = now

    def _mark_overdue(self, account: AccountRow) -> None:
        """Make the account's invoices OVERDUE that are past due, some at a time; nothing is locked when none is."""
        if not self._database.read(partial(_is_any_past_due, account=account)):
            return
        total = 0
        while number := self._database.write(lambda tx: mark_overdue(tx, account)):
            total += number
        _log.info("invoices are overdue", account=account.id, number=total)

    def _forget_answers(self, account: AccountRow, now: datetime) -> None:
        before = timestamp(now - ANSWERS_KEPT)
        self._database.write(lambda tx: idempotency.forget(tx, account.id, before))

    def _survive(self, step: str, work: Callable[[], object], account_id: str | None = None) -> bool:
        """Do a step; what goes wrong is logged, and the next round tries again."""
        try:
            work()
        except Unavailable as gone:
            _log.warning("database or disk does not answer", step=step, account=account_id, why=gone.message)
        except Exception:  # noqa: BLE001 - logged with its trace; a bug in one step keeps no other from being done
            _log.exception("a step of the worker failed", step=step, account=account_id)
        else:
            return True
        return False


def _is_any_past_due(tx: Tx, account: AccountRow) -> bool:
    today = account_actions.today_in(account, tx).isoformat()
    return bool(invoices.past_due(tx, account.id, today=today, limit=1))
