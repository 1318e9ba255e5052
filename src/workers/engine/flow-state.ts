/** The state store, as steps and components use it: repositories that outlast the flow's thread. */
import type { GroupAbout, GroupOperation, RepositoryKind, StateOperation } from "../../shared/state.ts";
import type { Exchange } from "./exchange.ts";
import type { Run } from "./run.ts";

export interface StatePort {
  /**
   * Asks about a key (`stateKey`). `run`: the run that asks; undefined: none does. Resolves with the answer of the
   * frame `stated` when what has changed survives a loss of power; rejects with a FlowException when nothing has.
   */
  ask(run: Run<Exchange> | undefined, operation: StateOperation, name: string, key: string): Promise<string>;
  /** As `ask`, about groups. Resolves with bytes for `read`. */
  askGroups(
    run: Run<Exchange> | undefined,
    operation: GroupOperation,
    name: string,
    about: Partial<GroupAbout>,
    message?: Uint8Array,
  ): Promise<string | Uint8Array>;
  /** Calls `forget` when an operator has removed a key; undefined: all keys of the repository. */
  onForgotten(name: string, forget: (key: string | undefined) => void): void;
}

/** For flows that are only checked. */
export const noState: StatePort = {
  ask: () => Promise.reject(new Error("a flow that is only checked keeps nothing")),
  askGroups: () => Promise.reject(new Error("a flow that is only checked keeps nothing")),
  onForgotten() {},
};

export interface StateNeed {
  readonly kind: RepositoryKind;
  readonly name: string;
  /** true: at its bound the oldest keys make room. */
  readonly evicts: boolean;
  /** Of an aggregation, as in `StateUse`. */
  readonly fingerprint?: string;
}

/**
 * Declares a repository, while the flow is compiled. Throws for a name that is none, or that the flow uses for another
 * kind.
 */
export type UseState = (need: StateNeed) => StatePort;

/** Reports a warning about the step or endpoint that is compiled; it has no effect in a thread. */
export type Warn = (code: string, message: string) => void;
