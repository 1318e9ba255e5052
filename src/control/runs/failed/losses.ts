/** Failed messages that are gone without having been retried: counted, and reported now and then. */
import type { Evicted } from "../../state/failed-operations.ts";

/** What becomes of failed messages, as the metrics count it. */
export type FailedEvent =
  | "kept"
  | "head_only"
  | "repeated"
  | "dropped"
  | "retried"
  | "retry_failed"
  | "not_kept"
  | "tick";

interface LossParts {
  log(level: "WARN", message: string, about: { flowId: string }): void;
  count(flowId: string, event: FailedEvent, by: number): void;
}

/** A flow's losses are reported at most this often. */
const reportMs = 10_000;

interface Loss {
  /** By route, since the last report. */
  readonly messages: Map<string, number>;
  /** Epoch ms of the last report. */
  at: number;
}

export class Losses {
  readonly #parts: LossParts;
  readonly #byFlow = new Map<string, Loss>();

  constructor(parts: LossParts) {
    this.#parts = parts;
  }

  /** Adds messages that had to make room, or were too old. */
  add(flowId: string, evicted: readonly Evicted[]): void {
    if (evicted.length === 0) return;
    const loss = this.#byFlow.get(flowId) ?? { messages: new Map<string, number>(), at: 0 };
    this.#byFlow.set(flowId, loss);
    for (const { routeId, messages } of evicted) {
      this.#parts.count(flowId, "dropped", messages);
      loss.messages.set(routeId, (loss.messages.get(routeId) ?? 0) + messages);
    }
    if (Date.now() - loss.at < reportMs) return;
    const routes = [...loss.messages].map(([routeId, messages]) => `${messages} of route '${routeId}'`).join(", ");
    const why = "limits failedMessages, failedBytes, failedTotalBytes and failedKeptMs";
    const message = `failed messages were dropped for good, to make room or since they were too old (${why}): ${routes}`;
    this.#parts.log("WARN", message, { flowId });
    loss.messages.clear();
    loss.at = Date.now();
  }
}
