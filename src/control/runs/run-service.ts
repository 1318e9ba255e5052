/** The runs for the API: reads the history, makes fixtures, and cancels runs under way. */
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowPools } from "../threads/flow-pools.ts";
import type { RunProgress } from "../threads/invocation.ts";
import type { Fixture } from "./fixture/fixture-document.ts";
import { runFixture } from "./fixture/run-fixture.ts";
import type { RunDetail, RunDocument } from "./run-document.ts";
import type { RunHistory, RunQuery } from "./run-history.ts";
import { RunningRun } from "./running-run.ts";

export class Runs {
  readonly #history: RunHistory;
  readonly #pools: FlowPools;
  readonly #limits: Limits;

  constructor(history: RunHistory, pools: FlowPools, limits: Limits) {
    this.#history = history;
    this.#pools = pools;
    this.#limits = limits;
  }

  list(query: RunQuery): readonly RunDocument[] {
    return this.#history.list(query, this.#progress());
  }

  /** Returns a run; a run under way with its current figures. */
  async get(id: string): Promise<RunDetail> {
    await this.#pools.find(id)?.pool.refresh(id);
    return this.#detail(id);
  }

  #detail(id: string): RunDetail {
    const detail = this.#history.get(id, this.#progress());
    if (detail === undefined) throw unknown(id);
    return detail;
  }

  /** Returns a test session that replays the run. */
  fixture(id: string): Fixture {
    const record = this.#history.find(id);
    if (record === undefined) throw unknown(id);
    return runFixture(record, this.#history.announcedBy(record), this.#limits);
  }

  /** Asks the run to stop; it does so before its next step. */
  cancel(id: string): RunDetail {
    const detail = this.#detail(id);
    const found = this.#pools.find(id);
    if (found === undefined) throw new AppError("run_finished", `run '${id}' is over: it ended as ${detail.status}`);
    if (found.invocation instanceof RunningRun) found.invocation.cancel("cancelled", "an operator cancelled it", true);
    return this.#detail(id);
  }

  /** Returns a function that reads the progress of all runs at its first call. */
  #progress(): (runId: string) => RunProgress | undefined {
    let known: ReadonlyMap<string, RunProgress> | undefined;
    return (runId) => {
      known ??= new Map(this.#pools.progress());
      return known.get(runId);
    };
  }
}

function unknown(id: string): AppError {
  return new AppError("not_found", `there is no run '${id}' in the history`);
}
