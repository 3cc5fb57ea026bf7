"""The addressee of an invoice that was never sent: a tenant of its household.

The name and e-mail address are the tenant's current ones.
"""

from collections.abc import Collection, Container, Iterable, Mapping
from typing import NamedTuple

from prorata.actions.recalculation.month_loader import PropertyFacts
from prorata.domain.billing_calendar import Month
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import DRAFT
from prorata.domain.splitting.invoice_sequences import addressee_now
from prorata.domain.splitting.month_facts import TenantRecord, stays_of
from prorata.store.invoices.invoices import InvoiceRow


class Address(NamedTuple):
    """The tenant to whom an invoice is addressed.

    Every field is None for a vacant unit.
    """

    tenant_id: str | None = None
    name: str | None = None
    email: str | None = None


def address_of(of_property: PropertyFacts, tenant_id: str | None) -> Address:
    """Return a tenant's current name and e-mail address, for addressing an invoice."""
    tenant = None if tenant_id is None else of_property.tenants.get(tenant_id)
    return Address(tenant.tenant_id, tenant.name, tenant.email) if tenant else Address()


def address_now(
    of_property: PropertyFacts, draft: InvoiceRow, first_closed: str | None, beside: Collection[str] = (), *,
    as_before: bool = False,
) -> Address:  # fmt: skip
    """Return the current addressee of a draft that was never sent.

    `first_closed` is the time at which the month was first closed, if it was. The tenants in `beside` have their own
    invoices for the draft's unit and month. With `as_before`, the addressee is chosen from everybody who lived in the
    unit in that month, regardless of the draft's current tenant.
    """
    stays = stays_of(of_property.units[draft.unit_id], None if as_before else first_closed)
    tenant_id = addressee_now(
        Month(draft.month), stays, draft.sequence, None if as_before else draft.tenant_id,
        WithEmail(of_property.tenants), beside,
    )  # fmt: skip
    return address_of(of_property, tenant_id)


def further_tenants(stored: Iterable[InvoiceRow]) -> Mapping[str, list[str]]:
    """Map units to the tenants who have an invoice besides the unit's regular invoice."""
    return grouped((invoice.unit_id, invoice.tenant_id) for invoice in stored if invoice.sequence and invoice.tenant_id)


def is_addressed(invoice: InvoiceRow, address: Address) -> bool:
    """True if an invoice has this addressee, with the same name and e-mail address."""
    return (invoice.tenant_id, invoice.tenant_name, invoice.tenant_email) == address


def is_renamed(of_property: PropertyFacts, invoice: InvoiceRow) -> bool:
    """True if a never-sent draft's tenant now has another name or e-mail address."""
    if invoice.status != DRAFT or invoice.issued or invoice.tenant_id is None:
        return False
    address = address_of(of_property, invoice.tenant_id)
    return address.tenant_id is not None and not is_addressed(invoice, address)


class WithEmail(Container[str]):
    """The set of ids of the tenants who have an e-mail address."""

    def __init__(self, tenants: Mapping[str, TenantRecord]) -> None:
        self._tenants = tenants

    def __contains__(self, tenant_id: object) -> bool:
        tenant = self._tenants.get(str(tenant_id))
        return tenant is not None and bool(tenant.email)
