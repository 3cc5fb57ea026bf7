/**
 * By which parameter a list is read on, and how: by the `next` of each answer (`cursor`, `next`), in pages, or by the
 * number of the last record. With a parameter of `paged` one with cursors is read in pages.
 */
export interface Listing {
  walk: "cursor" | "page" | "next" | "number";
  by: string;
  limit: number;
  paged?: string[];
}

export type Query = Record<string, unknown>;

const MOST_ON_A_PAGE = 100;

/** Some of a list, as any of them answers. */
interface Some {
  data: unknown[];
  next?: string | null;
  hasMore?: boolean;
  pagination?: { totalPages: number };
}

/** The query of the first request. */
export function first(query: Query, { walk, by, limit, paged }: Listing): Query {
  if (paged?.some((name) => query[name] !== undefined)) return { limit: MOST_ON_A_PAGE, ...query, page: 1 };
  const begin = walk === "cursor" ? { [by]: "start" } : walk === "page" ? { [by]: 1 } : {};
  const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return { limit, ...begin, ...Object.fromEntries(said) };
}

/** The query of the request behind an answer; undefined at the end. */
export function then(query: Query, answer: Some, { walk, by }: Listing): Query | undefined {
  if (query["page"] !== undefined) {
    const page = Number(query["page"]);
    return page < (answer.pagination?.totalPages ?? 0) ? { ...query, page: page + 1 } : undefined;
  }
  const last = answer.data.at(-1) as { sequence: number } | undefined;
  const place = walk === "number" ? (answer.hasMore ? last?.sequence : undefined) : answer.next;
  return place === undefined || place === null ? undefined : { ...query, [by]: place };
}

/** The records of a list, read on as they are asked for. */
export class Records<T, A> implements AsyncIterableIterator<T> {
  #behind: Query | undefined;
  #answer: A | undefined;
  readonly #records: AsyncGenerator<T, void, undefined>;

  constructor(
    private readonly ask: (query: Query) => Promise<A>,
    query: Query,
    private readonly listing: Listing,
  ) {
    this.#behind = first(query, listing);
    this.#records = this.#each();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, void>> {
    return this.#records.next();
  }

  return(): Promise<IteratorResult<T, void>> {
    return this.#records.return();
  }

  /** The latest answer, with what stands beside its records, such as `next`; the first one is asked for. */
  async answer(): Promise<A> {
    return this.#answer ?? (await this.#read(this.#behind ?? {}));
  }

  async #read(query: Query): Promise<A> {
    const answer = await this.ask(query);
    this.#answer = answer;
    this.#behind = then(query, answer as Some, this.listing);
    return answer;
  }

  async *#each(): AsyncGenerator<T, void, undefined> {
    yield* (((await this.answer()) as Some).data as T[]);
    while (this.#behind !== undefined) yield* (((await this.#read(this.#behind)) as Some).data as T[]);
  }
}
