// With our own client: what is asked for by the word behind the program's name.
import { createHmac } from "node:crypto";
import { type Event, type MessageHeaders, NotFromProrata, Prorata, Refused, readWebhook, Unreachable } from "prorata-client";

const { API = "", KEY = "" } = process.env;
const prorata = new Prorata(API, KEY);
const HOUSE = {
  name: "Elm House", streetNumber: "1", street: "Elm Street", city: "Springfield", state: "IL", zip: "62701", country: "US",
} as const;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async function bill(): Promise<void> {
  const house = await prorata.createProperty(HOUSE);
  for (const [label, sqft] of [["1A", 850.5], ["1B", 449.5]] as const) {
    const unit = await prorata.createUnit(house.id, { label, sqft });
    await prorata.createTenant(unit.id, { name: `Tenant of ${label}` });
  }
  const rule = await prorata.createShareRule(house.id, { utilityType: "WATER", splitMethod: "SQFT" });
  const lines = [{ utilityType: "WATER", amount: "130.00" } as const];
  await prorata.createBill(house.id, { issuerName: "Aqua", totalAmountDue: "130.00", billDate: "2026-03-14", lines });
  for await (const one of prorata.listInvoices({ propertyId: house.id, month: "2026-03" })) {
    const invoice = await prorata.readInvoice(one.id);
    console.log(one.tenantName, invoice.totalAmount, invoice.charges[0]?.utilityType);
  }
  console.log(await prorata.deleteShareRule(rule.id));
}

async function list(): Promise<void> {
  const house = await prorata.createProperty(HOUSE);
  await Promise.all(Array.from({ length: 101 }, (_, at) => prorata.createUnit(house.id, { label: `${at}` })));
  const labels = new Set<string>();
  for await (const unit of prorata.listUnits(house.id)) labels.add(unit.label);
  let entries = 0;
  for await (const _ of prorata.listAuditLog({ propertyId: house.id })) entries += 1;
  console.log(labels.size, entries);
}

async function repeat(): Promise<void> {
  const house = await prorata.createProperty(HOUSE);
  const tag = (await prorata.exchange("GET", `/properties/${house.id}`)).headers.get("etag") ?? "";
  const changed = await prorata.changeProperty(house.id, { name: "Oak House" }, { ifMatch: tag });
  const stale = await prorata.changeProperty(house.id, { name: "Ash House" }, { ifMatch: tag }).catch((no: Refused) => no.code);
  console.log(changed.name, stale);
}

async function refuse(): Promise<void> {
  try {
    await prorata.createProperty({ ...HOUSE, name: "" });
  } catch (failed) {
    if (failed instanceof Refused) console.log(failed.status, failed.code, failed.details[0]?.field, failed.requestId !== null);
  }
  try {
    await new Prorata("http://127.0.0.1:9", "key", { retries: { most: 1 } }).readAccount();
  } catch (failed) {
    console.log(failed instanceof Unreachable);
  }
}

async function cursors(): Promise<void> {
  const answers: Record<string, object> = {
    start: { data: [1, 2], next: "b" }, b: { data: [], next: "c" }, c: { data: [3], next: null },
  };
  const asked: string[] = [];
  const answer = async (url: string | URL | Request): Promise<Response> => {
    asked.push(String(new URL(String(url)).searchParams));
    return Response.json(answers[new URL(String(url)).searchParams.get("after") ?? ""]);
  };
  const walked = new Prorata("http://x", "key", { fetch: answer });
  const found: number[] = [];
  for await (const one of walked.each<number, unknown>("/units", {}, { walk: "cursor", by: "after", limit: 1000 })) found.push(one);
  console.log(found.join(), asked.join(" "));
}

async function webhook(): Promise<void> {
  const body = JSON.stringify({ type: "invoice.paid", data: { paidAmount: "12.30" } });
  const key = Buffer.from(SECRET.slice(6), "base64");
  const signature = createHmac("sha256", key).update(`evt_1.1770000000.${body}`).digest("base64");
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": "1770000000", "webhook-signature": `v1,b3RoZXI= v1,${signature}` };
  const event: Event = await readWebhook(SECRET, headers, body, 1_770_000_299);
  if (event.type === "invoice.paid" && "paidAmount" in event.data) console.log(event.data.paidAmount);
  const wrong: Array<[string, MessageHeaders, string, number]> = [
    [SECRET, headers, "{}", 1_770_000_000], [SECRET, headers, body, 1_770_000_301], [`whsec_${"A".repeat(32)}`, headers, body, 1_770_000_000],
    [SECRET, new Headers(), body, 1_770_000_000], [SECRET, { ...headers, "webhook-id": "evt_2" }, body, 1_770_000_000],
    [SECRET, { ...headers, "webhook-signature": "v1,é" }, body, 1_770_000_000],
  ];
  const unreadable = { ...headers, "webhook-signature": `v1,@@ v1,${signature}` };
  console.log((await readWebhook(SECRET, unreadable, body, 1_770_000_000)).type);
  for (const secret of ["", "whsec_", "whsec_AAAA"])
    console.log(await readWebhook(secret, headers, body, 1_770_000_000).catch((failed: unknown) => failed instanceof TypeError));
  for (const one of wrong) console.log(await readWebhook(...one).catch((failed: unknown) => failed instanceof NotFromProrata));
}

const works: Record<string, () => Promise<void>> = { bill, list, repeat, refuse, cursors, webhook };
await works[process.argv[2] ?? ""]?.();
