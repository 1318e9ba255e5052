/**
 * The figures of a thread's runs in the memory that it shares with control (protocol.ts, `figuresOf`). Only the thread
 * writes them; control reads them when a caller asks for a figure. Counters wrap at 2^32.
 */

import { mostConnections } from "./connection.ts";

/** Runs that have begun in the thread. */
export const begunFigure = 0;

/** How many slots report progress; runs in further slots report none until they end. */
export const progressSlots = 512;

/** Words of the run in a slot, counted from `progressFigure`. */
export const Progress = {
  /** Steps that the run has entered. */
  executed: 0,
  /** Microseconds of finished intervals of work. */
  worked: 1,
  /** When the present interval of work began, in microseconds of the epoch modulo 2^32; 0 while the run waits. */
  working: 2,
  /** Parts of the outermost active split that have ended. */
  splitDone: 3,
  /** The number of parts of that split, plus one; -1: unknown yet; 0: no split is active. */
  splitOf: 4,
  /** Steps that have failed. */
  failed: 5,
} as const;

const progressWidth = 6;

export function progressFigure(slot: number): number {
  return 1 + slot * progressWidth;
}

/** The first word of the counts by route, followed by those by endpoint. */
export const countsFigure = progressFigure(progressSlots);

/** How many routes of a flow have figures of their own; further ones share those of the last. */
export const countedRoutes = 200;

/** The figures of a route. Those from `openGroups` on are current values, the others counters. */
export const RouteFigure = {
  retries: 0,
  deadLetters: 1,
  handled: 2,
  idempotentHits: 3,
  recoveredGroups: 4,
  openGroups: 5,
  breakersClosed: 6,
  breakersOpen: 7,
  breakersHalfOpen: 8,
  heldMessages: 9,
} as const;
export type RouteFigure = keyof typeof RouteFigure;

export const routeFigures = 10;

/** `route`: the index in the manifest's routes. */
export function routeFigure(route: number): number {
  return countsFigure + Math.min(route, countedRoutes - 1) * routeFigures;
}

/** The figures of an endpoint: calls by result, and the number of retries. */
export const EndpointFigure = { ok: 0, failed: 1, retries: 2 } as const;
export type EndpointFigure = keyof typeof EndpointFigure;

export const endpointFigures = 3;

/** How many endpoints of the flow's text have a row each. */
export const mostNamedEndpoints = 20;
/** The row of all other endpoints, including those that only messages name. */
export const otherEndpoint = mostNamedEndpoints + 1;
export const dynamicEndpoint = otherEndpoint - 1;

export function endpointFigure(row: number): number {
  return countsFigure + countedRoutes * routeFigures + row * endpointFigures;
}

/** The figures of a named connection: clients that nobody uses, and runs that wait for one. */
export const ConnectionFigure = { idle: 0, waiting: 1 } as const;

const connectionFigures = 2;

/** `row`: the index in the manifest's connections. */
export function connectionFigure(row: number): number {
  return endpointFigure(otherEndpoint + 1) + row * connectionFigures;
}

/**
 * The figures of a source: counters up to `redelivered`, then current values. `backlog` is one more than the messages that are
 * known to wait; 0: unknown. A moment has two words: seconds of the epoch, and milliseconds.
 */
export const SourceFigure = {
  polls: 0,
  pollFailures: 1,
  done: 2,
  failed: 3,
  lost: 4,
  redelivered: 5,
  underWay: 6,
  overdue: 7,
  backlog: 8,
  attempts: 9,
  polling: 10,
  started: 11,
  lastPoll: 12,
  nextPoll: 14,
  lastMessage: 16,
} as const;
export type SourceFigure = keyof typeof SourceFigure;

export const sourceCounters = 6;
const sourceFigures = 18;

/** How many sources of a flow have figures, in the order of its routes. */
export const countedSources = 100;

/** `row`: the index among the routes with a source. */
export function sourceFigure(row: number): number {
  return connectionFigure(mostConnections) + row * sourceFigures;
}

export const figureWords = sourceFigure(countedSources);

const { timeOrigin } = performance;

/** Converts `now` (`performance.now()` of the calling thread) to the form of `Progress.working`. */
export function microMoment(now: number): number {
  return Math.floor((timeOrigin + now) * 1000) | 0;
}
