"""The code that opens a database chooses who hears of recorded changes.

The audit log knows none of these listeners.
"""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from prorata.domain.audit.verbs import Verb
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.sqlite import SqliteDatabase
from tests.landlord import Landlord, MovableClock

_ABOVE = """
import sys
import prorata.store.audit
above = ("accounts", "bills", "invoices", "units", "properties", "payments", "outgoing", "event_content")
print([one for one in above if f"prorata.store.{one}" in sys.modules])
"""
_TELLS = """
import sys
from pathlib import Path
from prorata import wiring
from prorata.settings import read_settings
from prorata.store.audit import audit
from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import Caller
from prorata.store.database.statements import returns_one
from prorata.store.schema.webhook_tables import event_batch
from sqlalchemy import select

asked = returns_one(select(event_batch.c.record_ids).where(event_batch.c.type == "property.deleted"))
with wiring.opened(read_settings({"PRORATA_DATABASE_URL": sys.argv[1]}, Path("none"))) as database:
    database.write(lambda tx: audit.record(tx, Caller(sys.argv[2], "somebody"), Verb.DELETE_PROPERTY, "prop_1"))
    print(database.read(lambda tx: tx.one(asked)))
"""


def _printed(program: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_audit_log_loads_nothing_of_the_areas_above_it():
    assert _printed(_ABOVE) == "[]"


@pytest.mark.thorough
def test_programs_are_told_in_a_process_that_names_none_but_the_audit_log(landlord: Landlord, migrated_url: str):
    assert _printed(_TELLS, migrated_url, landlord.account.id) == "prop_1"


def test_a_change_is_not_recorded_where_nobody_would_hear_of_it(migrated_sqlite_url: str, clock: MovableClock):
    file = Path(migrated_sqlite_url.removeprefix("sqlite:///"))
    with closing(SqliteDatabase(file, clock)) as deaf, pytest.raises(AssertionError, match="opened with a listener"):
        deaf.write(lambda tx: audit.record_many(tx, Caller("acct_1", "somebody"), Verb.DELETE_PROPERTY, []))
