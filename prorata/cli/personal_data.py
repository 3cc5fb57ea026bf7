"""The `prorata tenant` commands: a tenant's personal data, exported or erased."""

from functools import partial
from pathlib import Path

import click

from prorata import wiring
from prorata.actions.privacy import closing, erasing, exporting
from prorata.actions.privacy.erasing import Erasure, NothingOutside
from prorata.adapters.database.atomic_files import write_whole
from prorata.adapters.database.erasure_list import ErasureList
from prorata.adapters.exports.packs import packed
from prorata.adapters.files.named_files import NamedFiles
from prorata.cli.api_keys import caller_for, of_account
from prorata.ports import Archive, Erased
from prorata.settings import Settings, read_settings
from prorata.store.database.engine import Tx, rehearse


@click.group()
def tenant() -> None:
    """Export or erase a tenant's personal data."""


@tenant.command()
@click.argument("tenant", metavar="TENANT")
@of_account
@click.option(
    "--to",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The ZIP file to write. If omitted, TENANT.zip.",
)
def export(*, tenant: str, account: str, file: Path | None) -> None:
    """Write all data about TENANT into a ZIP file.

    TENANT may have left or been removed. The file names no neighbors.
    """
    place, printer = file or Path(f"{tenant}.zip"), wiring.printer()
    with wiring.opened(read_settings()) as database:

        def find(tx: Tx) -> bytes:
            return b"".join(packed(exporting.files_of(tx, caller_for(tx, account), tenant, printer)))

        content = database.snapshot(find)
    try:
        write_whole(place, lambda opened: opened.write(content), replace=False)
    except FileExistsError:
        raise click.ClickException(f"{place} is there already. Name another file with --to.") from None
    click.echo(str(place))


@tenant.command()
@click.argument("tenant", metavar="TENANT")
@of_account
@click.option(
    "--dry-run", is_flag=True, help="Show what would be erased and what would be kept, without erasing anything."
)
def erase(*, tenant: str, account: str, dry_run: bool) -> None:
    """Erase the data about TENANT, whose stay has ended.

    Sent invoices and payments stay until the account's retention period for them is over. docs/privacy.md says what
    is erased when.
    """
    settings = read_settings()

    def work(archive: Archive, tx: Tx) -> Erasure:
        return erasing.erase(tx, caller_for(tx, account), tenant, archive, NamedFiles())

    with wiring.opened(settings) as database:
        if dry_run:
            done = rehearse(database, partial(work, NothingOutside()))
        else:
            done = database.write(partial(work, wiring.archive(settings)))
    for number, what in (
        (done.questions, "questions and disputes"),
        (done.messages, "messages to the tenant, but for their PDFs"),
        (done.entries, "entries of the audit log, blanked"),
        (done.texts, "notes and other texts, without the name"),
        (done.files, "kept files, without the name"),
        (done.drafts, "drafts, to nobody by now"),
    ):
        click.echo(f"{number:>8,}  {what}")
    if done.kept_until:
        click.echo(f"{done.kept_invoices:>8,}  invoices that were sent stay until {done.kept_until}, with payments")
    click.echo("Nothing was erased." if dry_run else f"{tenant} was erased.", err=True)


def erase_again(settings: Settings) -> int:
    """Erase the listed tenants whom a restored database contains again; return their number.

    The list is stored beside the database.
    """
    with wiring.opened(settings) as database:
        return sum(database.write(partial(_again, erased=erased)) for erased in ErasureList(settings.data_dir).read())


def _again(tx: Tx, erased: Erased) -> bool:
    return (
        erasing.erase_again(tx, erased, NamedFiles())
        if erased.tenant_id
        else closing.close_again(tx, erased.account_id)
    )
