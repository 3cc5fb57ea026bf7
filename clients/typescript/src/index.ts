import { Operations } from "./operations.js";

export type { Records } from "./listing.js";
export type { Changing, Making, MessageHeaders, Settings };
export * from "./errors.js";
export type * from "./models.js";
export type { Retries } from "./retries.js";
export { readWebhook } from "./webhooks.js";
import type { Changing, Making, Settings } from "./calling.js";
import type { MessageHeaders } from "./webhooks.js";

/**
 * The API of a Prorata at an address, such as https://bills.example.com, under an API key. Each operation is a method;
 * lists are async iterators, requests are sent again where that is safe, and errors are thrown.
 */
export class Prorata extends Operations {}
