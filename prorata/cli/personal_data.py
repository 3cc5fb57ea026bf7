"""The `prorata tenant` commands: a tenant's personal data, exported or erased."""

from functools import partial
from pathlib import Path

import click

from prorata import wiring
from prorata.actions.privacy import closing, erasing, exporting
from prorata.actions.privacy.erasing import Erasure, NothingOutside
from prorata.actions.privacy.read_files import read_files
from prorata.adapters.database.atomic_files import write_whole
from prorata.adapters.database.erasure_list import ErasureList
from prorata.adapters.exports.packs import packed
from prorata.adapters.files.named_files import NamedFiles
from prorata.cli.api_keys import caller_for, of_account
from prorata.ports import Archive, Erased
from prorata.settings import Settings, read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx, rehearse


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
        raise click.ClickException(f"{place} already exists. Choose another file with --to.") from None
    click.echo(str(place))


@tenant.command()
@click.argument("tenant", metavar="TENANT")
@of_account
@click.option(
    "--dry-run", is_flag=True, help="Show what would be erased and what would be kept, without erasing anything."
)
def erase(*, tenant: str, account: str, dry_run: bool) -> None:
    """Erase the data about TENANT, whose stay has ended.

    Sent invoices and payments stay until the account's retention period for them is over. docs/privacy.md states
    when each kind of data is erased.
    """
    settings = read_settings()

    with wiring.opened(settings) as database:
        caller = database.read(lambda tx: caller_for(tx, account))
        read = read_files(database, caller, tenant, NamedFiles())

        def work(archive: Archive, tx: Tx) -> Erasure:
            return erasing.erase(tx, caller, tenant, archive, read)

        if dry_run:
            done = rehearse(database, partial(work, NothingOutside()))
        else:
            done = database.write(partial(work, wiring.archive(settings)))
    for number, what in (
        (done.questions, "questions and disputes"),
        (done.messages, "messages to the tenant, except their PDFs"),
        (done.entries, "entries of the audit log, blanked"),
        (done.texts, "notes and other texts, without the name"),
        (done.files, "kept files, without the name"),
        (done.drafts, "drafts, now addressed to nobody"),
    ):
        click.echo(f"{number:>8,}  {what}")
    if done.kept_until:
        click.echo(f"{done.kept_invoices:>8,}  invoices that were sent stay until {done.kept_until}, with payments")
    for record_id in done.unsearched:
        click.echo(f"          the file of {record_id} could not be searched for the name, and stays")
    click.echo("Nothing was erased." if dry_run else f"{tenant} was erased.", err=True)


def erase_again(settings: Settings) -> int:
    """Erase the listed tenants whom a restored database contains again; return their number.

    The list is stored beside the database.
    """
    with wiring.opened(settings) as database:
        return sum(_again(database, erased) for erased in ErasureList(settings.data_dir).read())


def _again(database: Database, erased: Erased) -> bool:
    if not erased.tenant_id:
        return database.write(lambda tx: closing.close_again(tx, erased.account_id))
    read = read_files(database, Caller(erased.account_id, "cli"), erased.tenant_id, NamedFiles())
    return database.write(lambda tx: erasing.erase_again(tx, erased, read))
