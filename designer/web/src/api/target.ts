/** The runtime that the page looks at and deploys to: one of those that the designer's server knows. */
import type { Target } from "../../../shared/wire.ts";
import { readKept, writeKept } from "../ui/kept.ts";
import { createStore } from "../ui/store.ts";
import { sessionState } from "./session.ts";

const key = "target";
const chosen = createStore<string | undefined>(readKept(key));

export function targets(): readonly Target[] {
  const state = sessionState.get();
  return state.kind === "ready" ? state.session.targets : none;
}

const none: readonly Target[] = [];

/** The chosen one, or the first; undefined: there is none, or nobody has logged in. */
export const target = {
  get: (): Target | undefined => targets().find(({ name }) => name === chosen.get()) ?? targets()[0],
  subscribe(listener: () => void): () => void {
    const ends = [chosen.subscribe(listener), sessionState.subscribe(listener)];
    return () => {
      for (const end of ends) end();
    };
  },
};

export function chooseTarget(name: string): void {
  writeKept(key, name);
  chosen.set(name);
}
