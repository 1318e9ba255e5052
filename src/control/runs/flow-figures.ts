/** The counts of one flow by route and by endpoint. Its threads count in shared memory, which is read only when the figures are asked for. */
import type { ConnectionUse } from "../../shared/connection.ts";
import {
  countedRoutes,
  dynamicEndpoint,
  EndpointFigure,
  endpointFigure,
  endpointFigures,
  otherEndpoint,
  RouteFigure,
  routeFigure,
  routeFigures,
} from "../../shared/figures.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { EndpointUsage, FlowUsage, RouteUsage } from "../flows/flow-service.ts";
import type { ThreadWords } from "../threads/booted-thread.ts";
import type { RunStatus } from "./run-record.ts";

export type EndedStatus = Exclude<RunStatus, "running">;

export interface RouteTotals {
  readonly runs: Record<EndedStatus, number>;
  /** How many runs that its runs have caused did not complete. */
  childFailures: number;
  /** The counts by `RouteFigure`. Gauges, such as open groups, cover the live threads only. */
  readonly counts: number[];
}

interface Counting {
  readonly words: Pick<ThreadWords, "figures">;
}

/** The routes and endpoints of a thread, each with the figures that were read last. */
interface Rows {
  readonly routes: Map<string, Row>;
  readonly endpoints: Map<string, Row>;
  readonly connections: readonly ConnectionUse[];
}

interface Row {
  readonly at: number;
  readonly seen: number[];
}

/** The names under which routes and endpoints without separate figures are counted. */
const others = "other";
const dynamic = "dynamic";
const unnamed: ReadonlySet<string> = new Set([others, dynamic]);

export class FlowFigures {
  readonly routes = new Map<string, RouteTotals>();
  /** Figures by `EndpointFigure`. */
  readonly endpoints = new Map<string, number[]>();
  readonly #threads = new Map<Counting, Rows>();

