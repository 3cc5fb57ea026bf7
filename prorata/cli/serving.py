"""`prorata serve`, `demo` and `worker`: commands that run until they are told to stop."""

import os
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from prorata import wiring
from prorata.adapters.passwords import Argon2Passwords
from prorata.cli.web_server import WebServer, bracketed, free_address, usable_certificate
from prorata.domain.mail_addresses import is_loopback
from prorata.domain.online_payments.payment_links import SANDBOX
from prorata.errors import Unavailable
from prorata.settings import Settings, is_set, read_settings
from prorata.store.database.schema_lock import in_use
from prorata.wiring import processes

DEMO_FOLDER = Path("demo-data")
_NO_ACCOUNT = "There is no account yet."
_IN_A_BROWSER = "Open that address in a browser and create one, or create it and a key in another terminal:"
_BY_INVITATION = "Create an invitation with `prorata account invite`, or an account and a key in another terminal:"
_BY_COMMANDS = (
    "  prorata account create --name \"Your Name\" --email you@example.com --password '…'\n"
    "  prorata key create --account you@example.com --name first --permission FULL"
)

_port = click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="The port to listen on."
)
_a_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 means all addresses."
)
@_port
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="The number of processes that answer requests.",
)
@click.option("--tls-cert", type=_a_file, help="The certificate chain for HTTPS, in PEM format.")
@click.option("--tls-key", type=_a_file, help="The certificate's private key, in PEM format.")
def serve(*, host: str, port: int, workers: int, tls_cert: Path | None, tls_key: Path | None) -> None:
    """Serve the dashboard and the API, and do the background work, until told to stop."""
    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key go together: give both or neither.")
    settings = read_settings()
    if workers > 1 and settings.redis_url is None:
        raise click.UsageError(
            f"--workers {workers} needs PRORATA_REDIS_URL, because several processes count their requests "
            "together in Redis. Set it, or serve with one worker."
        )
    if settings.signup == "open" and settings.smtp_url is None and not (settings.is_local and is_loopback(host)):
        raise click.UsageError(
            "PRORATA_SIGNUP=open requires PRORATA_SMTP_URL if others can reach this server: without a mail "
            "server, nobody's address can be confirmed. Set it, or admit people only by invitation, with "
            "PRORATA_SIGNUP=invite."
        )
    certificate = (tls_cert, tls_key) if tls_cert and tls_key else None
    if certificate is not None:
        usable_certificate(*certificate)
    if not is_set("PRORATA_BASE_URL"):
        if not is_loopback(host):
            raise click.UsageError(
                f"--host {host} accepts connections from other machines, so set PRORATA_BASE_URL to the address "
                "at which they reach Prorata, such as https://bills.example.com."
            )
        os.environ["PRORATA_BASE_URL"] = f"{'https' if certificate else 'http'}://{bracketed(host)}:{port}"
    public_url = None if settings.is_local else settings.base_url
    address = free_address(host, port)
    server = WebServer(address, port, workers=workers, certificate=certificate, public_url=public_url)
    with server.alone_in(settings.data_dir):
        wiring.prepare_to_serve(settings)
        with in_use(settings.database_url):
            server.run(partial(_welcome, read_settings()))  # read again, as the address may have been set above


def _welcome(settings: Settings) -> str:
    """Describe the first steps if there is no account, and say if mail is held."""
    from prorata.store.accounts import accounts  # noqa: PLC0415 - the server answers before this is imported

    held, first = wiring.why_mail_is_held(settings), None
    try:
        with wiring.opened(settings) as database:
            if not database.read(accounts.everyone):
                first = _first_account(settings, was_any=database.read(accounts.was_any))
    except Unavailable:
        pass  # every request says so
    return "\n".join(sentence for sentence in (first, held) if sentence)


def _first_account(settings: Settings, *, was_any: bool) -> str:
    """Describe how to open an account when there is none, as PRORATA_SIGNUP allows.

    `was_any` is True if there were accounts that have all been deleted.
    """
    is_closed = settings.signup == "invite" or (was_any and settings.signup != "open")
    how = _BY_INVITATION if is_closed else _IN_A_BROWSER
    return f"{_NO_ACCOUNT} {how}\n{_BY_COMMANDS}"


@click.command()
@_port
def demo(*, port: int) -> None:
    """Serve a demo account with a year of data, kept in ./demo-data.

    It sends no mail and charges nobody.
    """
    from prorata.demo import EMAIL, PASSWORD, TIMEZONE, prepare  # noqa: PLC0415 - only the demo waits for it

    folder = DEMO_FOLDER.absolute()
    os.environ.update(
        _demo_environment(folder, port, hint=f"This is the demo. Its address is {EMAIL}, its password {PASSWORD}.")
    )
    settings = read_settings()
    server = WebServer(free_address("127.0.0.1", port), port, workers=1, certificate=None)
    with server.alone_in(folder):
        click.echo("Making the demo account ready …", err=True)
        with wiring.made(settings) as database:
            made = prepare(
                database,
                wiring.hasher(settings),
                datetime.now(ZoneInfo(TIMEZONE)).date(),
                folder / "demo.key",
                hash_password=Argon2Passwords().hash,
            )
        with in_use(settings.database_url):
            server.run(
                lambda: (
                    f"Open {settings.base_url} in a browser, and sign in:\n"
                    f"E-mail address: {made.email}\nPassword: {made.password}\n"
                    f"API key: {made.key}\nTry it:\n"
                    f"  curl -H 'Authorization: Bearer {made.key}' {settings.base_url}/api/v1/properties"
                )
            )


def _demo_environment(folder: Path, port: int, *, hint: str) -> dict[str, str]:
    """Build the environment of the demo's processes, without the settings of this process."""
    there = [name for name in (*os.environ, *_names_in_dotenv()) if name.startswith("PRORATA_")]
    return dict.fromkeys(there, "") | {
        "PRORATA_DATA_DIR": str(folder),
        "PRORATA_BASE_URL": f"http://127.0.0.1:{port}",
        "PRORATA_SIGN_IN_HINT": hint,
        "PRORATA_PAYMENTS": SANDBOX,
        "PRORATA_LOG_LEVEL": "warning",
    }


def _names_in_dotenv() -> list[str]:
    file = Path(".env")
    lines = file.read_text().splitlines() if file.exists() else []
    return [line.removeprefix("export ").partition("=")[0].strip() for line in lines]


@click.command()
def worker() -> None:
    """Do only the background work, while servers run elsewhere.

    On PostgreSQL, several workers may run at once.
    """
    settings = read_settings()
    wiring.prepare(settings)
    with in_use(settings.database_url):
        processes.work(settings)
