"""The command `prorata tenants final-invoice`: a tenant's last invoice when moving out."""

import click

from prorata import wiring
from prorata.actions.invoices import final_invoices
from prorata.actions.invoices.final_invoices import FinalInvoice
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.cli.api_keys import caller_for, of_account
from prorata.domain.money import in_figures
from prorata.settings import read_settings
from prorata.store.database.engine import Tx


@click.group()
def tenants() -> None:
    """Send final invoices to tenants who move out."""


@tenants.command("final-invoice")
@click.argument("tenant", metavar="TENANT")
@of_account
@click.option("--dry-run", is_flag=True, help="Show what the invoice would contain, without sending it.")
def final_invoice(*, tenant: str, account: str, dry_run: bool) -> None:
    """Send the final invoice of TENANT, given by its id.

    The tenant's last day must have been entered. The final invoice includes the household's drafts of the move-out
    month. It is sent to the tenant's forwarding address, if there is one. Its number is printed.
    """

    def look(tx: Tx) -> FinalInvoice:
        return final_invoices.look(tx, caller_for(tx, account), tenant)

    def send(tx: Tx) -> ShownInvoice:
        return final_invoices.send(tx, caller_for(tx, account), tenant)

    with wiring.opened(read_settings()) as database:
        if dry_run:
            final = database.snapshot(look)
            for charge in final.charges:
                click.echo(f"{in_figures(charge.amount):>12}  {charge.description}")
            click.echo(f"{in_figures(final.total):>12}  {final.house.currency}")
            click.echo(f"{final.number} would be sent to {final.tenant.name}. Nothing was done.", err=True)
            return
        shown = database.write(send).summary
    click.echo(shown.number)
    click.echo(f"It comes to {in_figures(shown.total)} {shown.currency}, and was set to {shown.status}.", err=True)
