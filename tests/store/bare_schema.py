"""The one table that every write looks at, for databases of tests that need no other of ours."""

from collections.abc import Callable
from typing import Any

from prorata.store.database.schema_state import known_revisions


def note_revision(execute: Callable[[str], Any]) -> None:
    """Have the database say that it has the schema of this program."""
    execute("CREATE TABLE alembic_version (version_num TEXT)")
    execute(f"INSERT INTO alembic_version VALUES ('{known_revisions()[-1]}')")
