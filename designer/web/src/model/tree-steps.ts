/** Reads lists of steps, and the branches of steps. */
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { expressionOf } from "./expression.ts";
import { dashOf, itemEnd, startOf } from "./extent.ts";
import { addressOf } from "./links.ts";
import { keyText, toCamelCase } from "./names.ts";
import type { Branch, StepNode } from "./nodes.ts";
import { childOf, type Place, plain } from "./place.ts";
import { shortOption } from "./short-forms.ts";
import type { FlowText, Range, YamlDocument } from "./types.ts";

/** Steps that hold steps: they have a branch even when they have no `steps` yet. */
export const holders: ReadonlySet<string> = new Set(
  "aggregate circuitBreaker doTry filter idempotentConsumer loadBalance loop multicast pipeline resequence saga split step policy transacted onException onCompletion intercept interceptFrom interceptSendToEndpoint".split(
    " ",
  ),
);
const listed = new Set(["when", "doCatch"]);
const single = new Set(["otherwise", "doFinally", "onFallback"]);
const named = new Set(["valueMapping", "messageMapping"]);

/** Reads with a bound: aliases may hold each other many times over. */
export interface Reader {
  readonly flow: FlowText;
  readonly document: YamlDocument;
  depth: number;
  steps: number;
}

const deepest = 64;
const mostSteps = 20_000;

export function readSteps(reader: Reader, place: Place | undefined): StepNode[] {
  if (place === undefined || !isSeq(place.node) || reader.depth >= deepest) return [];
  reader.depth += 1;
  const steps = place.node.items.flatMap((_, index) => {
    const item = childOf(reader.document, place, index);
    reader.steps += 1;
    return item === undefined || reader.steps > mostSteps ? [] : (readStep(reader, item) ?? []);
  });
  reader.depth -= 1;
  return steps;
}

function readStep(reader: Reader, item: Place): StepNode | undefined {
  const range = rangeOf(reader.flow, item);
  const shared = item.shared === undefined ? {} : { shared: true as const };
  if (isScalar(item.node)) {
    const name = toCamelCase(String(item.node.value ?? ""));
    return { name, idKey: "id", brief: "", path: item.path, itemPath: item.path, range, branches: [], ...shared };
  }
  const pair = isMap(item.node) ? item.node.items[0] : undefined;
  const written = pair === undefined ? undefined : keyText(pair.key);
  const definition = written === undefined ? undefined : childOf(reader.document, item, written);
  if (written === undefined || definition === undefined) {
    return { name: "", idKey: "id", brief: "", path: item.path, itemPath: item.path, range, branches: [], ...shared };
  }
  const name = toCamelCase(written);
  const idKey = named.has(name) ? "stepId" : "id";
  return {
    name,
    idKey,
    ...about(reader, definition, idKey, written),
    path: definition.path,
    itemPath: item.path,
    range,
    branches: branchesOf(reader, name, definition),
    ...(definition.shared === undefined ? shared : { shared: true as const }),
  };
}

/** The texts of a definition that are shown. */
export function about(
  reader: Reader,
  definition: Place,
  idKey: string,
  key: string,
): Pick<StepNode, "id" | "description" | "uri" | "brief" | "disabled"> {
  const value = shallow(reader, definition, key);
  const id = text(value[idKey]);
  const description = text(value["description"]);
  const uri = addressOf(text(value["uri"]), value["parameters"]);
  return {
    ...(id !== undefined && { id }),
    ...(description !== undefined && { description }),
    ...(uri !== undefined && { uri }),
    ...(String(value["disabled"]) === "true" && { disabled: true as const }),
    brief: briefOf(value),
  };
}

/** The options of a definition without its steps, as plain data. */
export function shallow({ document }: Reader, { node }: Place, key: string): Record<string, unknown> {
  if (isMap(node)) {
    const entries = node.items.map((pair) => [toCamelCase(keyText(pair.key)), pair.value as Node | null] as const);
    return Object.fromEntries(
      entries
        .filter(([name]) => name !== "steps" && !listed.has(name) && !single.has(name))
        .map(([name, value]) => [name, value === null ? null : plain(value, document)]),
    );
  }
  const short = isScalar(node) && node.value !== null ? shortOption(key) : undefined;
  return short === undefined ? {} : { [short]: (node as { value?: unknown }).value };
}

function briefOf(value: Readonly<Record<string, unknown>>): string {
  const expression = expressionOf(value);
  const set = text(value["name"]);
  if (expression !== undefined) return set === undefined ? expression.text : `${set} = ${expression.text}`;
  for (const key of ["message", "uri", "name", "exception", "pattern", "type", "ref", "id"]) {
    const one = value[key];
    if (Array.isArray(one)) return one.join(", ");
    const found = text(one);
    if (found !== undefined) return found;
  }
  return "";
}

export function branchesOf(reader: Reader, name: string, definition: Place): Branch[] {
  const { document } = reader;
  const { node, path } = definition;
  const branches: Branch[] = [];
  const keys = isMap(node) ? node.items.map(({ key }) => keyText(key)) : [];
  const written = keys.find((key) => toCamelCase(key) === "steps");
  if (written !== undefined || holders.has(name)) {
    const stepsPath = [...path, written ?? "steps"];
    const steps = written === undefined ? [] : readSteps(reader, childOf(document, definition, written));
    branches.push({ label: name === "doTry" ? name : "", kind: "steps", path, stepsPath, steps });
  }
  for (const key of keys) {
    const place = childOf(document, definition, key);
    const kind = toCamelCase(key);
    if (place === undefined || kind === "steps") continue;
    if (isSeq(place.node) && (listed.has(kind) || place.node.items.some((item) => isMap(item) && item.has("steps")))) {
      for (const index of place.node.items.keys()) {
        const item = childOf(document, place, index);
        if (item !== undefined && isMap(item.node)) branches.push(readBranch(reader, kind, item));
      }
    } else if (single.has(kind) || (isMap(place.node) && place.node.has("steps"))) {
      branches.push(readBranch(reader, kind, place));
    }
  }
  return branches;
}

function readBranch(reader: Reader, kind: string, place: Place): Branch {
  const { id, brief } = about(reader, place, "id", kind);
  const keys = isMap(place.node) ? place.node.items.map(({ key }) => keyText(key)) : [];
  const written = keys.find((key) => toCamelCase(key) === "steps") ?? "steps";
  const shown = listed.has(kind) ? `${kind} ${brief}`.trim() : kind;
  const steps = readSteps(reader, childOf(reader.document, place, written));
  return {
    label: shown,
    kind,
    ...(id !== undefined && { id }),
    path: place.path,
    stepsPath: [...place.path, written],
    steps,
  };
}

/** From the dash of an item, or from a key, to the end of what is written there. */
export function rangeOf({ text: source }: FlowText, { node, pair, parent, index }: Place): Range {
  if (isSeq(parent) && parent.flow !== true && pair === undefined) {
    return { from: dashOf(parent, index), to: itemEnd(source, parent, index) };
  }
  const from = pair === undefined ? (node === null ? 0 : startOf(node)) : startOf(pair.key);
  const end = pair?.value?.range?.[1] ?? pair?.key.range?.[1] ?? node?.range?.[1] ?? from;
  return { from, to: from + source.slice(from, end).trimEnd().length };
}

export function text(value: unknown): string | undefined {
  return value === null || value === undefined || typeof value === "object" ? undefined : String(value);
}
