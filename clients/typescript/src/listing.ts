/**
 * By which parameter a list is read on, and how: by the `next` of each answer (`cursor`, `next`), in pages, or by the
 * number of the last record.
 */
export interface Listing {
  walk: "cursor" | "page" | "next" | "number";
  by: string;
  limit: number;
}

export type Query = Record<string, unknown>;

/** Some of a list, as any of them answers. */
export interface Some<T> {
  data: T[];
  next?: string | null;
  hasMore?: boolean;
  pagination?: { totalPages: number };
}

/** The query of the first request. */
export function first(query: Query, { walk, by, limit }: Listing): Query {
  const begin = walk === "cursor" ? { [by]: "start" } : walk === "page" ? { [by]: 1 } : {};
  return { limit, ...query, ...begin };
}

/** The query of the request behind an answer; undefined at the end. */
export function then(query: Query, answer: Some<unknown>, { walk, by }: Listing): Query | undefined {
  const place = placeBehind(query, answer, walk, by);
  return place === undefined || place === null ? undefined : { ...query, [by]: place };
}

function placeBehind(query: Query, answer: Some<unknown>, walk: Listing["walk"], by: string): unknown {
  if (walk === "cursor" || walk === "next") return answer.next;
  if (walk === "page") {
    const page = Number(query[by]);
    return page < (answer.pagination?.totalPages ?? 0) ? page + 1 : undefined;
  }
  const last = answer.data.at(-1) as { sequence: number } | undefined;
  return answer.hasMore ? last?.sequence : undefined;
}
