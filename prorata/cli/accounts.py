"""`prorata account`: opened and listed by whoever runs the server."""

import re
import sys
from zoneinfo import available_timezones

import click

from prorata import wiring
from prorata.actions import accounts as account_actions
from prorata.actions.accounts import MailWishes
from prorata.adapters.passwords import FEWEST_CHARACTERS, MOST_CHARACTERS, hash_password
from prorata.cli.api_keys import caller_for, of_account
from prorata.domain.countries import COUNTRIES
from prorata.domain.deliveries import LONGEST_HOLD
from prorata.settings import read_settings
from prorata.store import accounts
from prorata.web.fields import read_email

LONGEST_NAME = 255
_LOCALE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?", re.ASCII)
_MINOR_DIGITS = 2


@click.group()
def account() -> None:
    """Open and list accounts; set what they send."""


def _checked_name(_context: object, _option: object, value: str) -> str:
    name = value.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise click.BadParameter(f"it must be text of 1 to {LONGEST_NAME} characters.")
    return name


def _checked_email(_context: object, _option: object, value: str) -> str:
    try:
        return read_email(value.strip())
    except ValueError:
        raise click.BadParameter("it must be an e-mail address, such as name@example.com.") from None


def _checked_password(_context: object, _option: object, value: str | None) -> str:
    if value is None:
        asks = sys.stdin.isatty()
        value = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True) if asks else _first_line()
    if not FEWEST_CHARACTERS <= len(value) <= MOST_CHARACTERS:
        raise click.BadParameter(f"it must have {FEWEST_CHARACTERS} to {MOST_CHARACTERS:,} characters.")
    return value


def _first_line() -> str:
    return sys.stdin.readline().rstrip("\r\n")


def _checked_timezone(_context: object, _option: object, value: str) -> str:
    if value not in available_timezones():
        raise click.BadParameter("it must be a time zone of the tz database, such as America/Chicago.")
    return value


def _checked_locale(_context: object, _option: object, value: str) -> str:
    if not _LOCALE.fullmatch(value):
        raise click.BadParameter("it must be a language and a country, such as en-US.")
    return value


def _checked_currency(_context: object, _option: object, value: str) -> str:
    code = value.upper()
    if code not in {each.currency for each in COUNTRIES.values() if each.minor_digits == _MINOR_DIGITS}:
        raise click.BadParameter("it must be an ISO 4217 code of a currency with two decimal places, such as USD.")
    return code


@account.command()
@click.option("--name", required=True, callback=_checked_name, help="The name of the landlord or firm.")
@click.option("--email", required=True, callback=_checked_email, help="The owner's e-mail address.")
@click.option("--password", callback=_checked_password, help="The owner's password; asked for, or read from stdin.")
@click.option("--timezone", default="UTC", show_default=True, callback=_checked_timezone, help="Where days begin.")
@click.option(
    "--locale", default="en-US", show_default=True, callback=_checked_locale, help="How invoices are written."
)
@click.option("--currency", default="USD", show_default=True, callback=_checked_currency, help="ISO 4217 code.")
def create(*, name: str, email: str, password: str, timezone: str, locale: str, currency: str) -> None:
    """Open an account with its owner, and print its id."""
    password_hash = hash_password(password)
    with wiring.made(read_settings()) as database:
        row = database.write(
            lambda tx: account_actions.open_account(
                tx,
                name=name,
                email=email,
                password_hash=password_hash,
                timezone=timezone,
                locale=locale,
                currency=currency,
            )
        )
    click.echo(row.id)


def _checked_days(_context: object, _option: object, value: str | None) -> tuple[int, ...] | None:
    if value is None or value == "none":
        return None if value is None else ()
    parts = value.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        raise click.BadParameter("it must be numbers of days, such as 3,0, or none.")
    return tuple(int(part) for part in parts)


@account.command()
@of_account
@click.option("--on/--off", "on", default=None, help="Whether invoices are sent by e-mail. Off: you hand them over.")
@click.option("--hold", type=click.IntRange(0, LONGEST_HOLD), help="Minutes in which a message can be taken back.")
@click.option("--remind-before", callback=_checked_days, metavar="DAYS", help="Days before the due date; 0 is the day.")
@click.option("--remind-after", callback=_checked_days, metavar="DAYS", help="Days after the due date, such as 7,14.")
def mail(
    *,
    account: str,
    on: bool | None,
    hold: int | None,
    remind_before: tuple[int, ...] | None,
    remind_after: tuple[int, ...] | None,
) -> None:
    """See and set what an account sends by e-mail, and when it reminds. `none` switches reminders off."""
    wishes = MailWishes(on, hold, remind_before, remind_after)
    with wiring.opened(read_settings()) as database:
        if wishes == MailWishes():
            row = database.read(lambda tx: account_actions.find_account(tx, account))
        else:
            row = database.write(lambda tx: account_actions.change_mail(tx, caller_for(tx, account), wishes))
    if not row.mail_on:
        click.echo("Mail is off: invoices are shown as to hand over.")
        return
    click.echo("Mail is on; it is sent " + (f"after {row.mail_hold} minutes." if row.mail_hold else "at once."))
    for days, when in ((row.reminders_before, "before"), (row.reminders_after, "after")):
        click.echo(f"Reminders {when} the due date: " + (f"{days.replace(',', ', ')} days." if days else "none."))


@account.command("list")
def list_() -> None:
    """List every account with its owner, a line for each."""
    with wiring.opened(read_settings()) as database:
        rows = database.read(accounts.all_owners)
    for row in rows:
        click.echo(f"{row.id}  {row.created_at[:10]}  {row.property_count:>6} properties  {row.email}  {row.name}")
