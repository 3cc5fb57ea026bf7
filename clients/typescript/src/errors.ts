import type { Detail } from "./models.js";

/** Anything that this client throws by itself. */
export class ProrataError extends Error {
  override name = "ProrataError";
}

/** An answer that is an error: its status, its code for programs, its sentence for people, its details. */
export class Refused extends ProrataError {
  override name = "Refused";

  constructor(
    readonly status: number,
    readonly code: string,
    readonly sentence: string,
    readonly details: Detail[],
    readonly requestId: string | null,
  ) {
    super(`${status} ${code}: ${sentence}`);
  }
}

/** No answer came, however often it was tried. A write may have been done or not. */
export class Unreachable extends ProrataError {
  override name = "Unreachable";
}

/** A message that is not signed with the webhook's secret, or is too old. */
export class NotFromProrata extends ProrataError {
  override name = "NotFromProrata";
}
