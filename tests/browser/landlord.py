"""The landlord whose dashboard the browser opens."""

from datetime import date
from decimal import Decimal
from secrets import token_bytes

from prorata import wiring
from prorata.actions.accounts import accounts, api_keys, members
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.bills import bills
from prorata.actions.bulk import bulk
from prorata.actions.exports import charge_exports, charge_names
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import Wish
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.properties import properties, tenancy_changes, tenants
from prorata.actions.properties.properties import NewProperty
from prorata.actions.properties.tenancy_changes import FirstTenant
from prorata.actions.splitting import split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.actions.webhooks import webhooks
from prorata.actions.webhooks.deliveries import SLOW, count, next_to_send, note
from prorata.actions.webhooks.webhooks import Receivers, Wanted
from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.domain.accounts.api_keys import FEWEST_RANDOM_BYTES
from prorata.domain.billing_calendar import Month
from prorata.domain.bills.bills import NewBill
from prorata.domain.delivery.tenant_mail import Kind
from prorata.domain.mail.deliveries import DELIVERED
from prorata.domain.webhooks.webhooks import Posted
from prorata.settings import read_settings
from prorata.store.accounts.api_keys import ApiKeyRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.properties.units import UnitRow
from tests.cli.running import Command

EMAIL, PASSWORD = "ann@example.com", "correct horse battery"
MAPLE = NewProperty("Maple Court", "12", "Main Street", "Springfield", "IL", "62701", "US")


def a_charge_file(tx: Tx, caller: Caller) -> str:
    """Make a charge file for QuickBooks with February's invoices, drafts included; return its id."""
    layout = load_layouts()["quickbooks-desktop"]
    said = {("item", "WATER"): "Water", ("income", "WATER"): "Utilities", ("receivable", "ACCOUNT"): "Debtors"}
    charge_names.enter(tx, caller, layout, {**said, ("item", "CUSTOM"): "Other", ("income", "CUSTOM"): "Other"})
    charge_names.take_ours(tx, caller, layout, [row.id for row in properties.page(tx, caller, limit=9, offset=0)[0]])
    return charge_exports.make(tx, caller, layout, charge_exports.Wish(Month("2026-02"), drafts=True)).id


def a_sent_reminder(tx: Tx, caller: Caller, invoice_id: str) -> str:
    """Add a reminder of an invoice that has left; return its id."""
    (invoice,) = invoices.find_many(tx, caller.account_id, [invoice_id])
    row = MailRow(
        caller.account_id, tx.new_id("mail"), invoice_id, Kind.OVERDUE.value, f"{invoice.invoice_date} 1", DELIVERED,
        "Ann Lee", "ann@example.com", None, tx.now, tx.now, tx.now,
    )  # fmt: skip
    mail.add_many(tx, [row])
    return row.id


class Landlord:
    """An account with one property, in the data directory of a `Command`."""

    def __init__(self, command: Command, password_hash: str, email: str = EMAIL) -> None:
        self.url = ""
        self.month = Month("2026-02")
        self.settings = read_settings(command.settings, command.folder / "no.env")
        with wiring.made(self.settings) as database:
            account = database.write(
                lambda tx: accounts.open_account(
                    tx, recurs=RECURRING, name="Harbor Rentals", email=email, password_hash=password_hash, timezone="UTC", locale="en-US",
                    currency="USD",
                )
            )  # fmt: skip
            self.caller = Caller(account.id, "tests")
            self.property = database.write(lambda tx: properties.create(tx, self.caller, MAPLE))
            self.member_id = database.read(lambda tx: members.listed(tx, self.caller))[0].id
            self.key_id = database.write(lambda tx: self._key(tx, wiring.hasher(self.settings))).id
            self.hook_id = database.write(self._hook)
            self.unit = database.write(lambda tx: self._unit(tx, "1A", "Ann Lee"))
            database.write(lambda tx: self._unit(tx, "1B", "Bo Kim"))
            database.write(lambda tx: count(tx, account.id))
            self.delivery_id = database.write(self._delivery)
            (self.tenant,) = database.read(lambda tx: tenants.of_unit(tx, self.caller, self.unit.id))
            parts = [("EQUAL", Decimal(50)), ("SQFT", Decimal(50))]
            self.blend = database.write(lambda tx: split_methods.create(tx, self.caller, NewBlend("Half", parts)))
            bill = NewBill(self.property.id, "Aqua Water Co.", ("WATER",), 100_00, date(2026, 2, 20))
            self.bill = database.write(lambda tx: bills.add(tx, self.caller, [bill])).bills[0]
            (self.invoice_id, *_) = database.read(lambda tx: invoice_lists.ids_of(tx, self.caller, Wish({}), most=1))
            done = database.write(lambda tx: bulk.begin(tx, self.caller, "reopen", [self.invoice_id]))
            self.change_id = done.id  # drafts are so already: nothing is changed

    def _key(self, tx: Tx, hasher: KeyHasher) -> ApiKeyRow:
        random_bytes = token_bytes(FEWEST_RANDOM_BYTES)
        return api_keys.create(
            tx, self.caller, name="laptop", permission="READ", expires_at=None, random_bytes=random_bytes, hasher=hasher
        )[0]

    def _unit(self, tx: Tx, label: str, tenant: str) -> UnitRow:
        return tenancy_changes.add_unit(tx, self.caller, self.property.id, {"label": label}, FirstTenant(tenant))

    def _hook(self, tx: Tx) -> str:
        """Create a webhook that receives events about new units; return its id."""
        receivers = Receivers(wiring.vault(self.settings), lambda _host: ())
        wanted = Wanted("https://example.com/hooks/prorata", ("unit.created",), "Bookkeeping")
        return webhooks.create(tx, self.caller, wanted, receivers, token_bytes(32))[0].id

    def _delivery(self, tx: Tx) -> str:
        """Record a failed delivery to the webhook, then pause it; return the delivery's id."""
        sending = next_to_send(tx, self.caller.account_id, self.hook_id, kind=SLOW)
        assert sending is not None
        note(tx, sending.endpoint, sending.to_send[0], Posted(500, "<b>The database is away.</b>", 0.42))
        webhooks.change(tx, self.caller, self.hook_id, state="paused")
        (delivery,) = webhooks.log(tx, self.caller, self.hook_id, before=None, limit=1).deliveries
        return delivery.id
