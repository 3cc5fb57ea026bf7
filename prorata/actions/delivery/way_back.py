"""The return of a tenant to the invoice's page after paying online."""

from datetime import timedelta
from typing import Literal, NamedTuple

from prorata.actions.delivery import tenant_pages
from prorata.actions.invoices import tenant_links
from prorata.actions.online_payments import payment_links
from prorata.domain.invoice_states import PAID, PAYMENT_FAILED
from prorata.domain.invoices.tenant_links import TenantLink
from prorata.domain.online_payments.payment_links import CLOSED
from prorata.errors import NotFound
from prorata.ids import is_id
from prorata.store.database.engine import Tx, timestamp
from prorata.store.invoices import invoices
from prorata.store.online_payments import payment_links as stored

LEADS_BACK = timedelta(days=7)
"""The time for which the address and its page work after the link's use.

It is limited because anybody who has only the payment link may pay for a tenant, and must not get lasting access to the
tenant's page.
"""
Says = Literal["paid", "under way", "failed", "not confirmed"]


class WayBack(NamedTuple):
    """The page to which a payer returns from the payment provider.

    `says` is the message to show on it, in the language of `locale`.
    """

    link: TenantLink
    says: Says
    biller: str
    locale: str


def find(tx: Tx, account_id: str, link_id: str) -> WayBack:
    """Find the page to which a tenant returns from the payment provider.

    `link_id` is the id of the payment link. Raises `NotFound` if there is no such link, if it was closed long ago,
    if its invoice is now for somebody else, or if the links to the tenant's page have been stopped or renewed
    since.
    """
    known = is_id(account_id, "acct") and is_id(link_id, "plink")
    row = stored.find(tx, account_id, link_id) if known else None
    invoice = invoices.find(tx, account_id, row.invoice_id) if row else None
    if row is None or invoice is None or not payment_links.is_of_its_person(row, invoice):
        raise NotFound("page")
    if row.state == CLOSED and row.updated_at < timestamp(tx.moment - LEADS_BACK):
        raise NotFound("page")
    link = tenant_links.link_to(tx, invoice)
    if link is None or tenant_links.state_of(tx, account_id, invoice.id).updated_at > row.created_at:
        raise NotFound("page")
    page = tenant_pages.opened(tx, link._replace(until=(tx.moment + LEADS_BACK).date()))
    copy = page.printed.copy
    if invoice.status == PAID:
        says: Says = "paid"
    elif invoice.payment_status == PAYMENT_FAILED:
        says = "failed"
    else:
        says = "under way" if page.is_under_way else "not confirmed"
    return WayBack(page.link, says, copy.biller.name, copy.locale)
