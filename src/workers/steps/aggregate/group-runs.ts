/** Runs the steps of an `aggregate` for complete groups. */
import { repeat, runBranch } from "../../engine/branch.ts";
import { exceptionMessage, exceptionType, FlowException, NotKept } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import type { Run } from "../../engine/run.ts";
import type { CompileContext } from "../../engine/step.ts";
import type { CompleteGroup } from "./groups.ts";

/** What is notified of the ends of groups that the state store keeps. */
export interface GroupEnds {
  done(group: CompleteGroup): Promise<void>;
  failed(group: CompleteGroup, error: unknown, run: Run<Exchange> | undefined): Promise<void>;
}

interface Parts {
  readonly context: Pick<CompileContext, "announce" | "count" | "log" | "room" | "stepId">;
  readonly inner: Processor;
  /** The repository of the state store; undefined: groups are in memory. */
  readonly repository: string | undefined;
}

/** After so many takeovers a group becomes a failed message. */
const mostTakeovers = 3;

export class GroupRuns {
  readonly #parts: Parts;
  /** Set when the repository is made, which needs the runs. */
  ends: GroupEnds | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Begins a separate run, whose record has its failure. `parent`: the message that completed the group; undefined: no
   * message did. Resolves when it is over.
   */
  async alone(group: CompleteGroup, parent?: Exchange): Promise<void> {
    const { ends } = this;
    for (let again = true; again; ) {
      again = false;
      let began = false;
      try {
        await this.#announce(group, parent, () => {
          began = true;
        });
        await ends?.done(group);
      } catch (error) {
        this.#log(`a complete group of '${this.#parts.context.stepId}' is lost or failed: ${named(error)}`, ends);
        if (ends === undefined || error instanceof NotKept) return;
        // What fails in a test session is not kept, but other messages are not the session's to lose.
        const isLost = parent?.run.mocks !== undefined && !group.ofTests;
        if (began) await (isLost ? ends.failed(group, error, parent.run) : ends.done(group));
        else if (exceptionType(error) === "LimitExceededException") await ends.failed(group, error, parent?.run);
        else again = isFull(error);
        if (again) await this.#parts.context.room();
      }
    }
  }

  /**
   * Runs in the run of the message that completed the groups, before that continues. A failure is logged and does not
   * affect the message.
   */
  inTurn({ run, step }: Exchange, complete: readonly CompleteGroup[]): void | Promise<void> {
    const { ends } = this;
    let at = 0;
    const failed = (group: CompleteGroup, error: unknown): true | Promise<true> => {
      const kept = group.ofTests ? ends?.done(group) : ends?.failed(group, error, run);
      if (run.cancelled) {
        if (kept === undefined) throw error;
        return kept.then(() => {
          throw error;
        });
      }
      if (run.logs("WARN"))
        run.log(step, "WARN", "", `Error processing aggregated exchange. Caused by: [${named(error)}]`);
      return kept?.then(() => true as const) ?? true;
    };
    return repeat(run, () => {
      const group = complete[at++];
      if (group === undefined) return false;
      const done = (): true | Promise<true> => ends?.done(group).then(() => true as const) ?? true;
      try {
        const running = runBranch(this.#parts.inner, group.exchange.copy(run));
        return running === undefined ? done() : running.then(done, (error: unknown) => failed(group, error));
      } catch (error) {
        return failed(group, error);
      }
    });
  }

  /** Runs a group again that a thread had which is gone (Camel: the recover task of AggregateProcessor). */
  async again(group: CompleteGroup, takeovers: number): Promise<void> {
    const { context } = this.#parts;
    const { headers } = group.exchange.message;
    headers.set("CamelRedelivered", true);
    headers.set("CamelRedeliveryCounter", takeovers);
    if (takeovers > mostTakeovers) {
      const message = `the steps of the group were begun ${takeovers} times, and each time its thread or the runtime ended before they had run`;
      context.log("ERROR", "", `a group of '${context.stepId}' becomes a failed message: ${message}`);
      const error = new FlowException("RunLostException", message);
      await this.ends?.failed(group, error, undefined);
      return;
    }
    context.count("recoveredGroups");
    const why = "the thread or the runtime ended before its steps had run";
    context.log("WARN", "", `a complete group of '${context.stepId}' is run again (${takeovers}): ${why}`);
    await this.alone(group);
  }

  async #announce(group: CompleteGroup, parent: Exchange | undefined, begins: () => void): Promise<unknown> {
    const { context, inner, repository } = this.#parts;
    return context.announce({
      cause: "aggregate",
      uri: `aggregate:${context.stepId}`,
      parent,
      exchange(run) {
        begins();
        return group.exchange.copy(run);
      },
      process: inner,
      entry: context.stepId,
      ...(repository !== undefined && { group: `${repository}/${group.id}` }),
    });
  }

  #log(message: string, ends: GroupEnds | undefined): void {
    const kept = ends === undefined ? "" : "; what did not become a failed message is kept";
    this.#parts.context.log("ERROR", "", message + kept);
  }
}

/** Whether the thread has as many runs as it may: another one is over soon. */
function isFull(error: unknown): boolean {
  return exceptionMessage(error).includes("(limit announcedRuns)");
}

function named(error: unknown): string {
  return `${exceptionType(error)} - ${exceptionMessage(error)}`;
}
