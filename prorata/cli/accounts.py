"""`prorata account`: opening and listing accounts, for the operator."""

import sys
from pathlib import Path
from typing import Any

import click

from prorata import wiring
from prorata.actions.accounts import accounts as account_actions, letterheads, one_time_links, password_policy
from prorata.actions.accounts.accounts import MailWishes, Wishes
from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.privacy import closing
from prorata.actions.recalculation import correction_decisions
from prorata.adapters.files.logos import LogoProcess
from prorata.adapters.passwords import Argon2Passwords
from prorata.cli.api_keys import ACTOR, caller_for, of_account
from prorata.domain.accounts.letterheads import color_of, color_problem
from prorata.domain.accounts.settings import (
    ASK,
    AUTOMATIC,
    BILLING_MONTH_RULES,
    CORRECTIONS,
    FIRST_MAIL_HOLD,
    LAST_AUTOMATIC_DAY,
    settings_problems,
)
from prorata.domain.callers import address_key
from prorata.domain.limits import LONGEST_ANNOUNCE_DAYS, LONGEST_ANSWER_DAYS, LONGEST_MAIL_HOLD, LONGEST_PAYMENT_TERMS
from prorata.domain.online_payments.providers import PROVIDERS, PaymentProvider
from prorata.errors import InvalidRequest
from prorata.settings import read_settings
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.online_payments.providers import ProviderRow
from prorata.web.http.fields import read_email
from prorata.web.http.limits import MOST_LOGO_BYTES


@click.group()
def account() -> None:
    """Open, list and delete accounts; change their settings."""


def _checked_email(_context: object, _option: object, value: str) -> str:
    try:
        return read_email(value.strip())
    except ValueError:
        raise click.BadParameter("it must be an e-mail address, such as name@example.com.") from None


def _asked_password(_context: object, _option: object, value: str | None) -> str:
    if value is None:
        asks = sys.stdin.isatty()
        value = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True) if asks else _first_line()
    return value.strip()  # like the sign-in form


def _first_line() -> str:
    return sys.stdin.readline().rstrip("\r\n")


def _checked(_context: object, option: click.Parameter, value: str | None) -> str | None:
    """Check the value of an option by the rules for account settings.

    Raises `click.BadParameter` if the value is not allowed.
    """
    if value is None:
        return None
    for problem in settings_problems({str(option.name): value.strip()}):
        raise click.BadParameter(problem.message)
    return value.strip()


def _checked_currency(context: object, option: click.Parameter, value: str | None) -> str | None:
    return _checked(context, option, value.upper() if value else value)


def _checked_color(_context: object, _option: object, value: str | None) -> str | None:
    if value and (wrong := color_problem(color_of(value) or "")):
        raise click.BadParameter(wrong)
    return value


@account.command()
@click.option("--name", required=True, callback=_checked, help="The name of the landlord or firm.")
@click.option("--email", required=True, callback=_checked_email, help="The owner's e-mail address.")
@click.option(
    "--password", callback=_asked_password, help="The owner's password. If omitted, it is asked for or read from stdin."
)
@click.option(
    "--timezone",
    default="UTC",
    show_default=True,
    callback=_checked,
    help="The time zone that decides when days begin.",
)
@click.option(
    "--locale", default="en-US", show_default=True, callback=_checked, help="The locale in which invoices are written."
)
@click.option(
    "--currency",
    default="USD",
    show_default=True,
    callback=_checked_currency,
    help="The currency, as an ISO 4217 code.",
)
def create(*, name: str, email: str, password: str, timezone: str, locale: str, currency: str) -> None:
    """Open an account with its owner, and print the account's id."""
    try:
        password_hash = password_policy.hash_of(password, Argon2Passwords(), email, name)
    except InvalidRequest as wrong:
        raise click.BadParameter(wrong.message, param_hint="'--password'") from None
    with wiring.made(read_settings()) as database:
        row = database.write(
            lambda tx: account_actions.open_account(
                tx,
                recurs=RECURRING,
                name=name,
                email=email,
                password_hash=password_hash,
                timezone=timezone,
                locale=locale,
                currency=currency,
                by=ACTOR,
                mail_hold=FIRST_MAIL_HOLD,
            )
        )
    click.echo(row.id)


