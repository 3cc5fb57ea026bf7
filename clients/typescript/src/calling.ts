import { ProrataError, Refused, Unreachable } from "./errors.js";
import { type Listing, type Query, Records } from "./listing.js";
import type { Detail } from "./models.js";
import { Attempts, type Retries } from "./retries.js";

/** How the API is called, beside its address and key. */
export interface Settings {
  retries?: Partial<Retries>;
  /** Seconds until an attempt is given up. */
  timeout?: number;
  fetch?: typeof fetch;
}

/** What can be said with a request that makes something. */
export interface Making {
  /** One that you keep yourself, so that a repeat by another run of your program makes nothing twice. */
  idempotencyKey?: string | undefined;
}

/** What can be said with a change: the ETag of what you have read. */
export interface Changing {
  ifMatch?: string | undefined;
}

interface Said extends Making, Changing {
  query?: Query;
  body?: unknown;
  form?: object;
}

/** Calls operations. They are generated on top. */
export class Caller {
  readonly base: string;
  readonly #key: string;
  readonly #retries: Retries;
  readonly #timeout: number;
  readonly #fetch: typeof fetch;

  constructor(address: string, key: string, settings: Settings = {}) {
    const base = address.replace(/\/+$/, "");
    this.base = base.endsWith("/api/v1") ? base : `${base}/api/v1`;
    this.#key = key;
    this.#retries = { most: 5, longestWait: 120, ...settings.retries };
    this.#timeout = settings.timeout ?? 60;
    this.#fetch = settings.fetch ?? fetch;
  }

  /** An Idempotency-Key for one request and its repeats. */
  newKey(): string {
    return crypto.randomUUID();
  }

  /** Send any request, again where that is safe; the answer with its headers. Throws `Refused` and `Unreachable`. */
  async exchange(method: string, path: string, said: Said = {}): Promise<Response> {
    const url = new URL(this.base + path);
    for (const [name, value] of Object.entries(said.query ?? {}))
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    const headers = new Headers({ Authorization: `Bearer ${this.#key}` });
    if (said.idempotencyKey !== undefined) headers.set("Idempotency-Key", said.idempotencyKey);
    if (said.ifMatch !== undefined) headers.set("If-Match", said.ifMatch);
    const body = bodyOf(said, headers);
    const isOnce = method !== "POST" || said.idempotencyKey !== undefined;
    const attempts = new Attempts(this.#retries, isOnce && said.ifMatch === undefined);
    for (;;) {
      let wait: number | undefined;
      try {
        const answer = await this.#once(url, { method, headers, ...(body === undefined ? {} : { body }) });
        wait = attempts.secondsAfter(answer.status, answer.headers.get("retry-after"));
        if (wait === undefined) {
          if (answer.ok) return answer;
          throw await refusal(answer);
        }
      } catch (failed) {
        if (failed instanceof ProrataError) throw failed;
        wait = attempts.secondsAfterLoss();
        if (wait === undefined) throw new Unreachable(String(failed), { cause: failed });
      }
      await new Promise((go) => setTimeout(go, wait * 1000));
    }
  }

  /** What an operation answers, read from JSON. */
  async call<T>(method: string, path: string, said: Said = {}): Promise<T> {
    const text = await (await this.exchange(method, path, said)).text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** The file that an operation answers. */
  async content(method: string, path: string, said: Said = {}): Promise<Uint8Array> {
    return new Uint8Array(await (await this.exchange(method, path, said)).arrayBuffer());
  }

  /** Every record of a list, as it is read on. */
  each<T, A>(path: string, query: Query, listing: Listing): Records<T, A> {
    return new Records((at) => this.call<A>("GET", path, { query: at }), query, listing);
  }

  /** One attempt, with the whole answer: a connection that is lost in the middle of it is lost here. */
  async #once(url: URL, request: RequestInit): Promise<Response> {
    const answer = await this.#fetch(url, { ...request, signal: AbortSignal.timeout(this.#timeout * 1000) });
    const content = await answer.arrayBuffer();
    return new Response(content.byteLength ? content : null, {
      status: answer.status,
      statusText: answer.statusText,
      headers: answer.headers,
    });
  }
}

function bodyOf(said: Said, headers: Headers): string | FormData | undefined {
  if (said.form !== undefined) {
    const form = new FormData();
    for (const [name, value] of Object.entries(said.form))
      for (const one of Array.isArray(value) ? value : [value])
        if (one instanceof Blob) form.append(name, one);
        else if (one !== undefined && one !== null) form.append(name, String(one));
    return form;
  }
  if (said.body === undefined) return undefined;
  headers.set("Content-Type", "application/json");
  return JSON.stringify(said.body);
}

async function refusal(answer: Response): Promise<Refused> {
  let said: { error?: string; code?: string; details?: Detail[] } = {};
  try {
    said = (await answer.json()) as typeof said;
  } catch {
    // no JSON: not from Prorata, but from something before it
  }
  const message = said.error ?? `The answer was ${answer.status}.`;
  return new Refused(answer.status, said.code ?? "", message, said.details ?? [], answer.headers.get("x-request-id"));
}
