/** What the parts of a flow have said that they want to be told, and the telling of it. */
import type { Limits } from "../../shared/limits.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { AnnouncePort, FlowScope } from "../engine/flow-scope.ts";

interface Consumer {
  readonly autoStartup: boolean;
  readonly start: () => void;
  started: boolean;
}

export class FlowLife {
  readonly #port: AnnouncePort;
  readonly #limits: Limits;
  readonly #consumers: Consumer[] = [];
  readonly #atHalt: (() => void)[] = [];
  readonly #atEnd: (() => Promise<void> | void)[] = [];
  readonly #shared = new Map<string, unknown>();
  #sealed = false;

  constructor(port: AnnouncePort, limits: Limits) {
    this.#port = port;
    this.#limits = limits;
  }

  /** Whether anybody wants to be told anything. */
  get wanted(): boolean {
    return this.#consumers.length + this.#atHalt.length + this.#atEnd.length > 0;
  }

  /** The flow is compiled: control learns what is wanted, which must not change any more. */
  seal(): void {
    this.#sealed = true;
  }

  /** The scope as the parts of one route see it. */
  scope(routeIndex: number): FlowScope {
    const port = this.#port;
    return {
      limits: this.#limits,
      announce: (work) => announced(port, routeIndex, work),
      hold: (parent) => port.hold(parent),
      begin: (held, work) => port.begin(held, routeIndex, work),
      room: () => port.room(),
      log: (level, logger, message) => port.log(level, logger, message),
      atHalt: (stop) => this.#add(this.#atHalt, stop),
      atEnd: (close) => this.#add(this.#atEnd, close),
      shared: (key, make) => this.#object(key, make),
    };
  }

  addConsumer(autoStartup: boolean, start: () => void): void {
    this.#add(this.#consumers, { autoStartup, start, started: false });
  }

  /** The flow serves; `all`: its routes that do not start by themselves, too. */
  start(all: boolean): void {
    for (const consumer of this.#consumers) {
      if (consumer.started || !(all || consumer.autoStartup)) continue;
      consumer.started = true;
      this.#tell(consumer.start);
    }
  }

  halt(): void {
    for (const stop of this.#atHalt) this.#tell(stop);
  }

  async finish(): Promise<void> {
    await Promise.all(
      this.#atEnd.map(async (close) => {
        try {
          await close();
        } catch (error) {
          this.#failed(error);
        }
      }),
    );
  }

  #add<T>(list: T[], entry: T): void {
    if (this.#sealed) throw new Error("what is told of the flow's end is said while the flow is compiled");
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

  #tell(action: () => void): void {
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

/** Not `async`: that would make a promise whose rejection somebody has to listen to. */
function announced(
  port: AnnouncePort,
  routeIndex: number,
  work: Parameters<FlowScope["announce"]>[0],
): Promise<Exchange> {
  try {
    return port.begin(port.hold(work.parent), routeIndex, work);
  } catch (error) {
    const refused = Promise.reject(error);
    refused.catch(() => {});
    return refused;
  }
}

/** For flows that are only checked: nothing runs there. */
export const noPort: AnnouncePort = {
  hold: neverCalled,
  begin: neverCalled,
  room: neverCalled,
  log() {},
};

function neverCalled(): never {
  throw new Error("a flow that is only checked has no runs");
}
