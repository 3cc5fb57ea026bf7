"""The command `prorata verify`: an explanation recomputed without a database or settings."""

from pathlib import Path

import click

from prorata.adapters.exports.packs import unpacked
from prorata.cli.limits import LARGEST_EXPLANATION
from prorata.domain.locale_forms import counted
from prorata.domain.splitting.verification import Unverifiable, Verified, verify as verified
from prorata.errors import InvalidRequest

FAILED = 1
_ZIP = b"PK"


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(*, file: Path) -> int:
    """Recompute the explanation in FILE from its own contents; exit with 1 if it differs.

    FILE is the JSON of a month or of an invoice, or an evidence pack, whose files are checked against its manifest
    and whose explanations are recomputed. No database is needed, and nothing is changed.
    """
    if file.stat().st_size > LARGEST_EXPLANATION:
        raise click.ClickException(
            f"{file} is too large to be an explanation, which can have at most {LARGEST_EXPLANATION:,} bytes."
        )
    content = file.read_bytes()
    if content.startswith(_ZIP):
        return _verify_pack(file, content)
    return _told(str(file), _verified(str(file), content))


def _verify_pack(file: Path, content: bytes) -> int:
    try:
        files = unpacked(content)
    except InvalidRequest as error:
        raise click.ClickException(f"{file}: {error}") from None
    click.echo(f"{counted(len(files), 'file')} as listed in the manifest")
    explained = [pack_file for pack_file in files if pack_file.name.startswith("explanations/")]
    if not explained:
        click.echo("It contains no explanation, because no charge was computed.")
        return 0
    outcomes = {pack_file.name: _verified(pack_file.name, pack_file.content) for pack_file in explained}
    code = max([_told(*verified_file) for verified_file in outcomes.items()])
    if code == 0:
        computed, taken = (
            sum(its_result.computed for its_result in outcomes.values()),
            sum(its_result.taken for its_result in outcomes.values()),
        )
        click.echo(f"{counted(len(outcomes), 'explanation')}: {_in_words(computed, taken)}.")
    return code


def _in_words(computed: int, taken: int) -> str:
    return f"{counted(computed, 'charge')} recomputed, {taken} taken as stated"


def _verified(name: str, content: bytes) -> Verified:
    try:
        return verified(content.decode())
    except UnicodeDecodeError:
        raise click.ClickException(f"{name} is not UTF-8 text, so it can't be an explanation.") from None
    except Unverifiable as error:
        raise click.ClickException(f"{name}: {error}") from None


def _told(name: str, result: Verified) -> int:
    for difference in result.differences:
        click.echo(difference)
    if result.differences:
        click.echo(f"{name}: recomputing it gives different results.", err=True)
        return FAILED
    for sentence in result.checked:
        click.echo(sentence)
    for sentence in result.ask:
        click.echo(f"Ask for the bill. {sentence}")
    if result.taken or result.ask:
        click.echo(
            "Recomputing what can be recomputed gives the amounts that it states: "
            f"{_in_words(result.computed, result.taken)}."
        )
    else:
        click.echo("Recomputing it gives exactly the amounts that it states.")
    return 0
