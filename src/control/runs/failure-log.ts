/**
 * Logs each run that did not complete, and each failure that a flow handled. A flow that fails all the time must not fill the log: beyond
 * a number of lines in a second they are only counted, and one line has their number.
 */

import type { LogFields } from "../streams/log-hub.ts";
import type { HandledFailure } from "../threads/invocation.ts";
import type { RunRecord, RunStatus } from "./run-record.ts";

type Level = "WARN" | "ERROR";
type Write = (level: Level, message: string, about: LogFields) => void;

/** The most lines in a second: of one route, and of all routes together. */
const mostOfRoute = 10;
const mostInAll = 200;
const secondMs = 1000;
/** The most routes that the line about omitted lines names. */
const mostNamed = 5;
/** The most characters of a failure's message. */
const mostMessage = 1000;

const ends: Partial<Record<RunStatus, string>> = { timeout: "timed out" };

export class FailureLog {
  readonly #write: Write;
  /** Lines of each route that were written, and left out, in the current second. */
  readonly #written = new Map<string, number>();
  readonly #omitted = new Map<string, number>();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(write: Write) {
    this.#write = write;
  }

  /** Logs a run that did not complete. */
  ended(record: RunRecord): void {
    if (!this.#hasRoom(record.routeId)) return;
    const { status, error, owner } = record;
    const place = error === null || error.stepId === null ? "" : placeText(error.stepId, owner.flowId, error.line);
    const cause = error === null ? "" : `: ${named(error)}`;
    const level = status === "shed" || status === "cancelled" ? "WARN" : "ERROR";
    this.#write(level, `run ${ends[status] ?? status}${place}${cause}`, fields(record, error?.stepId ?? undefined));
  }

  /** Logs a failure that the flow handled; the run goes on. */
  handled(record: RunRecord, failure: HandledFailure): void {
    if (!this.#hasRoom(record.routeId)) return;
    const { flowId, manifest } = record.owner;
    const step = manifest.steps[failure.step];
    const place = step === undefined ? "" : placeText(step.id, flowId, step.at.line);
    this.#write("WARN", `failure${place} handled by ${failure.by}: ${named(failure)}`, fields(record, step?.id));
  }

  /** Logs how many lines were left out; call it before the process ends. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const omitted = [...this.#omitted].sort(([, a], [, b]) => b - a);
    this.#omitted.clear();
    this.#written.clear();
    this.#total = 0;
    if (omitted.length === 0) return;
    const sum = omitted.reduce((total, [, count]) => total + count, 0);
    const routes = omitted.slice(0, mostNamed).map(([routeId, count]) => `${count} of route '${routeId}'`);
    const others = omitted.length > mostNamed ? [`those of ${omitted.length - mostNamed} other routes`] : [];
    this.#write("WARN", `${sum} lines about failures were left out: ${[...routes, ...others].join(", ")}`, {});
  }

  #hasRoom(routeId: string): boolean {
    this.#timer ??= setTimeout(() => this.flush(), secondMs).unref();
    const written = this.#written.get(routeId) ?? 0;
    if (written < mostOfRoute && this.#total < mostInAll) {
      this.#written.set(routeId, written + 1);
      this.#total += 1;
      return true;
    }
    this.#omitted.set(routeId, (this.#omitted.get(routeId) ?? 0) + 1);
    return false;
  }
}

function placeText(stepId: string, flowId: string, line: number | null): string {
  return ` at step '${stepId}' (${flowId}.yaml${line === null ? "" : `:${line}`})`;
}

function named({ type, message }: { readonly type: string; readonly message: string }): string {
  return `${type}: ${message.length > mostMessage ? `${message.slice(0, mostMessage)}...` : message}`;
}

function fields({ owner, routeId, id, traceId, parentRunId, testSessionId }: RunRecord, stepId?: string): LogFields {
  return {
    flowId: owner.flowId,
    routeId,
    stepId,
    runId: id,
    traceId,
    parentRunId: parentRunId ?? undefined,
    testSessionId: testSessionId ?? undefined,
  };
}
