"""The command `prorata property lease`: a property's utility terms, as PDF."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click

from prorata import wiring
from prorata.actions.printing import leases
from prorata.cli.invoices import caller_of, put, refuse_file
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.settings import read_settings


@click.group()
def property() -> None:  # noqa: A001 - what the command is called
    """Print the utility terms for a lease."""


@property.command()
@click.argument("property_id", metavar="ID")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The date for which to describe it, as YYYY-MM-DD. If omitted, today.",
)
@click.option(
    "--utility",
    "utilities",
    type=click.Choice(UTILITY_TYPES),
    multiple=True,
    help="A utility to describe; may be repeated. If omitted, the utilities in use.",
)
@click.option(
    "--account", help="The account's id, or its owner's e-mail address; required if there are several accounts."
)
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def lease(
    *, property_id: str, file: Path, day: datetime | None, utilities: Sequence[str], account: str | None, force: bool
) -> None:
    """Write the utility terms of the property ID to FILE as PDF.

    If FILE is -, write to stdout. An existing FILE is not overwritten without --force.
    """
    refuse_file(file, force=force)
    as_of = day.date() if day else None
    with wiring.opened(read_settings()) as database:
        printed_lease = database.snapshot(
            lambda tx: leases.find(tx, caller_of(tx, account), property_id, as_of, utilities)
        )
    printed = wiring.printer()(printed_lease)
    put(file, printed, f"What the lease of {printed_lease.place.name} says is in {file}.", force=force)
