/**
 * Watches the messages of a source that are under way. A run ends at its limit, so a message without an outcome long after that is a fault of
 * the runtime: it is reported, and given back to its server, which would hold back further messages for it.
 */
import { exceptionMessage } from "../engine/exception.ts";
import type { AnnouncePort } from "../engine/flow-scope.ts";
import type { SourceFigures } from "./source-figures.ts";

/** What a run's end, and all that is awaited after it, may take. */
export const graceMs = 10_000;

interface Watched {
  readonly since: number;
  readonly giveBack: (() => void) | undefined;
}

export interface OverdueParts {
  readonly routeId: string;
  readonly scheme: string;
  readonly figures: Pick<SourceFigures, "add">;
  readonly port: Pick<AnnouncePort, "log">;
  /** How long a message may be under way. */
  readonly mostMs: number;
}

export class OverdueMessages {
  readonly #parts: OverdueParts;
  /** In the order in which they began. */
  readonly #watched = new Set<Watched>();
  readonly #overdue = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: OverdueParts) {
    this.#parts = parts;
  }

  /** A run has begun. Returns a function to call when its outcome is there. */
  watch(giveBack: (() => void) | undefined): () => void {
    const watched = { since: performance.now(), giveBack };
    this.#watched.add(watched);
    this.#timer ??= this.#later(this.#parts.mostMs);
    return () => {
      this.#watched.delete(watched);
      if (this.#overdue.delete(watched)) this.#parts.figures.add("overdue", -1);
    };
  }

  #later(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), Math.max(1, ms)).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const watched of this.#watched) {
      const left = watched.since + this.#parts.mostMs - now;
      if (left > 0) {
        this.#timer = this.#later(left);
        return;
      }
      this.#watched.delete(watched);
      this.#overdue.add(watched);
      this.#report(watched);
    }
  }

  #report({ giveBack }: Watched): void {
    const { routeId, scheme, figures, port, mostMs } = this.#parts;
    figures.add("overdue");
    const after = `a message of '${routeId}' has no outcome after ${Math.round(mostMs / 1000)} s, and its run should have ended`;
    const next = giveBack === undefined ? "its thread has to end before it comes again" : "it is given back";
    port.log("WARN", scheme, `${after}: ${next}`);
    try {
      giveBack?.();
    } catch (error) {
      port.log("WARN", scheme, `a message of '${routeId}' could not be given back: ${exceptionMessage(error)}`);
    }
  }
}
