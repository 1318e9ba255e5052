/** Calls that policies have denied, or would have: counted for the metrics, and told to the log so that strangers cannot fill it. */
import type { ErrorCode } from "../../shared/errors.ts";

export interface Denial {
  readonly flowId: string;
  readonly code: ErrorCode;
  readonly mode: "enforce" | "report";
  /** For the log. */
  readonly reason: string;
}

export interface DenialCount {
  readonly flow: string;
  readonly code: ErrorCode;
  readonly mode: "enforce" | "report";
  readonly count: number;
}

/** Of one flow and reason: a line at once, and one with the number of those that came after it. */
const everyMs = 10_000;
/** Reasons of a flow that are told apart in that time. */
const reasonsAtOnce = 8;
const reasonCharacters = 200;

export class Denials {
  readonly #log: (flowId: string, message: string) => void;
  readonly #counts = new Map<string, Map<string, DenialCount>>();
  /** Flow id -> what was told -> how many more. */
  readonly #told = new Map<string, Map<string, number>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: (flowId: string, message: string) => void) {
    this.#log = log;
  }

  note({ flowId, code, mode, reason }: Denial): void {
    this.#count(flowId, code, mode);
    const told = this.#told.get(flowId) ?? new Map<string, number>();
    this.#told.set(flowId, told);
    const verb = mode === "enforce" ? "denied" : "would be denied";
    const exact = `${verb} (${code}): ${reason.slice(0, reasonCharacters)}`;
    const line = told.has(exact) || told.size < reasonsAtOnce ? exact : `${verb} for other reasons`;
    const more = told.get(line);
    told.set(line, more === undefined ? 0 : more + 1);
    if (more === undefined) this.#log(flowId, line);
    this.#timer ??= setTimeout(() => this.flush(), everyMs).unref();
  }

  /** Tells what has not been told; what comes now is told at once again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [flowId, told] of this.#told) {
      for (const [line, more] of told) if (more > 0) this.#log(flowId, `${line} (${more} more since)`);
    }
    this.#told.clear();
  }

  counts(): DenialCount[] {
    return [...this.#counts.values()].flatMap((codes) => [...codes.values()]);
  }

  /** The flow has no policy any more. */
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
