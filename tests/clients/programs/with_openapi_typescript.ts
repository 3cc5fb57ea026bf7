// With types by openapi-typescript: a house, units, tenants, a rule and a bill; then what the invoices say.
import createClient from "openapi-fetch";
import type { components, paths } from "./types.js";

const { API, KEY } = process.env;
const api = createClient<paths>({ baseUrl: API ?? "", headers: { Authorization: `Bearer ${KEY}` } });

function there<T>(answer: { data?: T; error?: components["schemas"]["Error"] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.error);
  return answer.data;
}

const house = there(
  await api.POST("/properties", {
    body: {
      name: "Elm House", streetNumber: "1", street: "Elm Street", city: "Springfield", state: "IL", zip: "62701", country: "US",
    },
  }),
);
const inHouse = { params: { path: { propertyId: house.id } } };
for (const [label, sqft] of [["1A", 850.5], ["1B", 449.5]] as const) {
  const unit = there(await api.POST("/properties/{propertyId}/units", { ...inHouse, body: { label, sqft } }));
  there(await api.POST("/units/{unitId}/tenants", { params: { path: { unitId: unit.id } }, body: { name: `Tenant of ${label}` } }));
}
there(await api.POST("/properties/{propertyId}/sharerules", { ...inHouse, body: { utilityType: "WATER", splitMethod: "SQFT" } }));
const lines = [{ utilityType: "WATER" as const, amount: "130.00" }];
there(
  await api.POST("/properties/{propertyId}/bills", {
    ...inHouse,
    body: { issuerName: "Aqua", totalAmountDue: "130.00", billDate: "2026-03-14", lines },
  }),
);
const page = there(await api.GET("/invoices", { params: { query: { propertyId: house.id, month: "2026-03" } } }));
for (const one of page.data) {
  const invoice = there(await api.GET("/invoices/{id}", { params: { path: { id: one.id } } }));
  console.log(one.tenantName, invoice.totalAmount, invoice.charges[0]?.utilityType);
}
const missing = await api.GET("/invoices/{id}", { params: { path: { id: "inv_0" } } });
console.log(missing.error?.code satisfies components["schemas"]["ErrorCode"] | undefined);

export function paid(event: components["schemas"]["Event"]): string | undefined {
  return event.type === "invoice.paid" && "paidAmount" in event.data ? event.data.paidAmount : undefined;
}
