"""A PostgreSQL database that tests use one after the other, empty each time.

Creating a database for each test took a third of the time of such a test.
"""

import time

import psycopg

from tests.servers import PostgresServer

_MOST_USES = 50
"""Rows that were deleted stay on their pages: after so many tests there is another database."""
_SECONDS_TO_LEAVE = 10
_TABLES = "SELECT quote_ident(relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
_SCHEMA = """
    SELECT md5(string_agg(oid::text || ' ' || xmin::text, ',' ORDER BY oid)) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace
"""
_OTHERS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_VERSION = "alembic_version"


class ReusedDatabase:
    """A copy of `template` that is emptied after each use.

    The copy is dropped if a test has changed its schema.
    """

    def __init__(self, server: PostgresServer, template: str) -> None:
        self._server, self._template = server, template
        self._made = self._uses = 0
        self._admin: psycopg.Connection | None = None
        self._empties, self._as_made = "", ("", "")

    @property
    def _name(self) -> str:
        return f"reused_{self._made}"

    def take(self) -> str:
        """Return the address of the empty database."""
        if self._admin is None:
            self._made, self._uses = self._made + 1, 0
            self._server.create_database(self._name, self._template)
            self._admin = admin = self._server.connect_as_admin(self._name)
            admin.execute("SET session_replication_role = replica")  # foreign keys need not be followed
            tables = {str(name) for (name,) in admin.execute(_TABLES)} - {_VERSION}
            self._empties = "; ".join(f"DELETE FROM {name}" for name in sorted(tables))
            self._as_made = self._schema(admin)
        self._uses += 1
        return self._server.url(self._name)

    def give_back(self) -> None:
        """Empty the database, or drop it."""
        admin = self._admin
        assert admin is not None
        if self._uses >= _MOST_USES or not _is_alone(admin) or self._schema(admin) != self._as_made:
            self.drop()
        else:
            admin.execute(self._empties)

    def drop(self) -> None:
        """Drop the database, if there is one."""
        if self._admin is not None:
            self._admin.close()
            self._admin = None
            with self._server.connect_as_admin("postgres") as admin:  # whose own connection may still be leaving
                admin.execute(f"DROP DATABASE {self._name} WITH (FORCE)")

    @staticmethod
    def _schema(admin: psycopg.Connection) -> tuple[str, str]:
        """Return the values that change when the schema does."""
        (schema,), (version,) = admin.execute(_SCHEMA), admin.execute(f"SELECT version_num FROM {_VERSION}")
        return str(schema[0]), str(version[0])


def _is_alone(admin: psycopg.Connection) -> bool:
    """End every other connection, and return True once all have ended."""
    deadline = time.monotonic() + _SECONDS_TO_LEAVE
    while True:
        (others,) = admin.execute(f"SELECT count(pg_terminate_backend(pid)) {_OTHERS}")
        if others[0] == 0:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