@account.command()
@of_account
@click.option("--yes", is_flag=True, help="Delete the account. Without this option, only show what would be deleted.")
def delete(*, account: str, yes: bool) -> None:
    """Delete an account for good: its members, properties, tenants, bills, invoices, payments, files and log."""
    settings = read_settings()
    with wiring.opened(settings) as database:
        row = database.read(lambda tx: account_actions.find_account(tx, account))
        if not yes:
            number = f"{row.property_count:,} properties and {row.bill_count:,} bills"
            click.echo(f"{row.name} ({row.id}) would be deleted, with {number} and all invoices. Nothing was deleted.")
            click.echo("Export what you need to keep, then run this again with --yes.", err=True)
            return
        archive = wiring.archive(settings)
        database.write(lambda tx: closing.close(tx, Caller(row.id, ACTOR), archive, name=row.name))
    click.echo(f"{row.name} ({row.id}) was deleted.")


def _checked_days(_context: object, _option: object, value: str | None) -> tuple[int, ...] | None:
    if value is None or value == "none":
        return None if value is None else ()
    parts = value.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        raise click.BadParameter("it must be a list of days, such as 3,0, or none.")
    return tuple(int(part) for part in parts)


@account.command()
@of_account
@click.option(
    "--on/--off", "on", default=None, help="Whether invoices are sent by e-mail. If off, you hand them over yourself."
)
@click.option(
    "--hold",
    type=click.IntRange(0, LONGEST_MAIL_HOLD),
    help="The number of minutes in which a message can still be withdrawn.",
)
@click.option(
    "--remind-before",
    callback=_checked_days,
    metavar="DAYS",
    help="Days before the due date on which to send reminders; 0 is the due date itself.",
)
@click.option(
    "--remind-after",
    callback=_checked_days,
    metavar="DAYS",
    help="Days after the due date on which to send reminders, such as 7,14.",
)
def mail(
    *,
    account: str,
    on: bool | None,
    hold: int | None,
    remind_before: tuple[int, ...] | None,
    remind_after: tuple[int, ...] | None,
) -> None:
    """Show and change an account's e-mail settings, such as the days of reminders.

    For --remind-before and --remind-after, `none` means that no such reminders are sent.
    """
    wishes = MailWishes(on, hold, remind_before, remind_after)
    with wiring.opened(read_settings()) as database:
        if wishes == MailWishes():
            row = database.read(lambda tx: account_actions.find_account(tx, account))
        else:
            row = database.write(lambda tx: account_actions.change_mail(tx, caller_for(tx, account), wishes))
    if not row.mail_on:
        click.echo("E-mail is off: invoices are listed for you to hand over.")
        return
    after = "1 minute" if row.mail_hold == 1 else f"{row.mail_hold} minutes"
    click.echo("Mail is on; it is sent " + (f"after {after}." if row.mail_hold else "at once."))
    for days, when in ((row.reminders_before, "before"), (row.reminders_after, "after")):
        click.echo(f"Reminders {when} the due date: " + (f"{days.replace(',', ', ')} days." if days else "none."))


