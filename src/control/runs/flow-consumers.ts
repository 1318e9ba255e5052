/**
 * The consumers of one flow: routes whose messages come from a source in its thread. The thread writes figures into
 * shared memory, which is read when somebody asks, and reports why a source fails.
 */
import { countedSources, SourceFigure, sourceCounters, sourceFigure } from "../../shared/figures.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { ThreadWords } from "../threads/booted-thread.ts";
import { shortened } from "../threads/line/thread-frames.ts";

export const consumerStates = ["stopped", "waiting", "polling", "running", "backing_off", "unknown"] as const;

/** A consumer for health, for metrics and for people. Times are ISO 8601, UTC. */
export interface ConsumerState {
  readonly routeId: string;
  readonly scheme: string;
  readonly uri: string;
  /** Its messages can be looked at without being taken. */
  readonly peeks: boolean;
  readonly state: (typeof consumerStates)[number];
  readonly lastPoll: string | null;
  readonly nextPoll: string | null;
  /** When it last had a message. */
  readonly lastMessageAt: string | null;
  readonly polls: number;
  readonly pollFailures: number;
  readonly underWay: number;
  /** Of these, messages that are not acknowledged long after their runs must have ended. */
  readonly overdue: number;
  /** null: the source does not know. */
  readonly backlog: number | null;
  readonly done: number;
  readonly failed: number;
  readonly lost: number;
  readonly redelivered: number;
  readonly failingSince: string | null;
  /** Polls that have failed since then. */
  readonly attempts: number;
  readonly lastError: { readonly message: string; readonly at: string } | null;
}

interface Thread {
  readonly number: number;
  readonly words: Pick<ThreadWords, "figures">;
}

/** A source in one thread. */
interface Row {
  /** undefined: it has no figures. */
  readonly at: number | undefined;
  readonly seen: number[];
  failingSince: string | null;
  lastError: ConsumerState["lastError"];
}

interface Consumer {
  scheme: string;
  uri: string;
  peeks: boolean;
  /** By `SourceFigure`, over all threads, including those that have ended. */
  readonly counts: number[];
  /** Of the threads that have ended. */
  lastMessageAt: string | null;
}

export class FlowConsumers {
  readonly #consumers = new Map<string, Consumer>();
  /** The sources of each thread by route, in the order in which the threads came. */
  readonly #threads = new Map<Thread, Map<string, Row>>();