  /** Begins to count a thread that has compiled the flow. Drops routes and endpoints that the flow in none of its threads has any more. */
  compiled(thread: Counting, manifest: FlowManifest): void {
    this.#threads.set(thread, rowsOf(manifest));
    keepOnly(this.routes, this.#names("routes"), newRoute);
    keepOnly(this.endpoints, this.#names("endpoints"), () => new Array<number>(endpointFigures).fill(0));
  }

  /** Stops counting a thread that is gone. */
  ended(thread: Counting): void {
    this.#read(thread);
    for (const [id, { seen }] of this.#threads.get(thread)?.routes ?? []) {
      const totals = this.routes.get(id);
      for (let figure = RouteFigure.openGroups; figure < routeFigures; figure += 1)
        subtract(totals?.counts, figure, seen);
    }
    this.#threads.delete(thread);
  }

  /** Adds what the threads have counted since the last call. */
  look(): void {
    for (const thread of this.#threads.keys()) this.#read(thread);
  }

  /** The endpoints that the flow's text names, and the collective ones (`dynamic`, `other`) that have counts. */
  get shownEndpoints(): readonly (readonly [name: string, counts: readonly number[]])[] {
    return [...this.endpoints].filter(([name, counts]) => !unnamed.has(name) || counts.some((count) => count > 0));
  }

  runEnded(routeId: string, status: EndedStatus): void {
    const route = this.routes.get(routeId) ?? this.routes.get(others);
    if (route !== undefined) route.runs[status] += 1;
  }

  childFailed(routeId: string): void {
    const route = this.routes.get(routeId) ?? this.routes.get(others);
    if (route !== undefined) route.childFailures += 1;
  }

  /** Yields the connections of each thread, with the figures that have a row for each. */
  *connections(): Generator<{ readonly connections: readonly ConnectionUse[]; readonly figures: Int32Array }> {
    for (const [{ words }, { connections }] of this.#threads)
      if (connections.length > 0) yield { connections, figures: words.figures };
  }

  #read(thread: Counting): void {
    const rows = this.#threads.get(thread);
    const { figures } = thread.words;
    for (const [id, row] of rows?.routes ?? []) add(this.routes.get(id)?.counts, row, figures);
    for (const [name, row] of rows?.endpoints ?? []) add(this.endpoints.get(name), row, figures);
  }

  #names(kind: "routes" | "endpoints"): ReadonlySet<string> {
    return new Set([...this.#threads.values()].flatMap((rows) => [...rows[kind].keys()]));
  }
}

function rowsOf({ routes, endpoints = [], connections = [] }: FlowManifest): Rows {
  const row = (at: number, width: number): Row => ({ at, seen: new Array<number>(width).fill(0) });
  const ofRoutes = new Map<string, Row>();
  for (const [index, { id }] of routes.entries()) {
    const isLast = index === countedRoutes - 1 && routes.length > countedRoutes;
    if (index < countedRoutes) ofRoutes.set(isLast ? others : id, row(routeFigure(index), routeFigures));
  }
  const named = endpoints.map((name, index) => [name, row(endpointFigure(index), endpointFigures)] as const);
  return {
    connections,
    routes: ofRoutes,
    endpoints: new Map([
      ...named,
      [dynamic, row(endpointFigure(dynamicEndpoint), endpointFigures)],
      [others, row(endpointFigure(otherEndpoint), endpointFigures)],
    ]),
  };
}

function add(totals: number[] | undefined, { at, seen }: Row, figures: Int32Array): void {
  for (let i = 0; i < seen.length; i += 1) {
    const now = Atomics.load(figures, at + i);
    if (totals !== undefined) totals[i] = (totals[i] ?? 0) + ((now - (seen[i] ?? 0)) | 0);
    seen[i] = now;
  }
}

function subtract(totals: number[] | undefined, figure: number, seen: readonly number[]): void {
  if (totals !== undefined) totals[figure] = (totals[figure] ?? 0) - (seen[figure] ?? 0);
}

function keepOnly<T>(totals: Map<string, T>, names: ReadonlySet<string>, make: () => T): void {
  for (const name of totals.keys()) if (!names.has(name)) totals.delete(name);
  for (const name of names) if (!totals.has(name)) totals.set(name, make());
}

function newRoute(): RouteTotals {
  const runs = { completed: 0, failed: 0, timeout: 0, killed: 0, shed: 0, cancelled: 0 };
  return { runs, childFailures: 0, counts: new Array<number>(routeFigures).fill(0) };
}

/** Returns the figures of routes and endpoints as a flow's document has them. */
export function figuresUsage(figures: FlowFigures): Pick<FlowUsage, "routes" | "endpoints"> {
  figures.look();
  return {
    routes: byName(figures.routes, routeUsage),
    endpoints: byName(figures.shownEndpoints, endpointUsage),
  };
}

function routeUsage({ runs, counts, childFailures }: RouteTotals): RouteUsage {
  const of = (figure: RouteFigure): number => counts[RouteFigure[figure]] ?? 0;
  return {
    runs: { ...runs },
    childFailures,
    retries: of("retries"),
    deadLetters: of("deadLetters"),
    handledFailures: of("handled"),
    idempotentHits: of("idempotentHits"),
    recoveredGroups: of("recoveredGroups"),
    openAggregations: of("openGroups"),
    heldMessages: of("heldMessages"),
    breakers: { closed: of("breakersClosed"), open: of("breakersOpen"), halfOpen: of("breakersHalfOpen") },
  };
}

function endpointUsage(counts: readonly number[]): EndpointUsage {
  const of = (figure: EndpointFigure): number => counts[EndpointFigure[figure]] ?? 0;
  return { ok: of("ok"), failed: of("failed"), retries: of("retries") };
}

function byName<T, D>(totals: Iterable<readonly [string, T]>, document: (of: T) => D): Readonly<Record<string, D>> {
  return Object.fromEntries([...totals].map(([name, of]) => [name, document(of)]));
}
