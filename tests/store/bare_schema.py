"""The one table that every write reads, for test databases without Prorata's other tables."""

from collections.abc import Callable
from typing import Any

from prorata.store.database.schema_state import known_revisions


def note_revision(execute: Callable[[str], Any]) -> None:
    """Record in the database that it has this program's schema."""
    execute("CREATE TABLE alembic_version (version_num TEXT)")
    execute(f"INSERT INTO alembic_version VALUES ('{known_revisions()[-1]}')")
