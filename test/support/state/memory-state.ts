/** A state store in memory, for flows that run without control. */
import type { StatePort } from "../../../src/workers/engine/flow-state.ts";
import { valuesOnly } from "./values-only.ts";

export function memoryState(): StatePort {
  const keys = new Map<string, "taken" | "stored">();
  return {
    ...valuesOnly().port,
    async ask(_run, operation, name, key) {
      const id = `${name}\n${key}`;
      const known = keys.get(id);
      if (operation === "look") return known ?? "none";
      if (operation === "claim") {
        if (known !== undefined) return known;
        keys.set(id, "taken");
        return "new";
      }
      if (operation === "confirm") keys.set(id, "stored");
      else keys.delete(id);
      return "";
    },
    /** Keeps nothing: what one thread asks fits what it knows. */
    askGroups: async (_run, operation) => (operation === "open" ? "[]" : ""),
  };
}
