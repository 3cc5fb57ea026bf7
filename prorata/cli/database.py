"""`prorata db` and `prorata check`: the database as a whole."""

import click

from prorata import wiring
from prorata.settings import read_settings


@click.group()
def db() -> None:
    """Bring the database up to date, back it up, restore it."""


@db.command()
def upgrade() -> None:
    """Bring the database to the newest schema; it is made if need be."""
    done = wiring.upgrade(read_settings())
    click.echo("The database is up to date." if done else "The database was up to date already.")


@click.command()
def check() -> None: ...
