"""The base of the tests of actions and stories.

It has a clock that the test sets, an open database, and a landlord who calls the actions by short names.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from prorata.actions.accounts import accounts
from prorata.actions.bills import bills
from prorata.actions.delivery import deliveries
from prorata.actions.invoices import invoices
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.overview.consistency_checks import check_account
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.properties import properties, tenants, units
from prorata.actions.properties.properties import NewProperty
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.share_rules import ShownRule, Terms
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.bills.bills import NewBill
from prorata.domain.mail.deliveries import QUEUED
from prorata.ports import Erased
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills as stored_bills
from prorata.store.bills.bills import BillRow, LineRow
from prorata.store.database.engine import Database, Tx
from prorata.store.database.postgresql import PostgresqlDatabase
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.database.statements import Asked
from prorata.store.mail import messages
from prorata.store.properties import units as stored_units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.recalculation import billing_months
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.splitting import share_rules as stored_rules
from prorata.store.splitting.share_rules import RuleRow
from prorata.store.webhooks.event_outbox import note_deeds

Result = TypeVar("Result")


class MovableClock:
    """A clock that stands still until it is moved."""

    def __init__(self, moment: datetime = datetime(2026, 3, 10, 18, tzinfo=UTC)) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def forward(self, **by: float) -> None:
        self.moment += timedelta(**by)


class FakeArchive:
    """A fake archive, which keeps what is deleted in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.gone: list[tuple[Erased, list[str]]] = []

    def keep(self, name: str, text: str) -> None:
        self.kept[name] = text

    def erased(self, erased: Erased, named: Sequence[str]) -> None:
        self.gone.append((erased, list(named)))


@contextmanager
def opened(url: str, clock: MovableClock) -> Iterator[Database]:
    """Open the database at `url`."""
    database: Database
    if url.startswith("sqlite:///"):
        database = SqliteDatabase(Path(url.removeprefix("sqlite:///")), clock, listener=note_deeds)
    else:
        database = PostgresqlDatabase(url, clock, listener=note_deeds)
    try:
        yield database
    finally:
        database.close()