@account.command()
@of_account
@click.option("--name", callback=_checked, help="The name of the landlord or firm.")
@click.option("--address", callback=_checked, help="The address as printed on invoices.")
@click.option("--contact", callback=_checked, help="The e-mail address for tenants' questions.")
@click.option("--phone", callback=_checked, help="The telephone number that tenants can call.")
@click.option("--mail-subject", callback=_checked, help='The subject of invoice e-mails, such as "Utilities {month}".')
@click.option("--mail-opening", callback=_checked, help="The opening words of invoice e-mails.")
@click.option(
    "--logo",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A PNG or JPEG file to show as the logo.",
)
@click.option("--no-logo", is_flag=True, help="Stop showing a logo.")
@click.option(
    "--color", callback=_checked_color, help='The color of headings, such as "#0b4f5c"; "" restores the default.'
)
@click.option("--pay-text", help="How tenants can pay, in your own words.")
@click.option("--account-holder", "pay_holder", help="The holder of the bank account that tenants pay into.")
@click.option("--iban", "pay_iban", help="Its IBAN.")
@click.option("--bic", "pay_bic", help="Its BIC.")
@click.option("--routing-number", "pay_routing", help="The routing number of the bank account, in the United States.")
@click.option("--account-number", "pay_number", help="The number of the bank account, in the United States.")
@click.option("--timezone", callback=_checked, help="The time zone that decides when days begin.")
@click.option("--locale", callback=_checked, help="The locale in which invoices are written, such as en-US.")
@click.option("--currency", callback=_checked_currency, help="The currency, as an ISO 4217 code.")
@click.option(
    "--payment-terms",
    type=click.IntRange(0, LONGEST_PAYMENT_TERMS),
    help="The number of days that tenants have to pay.",
)
@click.option(
    "--announce-days",
    type=click.IntRange(0, LONGEST_ANNOUNCE_DAYS),
    help="How many days in advance a rule change is announced; 0 turns this off.",
)
@click.option(
    "--answer-days",
    type=click.IntRange(1, LONGEST_ANSWER_DAYS),
    help="The number of days that you have to answer a dispute.",
)
@click.option(
    "--send-at", callback=_checked, metavar="HH:MM", help='The time at which invoices are sent; "" sends them at once.'
)
@click.option(
    "--billing-month-rule",
    type=click.Choice(BILLING_MONTH_RULES),
    help="The billing month of a bill for which nobody chose one: by most service days, service end or bill date.",
)
@click.option(
    "--late-bills",
    type=click.Choice([ASK]),
    help="What happens to a bill for a month that has been sent: it stays in that month.",
)
@click.option(
    "--corrections",
    type=click.Choice(CORRECTIONS),
    help="What Prorata does automatically with a correction for a month that has been sent.",
)
@click.option("--automatic", type=click.Choice(AUTOMATIC), help="What Prorata does automatically with complete months.")
@click.option(
    "--automatic-day",
    type=click.IntRange(1, LAST_AUTOMATIC_DAY),
    help="The day of the following month on which that happens.",
)
@click.option(
    "--hold-flagged/--count-flagged", default=None, help="Whether a flagged bill counts only once it has been accepted."
)
@click.option("--show-bills/--hide-bills", "shows_bills", default=None, help="Whether tenants may see the bills.")
@click.option(
    "--carry-credits/--keep-credits", default=None, help="Whether credits are applied to what the household owes."
)
@click.option("--yes", "is_sure", is_flag=True, help="Place pending corrections without asking.")
def settings(
    *, account: str, is_sure: bool, logo: Path | None, no_logo: bool, color: str | None, **wishes: Any
) -> None:
    """Show and change an account's settings.

    Without options, nothing is changed.
    """
    wanted, picture = Wishes(**wishes), _read_logo(logo) if logo else None
    with wiring.opened(read_settings()) as database:
        if wanted == Wishes():
            row = database.read(lambda tx: account_actions.find_account(tx, account))
        else:
            row = database.write(lambda tx: _changed(tx, caller_for(tx, account), wanted, is_sure=is_sure))
        if picture or no_logo:
            database.write(lambda tx: letterheads.choose_logo(tx, caller_for(tx, account), picture))
        if color is not None:
            database.write(lambda tx: letterheads.choose_color(tx, caller_for(tx, account), color))
        chosen = database.read(lambda tx: letterheads.the_letterhead(tx, caller_for(tx, account)))
    click.echo(f"{'logo':<14} {'yes' if chosen.logo else 'no'}")
    click.echo(f"{'color':<14} {chosen.color or ''}".rstrip())
    for name in (name for name in Wishes._fields if not name.startswith("mail_")):
        value = "at once" if name == "send_at" and row.send_at is None else str(getattr(row, name))
        value = ("yes" if getattr(row, name) else "no") if name in _YES_OR_NO else value
        click.echo(f"{name.replace('_', '-'):<14} {', '.join(value.splitlines())}".rstrip())


