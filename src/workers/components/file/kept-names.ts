/** The last 1000 names, the oldest going first (Camel: MemoryIdempotentRepository). */
import { boundedKey } from "../../engine/bounded-key.ts";

const keptNames = 1000;

export interface KeptNames {
  has(name: string): boolean;
  add(name: string): void;
  delete(name: string): void;
}

export function keepingNames(): KeptNames {
  const names = new Set<string>();
  return {
    has: (name) => names.has(boundedKey(name)),
    add(name) {
      const key = boundedKey(name);
      names.delete(key);
      if (names.size >= keptNames) names.delete(names.values().next().value as string);
      names.add(key);
    },
    delete: (name) => void names.delete(boundedKey(name)),
  };
}
