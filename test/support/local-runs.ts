/**
 * Runs announced runs in this thread, without control: each begins in the next turn of the microtasks, in a Run of its
 * own.
 */
import type { Limits } from "../../src/shared/limits.ts";
import type { AnnounceCause, Level } from "../../src/shared/protocol.ts";
import { levels } from "../../src/shared/protocol.ts";
import { FlowException } from "../../src/workers/engine/exception.ts";
import type { Exchange } from "../../src/workers/engine/exchange.ts";
import type { AnnouncedWork, AnnouncePort, Held } from "../../src/workers/engine/flow-scope.ts";
import { Run } from "../../src/workers/engine/run.ts";
import type { RunMocks } from "../../src/workers/engine/run-observers.ts";
import type { RunSink } from "../../src/workers/engine/run-sink.ts";
import type { SharedVariables } from "../../src/workers/engine/shared-variables.ts";

export interface AnnouncedOutcome {
  readonly cause: AnnounceCause;
  readonly uri: string;
  /** The run that announced it. */
  readonly parent: Run<Exchange> | undefined;
  readonly routeIndex: number;
  /** The exchange; undefined: it could not be made. */
  readonly exchange: Exchange | undefined;
  readonly error: unknown;
  /** Makes the message that is kept of a failed run. */
  again(): Exchange;
}

interface LocalHeld extends Held {
  readonly parent: Run<Exchange> | undefined;
}

export class LocalRuns implements AnnouncePort {
  /** The ended runs, in the order of their ends. */
  readonly ended: AnnouncedOutcome[] = [];
  readonly running = new Set<Run<Exchange>>();
  readonly #limits: Limits;
  readonly #sink: () => RunSink<Exchange>;
  readonly #mocks: (run: Run<Exchange>) => RunMocks<Exchange> | undefined;
  /** The variables that the flow's runs share. */
  variables: (() => SharedVariables | undefined) | undefined;
  #lastSlot = 0;
  #taken = 0;
  #changed: (() => void)[] = [];

  /** `mocks`: the mocks of the test sessions that its runs are in. */
  constructor(
    limits: Limits,
    sink: () => RunSink<Exchange>,
    mocks: (run: Run<Exchange>) => RunMocks<Exchange> | undefined = () => undefined,
  ) {
    this.#mocks = mocks;
    this.#limits = limits;
    this.#sink = sink;
  }

  /** Resolves when no run waits and none is under way. */
  async settled(): Promise<readonly AnnouncedOutcome[]> {
    while (this.#taken > 0) await this.#change();
    return this.ended;
  }

  hold(parent: Exchange | undefined): LocalHeld {
    const { announcedRuns, directDepth } = this.#limits;
    if (parent !== undefined && parent.run.hops + parent.depth >= directDepth) {
      throw new FlowException("LimitExceededException", `runs that cause each other nest at most ${directDepth} deep`);
    }
    if (this.#taken >= announcedRuns) {
      throw new FlowException("java.util.concurrent.RejectedExecutionException", `${announcedRuns} messages wait`);
    }
    this.#taken += 1;
    return { parent: parent?.run, withdraw: () => this.#leave() };
  }

  begin(held: Held, routeIndex: number, work: AnnouncedWork): Promise<Exchange> {
    const ended = this.#run((held as LocalHeld).parent, routeIndex, work);
    // Its failure needs no listener.
    ended.catch(() => {});
    return ended;
  }

  async #run(
    parent: Run<Exchange> | undefined,
    routeIndex: number,
    { cause, uri, ...work }: AnnouncedWork,
  ): Promise<Exchange> {
    await Promise.resolve();
    const run = new Run(this.#sink(), this.#limits, ++this.#lastSlot, parent === undefined ? 0 : parent.hops + 1);
    run.mocks = this.#mocks(run);
    run.shared = this.variables?.();
    this.running.add(run);
    let exchange: Exchange | undefined;
    let error: unknown;
    try {
      exchange = work.exchange(run);
      await work.process(exchange);
    } catch (thrown) {
      error = thrown;
    }
    try {
      await exchange?.done(error !== undefined, error);
    } catch (failure) {
      error ??= failure;
    }
    run.over = true;
    this.running.delete(run);
    this.ended.push({ cause, uri, parent, routeIndex, exchange, error, again: () => work.exchange(run) });
    this.#leave();
    if (error !== undefined) throw error;
    return exchange as Exchange;
  }

  async room(): Promise<void> {
    while (this.#taken >= this.#limits.announcedRuns) await this.#change();
  }

  log(level: Level, logger: string, message: string): void {
    this.#sink().log(-1, -1, levels.indexOf(level), logger, message, "");
  }

  source(): void {}

  #leave(): void {
    this.#taken -= 1;
    for (const changed of this.#changed.splice(0)) changed();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }
}
