/** The mappings that a flow and a message mapping name: their ids are fixed texts, since a flow is given what it names. */
import { flowIdProblem } from "./ids.ts";

export const mappingKinds = ["value", "message"] as const;
export type MappingKind = (typeof mappingKinds)[number];

export interface MappingUse {
  readonly kind: MappingKind;
  readonly id: string;
}

const steps: Readonly<Record<string, MappingKind>> = { valueMapping: "value", messageMapping: "message" };
const endpoints = new Set(["uri", "to", "toD", "wireTap", "enrich"]);
/** `${vmap:id:from:to:value}` of simple, `$vmap('id', ...)` of JSONata. */
const lookups = [/\$(?:simple)?\{\s*vmap:\s*(["']?)([^:"'{}]+)\1\s*:/g, /\$vmap\s*\(\s*(["'])([^"']+)\1/g];
const deepest = 200;

/** `flow`: its YAML as data. In the order of the flow, each once. */
export function usesOfFlow(flow: unknown): readonly MappingUse[] {
  const found = new Map<string, MappingUse>();
  collect(flow, found, 0);
  return [...found.values()];
}

/** The value mappings that the expressions of a message mapping look words up in. `document`: its JSON as data. */
export function usesOfMessageMapping(document: unknown): readonly MappingUse[] {
  const found = new Map<string, MappingUse>();
  const { uses } = isRecord(document) ? document : {};
  if (Array.isArray(uses)) for (const id of uses) add(found, "value", id);
  collect(document, found, 0);
  return [...found.values()].filter(({ kind }) => kind === "value");
}

function collect(value: unknown, found: Map<string, MappingUse>, depth: number): void {
  if (depth > deepest) return;
  if (typeof value === "string") collectLookups(value, found);
  else if (Array.isArray(value)) for (const one of value) collect(one, found, depth + 1);
  else if (isRecord(value))
    for (const [name, one] of Object.entries(value)) {
      const kind = Object.hasOwn(steps, name) ? steps[name] : undefined;
      if (kind !== undefined) add(found, kind, isRecord(one) ? one["id"] : one);
      if (endpoints.has(name)) add(found, "message", mappingOf(one, value));
      collect(one, found, depth + 1);
    }
}

function collectLookups(text: string, found: Map<string, MappingUse>): void {
  if (!text.includes("vmap")) return;
  for (const lookup of lookups) for (const [, , id] of text.matchAll(lookup)) add(found, "value", id?.trim());
}

/** The id of an endpoint `mapping:id`, also with the id among the parameters. */
function mappingOf(uri: unknown, { parameters }: Readonly<Record<string, unknown>>): unknown {
  if (typeof uri !== "string") return undefined;
  if (uri === "mapping" && isRecord(parameters)) return parameters["id"];
  return /^mapping:(?:\/\/)?([^?]+)/.exec(uri)?.[1];
}

function add(found: Map<string, MappingUse>, kind: MappingKind, id: unknown): void {
  if (typeof id === "string" && flowIdProblem(id) === undefined) found.set(`${kind} ${id}`, { kind, id });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
