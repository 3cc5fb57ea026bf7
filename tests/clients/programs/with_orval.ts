// With a client by orval: a house, units, tenants, a rule and a bill; then what the invoices say.
import {
  createBill, createProperty, createShareRule, createTenant, createUnit, listInvoices, readInvoice,
} from "./orval/client.js";
import type { Event } from "./orval/client.schemas.js";

const as = { headers: { Authorization: `Bearer ${process.env["KEY"]}` } };

const house = await createProperty(
  { name: "Elm House", streetNumber: "1", street: "Elm Street", city: "Springfield", state: "IL", zip: "62701", country: "US" },
  as,
);
if (house.status !== 201) throw new Error(house.data.error);
for (const [label, sqft] of [["1A", 850.5], ["1B", 449.5]] as const) {
  const unit = await createUnit(house.data.id, { label, sqft }, as);
  if (unit.status !== 201) throw new Error(unit.data.error);
  await createTenant(unit.data.id, { name: `Tenant of ${label}` }, as);
}
await createShareRule(house.data.id, { utilityType: "WATER", splitMethod: "SQFT" }, as);
const lines = [{ utilityType: "WATER" as const, amount: "130.00" }];
const bill = await createBill(
  house.data.id, { issuerName: "Aqua", totalAmountDue: "130.00", billDate: "2026-03-14", lines }, as,
);
if (bill.status !== 201) throw new Error(bill.data.error);
const page = await listInvoices({ propertyId: house.data.id, month: "2026-03" }, as);
if (page.status !== 200) throw new Error(page.data.error);
for (const one of page.data.data) {
  const invoice = await readInvoice(one.id, as);
  if (invoice.status === 200)
    console.log(one.tenantName, invoice.data.totalAmount, invoice.data.charges[0]?.utilityType);
}
const missing = await readInvoice("inv_0", as);
if (missing.status === 404) console.log(missing.data.code);

export function paid(event: Event): string | undefined {
  return event.type === "invoice.paid" && "paidAmount" in event.data ? event.data.paidAmount : undefined;
}
