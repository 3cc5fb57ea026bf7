"""Sent invoices of the office's tenants, and the links to the tenants' pages."""

from datetime import timedelta
from typing import Any

import httpx
from sqlalchemy import bindparam

from prorata.actions.invoices import tenant_links
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.store.database.statements import changes
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.schema.tables import invoice
from tests.dashboard.billed import billed, set_status
from tests.dashboard.conftest import ORIGIN, OWN_SITE, Browser, Office, form_token
from tests.landlord import mail_leaves

SIGNER = TenantLinks([b"tenants"], ORIGIN)
PAY = changes(
    invoice.update()
    .where(invoice.c.id == bindparam("named"))
    .values(payment_link_url=bindparam("url"), paid_amount=bindparam("paid"))
)


def sent(office: Office, *labels: str, **more: Any) -> list[InvoiceSummary]:
    """Sent invoices for February.

    Each tenant is named after the unit.
    """
    made = billed(office, *labels, **more)
    for one in made:
        set_status(office, one.id, "SENT")
    return made


def leaves(office: Office, invoice_id: str) -> None:
    """A server takes what waits for an invoice's tenant."""
    office.database.write(lambda tx: mail_leaves(tx, office.account_id, invoice_id))


def link_to(office: Office, invoice_id: str) -> TenantLink:
    """The current link to an invoice."""

    def find(tx: Any) -> TenantLink:
        row = invoices.find(tx, office.account_id, invoice_id)
        assert row is not None
        found = tenant_links.link_to(tx, row)
        assert found is not None
        return found

    return office.database.read(find)


def page_of(office: Office, invoice_id: str, **changed: Any) -> str:
    """The path of an invoice's page, with the link's fields changed as `changed` says."""
    return path_of(link_to(office, invoice_id)._replace(**changed))


def path_of(link: TenantLink, signer: TenantLinks = SIGNER) -> str:
    return signer.url(link).removeprefix(ORIGIN)


def to_be_paid(office: Office, invoice_id: str, url: str, paid: int = 0) -> None:
    """Give an invoice a payment link and an amount that is already paid."""
    office.database.write(lambda tx: tx.run(PAY, named=invoice_id, url=url, paid=paid))


def asked(browser: Browser, path: str, text: str, about: str = "", **headers: str) -> httpx.Response:
    """Submit a question on the tenant's page; `about` names the charge it is about."""
    fields = {"form_token": form_token(browser.get(path).text), "question": text, "about": about}
    return browser.client.post(path, data=fields, headers=headers or OWN_SITE, follow_redirects=False)


def later(office: Office, **by: float) -> None:
    office.clock.moment += timedelta(**by)
