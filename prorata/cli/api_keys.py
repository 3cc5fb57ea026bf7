"""The `prorata key` commands: creating, listing and revoking API keys."""

import secrets
from datetime import datetime

import click

from prorata import wiring
from prorata.actions.accounts import accounts as account_actions, api_keys
from prorata.domain.accounts.api_keys import FEWEST_RANDOM_BYTES, PERMISSIONS
from prorata.domain.accounts.scopes import RESOURCES
from prorata.settings import read_settings
from prorata.store.accounts.api_keys import ApiKeyRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.wiring.surroundings import utc_now

ACTOR = "cli"
of_account = click.option(
    "--account", "account", required=True, help="The account's id, or its owner's e-mail address."
)


@click.group()
def key() -> None:
    """Create, list and revoke API keys."""


def caller_for(tx: Tx, named: str) -> Caller:
    """Build the caller for work that the operator does in an account.

    The account is named by its id or its owner's e-mail address. Raises `NotFound` if there is no such account.
    """
    return Caller(account_actions.find_account(tx, named).id, ACTOR)


@key.command()
@of_account
@click.option("--name", required=True, help="What the key is for.")
@click.option(
    "--permission",
    required=True,
    type=click.Choice(PERMISSIONS, case_sensitive=False),
    help="READ to read only, FULL to make changes too, or ADMIN to manage members, keys and settings too.",
)
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="RESOURCE:ACCESS",
    help="What the key can access, such as invoices:read; can be repeated. If omitted, everything. RESOURCE is one "
    f"of {', '.join(RESOURCES)}; ACCESS is read or write.",
)
@click.option(
    "--expires",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The last day on which the key works. If omitted, it never expires.",
)
def create(*, account: str, name: str, permission: str, scopes: tuple[str, ...], expires: datetime | None) -> None:
    """Create a key, and print the key alone; it is never shown again."""
    settings = read_settings()
    with wiring.opened(settings) as database:
        hasher = wiring.hasher(settings)
        random_bytes = secrets.token_bytes(FEWEST_RANDOM_BYTES)

        def work(tx: Tx) -> str:
            caller = caller_for(tx, account)
            _, made = api_keys.create(
                tx,
                caller,
                name=name,
                permission=permission.upper(),
                scopes=scopes,
                expires_at=api_keys.end_of(tx, caller, expires.date() if expires else None),
                random_bytes=random_bytes,
                hasher=hasher,
            )
            return made

        made = database.write(work)
    click.echo(made)


@key.command("list")
@of_account
def list_(*, account: str) -> None:
    """List the account's keys: id, permission, last four characters, created, last used, expiry, scopes."""
    with wiring.opened(read_settings()) as database:
        rows = database.read(lambda tx: api_keys.all_of(tx, caller_for(tx, account)))
    now = timestamp(utc_now())
    for row in rows:
        used = f"last used {row.last_used_at[:16]}Z" if row.last_used_at else "never used"
        click.echo(
            f"{row.id}  {row.permission}  …{row.last_four}  created {row.created_at[:10]}  {used:<28}  "
            f"{_standing(row, now):<18}  {row.name}" + (f"  ({row.scopes})" if row.scopes else "")
        )


def _standing(row: ApiKeyRow, now: str) -> str:
    if row.revoked_at:
        return f"revoked {row.revoked_at[:10]}"
    if row.expires_at is None:
        return "works"
    return f"{'expired' if row.expires_at <= now else 'expires'} {row.expires_at[:10]}"


@key.command()
@of_account
@click.argument("key_id", metavar="KEY")
def revoke(*, account: str, key_id: str) -> None:
    """Revoke KEY, given by its id or in full, permanently.

    The key stops working within a second, in every process.
    """
    settings = read_settings()
    with wiring.opened(settings) as database:
        hasher = wiring.hasher(settings)

        def work(tx: Tx) -> ApiKeyRow:
            caller = caller_for(tx, account)
            return api_keys.revoke(tx, caller, api_keys.find_own(tx, caller, key_id, hasher).id)

        row = database.write(work)
    click.echo(f"{row.id} no longer works.")
