import { NotFromProrata } from "./errors.js";
import type { Event } from "./models.js";

/** Seconds that a message's time may differ from ours. */
export const TOLERANCE = 5 * 60;

/** The headers of a message: as `Headers`, or as Node has them. */
export type MessageHeaders = Headers | Record<string, string | string[] | undefined>;

/** The shortest key of a webhook endpoint, in bytes. */
const SHORTEST_KEY = 16;

/**
 * The event of a message, whose `body` is given as it came. Throws `NotFromProrata`, or a `TypeError` if `secret` is
 * not the secret of an endpoint.
 */
export async function readWebhook(
  secret: string,
  headers: MessageHeaders,
  body: string | Uint8Array,
  now: number = Date.now() / 1000,
): Promise<Event> {
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!secretBytes || secretBytes.length < SHORTEST_KEY)
    throw new TypeError("This is not the secret of a webhook endpoint, which begins with whsec_.");
  const moment = header(headers, "webhook-timestamp");
  if (!/^[0-9]+$/.test(moment) || Math.abs(now - Number(moment)) > TOLERANCE)
    throw new NotFromProrata("The message has no time, or one that is too far from now.");
  const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const begin = new TextEncoder().encode(`${header(headers, "webhook-id")}.${moment}.`);
  const signed = new Uint8Array(begin.length + content.length);
  signed.set(begin);
  signed.set(content, begin.length);
  const key = await crypto.subtle.importKey("raw", secretBytes, HMAC, false, ["verify"]);
  for (const one of header(headers, "webhook-signature").split(" ")) {
    const signature = one.startsWith("v1,") ? bytesOf(one.slice(3)) : undefined;
    if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed)))
      return JSON.parse(new TextDecoder().decode(content)) as Event;
  }
  throw new NotFromProrata("The message is not signed with this secret.");
}

const HMAC = { name: "HMAC", hash: "SHA-256" };

function header(headers: MessageHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
