/**
 * What the parts of one flow may use in its thread beside the messages that pass: runs that begin there and are announced to
 * control, word of the flow's end, and objects that several endpoints share. Contexts of steps and components have it.
 */

import type { RouteFigure } from "../../shared/figures.ts";
import type { Limits } from "../../shared/limits.ts";
import type { AnnounceCause, Level } from "../../shared/protocol.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";

/** A run that begins in the thread: its record has this cause and URI as its trigger, and the route of whoever announces it. */
export interface AnnouncedWork {
  readonly cause: AnnounceCause;
  readonly uri: string;
  /**
   * Called when the run is there, which is after control has heard of it: what it needs of another exchange must have been copied
   * before (`const kept = exchange.copy()`, and here `kept.copy(run)`).
   */
  exchange(run: Run<Exchange>): Exchange;
  readonly process: Processor;
}

/** A place among the announced runs, taken before the run itself begins, for as long as a message waits. */
export interface Held {
  /** The run will not begin. Only before `begin`. */
  withdraw(): void;
}

/** The way from a thread to whoever opens runs. */
export interface AnnouncePort {
  /**
   * `parent`: an exchange of the run that it comes from; undefined, and one whose run is over, is no run's (a time-out).
   * Throws RejectedExecutionException when `limits.announcedRuns` have a place, LimitExceededException when runs announce runs
   * more than `limits.directDepth` deep.
   */
  hold(parent: Exchange | undefined): Held;
  /**
   * Resolves with the exchange when the run is over; rejects with what it failed with, or when it could not begin. Need not be
   * awaited. The run's failure touches nobody else.
   */
  begin(held: Held, routeIndex: number, work: AnnouncedWork): Promise<Exchange>;
  /** Resolves when `hold` finds a place; at once if there is one. */
  room(): Promise<void>;
  /** A line that belongs to no run. */
  log(level: Level, logger: string, message: string): void;
}

/** Counts something for the metrics of a route; `by`: 1 unless it is given, below 0 for a figure of the moment that falls. */
export type Count = (what: RouteFigure, by?: number) => void;

export interface FlowScope {
  readonly limits: Limits;
  readonly count: Count;
  /** `hold` and `begin` in one: rejects where `hold` throws, too. */
  announce(work: AnnouncedWork & { readonly parent: Exchange | undefined }): Promise<Exchange>;
  hold: AnnouncePort["hold"];
  begin(held: Held, work: AnnouncedWork): Promise<Exchange>;
  room: AnnouncePort["room"];
  log: AnnouncePort["log"];
  /** Called when the flow is stopped or replaced, or the runtime ends, while runs are still under way: begin nothing new. */
  atHalt(stop: () => void): void;
  /**
   * Called after `atHalt` each time that no run is under way any more: finish what is kept between runs, as announced runs. The
   * thread does not end before the promises have settled and the runs are over; within the drain's limit.
   */
  atEnd(close: () => Promise<void> | void): void;
  /** The flow's one object of this key, made by whoever asks first; only while the flow is compiled, or if it is there. */
  shared<T>(key: string, make: () => T): T;
}
