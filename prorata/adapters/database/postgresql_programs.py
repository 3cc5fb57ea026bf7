"""PostgreSQL's own programs for copying databases: pg_dump, pg_restore and psql."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

VERSIONED_FOLDERS = Path("/usr/lib/postgresql")


class ProgramFailed(Exception):
    """Raised if a program is missing or has failed.

    The error's message is a sentence for people.
    """


def dump(url: str, file: Path) -> None:
    """Copy a database into a file, from which `restore` can load it.

    Other programs can read and write the database while it is copied.
    """
    _run("pg_dump", ["--format=custom", "--no-owner", "--no-privileges", f"--file={file}"], url)


def revision_of(file: Path) -> str | None:
    """Return the schema revision of the database copy in a file that `dump` made.

    The result is None if the copy states no revision. Raises `ProgramFailed` if pg_restore is missing or fails.
    """
    script = file.with_name(f"{file.name}.revision.sql")
    _run("pg_restore", ["--data-only", "--table=alembic_version", f"--file={script}", str(file)], None)
    rows = script.read_text(encoding="utf-8").partition("FROM stdin;\n")[2]
    return rows.partition("\n")[0] or None


def restore(url: str, file: Path, afterwards: str) -> None:
    """Load a database copy that `dump` made into an empty database in one transaction.

    The SQL in `afterwards` runs at the end of the same transaction. If pg_restore loaded the
    copy itself, it would commit before that SQL ran. So pg_restore only writes a script, which psql then runs. The
    script is a file and not a pipe: if pg_restore failed halfway, psql would take the broken pipe for the end of the
    script.
    """
    script, last = file.with_name(f"{file.name}.sql"), file.with_name(f"{file.name}.last.sql")
    _run("pg_restore", ["--no-owner", "--no-privileges", f"--file={script}", str(file)], None)
    last.write_text(afterwards, encoding="utf-8")
    files = [f"--file={script}", f"--file={last}"]
    _run("psql", ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction", *files], url)


def _run(name: str, options: Sequence[str], url: str | None) -> None:
    environment = dict(os.environ)
    connection: list[str] = []
    if url is not None:
        address, password = _without_password(url)
        connection = [f"--dbname={address}", "--no-password"]
        if password is not None:
            environment["PGPASSWORD"] = password  # everyone on the machine can see arguments
    command = [str(_find(name)), *connection, *options]
    done = subprocess.run(  # noqa: S603 - our own program and options
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        reason = " ".join(done.stderr.split()) or f"it exited with code {done.returncode}"
        raise ProgramFailed(f"{name} failed: {reason.removeprefix(f'{name}: ')}")


def _find(name: str) -> Path:
    """Find a program on the path, or in the newest of Debian's versioned folders."""
    on_path = shutil.which(name)
    if on_path:
        return Path(on_path)
    folders = sorted(VERSIONED_FOLDERS.glob("*/bin"), key=lambda folder: folder.parent.name.zfill(8), reverse=True)
    program = next((folder / name for folder in folders if (folder / name).exists()), None)
    if program is None:
        raise ProgramFailed(f"{name} was not found. Install PostgreSQL's client programs, and try again.")
    return program


def _without_password(url: str) -> tuple[str, str | None]:
    """Split a database URL into the URL without the password, and the password.

    >>> _without_password("postgresql://ann:s%40fe@db/prorata?sslmode=require")
    ('postgresql://ann@db/prorata?sslmode=require', 's@fe')
    """
    parts = urlsplit(url)
    credentials, at, host = parts.netloc.rpartition("@")
    user, colon, password = credentials.partition(":")
    query = parse_qsl(parts.query, keep_blank_values=True)
    in_query = next((value for name, value in query if name == "password"), None)
    if in_query is not None:
        parts = parts._replace(query=urlencode([pair for pair in query if pair[0] != "password"]))
    return urlunsplit(parts._replace(netloc=f"{user}{at}{host}")), unquote(password) if colon else in_query
