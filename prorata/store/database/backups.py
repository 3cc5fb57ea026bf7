"""The check that a copy of an SQLite database is intact before it is used."""

import sqlite3
from contextlib import closing
from pathlib import Path

from prorata.errors import Unavailable
from prorata.store.limits import MOST_DATABASE_FAULTS


def refuse_damaged(file: Path) -> None:
    """Check every page and reference of a copied database.

    No other process may have the file open. Raises `Unavailable` if the file is damaged.
    """
    try:
        with closing(sqlite3.connect(file)) as connection:
            faults = [
                text
                for (text,) in connection.execute(f"PRAGMA integrity_check({MOST_DATABASE_FAULTS})")
                if text != "ok"
            ]
            faults += connection.execute("PRAGMA foreign_key_check").fetchmany(1)
    except sqlite3.DatabaseError as failed:
        faults = [str(failed)]
    if faults:
        raise Unavailable("The copy of the database is damaged: it fails SQLite's own checks.")
