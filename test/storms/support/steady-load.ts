/** Callers on keep-alive connections that go on until they are told to stop, each answer held against what is expected. */
import { monotonicMs, pause } from "../../support/clock.ts";
import { type Answered, Caller } from "./caller.ts";
import type { Expected } from "./expected.ts";

export interface LoadOptions {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** Calls a second of all connections together; undefined: as many as they can. */
  readonly perSecond?: number | undefined;
  readonly expected: Expected;
}

export interface LoadCounts {
  answered: number;
  broken: number;
  unexpected: number;
  /** Answers of an earlier version than the connection had seen already. */
  backwards: number;
  /** Connections that the server closed between two calls. */
  closed: number;
  /** Of what was wrong, the first few. */
  readonly examples: string[];
}

export interface SteadyLoad {
  readonly counts: LoadCounts;
  stop(): Promise<LoadCounts>;
}

export function steadyLoad({ port, path, connections, perSecond, expected }: LoadOptions): SteadyLoad {
  const counts: LoadCounts = { answered: 0, broken: 0, unexpected: 0, backwards: 0, closed: 0, examples: [] };
  const pauseMs = perSecond === undefined ? 0 : (connections / perSecond) * 1000;
  let stopped = false;
  const note = (what: string): void => {
    if (counts.examples.length < 5) counts.examples.push(what);
  };
  async function call(nth: number): Promise<void> {
    const caller = new Caller(port);
    let newest = 0;
    let dueAt = monotonicMs() + (pauseMs * nth) / connections;
    while (!stopped) {
      if (pauseMs > 0) await until(dueAt);
      dueAt += pauseMs;
      const since = expected.now;
      const told = await caller.post(path, "x");
      if (told.kind !== "answer") {
        counts.broken += 1;
        note(told.kind === "broken" ? `${told.reason} after ${told.received} bytes` : "refused");
        continue;
      }
      counts.answered += 1;
      const label = labelOf(told);
      if (!expected.allows(since, label)) {
        counts.unexpected += 1;
        note(label);
      }
      const version = versionOf(label);
      if (version > 0 && version < newest) counts.backwards += 1;
      newest = Math.max(newest, version);
    }
    counts.closed += caller.closedSilently;
    caller.close();
  }
  const all = Promise.all(Array.from({ length: connections }, (_, nth) => call(nth)));
  return {
    counts,
    async stop() {
      stopped = true;
      await all;
      return counts;
    },
  };
}

/** `200 v7`, or `503 route_stopped`; a 503 that does not say when to try again is told apart. */
export function labelOf({ status, headers, body }: Answered): string {
  if (status < 300) return `${status} ${body}`;
  const late = status === 503 && !headers.has("retry-after") ? " without Retry-After" : "";
  return `${status} ${headers.get("x-error-code") ?? body}${late}`;
}

function versionOf(label: string): number {
  return Number(/^200 v(\d+)$/.exec(label)?.[1] ?? 0);
}

function until(at: number): Promise<void> {
  return pause(Math.max(0, at - monotonicMs()));
}
