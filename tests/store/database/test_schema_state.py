"""The state of a schema, determined without Alembic, agrees with Alembic."""

import os
import signal
import threading
import time
from pathlib import Path

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from prorata.errors import Unavailable
from prorata.store import migrations
from prorata.store.database import schema_state
from prorata.store.database.schema_state import Condition, condition_of


def test_the_revisions_are_those_that_alembic_finds():
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    assert schema_state.known_revisions()[::-1] == tuple(script.revision for script in scripts.walk_revisions())


def test_who_asks_a_postgresql_that_is_busy_with_its_schema_is_refused_in_time(migrated_postgresql_url: str):
    with psycopg.connect(migrated_postgresql_url) as other:
        other.execute("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE")
        began = time.monotonic()
        with pytest.raises(Unavailable):
            condition_of(migrated_postgresql_url, patience=0.5)
        assert time.monotonic() - began < 5
        other.rollback()
    assert condition_of(migrated_postgresql_url) is Condition.CURRENT


def test_who_asks_a_postgresql_that_has_fallen_silent_is_refused_in_time(migrated_postgresql_url: str):
    with psycopg.connect(migrated_postgresql_url) as other, psycopg.connect(migrated_postgresql_url) as looking:
        looking.autocommit = True
        other.execute("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE")
        silenced: list[int] = []
        asking = threading.Thread(target=lambda: silenced.append(_silence_who_waits(looking)))
        asking.start()
        began = time.monotonic()
        with pytest.raises(Unavailable):
            condition_of(migrated_postgresql_url, patience=0.5)
        assert time.monotonic() - began < 5
        asking.join()
        os.kill(silenced[0], signal.SIGCONT)


def _silence_who_waits(looking: "psycopg.Connection[tuple[int]]") -> int:
    """Stop the server process that waits for a lock, and return its id."""
    while True:
        found = looking.execute("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone()
        if found:
            os.kill(found[0], signal.SIGSTOP)
            return found[0]
