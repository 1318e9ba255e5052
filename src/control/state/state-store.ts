/** What flows keep between their messages, for the rest of control: the interface of the state store, and the one on SQLite. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { groupOf, newRunId } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import { type Owner, operationTable, StateFailure, type Subjects } from "./operations.ts";
import { copiesOf, type StateCopy } from "./state-copies.ts";
import { StateCounts } from "./state-counts.ts";
import { StateLink } from "./state-link.ts";
import { copying, type NewsKind } from "./wire.ts";

/** An operation as control calls it. Rejects with StateFailure. */
type Remote<Operations> = {
  readonly [O in keyof Operations]: Operations[O] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Answer>
    : never;
};

export interface StateProblem {
  readonly code: "state_set_aside" | "state_full" | "state_failing";
  /** With the group's name. */
  readonly message: string;
}

/**
 * Durable state of flows by subject. A promise that fulfils means: the change survives a loss of power. One that rejects with StateFailure
 * means: nothing of it was done. Operations of one flow are carried out in the order in which they were asked.
 */
export type StateStore = { readonly [S in keyof Subjects]: Remote<Subjects[S]> } & {
  readonly counts: StateCounts;
  /** Whether anything may be kept for the flow's group: it has a file. */
  mayHave(flowId: string): boolean;
  /** The problems of the groups at the moment. */
  problems(): readonly StateProblem[];
  /** Copies the groups' files, one after the other; a copy is removed when the next one is asked for. Throws StateFailure. */
  copies(): AsyncGenerator<StateCopy>;
  /** Finishes what was asked, and closes everything. What is asked later fails. */
  close(): Promise<void>;
};

export interface StateStoreOptions {
  /** Where the files of the groups are; undefined: nothing outlives the process. */
  readonly directory: string | undefined;
  readonly limits: Pick<Limits, "stateKeys" | "stateBytes" | "failedMessages" | "failedBytes" | "failedKeptMs">;
  /** Keys of 32 bytes: messages are encrypted with the first, and read with any of them. */
  readonly dataKeys: readonly [Uint8Array, ...Uint8Array[]];
  readonly entry?: URL | undefined;
  /** Returns why nothing may be written, such as a directory that another process has; undefined: it may. */
  readonly refusal?: (() => string | undefined) | undefined;
  log(level: "INFO" | "ERROR", message: string): void;
  /** Called when a group's file was opened, with those that it has something of. */
  opened?(owners: readonly Owner[]): void;
}

/** What these operations answer of a group that has never kept anything, without opening one for it. */
const ofNothing: Readonly<Record<string, unknown>> = {
  "owners.forget": undefined,
  "repositories.list": [],
  "repositories.keys": undefined,
  "repositories.removeKey": undefined,
  "repositories.remove": undefined,
  "values.get": undefined,
  "values.delete": undefined,
  "failed.list": [],
  "failed.get": undefined,
  "failed.waiting": [],
  "failed.discard": 0,
  "failed.tidy": [],
  "groups.open": "[]",
  "groups.drop": undefined,
  "groups.abandon": [],
  "groups.foreign": 0,
  "failed.totals": { waiting: 0, retrying: 0, bytes: 0, oldest: undefined },
};

/** Opens nothing yet: the thread and the files come with the first request. */
export function createStateStore({
  directory,
  limits,
  entry,
  refusal,
  dataKeys,
  log,
  opened = () => {},
}: StateStoreOptions): StateStore {
  const problems = new GroupProblems(log);
  const counts = new StateCounts();
  const link = new StateLink({
    entry,
    directory,
    mostKeys: limits.stateKeys,
    mostBytes: limits.stateBytes,
    failed: { mostMessages: limits.failedMessages, mostBytes: limits.failedBytes, keptMs: limits.failedKeptMs },
    session: newRunId(),
    dataKeys,
    news(kind, { group, message, owners = [] }) {
      if (kind === "opened") opened(owners);
      else problems.note(group, kind, message);
    },
    worked: (report) => counts.worked(report),
    ended: (reason) =>
      log(
        "ERROR",
        `the state store's thread has ended and begins anew: ${reason}; keys of messages under way are free`,
      ),
  });
  const ask = async (operation: string, owner: Owner, args: readonly unknown[]): Promise<unknown> => {
    const refused = refusal?.();
    if (refused !== undefined) throw new StateFailure("store_failed", refused);
    const group = groupFile(owner.flowId);
    if (Object.hasOwn(ofNothing, operation) && isEmpty(group)) return ofNothing[operation];
    asked.add(group);
    return link.ask(group, operation, owner, args);
  };
  const asked = new Set<string>();
  const isEmpty = (group: string): boolean =>
    !asked.has(group) && (directory === undefined || !existsSync(join(directory, `${group}.sqlite`)));
  const subjects = Object.entries(operationTable).map(([subject, operations]) => {
    const names = Object.keys(operations);
    const remote = names.map((name) => [
      name,
      (owner: Owner, ...args: readonly unknown[]) => ask(`${subject}.${name}`, owner, args),
    ]);
    return [subject, Object.fromEntries(remote)];
  });
  return {
    ...(Object.fromEntries(subjects) as { readonly [S in keyof Subjects]: Remote<Subjects[S]> }),
    counts,
    mayHave: (flowId) => !isEmpty(groupFile(flowId)),
    problems: () => problems.list(),
    copies: () =>
      copiesOf(directory, async (group, path) => {
        const refused = refusal?.();
        if (refused !== undefined) throw new StateFailure("store_failed", refused);
        await link.ask(group, copying, { flowId: "", incarnation: 0 }, [path]);
      }),
    close: () => link.close(),
  };
}

/** The common group has a name that no group can have. Groups that differ only by case have one file, as some file systems would. */
function groupFile(flowId: string): string {
  return groupOf(flowId).toLowerCase() || "_common";
}

const codes = { set_aside: "state_set_aside", full: "state_full", failing: "state_failing" } as const;

/** The last problem of each group, and the damaged files that are still there. */
class GroupProblems {
  readonly #log: StateStoreOptions["log"];
  readonly #problems = new Map<string, StateProblem>();

  constructor(log: StateStoreOptions["log"]) {
    this.#log = log;
  }

  note(group: string, kind: Exclude<NewsKind, "opened" | "worked">, message: string): void {
    const name = group === "_common" ? "flows without a group" : `group '${group}'`;
    const present = `${group} problem`;
    if (kind === "well") {
      if (this.#problems.delete(present)) this.#log("INFO", `the state of ${name} is written again`);
      return;
    }
    const key = kind === "set_aside" ? `${group} ${message}` : present;
    const problem = { code: codes[kind], message: `the state of ${name}: ${message}` };
    const before = this.#problems.get(key);
    this.#problems.set(key, problem);
    if (before?.message !== problem.message) this.#log("ERROR", problem.message);
  }

  list(): readonly StateProblem[] {
    return [...this.#problems.values()];
  }
}