def _read_logo(file: Path) -> bytes:
    if file.stat().st_size > MOST_LOGO_BYTES:
        raise click.BadParameter(f"a logo can have at most {MOST_LOGO_BYTES:,} bytes.", param_hint="'--logo'")
    try:
        return LogoProcess()(file.read_bytes())
    except InvalidRequest as wrong:
        raise click.BadParameter(wrong.message, param_hint="'--logo'") from None


def _changed(tx: Tx, caller: Caller, wanted: Wishes, *, is_sure: bool) -> AccountRow:
    if not is_sure and (waiting := correction_decisions.placed_by(tx, caller, wanted)):
        sums = correction_decisions.waiting_in_words(waiting)
        raise click.UsageError(
            f"The pending corrections would be placed on the next invoices immediately: {sums}. Nothing was "
            "changed. To place them, add --yes."
        )
    try:
        return correction_decisions.change_settings(tx, caller, wanted)
    except InvalidRequest as wrong:
        options = {param.name: param.opts[0] for param in click.get_current_context().command.params}
        messages = [
            f"{options[problem.field]}: {problem.message}" for problem in wrong.problems if problem.field in options
        ]
        raise click.UsageError(" ".join(messages) or wrong.message) from None


_YES_OR_NO = ("hold_flagged", "shows_bills", "carry_credits")


def _checked_secret(_context: object, _option: object, value: str) -> str:
    return _first_line().strip() if value == "-" else value.strip()


def _pay_by(provider: PaymentProvider) -> None:
    """Declare the command that lets an account's tenants pay through this provider."""
    label, begins = provider.label, " or ".join(provider.secret.begins)

    @account.command(
        provider.name,
        help=f"Have the tenants of an account pay through {label}. Prints the address to which {label} must send its "
        f"events.\n\n{label} shows the webhook secret once it has that address. Without a key and a secret, the "
        "address is printed, and nothing else is done.",
    )
    @of_account
    @click.option(
        "--key", default="", callback=_checked_secret, help=f"The secret key at {label}; - reads it from stdin."
    )
    @click.option(
        "--webhook-secret", "secret", default="", callback=_checked_secret, help=f"Begins with {begins}, or -."
    )
    def enter(*, account: str, key: str, secret: str) -> None:
        settings = read_settings()

        def work(tx: Tx) -> ProviderRow:
            caller = caller_for(tx, account)
            if not key and not secret:
                return payment_providers.give_address(tx, caller, provider)
            return payment_providers.use(tx, caller, provider, key, secret, wiring.vault(settings))

        with wiring.opened(settings) as database:
            row = database.write(work)
        click.echo(f"{settings.base_url}{provider.hook}{row.token}")


for _provider in PROVIDERS:
    _pay_by(_provider)


@account.command("invite")
@click.option(
    "--email", required=True, callback=_checked_email, help="The e-mail address of the person who may open an account."
)
def invite(*, email: str) -> None:
    """Print a link with which a person can open a new account.

    The link is for people whom PRORATA_SIGNUP does not allow to open an account. It works once, within seven days.
    """
    settings = read_settings()
    with wiring.opened(settings) as database:
        opening = database.read(lambda tx: one_time_links.opening_for(tx, address_key(email)))
    click.echo(wiring.link_addresses(settings).opening(opening))


@account.command("list")
def list_() -> None:
    """List every account with its owner, one line each."""
    with wiring.opened(read_settings()) as database:
        rows = database.read(accounts.all_owners)
    for row in rows:
        click.echo(f"{row.id}  {row.created_at[:10]}  {row.property_count:>6} properties  {row.email}  {row.name}")
