/** Makes steps that are to be inserted. */
import { type Catalog, type Entry, entryOf, formatsOf, optionsOf, takesExpression } from "./catalog-view.ts";

/** What required options say until the user fills them in, where the kind of the option does not. */
const placeholders: Readonly<Record<string, unknown>> = {
  "aggregate.correlationExpression": { constant: { expression: "all" } },
  "aggregate.aggregationStrategy": "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy",
  "aggregate.completionSize": 10,
  "convertBodyTo.type": "String",
  "convertHeaderTo.type": "String",
  "convertVariableTo.type": "String",
  "throwException.exceptionType": "java.lang.Exception",
  "throwException.message": "failed",
  "setHeaders.headers": [{ name: "name", expression: { constant: { expression: "value" } } }],
  "setVariables.variables": [{ name: "name", expression: { constant: { expression: "value" } } }],
  "removeHeaders.pattern": "x-*",
  "removeProperties.pattern": "x-*",
  "claimCheck.operation": "Push",
  // Camel has no default here; keys of this one are in the state store, as without it.
  "idempotentConsumer.idempotentRepository":
    "#class:org.apache.camel.support.processor.idempotent.FileIdempotentRepository",
  "poll.uri": "file:inbox",
  "wireTap.uri": "direct:name",
  "loadBalance.roundRobinLoadBalancer": {},
};

/** Steps whose expression is a number, an address or a list. */
const expressions: Readonly<Record<string, readonly [language: string, text: string]>> = {
  delay: ["constant", "1000"],
  loop: ["constant", "3"],
  throttle: ["constant", "10"],
  enrich: ["constant", "direct:name"],
  pollEnrich: ["constant", "file:inbox"],
  recipientList: ["constant", "direct:name"],
  routingSlip: ["constant", "direct:name"],
  dynamicRouter: ["simple", "${null}"],
  idempotentConsumer: ["header", "id"],
  script: ["js", "body"],
};

/** Parts that a step has from the beginning, beside what is required. */
const parts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  choice: {
    when: [{ expression: { simple: { expression: "${body} != null" } }, steps: [] }],
    otherwise: { steps: [] },
  },
  doTry: { steps: [], doCatch: [{ exception: ["java.lang.Exception"], steps: [] }] },
};

/** Returns `{name: {...}}` with placeholders for what is required. The caller adds an id. */
export function newStep(name: string, catalog: Catalog): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const entry = entryOf(catalog, name);
  if (entry === undefined) return { [name]: {} };
  const options: Record<string, unknown> = {};
  for (const option of optionsOf(entry)) {
    if (option.kind === "list of steps") continue;
    const own = placeholders[`${name}.${option.name}`];
    if (own !== undefined) options[option.name] = own;
    else if (option.required) options[option.name] = option.values?.[0] ?? placeholderOf(option.kind);
  }
  const kind = takesExpression(entry);
  if (kind !== undefined) {
    const [language, text] = expressions[name] ?? ["simple", kind === "predicate" ? "${body} != null" : "${body}"];
    options["expression"] = { [language]: { expression: text } };
  }
  const [format] = formatsOf(entry, catalog).includes("json") ? ["json"] : formatsOf(entry, catalog);
  if (format !== undefined) options[format] = {};
  if (holdsSteps(entry)) options["steps"] = [];
  return { [name]: { ...options, ...parts[name] } };
}

function holdsSteps({ schema }: Entry): boolean {
  return schema.properties?.["steps"]?.["x-kind"] === "list of steps";
}

function placeholderOf(kind: string): unknown {
  if (kind === "whole number") return 1;
  if (kind === "endpoint") return "direct:name";
  if (kind === "expression" || kind === "predicate") return { simple: { expression: "${body}" } };
  return "name";
}
