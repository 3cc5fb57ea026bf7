"""Backups of a database with its documents, and their restoration into an empty place."""

import glob
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TypeVar

import click

from prorata import wiring
from prorata.adapters.database import postgresql_programs
from prorata.adapters.database.atomic_files import put_in_place, sync_folder
from prorata.adapters.database.backup_file import DOCUMENTS, Contents, Kind, NotABackup, unpack_backup, write_backup
from prorata.adapters.database.folder_lock import Taken, only_one
from prorata.adapters.database.postgresql_programs import ProgramFailed
from prorata.errors import Unavailable
from prorata.settings import Settings
from prorata.store.accounts import sessions
from prorata.store.database.backups import refuse_damaged
from prorata.store.database.engine import timestamp
from prorata.store.database.schema_state import SQLITE, Condition, condition_at, condition_of, condition_of_file
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.jobs import outbound_hold
from prorata.store.webhooks import event_feed
from prorata.wiring.surroundings import utc_now

Result = TypeVar("Result")
_RANDOM = "?" * 8
"""The pattern of the characters that `TemporaryDirectory` appends to a prefix."""


def back_up(settings: Settings, file: Path) -> Contents:
    """Write a backup to a new file, while others continue reading and writing.

    Raises `click.ClickException` if there is nothing to back up, or if the copy does not pass its checks.
    """
    if file.exists():
        raise click.ClickException(f"{file} already exists, and a backup never overwrites a file. Choose another name.")
    if condition_of(settings.database_url) in {Condition.EMPTY, Condition.FOREIGN}:
        raise click.ClickException(
            "PRORATA_DATABASE_URL doesn't point to a Prorata database, so there is nothing to back up."
        )
    made_at = utc_now()
    with TemporaryDirectory(prefix=".prorata-backup-", dir=file.absolute().parent) as folder:
        copy = Path(folder) / "database"
        if settings.uses_sqlite:
            _copy_sqlite(settings, copy)
        else:
            _succeed(postgresql_programs.dump, settings.database_url, copy)
        return write_backup(
            file,
            _kind(settings),
            copy,
            settings.data_dir / DOCUMENTS,
            made_at=made_at,
            version=version("prorata"),
        )


def _kind(settings: Settings) -> Kind:
    return "sqlite" if settings.uses_sqlite else "postgresql"


def _copy_sqlite(settings: Settings, copy: Path) -> None:
    database = SqliteDatabase(wiring.sqlite_file(settings), utc_now)
    try:
        database.backup(copy)
    finally:
        with suppress(Unavailable):  # another process is writing: no harm
            database.close()
    refuse_damaged(copy)


def _succeed(program: Callable[..., Result], *arguments: str | Path) -> Result:
    try:
        return program(*arguments)
    except ProgramFailed as failed:
        raise click.ClickException(str(failed)) from None


def restore(settings: Settings, file: Path) -> Contents:
    """Restore a backup to a place without a database or documents.

    The backup is checked first, and a failure leaves nothing behind. Raises `click.ClickException` if something already
    exists there, or if the backup does not pass its checks.
    """
    try:
        with only_one(settings.data_dir):
            _refuse_to_overwrite(settings)
            return _restore(settings, file)
    except Taken:
        raise click.ClickException("Prorata is running on this data directory. Stop it first.") from None
    except NotABackup as refused:
        raise click.ClickException(str(refused)) from None


def _refuse_to_overwrite(settings: Settings) -> None:
    documents = settings.data_dir / DOCUMENTS
    if documents.exists() and any(documents.iterdir()):
        raise click.ClickException(
            f"{documents} already contains documents, and a restore never overwrites data. Move them elsewhere first."
        )
    if not settings.uses_sqlite:
        if condition_of(settings.database_url) is not Condition.EMPTY:
            raise click.ClickException(
                "The database is not empty, and a restore never overwrites data. Specify an empty database."
            )
        return
    database = wiring.sqlite_file(settings)
    for there in (database, database.with_name(database.name + "-wal")):
        if there.exists():
            raise click.ClickException(
                f"{there} already exists, and a restore never overwrites data. Move it elsewhere first."
            )


def _restore(settings: Settings, file: Path) -> Contents:
    place = wiring.sqlite_file(settings) if settings.uses_sqlite else settings.data_dir / "database"
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (
        _anew(settings.data_dir, ".prorata-restore-documents-") as folder,
        _anew(place.parent, f".prorata-restore-{place.name}-") as beside,
    ):
        copy, documents = Path(beside) / "database", Path(folder) / DOCUMENTS
        contents = unpack_backup(file, _kind(settings), copy, documents)
        if settings.uses_sqlite:
            refuse_damaged(copy)
            _refuse_unusable(condition_of_file(copy))
            _hold_outside_jobs(replace(settings, database_url=f"{SQLITE}{copy}"), contents)
        else:
            _refuse_unusable(condition_at(_succeed(postgresql_programs.revision_of, copy)))
        with _put_in_place(documents, settings.data_dir / DOCUMENTS):
            if settings.uses_sqlite:
                put_in_place(copy, place, replace=False)
            else:
                held = outbound_hold.as_sql(_why(contents), timestamp(utc_now()))
                afterwards = held + sessions.end_all_as_sql() + event_feed.leap_as_sql()
                _succeed(postgresql_programs.restore, settings.database_url, copy, afterwards)
                _hold_outside_jobs(settings, contents)  # again: an older schema had no hold before the upgrade
    return contents


@contextmanager
def _anew(folder: Path, prefix: str) -> Iterator[str]:
    """Yield a new temporary folder, after removing folders that killed processes have left."""
    for left in [left_folder for left_folder in folder.glob(f"{glob.escape(prefix)}{_RANDOM}") if left_folder.is_dir()]:
        rmtree(left)
    with TemporaryDirectory(prefix=prefix, dir=folder) as made:
        yield made


def _hold_outside_jobs(settings: Settings, contents: Contents) -> None:
    """Hold all outgoing jobs of the restored database, and end all sessions.

    The jobs that were due in the backup have been done since, or will be done by the installation that uses the
    original database. Event numbers continue after a gap, because the original database has numbered events since the
    backup. If the restored database has an older schema, which may not support the hold, it is upgraded first.
    """
    if condition_of(settings.database_url) is Condition.OLDER:
        wiring.upgrade(settings)
    database = wiring.open_database(settings)
    try:
        database.write(lambda tx: outbound_hold.hold_outside_jobs(tx, _why(contents)))
        database.write(event_feed.leap)  # the original database has numbered events since
        database.write(sessions.end_all)  # of people who may have been removed, or signed out, since the backup
    finally:
        database.close()


def _why(contents: Contents) -> str:
    return f"the database was restored from a backup of {contents.made_at}"


@contextmanager
def _put_in_place(documents: Path, place: Path) -> Iterator[None]:
    """Move the documents to their place, and move them back if the block fails.

    The database is moved to its place in the block.
    """
    if not documents.exists():
        yield
        return
    documents.replace(place)
    sync_folder(place.parent)
    try:
        yield
    except BaseException:
        place.replace(documents)
        raise


def _refuse_unusable(condition: Condition) -> None:
    if condition is Condition.UNRELEASED:
        raise NotABackup(wiring.UNRELEASED)
    if condition is Condition.NEWER:
        raise NotABackup(
            "This backup was made by a newer version of Prorata. Install that version and restore the backup there."
        )
    if condition not in {Condition.CURRENT, Condition.OLDER}:
        raise NotABackup("This backup does not contain a Prorata database.")
