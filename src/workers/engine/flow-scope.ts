/**
 * Services of a flow's thread for the flow's parts: announced runs that begin there, events of the flow's end, and
 * objects that several endpoints share. Contexts of steps and components include it.
 */

import type { RouteFigure } from "../../shared/figures.ts";
import type { Limits } from "../../shared/limits.ts";
import type { AnnounceCause, Level, ThreadEnd } from "../../shared/protocol.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";

/**
 * A run that begins in the thread. Its record has this cause and URI as its trigger, and the route that announced it.
 */
export interface AnnouncedWork {
  readonly cause: AnnounceCause;
  readonly uri: string;
  /** As of NewMessage. */
  readonly traceparent?: string | undefined;
  /**
   * Called when control has opened the run. Data of another exchange must be copied before that: `const kept =
   * exchange.copy()`, and here `kept.copy(run)`. Called again when the run has failed, for the message that is kept.
   */
  exchange(run: Run<Exchange>): Exchange;
  readonly process: Processor;
  /** What `CompileContext.entry` was given the processor under; absent: the run begins with its route. */
  readonly entry?: string;
  /** The group of a repository that the message is, `name/id`: it is removed when the message is kept. */
  readonly group?: string;
  /** false: the message is not kept when its run fails, since it comes again or its sender is notified. */
  readonly keeps?: boolean;
  /** Why the body could not be read: of such a message its headers alone are kept. */
  readonly headOnly?: string | undefined;
}

/** A place among the announced runs, reserved before the run begins, while its message waits. */
export interface Held {
  /** Frees the place. Only before `begin`. */
  withdraw(): void;
}

/** Announces runs to control, which opens them. */
export interface AnnouncePort {
  /**
   * Reserves a place. `parent`: an exchange of the run that announces; undefined, or one whose run is over, for no run
   * (a time-out). Throws RejectedExecutionException without a free place (`limits.announcedRuns`),
   * LimitExceededException when runs announce runs more than `limits.directDepth` deep.
   */
  hold(parent: Exchange | undefined): Held;
  /**
   * Resolves with the exchange when the run is over; rejects with the run's failure, or when it could not begin. Need
   * not be awaited: the failure of the run affects no other.
   */
  begin(held: Held, routeIndex: number, work: AnnouncedWork): Promise<Exchange>;
  /** Resolves when `hold` has a free place. */
  room(): Promise<void>;
  /** Logs a line that belongs to no run. */
  log(level: Level, logger: string, message: string): void;
  /** Reports why the source of a route cannot get messages; "": it can again. `routeIndex`: in the manifest's routes. */
  source(routeIndex: number, failure: string): void;
}

/** Counts an event for a route's metrics. `by`: 1 by default, negative for a gauge that falls. */
export type Count = (what: RouteFigure, by?: number) => void;

export interface FlowScope {
  readonly limits: Limits;
  readonly count: Count;
  /** `hold` and `begin` together; rejects where `hold` throws. */
  announce(work: AnnouncedWork & { readonly parent: Exchange | undefined }): Promise<Exchange>;
  hold: AnnouncePort["hold"];
  begin(held: Held, work: AnnouncedWork): Promise<Exchange>;
  room: AnnouncePort["room"];
  log: AnnouncePort["log"];
  /**
   * Calls `stop` when the flow is stopped or replaced, or the runtime ends, while runs may be under way: begin no more
   * work.
   */
  atHalt(stop: () => void): void;
  /** Calls `begin` each time that the route begins to run while the flow serves, and does not end. */
  atRouteStart(begin: () => void): void;
  /**
   * Calls `stop` each time that the route is stopped or suspended while the flow serves. Runs may be under way, and runs
   * that are announced then begin.
   */
  atRouteStop(stop: () => void): void;
  /**
   * Calls `close` after `atHalt`, each time that no run is under way: process messages that are kept between runs, as
   * announced runs. The thread ends when the promises have settled and the runs are over, within the drain's limit.
   */
  atEnd(close: (end: ThreadEnd) => Promise<void> | void): void;
  /**
   * Returns the flow's one object of this key, made by the first caller. A new one can only be made while the flow is
   * compiled.
   */
  shared<T>(key: string, make: () => T): T;
}
