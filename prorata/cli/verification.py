"""`prorata verify`: an explanation computed anew from itself, with no database and no settings."""

from pathlib import Path

import click

from prorata.adapters.exports.packs import unpacked
from prorata.cli.limits import LARGEST_EXPLANATION
from prorata.domain.locale_forms import counted
from prorata.domain.splitting.verification import Unverifiable, verify as verified
from prorata.errors import InvalidRequest

FAILED = 1
_ZIP = b"PK"


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(*, file: Path) -> int:
    """Compute the explanation in FILE anew from itself; exit with 1 where it differs.

    FILE is the JSON of a month or of an invoice, or an evidence pack, whose files are checked against its manifest and
    whose explanations are computed anew. Nothing is asked of a database, and nothing is changed.
    """
    if file.stat().st_size > LARGEST_EXPLANATION:
        raise click.ClickException(f"{file} is larger than any explanation: {LARGEST_EXPLANATION:,} bytes at most.")
    content = file.read_bytes()
    if content.startswith(_ZIP):
        return _verify_pack(file, content)
    return _verify(str(file), content)


def _verify_pack(file: Path, content: bytes) -> int:
    try:
        files = unpacked(content)
    except InvalidRequest as error:
        raise click.ClickException(f"{file}: {error}") from None
    click.echo(f"{counted(len(files), 'file')} as the manifest says")
    explained = [one for one in files if one.name.startswith("explanations/")]
    return max([_verify(one.name, one.content) for one in explained], default=0)


def _verify(name: str, content: bytes) -> int:
    try:
        found = verified(content.decode())
    except UnicodeDecodeError:
        raise click.ClickException(f"{name} is no text in UTF-8, and so no explanation.") from None
    except Unverifiable as error:
        raise click.ClickException(f"{name}: {error}") from None
    for one in found.differences:
        click.echo(one)
    if found.differences:
        click.echo(f"{name} is not what comes out of it.", err=True)
        return FAILED
    for one in found.checked:
        click.echo(one)
    click.echo("All of it comes out as it says.")
    return 0
