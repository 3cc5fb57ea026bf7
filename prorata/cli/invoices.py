"""The command `prorata invoice pdf`: invoices as PDF."""

import sys
from pathlib import Path

import click

from prorata import wiring
from prorata.actions.delivery import deliveries
from prorata.actions.invoices import papers
from prorata.actions.invoices.papers import Paper
from prorata.actions.printing import printed_invoices
from prorata.adapters.database.atomic_files import write_whole
from prorata.cli.api_keys import ACTOR, caller_for
from prorata.settings import read_settings
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

_STDOUT = Path("-")


@click.group()
def invoice() -> None:
    """Print invoices."""


@invoice.command()
@click.argument("named", metavar="ID")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--account", help="The account's id, or its owner's e-mail address; required if there are several accounts."
)
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option(
    "--as-sent", is_flag=True, help="Write the PDF that was last e-mailed, byte for byte, instead of a new one."
)
def pdf(*, named: str, file: Path, account: str | None, force: bool, as_sent: bool) -> None:
    """Write the invoice ID, given by id or number, to FILE as PDF.

    If FILE is -, write to stdout. An existing FILE is not overwritten without --force.
    """
    refuse_file(file, force=force)

    def find(tx: Tx) -> tuple[Paper, bytes | None]:
        caller = caller_of(tx, account)
        paper = papers.find_named(tx, caller, named)
        its = printed_invoices.named_row(tx, caller, named)
        return paper, deliveries.pdf_as_sent(tx, caller, its.id) if as_sent else None

    settings = read_settings()
    with wiring.opened(settings) as database:
        paper, sent = database.snapshot(find)
    printed_invoice = paper.at(wiring.tenant_links(settings)) if paper.link else paper.printed
    printed = sent or wiring.printer()(printed_invoice)
    put(file, printed, f"{printed_invoice.number} is in {file}.", force=force)


def refuse_file(file: Path, *, force: bool) -> None:
    """Raise `ClickException` if a file can't be written to this path.

    It can't if its folder is missing, or if the file exists and `force` is False.
    """
    if file != _STDOUT and file.exists() and not force:
        raise click.ClickException(f"{file} already exists. Choose another name, or overwrite the file with --force.")
    if file != _STDOUT and not file.parent.is_dir():
        raise click.ClickException(
            f"{file} can't be written, because the folder {file.parent} doesn't exist. Create it first."
        )


def put(file: Path, printed: bytes, sentence: str, *, force: bool) -> None:
    """Write a PDF to a file and print a confirmation, or write it to stdout."""
    if file == _STDOUT:
        sys.stdout.buffer.write(printed)
    else:
        write_whole(file, lambda opened: opened.write(printed), replace=force)
        click.echo(sentence, err=True)


def caller_of(tx: Tx, account: str | None) -> Caller:
    """Build the caller for the operator's work in the named or the only account.

    Raises `click.UsageError` if no account is named and there isn't exactly one.
    """
    if account is not None:
        return caller_for(tx, account)
    everyone = accounts.everyone(tx)
    if len(everyone) != 1:
        raise click.UsageError(f"There are {len(everyone)} accounts. Specify one with --account.")
    return Caller(everyone[0].id, ACTOR)
