"""The commands `prorata db` and `prorata check`: the database as a whole."""

from pathlib import Path

import click

from prorata import wiring
from prorata.actions.overview import consistency_checks
from prorata.adapters.database.erasure_list import NAME as ERASURES
from prorata.adapters.master_secret import FILE_NAME
from prorata.cli import backups, personal_data
from prorata.settings import Settings, read_settings

FAILED = 1


@click.group()
def db() -> None:
    """Bring the database up to date, back it up, and restore it."""


@db.command()
def upgrade() -> None:
    """Upgrade the database to the newest schema, creating it if it is missing."""
    done = wiring.upgrade(read_settings())
    click.echo("The database is up to date." if done else "The database was already up to date.")


@db.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(*, file: Path) -> None:
    """Write a backup of the database and documents to FILE, while Prorata keeps running.

    The secret is not in the backup: keep a copy of it elsewhere, or the backup's API keys will not work.
    """
    settings = read_settings()
    contents = backups.back_up(settings, file)
    click.echo(f"Backed up to {file}: the database and {contents.files - 1:,} documents.")
    click.echo(_about_the_secret(settings, "It is not in the backup, so keep a separate copy of it."))


@db.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(*, file: Path) -> None:
    """Restore the backup in FILE to a place without a database or documents.

    Nothing is overwritten.
    """
    settings = read_settings()
    contents = backups.restore(settings, file)
    click.echo(f"Restored what was backed up at {contents.made_at}: the database and {contents.files - 1:,} documents.")
    click.echo(
        _about_the_secret(settings, "API keys work only with the secret they were created with: restore that one.")
    )
    if again := personal_data.erase_again(settings):
        click.echo(
            f"Erased again, according to {ERASURES}: {again:,} tenants and accounts that were still in the backup."
        )
    elif not (settings.data_dir / ERASURES).exists():
        click.echo(f"There is no {ERASURES} in {settings.data_dir}: nobody was erased again (docs/privacy.md).")
    click.echo("Everybody is signed out and must sign in with the password they had at the time of the backup.")
    click.echo("Outgoing jobs are held, so that nobody receives twice what was sent since the backup.")
    click.echo("To see them, run: prorata jobs list. Cancel those that you don't want, then run: prorata jobs release")


def _about_the_secret(settings: Settings, what: str) -> str:
    where = "PRORATA_SECRET_KEY" if settings.secret_key else f"the file {settings.data_dir / FILE_NAME}"
    return f"The secret is {where}. {what}"


@click.command()
def check() -> int:
    """Verify every invariant of the stored data; exit with 1 if there are failures.

    Each failure is listed.
    """
    failing = 0
    with wiring.opened(read_settings()) as database:
        for sentence in consistency_checks.check(database):
            click.echo(sentence)
            failing += 1
    if failing:
        click.echo(f"{failing:,} of the stored records have problems.", err=True)
        return FAILED
    click.echo("No problems were found in the stored data.")
    return 0
