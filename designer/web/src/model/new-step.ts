/** Makes steps that are to be inserted. */
import { type Catalog, type Entry, entryOf, formatsOf, optionsOf } from "./catalog-view.ts";

/**
 * What a new step says beside its name: choices that most flows make. Names, addresses and expressions are the user's own. They are left out, so that
 * the form shows empty fields and the check refuses the flow until they are filled in.
 */
const choices: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  aggregate: {
    aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy",
  },
  choice: { when: [{ steps: [] }], otherwise: { steps: [] } },
  claimCheck: { operation: "Push" },
  convertBodyTo: { type: "String" },
  convertHeaderTo: { type: "String" },
  convertVariableTo: { type: "String" },
  doTry: { steps: [], doCatch: [{ exception: ["java.lang.Exception"], steps: [] }] },
  // Camel has no default here; keys of this one are in the state store, as without it.
  idempotentConsumer: {
    idempotentRepository: "#class:org.apache.camel.support.processor.idempotent.FileIdempotentRepository",
  },
  loadBalance: { roundRobinLoadBalancer: {} },
  throwException: { exceptionType: "java.lang.Exception" },
};

/** Returns `{name: {...}}`. The caller adds an id. */
export function newStep(name: string, catalog: Catalog): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const entry = entryOf(catalog, name);
  if (entry === undefined) return { [name]: {} };
  const options: Record<string, unknown> = {};
  for (const { kind, name: option, required, values } of optionsOf(entry))
    if (required && kind !== "list of steps" && values?.[0] !== undefined) options[option] = values[0];
  const [format] = formatsOf(entry, catalog).includes("json") ? ["json"] : formatsOf(entry, catalog);
  if (format !== undefined) options[format] = {};
  if (holdsSteps(entry)) options["steps"] = [];
  return { [name]: { ...options, ...choices[name] } };
}

function holdsSteps({ schema }: Entry): boolean {
  return schema.properties?.["steps"]?.["x-kind"] === "list of steps";
}