  /** Begins to count a thread that has compiled the flow. Drops consumers that the flow in none of its threads has any more. */
  compiled(thread: Thread, { routes }: Pick<FlowManifest, "routes">): void {
    const rows = new Map<string, Row>();
    for (const { id, uri, trigger } of routes) {
      if (trigger.kind !== "source") continue;
      const at = rows.size < countedSources ? sourceFigure(rows.size) : undefined;
      rows.set(id, { at, seen: zeros(), failingSince: null, lastError: null });
      const { counts = zeros(), lastMessageAt = null } = this.#consumers.get(id) ?? {};
      this.#consumers.set(id, { scheme: trigger.scheme, uri, peeks: trigger.peeks === true, counts, lastMessageAt });
    }
    this.#threads.set(thread, rows);
    const known = new Set([...this.#threads.values()].flatMap((of) => [...of.keys()]));
    for (const id of this.#consumers.keys()) if (!known.has(id)) this.#consumers.delete(id);
  }

  /** Stops counting a thread that is gone. */
  ended(thread: Thread): void {
    this.#count(thread);
    for (const [id, row] of this.#threads.get(thread) ?? []) {
      const consumer = this.#consumers.get(id);
      if (consumer === undefined || row.at === undefined) continue;
      const last = new Reading(thread.words.figures, row.at, row).moment("lastMessage");
      consumer.lastMessageAt = latest([consumer.lastMessageAt, last]);
    }
    this.#threads.delete(thread);
  }

  /** The source of the route in this thread fails; `failure` "": it works again. */
  reported(threadNumber: number, routeId: string, failure: string): void {
    for (const [{ number }, rows] of this.#threads) {
      const row = number === threadNumber ? rows.get(routeId) : undefined;
      if (row === undefined) continue;
      const at = new Date().toISOString();
      row.failingSince = failure === "" ? null : (row.failingSince ?? at);
      if (failure !== "") row.lastError = { message: shortened(failure), at };
    }
  }

  /** Returns the consumers in the order of their routes. */
  list(): ConsumerState[] {
    for (const thread of this.#threads.keys()) this.#count(thread);
    return [...this.#consumers].map(([id, consumer]) => this.#stateOf(id, consumer));
  }

  #stateOf(routeId: string, { scheme, uri, peeks, counts, lastMessageAt }: Consumer): ConsumerState {
    const rows = [...this.#threads].flatMap(([{ words }, of]) => {
      const row = of.get(routeId);
      return row === undefined ? [] : [{ words, row }];
    });
    const present = rows.flatMap(({ words, row }) =>
      row.at === undefined ? [] : [new Reading(words.figures, row.at, row)],
    );
    // While a deployment drains, either of two threads may have the source started.
    const reading = present.find(({ started }) => started) ?? present.at(-1);
    const started = reading?.started === true;
    const sumOf = (figure: SourceFigure): number => present.reduce((sum, one) => sum + one.of(figure), 0);
    const underWay = sumOf("underWay");
    // Without figures there is only what the thread reports.
    const isCounted = present.length > 0 || rows.length === 0;
    const row = reading?.row ?? rows.at(-1)?.row;
    const failingSince = ((started || !isCounted) && row?.failingSince) || null;
    const known = isCounted ? stateOf(reading, underWay) : "unknown";
    const count = (figure: SourceFigure): number => counts[SourceFigure[figure]] ?? 0;
    return {
      ...{ routeId, scheme, uri, peeks, state: failingSince === null ? known : "backing_off" },
      lastPoll: reading?.moment("lastPoll") ?? null,
      nextPoll: started ? reading.moment("nextPoll") : null,
      lastMessageAt: latest([lastMessageAt, ...present.map((one) => one.moment("lastMessage"))]),
      ...{ polls: count("polls"), pollFailures: count("pollFailures") },
      ...{ underWay, overdue: sumOf("overdue") },
      backlog: reading?.backlog ?? null,
      ...{ done: count("done"), failed: count("failed"), lost: count("lost"), redelivered: count("redelivered") },
      failingSince,
      attempts: failingSince === null ? 0 : (reading?.of("attempts") ?? 0),
      lastError: row?.lastError ?? null,
    };
  }

  #count(thread: Thread): void {
    for (const [id, { at, seen }] of this.#threads.get(thread) ?? []) {
      const counts = this.#consumers.get(id)?.counts;
      if (at === undefined || counts === undefined) continue;
      for (let i = 0; i < sourceCounters; i += 1) {
        const now = Atomics.load(thread.words.figures, at + i);
        counts[i] = (counts[i] ?? 0) + ((now - (seen[i] ?? 0)) | 0);
        seen[i] = now;
      }
    }
  }
}

/** The current values of a source in one thread. The thread may have written anything. */
class Reading {
  readonly row: Row;
  readonly #figures: Int32Array;
  readonly #at: number;

  constructor(figures: Int32Array, at: number, row: Row) {
    this.#figures = figures;
    this.#at = at;
    this.row = row;
  }

  of(figure: SourceFigure): number {
    return Math.max(0, Atomics.load(this.#figures, this.#at + SourceFigure[figure]));
  }

  get started(): boolean {
    return this.of("started") === 1;
  }

  get backlog(): number | null {
    const kept = this.of("backlog");
    return kept === 0 ? null : kept - 1;
  }

  moment(figure: "lastPoll" | "nextPoll" | "lastMessage"): string | null {
    const seconds = this.of(figure);
    const ms = Atomics.load(this.#figures, this.#at + SourceFigure[figure] + 1);
    return seconds === 0 ? null : new Date(seconds * 1000 + (ms >= 0 && ms < 1000 ? ms : 0)).toISOString();
  }
}

/** The state of a consumer whose polls do not fail. */
function stateOf(reading: Reading | undefined, underWay: number): (typeof consumerStates)[number] {
  if (reading?.started !== true) return "stopped";
  if (underWay > 0) return "running";
  return reading.of("polling") === 1 ? "polling" : "waiting";
}

/** The latest of times in one form, which sort as texts. */
function latest(times: readonly (string | null)[]): string | null {
  return times.reduce((last, time) => ((time ?? "") > (last ?? "") ? time : last), null);
}

function zeros(): number[] {
  return new Array<number>(sourceCounters).fill(0);
}
