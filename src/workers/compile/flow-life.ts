/** The lifecycle callbacks that the parts of a flow have registered, and their calls. */
import type { Limits } from "../../shared/limits.ts";
import type { ThreadEnd } from "../../shared/protocol.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { AnnouncePort, Count, FlowScope, Held } from "../engine/flow-scope.ts";
import type { Offer, Source } from "../engine/source.ts";

interface RouteSource {
  readonly routeIndex: number;
  readonly source: Source;
  readonly offer: Offer;
  started: boolean;
}

interface RouteEvent {
  readonly routeIndex: number;
  readonly notify: () => void;
}

export class FlowLife {
  readonly #port: AnnouncePort;
  readonly #limits: Limits;
  readonly #sources: RouteSource[] = [];
  readonly #atRouteStart: RouteEvent[] = [];
  readonly #atRouteStop: RouteEvent[] = [];
  readonly #atHalt: (() => void)[] = [];
  readonly #atEnd: ((end: ThreadEnd) => Promise<void> | void)[] = [];
  readonly #shared = new Map<string, unknown>();
  /** The ends of sources, under way or over. */
  readonly #stopping: Promise<void>[] = [];
  #sealed = false;
  #running = "";
  #halted = false;

  constructor(port: AnnouncePort, limits: Limits) {
    this.#port = port;
    this.#limits = limits;
  }

  /** Whether any callback or source is registered. */
  get wanted(): boolean {
    return this.#sources.length + this.#atRouteStop.length + this.#atHalt.length + this.#atEnd.length > 0;
  }

  /** Called when the flow is compiled: control gets the manifest, so nothing may be registered any more. */
  seal(): void {
    this.#sealed = true;
  }

  /** Returns the scope for the parts of one route. */
  scope(routeIndex: number, count: Count): FlowScope {
    const port = this.#port;
    return {
      limits: this.#limits,
      count,
      announce: (work) => announced(port, routeIndex, work),
      hold: (parent) => hold(port, parent),
      begin: (held, work) => port.begin(held, routeIndex, work),
      room: () => port.room(),
      log: (level, logger, message) => port.log(level, logger, message),
      atRouteStart: (begin) => this.#add(this.#atRouteStart, { routeIndex, notify: begin }),
      atRouteStop: (stop) => this.#add(this.#atRouteStop, { routeIndex, notify: stop }),
      atHalt: (stop) => this.#add(this.#atHalt, stop),
      atEnd: (close) => this.#add(this.#atEnd, close),
      shared: (key, make) => this.#object(key, make),
    };
  }

  /** Returns the source of a route. */
  sourceOf(routeIndex: number): Source | undefined {
    return this.#sources.find((one) => one.routeIndex === routeIndex)?.source;
  }

  addSource(routeIndex: number, source: Source, offer: Offer): void {
    this.#add(this.#sources, { routeIndex, source, offer, started: false });
  }

  /** The flow serves. `running`: for each route 1 if it is started, 0 if it is stopped or suspended. */
  serve(running: string): void {
    const before = this.#running;
    this.#running = running;
    for (const entry of this.#sources) {
      const starts = running[entry.routeIndex] === "1";
      if (starts === entry.started || (starts && this.#halted)) continue;
      entry.started = starts;
      const { source, offer } = entry;
      this.#notify(() => (starts ? source.start(offer) : source.pause()));
    }
    for (const { routeIndex, notify } of this.#atRouteStart) {
      if (!this.#halted && before[routeIndex] !== "1" && running[routeIndex] === "1") this.#notify(notify);
    }
    for (const { routeIndex, notify } of this.#atRouteStop) {
      if (before[routeIndex] === "1" && running[routeIndex] === "0") this.#notify(notify);
    }
  }

  /** Whether the route may be called; true until it is stopped. */
  runs(routeIndex: number): boolean {
    return this.#running[routeIndex] !== "0";
  }

  halt(): void {
    if (!this.#halted) for (const { source } of this.#sources) this.#stop(source);
    this.#halted = true;
    for (const stop of this.#atHalt) this.#notify(stop);
  }

  async finish(end: ThreadEnd = "ends"): Promise<void> {
    await Promise.all([...this.#atEnd.map((close) => this.#done(() => close(end))), ...this.#stopping]);
  }

  /** A failure does not prevent the ends of other sources and parts. */
  #stop(source: Source): void {
    this.#stopping.push(this.#done(() => source.stop()));
  }

  async #done(close: () => Promise<void> | void): Promise<void> {
    try {
      await close();
    } catch (error) {
      this.#failed(error);
    }
  }

  #add<T>(list: T[], entry: T): void {
    if (this.#sealed) throw new Error("callbacks can be registered only while the flow is compiled");
    list.push(entry);
  }

  #object<T>(key: string, make: () => T): T {
    if (!this.#shared.has(key)) {
      if (this.#sealed) {
        const message = `no endpoint that is written in the flow keeps ${key}: one that is made for a message cannot be the first`;
        throw new FlowException("java.lang.IllegalStateException", message);
      }
      this.#shared.set(key, make());
    }
    return this.#shared.get(key) as T;
  }

  #notify(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#port.log("ERROR", "runtime", `a part of the flow failed at its start or end: ${exceptionMessage(error)}`);
  }
}

/** An announced run is an effect of its parent, which must not be begun a second time after it. */
function hold(port: AnnouncePort, parent: Exchange | undefined): Held {
  parent?.run.touched();
  return port.hold(parent);
}

/** Not `async`, which would make another promise whose rejection must be handled. */
function announced(
  port: AnnouncePort,
  routeIndex: number,
  work: Parameters<FlowScope["announce"]>[0],
): Promise<Exchange> {
  try {
    return port.begin(hold(port, work.parent), routeIndex, work);
  } catch (error) {
    const refused = Promise.reject(error);
    refused.catch(() => {});
    return refused;
  }
}

/** For flows that are only checked, where no run begins. */
export const noPort: AnnouncePort = {
  hold: neverCalled,
  begin: neverCalled,
  room: neverCalled,
  log() {},
  source() {},
};

function neverCalled(): never {
  throw new Error("a flow that is only checked has no runs");
}
