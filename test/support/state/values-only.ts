/** The values of a state store in memory, for parts of sources that a test runs by themselves. */
import { stateKey } from "../../../src/shared/state.ts";
import { noState, type StatePort } from "../../../src/workers/engine/flow-state.ts";

export interface ValuesOnly {
  readonly port: StatePort;
  readonly keys: Map<string, string>;
  /** `fails`: the store does not answer. `writes`: how often something was put or deleted. */
  readonly state: { fails: boolean; writes: number };
}

export function valuesOnly(): ValuesOnly {
  const keys = new Map<string, string>();
  const state = { fails: false, writes: 0 };
  const answer = async <T>(work: () => T): Promise<T> => {
    if (state.fails) throw new Error("the state store is not there");
    return work();
  };
  const port: StatePort = {
    ...noState,
    keyOf: stateKey,
    get: (_name, key) => answer(() => keys.get(key)),
    putIf: (_name, key, expected, value) =>
      answer(() => {
        state.writes += 1;
        if (keys.get(key) === expected) keys.set(key, value);
        return keys.get(key);
      }),
    delete: (_name, key) =>
      answer(() => {
        state.writes += 1;
        keys.delete(key);
      }),
  };
  return { port, keys, state };
}
