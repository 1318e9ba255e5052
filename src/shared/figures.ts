/**
 * What a thread writes about its runs into the memory that it shares with its host (protocol.ts, `figuresOf`): only the thread writes, and it is
 * read when somebody asks for a figure. Words that only grow do so modulo 2^32.
 */

/** Runs that have begun in the thread. */
export const begunFigure = 0;

/** Slots whose progress is written down; runs in further ones show none until they end. */
export const progressSlots = 512;

/** Of the run in a slot, counted from `progressFigure`. */
export const Progress = {
  /** Steps that it has entered. */
  executed: 0,
  /** Microseconds of its stretches of work that are over. */
  worked: 1,
  /** When the stretch that it is in began, in microseconds of the epoch modulo 2^32; 0: it is in none. */
  working: 2,
  /** Of the outermost split that is under way: parts that have ended. */
  splitDone: 3,
  /** How many parts it has, plus one; -1: that is not known yet; 0: no split is under way. */
  splitOf: 4,
  /** Steps that have failed. */
  failed: 5,
} as const;

const progressWidth = 6;

export function progressFigure(slot: number): number {
  return 1 + slot * progressWidth;
}

/** The first word of what is counted by route, and behind it by endpoint. */
export const countsFigure = progressFigure(progressSlots);

/** Routes of a flow with figures of their own; further ones share those of the last. */
export const countedRoutes = 200;

/** Of a route. Those from `openGroups` on are figures of the moment, the others only grow. */
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

/** Of an endpoint: calls by how they ended, and how many were second tries. */
export const EndpointFigure = { ok: 0, failed: 1, retries: 2 } as const;
export type EndpointFigure = keyof typeof EndpointFigure;

export const endpointFigures = 3;

/** Endpoints that the flow's text names and that have a row of their own. */
export const mostNamedEndpoints = 20;
/** The rows of those that are too many, and of those that only messages name. */
export const otherEndpoint = mostNamedEndpoints + 1;
export const dynamicEndpoint = otherEndpoint - 1;

export function endpointFigure(row: number): number {
  return countsFigure + countedRoutes * routeFigures + row * endpointFigures;
}

export const figureWords = endpointFigure(otherEndpoint + 1);

const { timeOrigin } = performance;

/** The moment of `now` (`performance.now()` of the thread that asks) as `Progress.working` has it. */
export function microMoment(now: number): number {
  return Math.floor((timeOrigin + now) * 1000) | 0;
}
