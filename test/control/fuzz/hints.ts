/** Values that the schemas cannot tell, by the name of the property or parameter, so that requests get further than to the first check. */
import fc from "fast-check";
import { goodFlows } from "./fuzz-yaml.ts";
import type { Hints } from "./schema-values.ts";
import { mutatedDocuments } from "./yaml-mutations.ts";

export const documents: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...goodFlows), weight: 3 },
  { arbitrary: mutatedDocuments(goodFlows), weight: 2 },
  { arbitrary: fc.string(), weight: 1 },
);

export function hintsWith(ids: readonly string[]): Hints {
  const setting = fc.constantFrom(["queue", 5], ["record", "all"], ["threads", 2], ["threads", -1], ["treads", 2]);
  return {
    yaml: documents,
    params: fc.constantFrom(null, {}, { name: "x" }, { name: "tick", unused: 1 }, { name: null }),
    limits: fc.oneof(
      fc.constantFrom(null, {}),
      fc.array(setting, { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs)),
    ),
    revision: fc.integer({ min: -1, max: 12 }),
    ...oneOf(["flowId", "routeId", "runId", "stepId"], ...ids, "fuzz.*", "*"),
    ...oneOf(["level"], "warn", "INFO"),
    ...oneOf(["type"], "run.*", "step.failed"),
    ...oneOf(["status"], "failed", "completed"),
    ...oneOf(["body"], "none", "preview", "full"),
    ...oneOf(["replay"], "0", "100"),
    ...oneOf(["sample"], "0.5", "1"),
    ...oneOf(["lastEventId"], "abc-1", "x"),
    ...oneOf(["drainMs"], 0, 1, 50),
  };
}

function oneOf(names: readonly string[], ...values: readonly unknown[]): Hints {
  return Object.fromEntries(names.map((name) => [name, fc.constantFrom(...values)]));
}
