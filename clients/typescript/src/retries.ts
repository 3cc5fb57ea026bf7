/** How often a request is sent again at most, and how many seconds are waited before one of them at most. */
export interface Retries {
  most: number;
  longestWait: number;
}

const SLOWEST = 8;
const FIRST = 0.25;

/**
 * The attempts at one request. It may be repeated where that does it once: every request but a POST without a key, and
 * a write under If-Match, which would not match what it wrote itself.
 */
export class Attempts {
  #made = 0;

  constructor(
    readonly retries: Retries,
    readonly isRepeatable: boolean,
  ) {}

  /**
   * How many seconds to wait before the next attempt after an answer; undefined: it is the answer. What has
   * `Retry-After` was not done. A 503 without it may have been.
   */
  secondsAfter(status: number, retryAfter: string | null): number | undefined {
    if (retryAfter !== null && /^[0-9]+$/.test(retryAfter)) return this.#wait(Number(retryAfter));
    if (status === 429 || (status === 503 && this.isRepeatable)) return this.#wait(this.#pause());
    return undefined;
  }

  /** How many seconds to wait after a connection that was lost, or never made; undefined: it is given up. */
  secondsAfterLoss(): number | undefined {
    return this.isRepeatable ? this.#wait(this.#pause()) : undefined;
  }

  #wait(seconds: number): number | undefined {
    this.#made += 1;
    return this.#made <= this.retries.most && seconds <= this.retries.longestWait ? seconds : undefined;
  }

  #pause(): number {
    return Math.min(SLOWEST, FIRST * 2 ** this.#made) * (0.5 + Math.random() / 2);
  }
}
