/**
 * Calls that policies have denied, or would have: counted for the metrics, and logged in a way that strangers cannot
 * fill the log.
 */
import type { ErrorCode } from "../../shared/errors.ts";
import { RepeatedLines } from "../http/repeated-lines.ts";

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

const reasonCharacters = 200;

export class Denials {
  readonly #lines: RepeatedLines;
  readonly #counts = new Map<string, Map<string, DenialCount>>();

  constructor(log: (flowId: string, message: string) => void) {
    this.#lines = new RepeatedLines(log);
  }

  note({ flowId, code, mode, reason }: Denial): void {
    this.#count(flowId, code, mode);
    const verb = mode === "enforce" ? "denied" : "would be denied";
    const line = `${verb} (${code}): ${reason.slice(0, reasonCharacters)}`;
    this.#lines.note(flowId, line, `${verb} for other reasons`);
  }

  /** Logs the calls that were only counted; the next ones are logged at once again. */
  flush(): void {
    this.#lines.flush();
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
