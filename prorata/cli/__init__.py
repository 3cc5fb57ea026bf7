"""The command line: `serve`, `account`, `member`, `units`, `tenants`, `bills`, `payments`, `invoice`, …

Exit codes: 0 done, 1 failed, 2 bad usage. A failure is described in one sentence on stderr, never by a traceback.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from traceback import extract_tb

import click

from prorata.errors import Refusal, Unavailable
from prorata.settings import SettingsError

DONE, FAILED, BAD_USAGE = 0, 1, 2


COMMANDS = {
    "serve": "serving",
    "demo": "serving",
    "worker": "serving",
    "account": "accounts",
    "member": "members",
    "key": "api_keys",
    "units": "units",
    "tenants": "tenants",
    "tenant": "personal_data",
    "bills": "bills",
    "payments": "payments",
    "charges": "charges",
    "invoice": "invoices",
    "property": "properties",
    "jobs": "jobs",
    "db": "database",
    "check": "database",
    "verify": "verification",
}
"""The commands, each with its module.

A module is imported when its command is used, so that no command waits for the imports of another.
"""


class _Commands(click.Group):
    """The commands, in the order in which people need them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click calls it
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"prorata.cli.{COMMANDS[cmd_name]}"), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("prorata"), prog_name="prorata")
def prorata() -> None:
    """Utility bills in, fair and explained tenant invoices out.

    Settings are environment variables, or lines of a file .env; PRORATA_DATA_DIR says where everything is kept.
    """


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    os.umask(0o077)  # the data is personal, and for nobody else on the machine
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code."""
    try:
        result = prorata.main(args=list(arguments), prog_name="prorata", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        with suppress(OSError):  # the reader of our output has gone: not worth reporting
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001 - an operator gets a sentence, whatever went wrong
        return _say(failure)
    return result if isinstance(result, int) else DONE


def _say(failure: BaseException) -> int:
    """Print the failure of a command on stderr, and return the exit code for it."""
    match failure:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(failure.ctx.get_help(), err=True)
            return BAD_USAGE
        case click.UsageError():
            hint = f" Try: {failure.ctx.command_path} --help" if failure.ctx else ""
            click.echo(f"{_sentence(failure.format_message())}{hint}", err=True)
            return BAD_USAGE
        case click.ClickException():
            message = failure.format_message()
        case click.Abort() | KeyboardInterrupt():
            message = "Interrupted."
        case Unavailable():
            message = f"{failure.message}{_what_postgresql_says(failure.__cause__)}"
        case Refusal():
            message = failure.message
        case SettingsError():
            message = str(failure)
        case OSError():
            where = f": {failure.filename}" if isinstance(failure.filename, str) else ""
            message = f"{failure.strerror or 'The system refused'}{where}."
        case _:
            frames = extract_tb(failure.__traceback__)
            place = f" in {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""  # noqa: PTH119
            message = (
                f"Prorata failed because of an internal error ({type(failure).__name__}{place}). Please report it."
            )
    click.echo(_sentence(message), err=True)
    return FAILED


def _what_postgresql_says(cause: BaseException | None) -> str:
    """Return PostgreSQL's message about a failed connection, or an empty string.

    The message shows the operator what is wrong with the address or the server.
    """
    words = " ".join(str(cause).split()) if type(cause).__module__.startswith("psycopg") else ""
    return f" PostgreSQL says: {words}. Check PRORATA_DATABASE_URL." if words.startswith("connection failed") else ""


def _sentence(text: str) -> str:
    return " ".join(text.split())