class Landlord:
    """An account for the test alone, and the actions as its owner calls them."""

    def __init__(
        self, database: Database, clock: MovableClock, *, timezone: str = "UTC", name: str = "landlord"
    ) -> None:
        self.database = database
        self.clock = clock
        self.archive = FakeArchive()
        self.account = database.write(
            lambda tx: accounts.open_account(
                tx,
                recurs=RECURRING,
                name=name,
                email=f"{tx.new_id(name)}@example.org",
                password_hash="…",
                timezone=timezone,
                locale="en-US",
                currency="USD",
            )
        )
        self.caller = Caller(self.account.id, "test")

    def do(self, action: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        """Run an action that writes, as the caller."""
        return self.database.write(lambda tx: action(tx, self.caller, *arguments, **named))

    def see(self, action: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        """Run an action that reads, as the caller."""
        return self.database.read(lambda tx: action(tx, self.caller, *arguments, **named))

    def read(self, statement: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        """Read from the store with a function of the store."""
        return self.database.read(lambda tx: statement(tx, self.account.id, *arguments, **named))

    def ask(self, ask: Callable[..., Asked[Result]], *arguments: Any, **named: Any) -> list[Result]:
        """Return the rows of a statement that the store composes."""
        asked = ask(self.account.id, *arguments, **named)
        return self.database.read(lambda tx: tx.all(asked.statement, **asked.values))

    def sound(self) -> None:
        """Check that everything stored keeps every invariant."""
        found = list(check_account(self.database, self.account.id))
        assert found == [], found

    # --- properties, units, tenants

    def property_(self, name: str = "Maple Court", **more: Any) -> PropertyRow:
        return self.do(properties.create, NewProperty(name, "12", "Maple St", "Reno", "NV", "89501", "US", **more))

    def unit(self, of: PropertyRow, label: str, **values: Any) -> UnitRow:
        return self.do(units.create, of.id, {"label": label, **values})

    def units(self, of: PropertyRow, *labels: str, **values: Any) -> list[UnitRow]:
        return [self.unit(of, label, **values) for label in labels]

    def stored_units(self, of: PropertyRow) -> list[UnitRow]:
        return self.read(stored_units.of_properties, [of.id])

    def change_unit(self, unit: UnitRow, **changes: Any) -> UnitRow:
        return self.do(units.change, unit.id, changes)

    def remove_unit(self, unit: UnitRow) -> bool:
        return self.do(units.remove, unit.id)

    def tenant(self, of: UnitRow, name: str, **values: Any) -> TenantRow:
        return self.do(tenants.create, of.id, {"name": name, **values})

    def remove_tenant(self, tenant: TenantRow) -> bool:
        return self.do(tenants.remove, tenant.id)

    # --- rules

    def rule(self, of: PropertyRow, utility_type: str, method: str = "EQUAL", **terms: Any) -> ShownRule:
        return self.do(share_rules.create, of.id, utility_type, self.terms(method, **terms))

    def terms(
        self,
        method: str = "EQUAL",
        *,
        weights: str | None = None,
        owner: Decimal | int = 0,
        vacant: Decimal | int = 0,
        blend: str | None = None,
        active: bool = True,
    ) -> Terms:
        return Terms(method, blend, active, weights, Decimal(owner), Decimal(vacant))

    def change_rule(self, rule_id: str, **changes: Any) -> ShownRule:
        return self.do(share_rules.change, rule_id, changes)

    def rules(self, of: PropertyRow) -> dict[str, RuleRow]:
        return {row.utility_type: row for row in self.read(stored_rules.of_properties, [of.id])}

    def blend(self, name: str, **percents: int) -> str:
        components = [(method, Decimal(percent)) for method, percent in percents.items()]
        return self.do(split_methods.create, NewBlend(name, components)).id

    # --- bills

    def bill(
        self, of: PropertyRow, total: int, kind: str = "WATER", on: date = date(2026, 2, 20), **more: Any
    ) -> BillRow:
        (row,) = self.bills(of, total, kind, on, **more)
        return row

    def bills(
        self, of: PropertyRow, total: int, kind: str = "WATER", on: date = date(2026, 2, 20), **more: Any
    ) -> tuple[BillRow, ...]:
        new = NewBill(of.id, more.pop("issuer", "Aqua Water Co."), tuple(kind.split(";")), total, on, **more)
        return self.do(bills.add, [new]).bills

    def stored_bills(self, of: PropertyRow) -> list[BillRow]:
        return self.read(stored_bills.all_of_property, of.id)

    def move_bill(self, bill: BillRow, month: str) -> BillRow:
        return self.do(bills.move, bill.id, month)

    def remove_bill(self, bill: BillRow) -> None:
        self.do(bills.remove, bill.id)

    def lines(self, bill: BillRow) -> list[LineRow]:
        return sorted(self.read(stored_bills.lines, bill.id), key=lambda line: line.number)

    def waits(self, bill: BillRow) -> bool:
        return bool(self.see(bills.find, bill.id).waiting)

    # --- invoices

    def invoices(self, of: PropertyRow, month: str = "2026-02") -> dict[str, ShownInvoice]:
        """The invoices of a property for a month, by the label of the unit.

        For the further households of a unit, the sequence follows the label.
        """
        filters = {"property": of.id, "month": month}
        shown, total = self.see(invoices.page, filters, limit=100, offset=0, details=True)
        assert len(shown) == min(total, 100)
        return {f"{one.summary.unit_label}.{one.summary.sequence}".removesuffix(".0"): one for one in shown}

    def totals(self, of: PropertyRow, month: str = "2026-02") -> dict[str, int]:
        return {label: one.summary.total for label, one in self.invoices(of, month).items()}

    def statuses(self, of: PropertyRow, month: str = "2026-02") -> dict[str, str]:
        return {label: one.summary.status for label, one in self.invoices(of, month).items()}

    def set_status(self, of: PropertyRow, label: str, status: str, month: str = "2026-02") -> ShownInvoice:
        return self.do(invoices.set_status, self.invoices(of, month)[label].summary.id, status)

    def mail_leaves(self, invoice_id: str) -> None:
        """A server takes what waits for an invoice's tenant."""
        self.run(lambda tx: mail_leaves(tx, self.account.id, invoice_id))

    def month(self, of: PropertyRow, month: str = "2026-02") -> MonthRow | None:
        return self.read(billing_months.find, of.id, month)

    def run(self, work: Callable[[Tx], Result]) -> Result:
        """Run any work that writes."""
        return self.database.write(work)


def mail_leaves(tx: Tx, account_id: str, invoice_id: str) -> None:
    """A server takes what waits for an invoice's tenant."""
    for row in messages.of_invoice(tx, account_id, invoice_id):
        if row.state == QUEUED:
            deliveries.note_taken(tx, account_id, row.id, "250 ok")
