"""`prorata verify`: an explanation computed anew from itself, with no database and no settings."""

from pathlib import Path

import click

from prorata.cli.limits import LARGEST_EXPLANATION
from prorata.domain.splitting.verification import Unverifiable, verify as verified

FAILED = 1


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(*, file: Path) -> int:
    """Compute the explanation in FILE anew from itself; exit with 1 where it differs.

    FILE is the JSON of a month or of an invoice. Nothing is asked of a database, and nothing is changed.
    """
    if file.stat().st_size > LARGEST_EXPLANATION:
        raise click.ClickException(f"{file} is larger than any explanation: {LARGEST_EXPLANATION:,} bytes at most.")
    try:
        found = verified(file.read_bytes().decode())
    except UnicodeDecodeError:
        raise click.ClickException(f"{file} is no text in UTF-8, and so no explanation.") from None
    except Unverifiable as error:
        raise click.ClickException(f"{file}: {error}") from None
    for one in found.differences:
        click.echo(one)
    if found.differences:
        click.echo(f"{file} is not what comes out of it.", err=True)
        return FAILED
    for one in found.checked:
        click.echo(one)
    click.echo("All of it comes out as it says.")
    return 0
