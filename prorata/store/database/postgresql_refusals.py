"""Translation of PostgreSQL's errors into the errors of `engine`."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from prorata.store.database.engine import Busy, Duplicate, another_schema, too_busy
from prorata.store.database.schema_state import gone

OURS = "SELECT 1 / count(*) FROM alembic_version WHERE version_num = %(revision)s"
"""A statement that fails, with its transaction, unless this program knows the schema.

If it fails, an upgrade is under way, and the write has to wait for it.
"""


@contextmanager
def refusals() -> Iterator[None]:
    """Convert psycopg's errors in the block to the errors of `engine`."""
    try:
        yield
    except (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure) as failed:
        raise Busy from failed
    except psycopg.errors.UniqueViolation as violated:
        raise Duplicate(str(violated)) from violated
    except psycopg.errors.LockNotAvailable as failed:
        raise too_busy() from failed
    except psycopg.errors.DivisionByZero as failed:
        raise another_schema() from failed  # no other statement divides by zero (`OURS`)
    except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction) as failed:
        raise gone() from failed  # the last of these is the error of a standby that has not taken over yet
