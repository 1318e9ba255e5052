/** The state store, as steps and components use it: repositories that outlast the flow's thread. */
import {
  type GroupAbout,
  type GroupOperation,
  type KeyOperation,
  type RepositoryKind,
  stateKey,
} from "../../shared/state.ts";
import type { Exchange } from "./exchange.ts";
import type { Run } from "./run.ts";

export interface StatePort {
  /** Returns the form in which a key is kept: its text, or a digest of one that is long or holds the value of a secret. */
  keyOf(text: string): string;
  /**
   * Asks about a key (`keyOf`). `run`: the run that asks; undefined: none does. Resolves with the answer of the
   * frame `stated` when what has changed survives a loss of power; rejects with a FlowException when nothing has.
   */
  ask(run: Run<Exchange> | undefined, operation: KeyOperation, name: string, key: string): Promise<string>;
  /** Returns the value of a key (`keyOf`); undefined: it has none. "" may be a key that an older runtime has kept, without a value. */
  get(name: string, key: string): Promise<string | undefined>;
  /**
   * Puts the value of a key if the key has the `expected` one; undefined: if the key is absent. Resolves with the value that the key has then,
   * when it survives a loss of power: another one than `value` means that nothing has changed. Rejects for a value that is none
   * (`valueProblem`), and as `ask` does. The store does not encrypt values: none may hold that of a secret.
   */
  putIf(name: string, key: string, expected: string | undefined, value: string): Promise<string | undefined>;
  /** Removes a key and its value. Resolves when that survives a loss of power. */
  delete(name: string, key: string): Promise<void>;
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
  keyOf: stateKey,
  ask: keepsNothing,
  get: keepsNothing,
  putIf: keepsNothing,
  delete: keepsNothing,
  askGroups: keepsNothing,
  onForgotten() {},
};

function keepsNothing(): Promise<never> {
  return Promise.reject(new Error("a flow that is only checked keeps nothing"));
}

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
