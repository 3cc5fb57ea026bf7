"""A program that uses a client made by openapi-python-client.

It creates a house, units, tenants, a rule and a bill, and prints what the invoices contain.
"""

import os
from datetime import date

from generated import AuthenticatedClient
from generated.api.bills import create_bill
from generated.api.invoices import list_invoices, read_invoice
from generated.api.properties import create_property
from generated.api.share_rules import create_share_rule
from generated.api.tenants import create_tenant
from generated.api.units import create_unit
from generated.models import (
    Bill,
    BillCreate,
    BillLineSent,
    Error,
    InvoiceInFull,
    PageInvoice,
    Property,
    PropertyCreate,
    PropertyCreateCountry,
    RuleCreate,
    RuleCreateUtilityType,
    ShareRule,
    ShareRuleSplitMethod,
    Tenant,
    TenantCreate,
    UnitCreate,
    UnitWithTenants,
)

client = AuthenticatedClient(os.environ["API"], os.environ["KEY"])
sent = PropertyCreate(
    name="Elm House", street_number="1", street="Elm Street", city="Springfield", state="IL", zip_="62701",
    country=PropertyCreateCountry.US,
)  # fmt: skip
house = create_property.sync(client=client, body=sent)
assert isinstance(house, Property)
for label, sqft in (("1A", 850.5), ("1B", 449.5)):
    unit = create_unit.sync(house.id, client=client, body=UnitCreate(label=label, sqft=sqft))
    assert isinstance(unit, UnitWithTenants)
    tenant = create_tenant.sync(unit.id, client=client, body=TenantCreate(name=f"Tenant of {label}"))
    assert isinstance(tenant, Tenant)
by_area = RuleCreate(utility_type=RuleCreateUtilityType.WATER, split_method=ShareRuleSplitMethod.SQFT)
rule = create_share_rule.sync(house.id, client=client, body=by_area)
assert isinstance(rule, ShareRule)
lines = [BillLineSent(utility_type=RuleCreateUtilityType.WATER, amount="130.00")]
water = BillCreate(issuer_name="Aqua", total_amount_due="130.00", bill_date=date(2026, 3, 14), lines=lines)
bill = create_bill.sync(house.id, client=client, body=water)
assert isinstance(bill, Bill)
page = list_invoices.sync(client=client, property_id=house.id, month="2026-03")
assert isinstance(page, PageInvoice)
for one in page.data:
    invoice = read_invoice.sync(one.id, client=client)
    assert isinstance(invoice, InvoiceInFull)
    print(one.tenant_name, invoice.total_amount, invoice.charges[0].utility_type.value)
missing = read_invoice.sync("inv_0", client=client)
assert isinstance(missing, Error)
print(missing.code.value)
