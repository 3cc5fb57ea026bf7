"""The landlord whose dashboard the browser opens."""

from prorata import wiring
from prorata.actions import accounts, properties
from prorata.actions.properties import NewProperty
from prorata.settings import read_settings
from prorata.store.audit import Caller
from tests.cli.running import Command

EMAIL, PASSWORD = "ann@example.com", "correct horse battery"
MAPLE = NewProperty("Maple Court", "12", "Main Street", "Springfield", "IL", "62701", "US")


class Landlord:
    """An account with one property, in the data directory of a command."""

    def __init__(self, command: Command, password_hash: str) -> None:
        self.url = ""
        self._settings = read_settings(command.settings, command.folder / "no.env")
        with wiring.made(self._settings) as database:
            account = database.write(
                lambda tx: accounts.open_account(
                    tx, name="Harbor Rentals", email=EMAIL, password_hash=password_hash, timezone="UTC", locale="en-US",
                    currency="USD",
                )
            )  # fmt: skip
            self.caller = Caller(account.id, "tests")
            self.property = database.write(lambda tx: properties.create(tx, self.caller, MAPLE))
