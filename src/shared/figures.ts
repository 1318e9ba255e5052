/**
 * What a thread writes about its runs into the memory that it shares with control (protocol.ts, `figuresOf`): only the
 * thread writes, and control reads when somebody asks for a figure. Words that only grow do so modulo 2^32.
 */

/** Runs that have begun in the thread. */
export const begunFigure = 0;

/** How many slots show progress; runs in further ones show none until they end. */
export const progressSlots = 512;

/** Words of the run in a slot, counted from `progressFigure`. */
export const Progress = {
  /** Steps that it has entered. */
  executed: 0,
  /** Microseconds that it has worked in finished intervals. */
  worked: 1,
  /** When its present interval of work began, in microseconds of the epoch modulo 2^32; 0: it does not work. */
  working: 2,
  /** Parts of the outermost active split that have ended. */
  splitDone: 3,
  /** How many parts that split has, plus one; -1: unknown yet; 0: no split is active. */
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

/** The figures of a route. Those from `openGroups` on are momentary, the others only grow. */
export const RouteFigure = {
  retries: 0,
  deadLetters: 1,
  handled: 2,
  idempotentHits: 3,
  openGroups: 4,
  breakersClosed: 5,
  breakersOpen: 6,
  breakersHalfOpen: 7,
} as const;
export type RouteFigure = keyof typeof RouteFigure;

export const routeFigures = 8;

/** `route` counts the manifest's routes. */
export function routeFigure(route: number): number {
  return countsFigure + Math.min(route, countedRoutes - 1) * routeFigures;
}

/** The figures of an endpoint: calls by their result, and how many were retries. */
export const EndpointFigure = { ok: 0, failed: 1, retries: 2 } as const;
export type EndpointFigure = keyof typeof EndpointFigure;

export const endpointFigures = 3;

/** How many endpoints of the flow's text have a row of their own. */
export const mostNamedEndpoints = 20;
/** The row that further endpoints share, and those that only messages name. */
export const otherEndpoint = mostNamedEndpoints + 1;
export const dynamicEndpoint = otherEndpoint - 1;

export function endpointFigure(row: number): number {
  return countsFigure + countedRoutes * routeFigures + row * endpointFigures;
}

export const figureWords = endpointFigure(otherEndpoint + 1);

const { timeOrigin } = performance;

/** Converts `now` (`performance.now()` of the calling thread) to the form of `Progress.working`. */
export function microMoment(now: number): number {
  return Math.floor((timeOrigin + now) * 1000) | 0;
}
