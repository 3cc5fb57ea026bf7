"""A property of the office with units, tenants, a bill and therefore invoices."""

from datetime import date
from typing import Any

from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.actions.properties import tenants, units
from prorata.domain.bills.bills import NewBill
from prorata.store.audit.audit import Caller
from prorata.store.invoices.invoices import InvoiceSummary
from tests.dashboard.conftest import Browser, Office

FEBRUARY = "2026-02"


def billed(
    office: Office, *labels: str, name: str = "Maple Court", total: int = 90_00, account: str | None = None
) -> list[InvoiceSummary]:
    """The February drafts of a new property, one for each unit.

    Each tenant is named after the unit.
    """
    caller = Caller(account or office.account_id, "cli")
    mine = office.add_property(caller.account_id, name)

    def add(tx: Any) -> None:
        for label in labels:
            unit = units.create(tx, caller, mine.id, {"label": label})
            tenants.create(tx, caller, unit.id, {"name": f"Tenant {label}", "email": f"t{label}@example.org"})
        bills.add(tx, caller, [NewBill(mine.id, "Aqua Water Co.", ("WATER",), total, date(2026, 2, 20))])

    office.database.write(add)
    return listed(office, {"property": mine.id}, caller)


def listed(office: Office, filters: dict[str, str] | None = None, caller: Caller | None = None) -> list[InvoiceSummary]:
    """The invoices as they are now, narrowed by the filters."""
    asked = caller or office.caller
    shown, _ = office.database.read(
        lambda tx: invoices.page(tx, asked, filters or {}, limit=100, offset=0, details=False)
    )
    return [one.summary for one in shown]


def status_of(office: Office, invoice_id: str) -> str:
    """Return the status of an invoice."""
    return next(one.status for one in listed(office) if one.id == invoice_id)


def set_status(office: Office, invoice_id: str, status: str) -> None:
    """Set the status of an invoice, as the API does."""
    office.database.write(lambda tx: invoices.set_status(tx, office.caller, invoice_id, status))


def send_month(browser: Browser, property_id: str, month: str = FEBRUARY) -> Any:
    """Send every draft of a month, as the month's page does, and return the response."""
    return browser.post("/months/send", {"chosen": f"{property_id} {month}"})
