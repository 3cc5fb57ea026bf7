"""The `prorata member` commands: an account's members, and access for locked-out members."""

import click

from prorata import wiring
from prorata.actions.accounts import members, own_profile, second_factors
from prorata.cli.api_keys import ACTOR, caller_for, of_account
from prorata.domain.accounts.one_time_links import RESET
from prorata.domain.accounts.permissions import ROLES
from prorata.domain.callers import address_key
from prorata.errors import NotFound
from prorata.settings import read_settings
from prorata.store.accounts import members as stored_members
from prorata.store.accounts.members import MemberRow
from prorata.store.accounts.one_time_links import LinkRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

_the_member = click.argument("named", metavar="MEMBER")


@click.group()
def member() -> None:
    """List, invite and remove an account's members; restore a member's access."""


@member.command("list")
@of_account
def list_(*, account: str) -> None:
    """List the account's members and invitations, one line each."""
    with wiring.opened(read_settings()) as database:
        rows = database.read(lambda tx: members.listed(tx, caller_for(tx, account)))
        links = database.read(lambda tx: members.invitations(tx, caller_for(tx, account)))
        lost = database.read(lambda tx: members.undelivered(tx, caller_for(tx, account)))
    for row in rows:
        standing = "" if row.is_verified else "address not confirmed  "
        click.echo(f"{row.id}  {row.role:<7}  since {row.created_at[:10]}  {row.email}  {standing}{row.name}".rstrip())
        _tell_of_lost(lost.get(row.email))
    for link in links:
        click.echo(f"{link.id}  {link.role:<7}  invited until {link.expires_at[:10]}  {link.email}")
        _tell_of_lost(lost.get(link.email))


def _tell_of_lost(reason: str | None) -> None:
    if reason is not None:
        click.echo(f"    The message to this address did not arrive: {reason}")


@member.command()
@of_account
@click.option("--email", required=True, help="The e-mail address of the person to invite.")
@click.option("--role", required=True, type=click.Choice(ROLES), help="The role of the new member.")
def invite(*, account: str, email: str, role: str) -> None:
    """Invite somebody to join the account by e-mail, and print the link.

    The link works once, for seven days.
    """
    settings = read_settings()
    with wiring.opened(settings) as database:
        row = database.write(lambda tx: members.invite(tx, caller_for(tx, account), email=email, role=role))
    click.echo(wiring.link_addresses(settings)(row.kind, row.id))


@member.command()
@of_account
@_the_member
def remove(*, account: str, named: str) -> None:
    """Remove MEMBER, given by id or e-mail address.

    MEMBER is signed out everywhere at once.
    """

    def work(tx: Tx) -> MemberRow:
        caller = caller_for(tx, account)
        row = _find(tx, caller, named)
        members.remove(tx, caller, row.id)
        return row

    with wiring.opened(read_settings()) as database:
        row = database.write(work)
    click.echo(f"{row.email} can't sign in any more.")


@member.command("reset-link")
@of_account
@click.option(
    "--no-second-factor",
    is_flag=True,
    help="Also stop asking for a sign-in code, because the app and its codes are lost.",
)
@_the_member
def reset_link(*, account: str, named: str, no_second_factor: bool) -> None:
    """Print a link with which MEMBER can set a new password once, within an hour.

    MEMBER is an id or e-mail address.
    """

    def work(tx: Tx) -> LinkRow:
        caller = caller_for(tx, account)
        row = _find(tx, caller, named)
        if no_second_factor:
            second_factors.remove(tx, caller, row)
        return own_profile.reset_link(tx, row, created_by=ACTOR)

    settings = read_settings()
    with wiring.opened(settings) as database:
        link = database.write(work)
    click.echo(wiring.link_addresses(settings)(RESET, link.id))


@member.command("set-email")
@of_account
@_the_member
@click.argument("email")
def set_email(*, account: str, named: str, email: str) -> None:
    """Change the e-mail address of MEMBER, who has lost the old mailbox, to EMAIL.

    MEMBER, given by id or e-mail address, signs in with the new address from now on. Make sure that it is MEMBER's
    address, because nothing confirms it. The old address is notified.
    """

    def work(tx: Tx) -> MemberRow:
        caller = caller_for(tx, account)
        return own_profile.set_email(tx, caller, _find(tx, caller, named), email)

    with wiring.opened(read_settings()) as database:
        row = database.write(work)
    click.echo(f"{row.name or row.id} signs in with {row.email} from now on.")


def _find(tx: Tx, caller: Caller, named: str) -> MemberRow:
    """Find the account's member by id or e-mail address.

    Raises `NotFound` if there is none.
    """
    for row in stored_members.all_of(tx, caller.account_id):
        if named == row.id or address_key(named) == row.email:
            return row
    raise NotFound("member")
