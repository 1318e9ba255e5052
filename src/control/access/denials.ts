/**
 * Calls that policies have denied, or would have: counted for the metrics, and logged in a way that strangers cannot
 * fill the log.
 */
import type { ErrorCode } from "../../shared/errors.ts";

export interface Denial {
  readonly flowId: string;
  readonly code: ErrorCode;
  readonly mode: "enforce" | "report";
  /** The reason, for the log. */
  readonly reason: string;
}

export interface DenialCount {
  readonly flow: string;
  readonly code: ErrorCode;
  readonly mode: "enforce" | "report";
  readonly count: number;
}

/** A flow's reason is logged at once, and after this time once more with the number of calls in between. */
const everyMs = 10_000;
/** How many reasons of a flow are logged separately in that time. */
const reasonsAtOnce = 8;
const reasonCharacters = 200;

export class Denials {
  readonly #log: (flowId: string, message: string) => void;
  readonly #counts = new Map<string, Map<string, DenialCount>>();
  /** Flow id -> logged line -> how many more calls since. */
  readonly #logged = new Map<string, Map<string, number>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: (flowId: string, message: string) => void) {
    this.#log = log;
  }

  note({ flowId, code, mode, reason }: Denial): void {
    this.#count(flowId, code, mode);
    const logged = this.#logged.get(flowId) ?? new Map<string, number>();
    this.#logged.set(flowId, logged);
    const verb = mode === "enforce" ? "denied" : "would be denied";
    const exact = `${verb} (${code}): ${reason.slice(0, reasonCharacters)}`;
    const line = logged.has(exact) || logged.size < reasonsAtOnce ? exact : `${verb} for other reasons`;
    const more = logged.get(line);
    logged.set(line, more === undefined ? 0 : more + 1);
    if (more === undefined) this.#log(flowId, line);
    this.#timer ??= setTimeout(() => this.flush(), everyMs).unref();
  }

  /** Logs the calls that were only counted; the next ones are logged at once again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [flowId, logged] of this.#logged) {
      for (const [line, more] of logged) if (more > 0) this.#log(flowId, `${line} (${more} more since)`);
    }
    this.#logged.clear();
  }

  counts(): DenialCount[] {
    return [...this.#counts.values()].flatMap((codes) => [...codes.values()]);
  }

  /** Called when the flow has no policy any more. */
  forget(flowId: string): void {
    this.#counts.delete(flowId);
  }

  #count(flow: string, code: ErrorCode, mode: Denial["mode"]): void {
    const codes = this.#counts.get(flow) ?? new Map<string, DenialCount>();
    this.#counts.set(flow, codes);
    const key = `${code} ${mode}`;
    codes.set(key, { flow, code, mode, count: (codes.get(key)?.count ?? 0) + 1 });
  }
}
