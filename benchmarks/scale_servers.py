"""The servers of `make scale`: PostgreSQL, Redis, `prorata serve` processes, and nginx in front."""

import json
import os
import pwd
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.request import urlopen

import psycopg
from psycopg import sql

from benchmarks.data import SECRET
from benchmarks.databases import Postgresql
from benchmarks.places import BIN, REDIS_PORTS, WEB_PORTS
from benchmarks.processes import Process, cpu_of_all, free_port, tree, unprivileged_user

NEVER_REFUSED = 1_000_000_000
_SYSTEM_PROGRAMS = ("/usr/sbin", "/sbin", "/usr/local/sbin")
_SECONDS_TO_ANSWER = 5
_NGINX = """
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx-errors.log warn;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/unused;
    uwsgi_temp_path {folder}/unused;
    scgi_temp_path {folder}/unused;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    {groups}
}}
"""
_GROUP = """
    upstream prorata_{number} {{
        {members}
        keepalive 64;
    }}
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 2m;
        location / {{ proxy_pass http://prorata_{number}; }}
        location = /metrics {{ return 404; }}
    }}
"""


class Databases(Postgresql):
    """Our own PostgreSQL, with databases that begin empty."""

    def empty(self, name: str) -> str:
        """Create an empty database and return its address."""
        with self._admin() as admin:
            admin.execute(sql.SQL("CREATE DATABASE {} OWNER prorata").format(sql.Identifier(name)))
        return self._url(name)

    def address(self, name: str) -> str:
        """Return the address of a database."""
        return self._url(name)

    def copy_as(self, of: str, name: str) -> None:
        """Copy a database that nobody uses at the moment."""
        with self._admin() as admin:
            statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER prorata STRATEGY file_copy")
            admin.execute(statement.format(sql.Identifier(name), sql.Identifier(of)))

    def tidy(self, name: str) -> None:
        """Do autovacuum's work after many inserts, and sync everything to disk."""
        with self._admin(name) as admin:
            admin.execute("VACUUM ANALYZE")
            admin.execute("CHECKPOINT")

    def megabytes(self, name: str) -> float:
        """Return a database's size on disk in megabytes, indexes included."""
        return float(self.rows(name, "SELECT pg_database_size(current_database())")[0][0]) / 1e6

    def rows(self, name: str, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query in a database."""
        with psycopg.connect(self._url(name), autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()


@contextmanager
def postgresql(folder: Path) -> Iterator[Databases]:
    """Start a PostgreSQL server with the default durability."""
    folder.mkdir()
    with ExitStack() as held:
        server = Databases(folder)
        held.callback(server.stop)
        yield server


@contextmanager
def redis_server(folder: Path) -> Iterator[tuple[str, Process]]:
    """Start a Redis without persistence; return its address and its process."""
    folder.mkdir()
    user = _given_to_server(folder)
    port = free_port(*REDIS_PORTS)
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", "--appendonly", "no"]
    with Process([needed("redis-server", "redis-server"), *options], folder / "log", user=user, folder=folder) as redis:
        yield f"redis://127.0.0.1:{port}/0", redis


class Group(NamedTuple):
    """Addresses behind nginx, and the port at which nginx serves them."""

    members: Sequence[str]
    port: int

    @property
    def url(self) -> str:
        """The group's URL for clients."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def nginx(folder: Path, groups: Sequence[Group]) -> Iterator[Process]:
    """Start nginx with one worker, which is enough, in front of groups of processes."""
    folder.mkdir()
    user = _given_to_server(folder)
    written = [
        _GROUP.format(
            number=number, port=group.port, members="\n        ".join(f"server {each};" for each in group.members)
        )
        for number, group in enumerate(groups, start=1)
    ]
    file = folder / "nginx.conf"
    file.write_text(_NGINX.format(folder=folder, groups="".join(written).strip()))
    command: list[str | Path] = [
        needed("nginx", "nginx"),
        "-c",
        file,
        "-p",
        folder,
        "-e",
        folder / "nginx-errors.log",
        "-g",
        "daemon off;",
    ]
    with Process(command, folder / "log", user=user, folder=folder) as process:
        for group in groups:
            process.wait_until(lambda url=group.url: _is_ready(url))  # type: ignore[misc]
        yield process


def web_port(taken: Sequence[int] = ()) -> int:
    """Find a free port for a web server, other than those already taken."""
    while (port := free_port(*WEB_PORTS)) in taken:
        pass
    return port


def _given_to_server(folder: Path) -> "pwd.struct_passwd | None":
    user = unprivileged_user()
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    return user


def needed(name: str, package: str) -> str:
    """Find a program; if it is missing, exit with the package to install."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(_SYSTEM_PROGRAMS))
    if found is None:
        raise SystemExit(f"`make scale` needs {name}, which Debian has: apt-get install {package}")
    return found


def settings(database_url: str, folder: Path, **more: object) -> dict[str, str]:
    """Build the environment of a Prorata command, without our own variables.

    `more` has further settings by name.
    """
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PRORATA_DATA_DIR": str(folder / "data"),
        "PRORATA_DATABASE_URL": database_url,
        "PRORATA_SECRET_KEY": SECRET,
    } | {f"PRORATA_{name.upper()}": str(value) for name, value in more.items()}


class ApiProcess:
    """`prorata serve` with one worker and its background process, in its own data directory."""

    def __init__(self, folder: Path, environment: dict[str, str], port: int) -> None:
        folder.mkdir(exist_ok=True)
        self.address = f"127.0.0.1:{port}"
        self.log = folder / "log"
        self._process = Process(
            [BIN / "prorata", "serve", "--port", str(port)],
            self.log,
            environment=environment | {"HOME": str(folder), "PRORATA_DATA_DIR": str(folder / "data")},
            folder=folder,
        )

    @property
    def url(self) -> str:
        """The URL at which the process answers."""
        return f"http://{self.address}"

    def __enter__(self) -> Self:
        try:
            self._process.wait_until(lambda: _is_ready(self.url))
        except BaseException:
            self._process.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stop()

    def cpu(self) -> float:
        """Return the seconds of CPU of the process and of those that it started."""
        return cpu_of_all(tree(self._process.pid))

    def pids(self) -> list[int]:
        """List the process and those that it started."""
        return list(tree(self._process.pid))

    def statuses(self) -> Counter[int]:
        """Count the answers to API requests by status, from the log of the process."""
        found: Counter[int] = Counter()
        for line in self.log.read_text().splitlines():
            with suppress(ValueError):
                entry = json.loads(line)
                if str(entry.get("path", "")).startswith("/api/"):
                    found[entry["status"]] += 1
        return found


def _is_ready(url: str) -> bool:
    with suppress(OSError), urlopen(f"{url}/ready", timeout=_SECONDS_TO_ANSWER) as answer:
        return bool(answer.status == 200)
    return False
