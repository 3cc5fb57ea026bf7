"""Printed invoices and, for those payable online, links to the tenant's page.

A provider's link stops working once a payment through it has failed; the tenant's page always has a working one.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.invoices.tenant_links import TenantLinks, links_to
from prorata.actions.limits import LEAST_LIFE_OF_A_PRINTED_LINK
from prorata.actions.printing import printed_invoices
from prorata.domain.invoices.tenant_links import LASTS, TenantLink
from prorata.domain.printing.printed_invoices import PrintedInvoice
from prorata.ids import is_id
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow


class Paper(NamedTuple):
    """A printed invoice and, if it is payable online, a link to the tenant's page."""

    printed: PrintedInvoice
    link: TenantLink | None

    def shown_to(self, *, may_write: bool) -> "Paper":
        """Return the printed invoice for a member, without its link unless the member `may_write`.

        The link leads to the tenant's page, where anybody can write in the tenant's name.
        """
        return self if may_write else self._replace(link=None)

    def reminding(self, day: date) -> "Paper":
        """Return the printed invoice as a reminder of that day."""
        return self._replace(printed=self.printed._replace(reminded_on=day))

    def at(self, links: TenantLinks) -> PrintedInvoice:
        """Return the invoice with the address of the tenant's page instead of the payment link."""
        return self.printed.paid_at(links.url(self.link)) if self.link else self.printed


def of_rows(tx: Tx, caller: Caller, rows: Sequence[InvoiceRow]) -> list[Paper]:
    """Load the printed form of invoices, in the order of `rows`.

    The number of SQL statements does not depend on the number of invoices. A link is valid from the invoice date if it
    then stays valid for at least two more months, so that printing the invoice again gives the same bytes. Otherwise,
    it is valid from today.
    """
    printed = printed_invoices.of_rows(tx, caller, rows)
    payable = [row for row, printed_invoice in zip(rows, printed, strict=True) if printed_invoice.payment_link]
    links = links_to(tx, caller.account_id, payable) if payable else {}
    return [
        Paper(printed_invoice, _lasting(tx, row, links.get(row.id)))
        for row, printed_invoice in zip(rows, printed, strict=True)
    ]


def _lasting(tx: Tx, row: InvoiceRow, link: TenantLink | None) -> TenantLink | None:
    until = date.fromisoformat(row.invoice_date) + LASTS
    return link._replace(until=until) if link and until - tx.moment.date() >= LEAST_LIFE_OF_A_PRINTED_LINK else link


def find(tx: Tx, caller: Caller, invoice_id: str) -> Paper:
    """Load the printed form of an invoice.

    All SQL statements must see the same state of the database. Raises `NotFound` if there is no such invoice.
    """
    (paper,) = of_rows(tx, caller, [access.invoice(tx, caller, invoice_id)])
    return paper


def under(tx: Tx, caller: Caller, invoice_id: str, number: str) -> Paper:
    """Load the printed form of an invoice under its current number or a former one.

    Raises `NotFound` if there is no such invoice.
    """
    row = access.invoice(tx, caller, invoice_id)
    if number.strip().upper() == row.number:
        return find(tx, caller, row.id)
    return Paper(printed_invoices.under(tx, caller, row.id, number), None)


def find_named(tx: Tx, caller: Caller, named: str) -> Paper:
    """Find an invoice by its id, or by a current or former number.

    Raises `NotFound` if there is no such invoice.
    """
    row = printed_invoices.named_row(tx, caller, named)
    return find(tx, caller, row.id) if is_id(named, "inv") else under(tx, caller, row.id, named)
