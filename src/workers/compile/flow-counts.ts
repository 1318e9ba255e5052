/**
 * Counts of a flow by route and by endpoint, in the memory that its thread shares with its host (shared/figures.ts).
 */

import {
  countsFigure,
  dynamicEndpoint,
  EndpointFigure,
  endpointFigure,
  figureWords,
  mostNamedEndpoints,
  otherEndpoint,
  RouteFigure,
  routeFigure,
} from "../../shared/figures.ts";
import { type Mask, noMask } from "../../shared/secret-mask.ts";
import type { Count } from "../engine/flow-scope.ts";
import type { Processor } from "../engine/processor.ts";
import { SourceFigures } from "./source-figures.ts";

/** The most characters of an endpoint's name in metrics. */
const longestLabel = 200;

/**
 * Returns an endpoint's name in metrics, without parts that may be secret or vary: `https://api.example.com:8443`, or
 * without a host `seda:orders`, `file:inbox`.
 */
export function endpointLabel(uri: string): string {
  const [, scheme = "", path = ""] = /^([^:?]+):?(?:\/\/)?([^?#]*)/s.exec(uri) ?? [];
  if (scheme === "http" || scheme === "https") {
    const [authority = ""] = path.split("/", 1);
    return `${scheme}://${authority.slice(authority.lastIndexOf("@") + 1).toLowerCase()}`.slice(0, longestLabel);
  }
  const [name = ""] = path.split(/[/:]/, 1);
  return (name === "" ? scheme : `${scheme}:${name}`).slice(0, longestLabel);
}

/** For flows that are compiled where no figures are read. */
const unread = new Int32Array(figureWords);

export class FlowCounts {
  /** Names of the endpoints that have figures, by row. */
  readonly endpoints: string[] = [];
  /** The row of each step's endpoint. */
  readonly #rows = new Map<number, number>();
  readonly #figures: Int32Array;
  readonly #mask: Mask;

  /**
   * Resets the counts, since a flow may be compiled again before it serves. `mask`: removes the flow's secrets from
   * names.
   */
  constructor(figures: Int32Array = unread, mask: Mask = noMask) {
    this.#figures = figures;
    this.#mask = mask;
    figures.fill(0, countsFigure);
  }

  route(index: number): Count {
    const first = routeFigure(index);
    return (what, by = 1) => this.#add(first + RouteFigure[what], by);
  }

  /** Counts a retry of a step. */
  retried(route: number, step: number): void {
    this.#add(routeFigure(route) + RouteFigure.retries, 1);
    const row = this.#rows.get(step);
    if (row !== undefined) this.#add(endpointFigure(row) + EndpointFigure.retries, 1);
  }

  /** `row`: the index among the routes with a source. */
  source(row: number): SourceFigures {
    return new SourceFigures(this.#figures, row);
  }

  /** Counts the sending to an endpoint that the flow's text names. `step` -1: no step sends. */
  calling(uri: string, step: number, send: Processor): Processor {
    const row = this.#rowOf(endpointLabel(this.#mask(uri)));
    if (step >= 0 && !this.#rows.has(step)) this.#rows.set(step, row);
    return this.#counted(row, send);
  }

  /** Counts the sending to an endpoint that only a message names. */
  callingDynamic(step: number, send: Processor): Processor {
    if (!this.#rows.has(step)) this.#rows.set(step, dynamicEndpoint);
    return this.#counted(dynamicEndpoint, send);
  }

  #rowOf(label: string): number {
    const row = this.endpoints.indexOf(label);
    if (row >= 0) return row;
    return this.endpoints.length < mostNamedEndpoints ? this.endpoints.push(label) - 1 : otherEndpoint;
  }

  #counted(row: number, send: Processor): Processor {
    const ok = endpointFigure(row) + EndpointFigure.ok;
    const failed = endpointFigure(row) + EndpointFigure.failed;
    const succeed = (): void => this.#add(ok, 1);
    const fail = (error: unknown): never => {
      this.#add(failed, 1);
      throw error;
    };
    return (exchange) => {
      let pending: void | Promise<void>;
      try {
        pending = send(exchange);
      } catch (error) {
        return fail(error);
      }
      if (pending !== undefined) return pending.then(succeed, fail);
      this.#add(ok, 1);
    };
  }

  #add(figure: number, by: number): void {
    this.#figures[figure] = (this.#figures[figure] as number) + by;
  }
}
