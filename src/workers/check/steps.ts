/** Converts lists of steps. */

import type { StepModel } from "../../shared/flow-model.ts";
import { didYouMean } from "../../shared/suggest.ts";
import type { StepDefinition } from "../engine/step.ts";
import { camelStepParts, camelSteps, camelTopLevel, routeWideNames } from "./camel-names.ts";
import { shapeOf } from "./check-slots.ts";
import { type Context, type Converted, failed, type StepDraft } from "./context.ts";
import { stepIdProblem } from "./ids.ts";
import { commonAttributes, finish } from "./options.ts";
import { atKey, describeNode, type Entry, entryOf, type MapNode, type Node, toCamelCase } from "./tree.ts";

/** Steps of Camel that this runtime will not support, with alternatives. */
const jvm = "it calls Java code";

export const refusedSteps: ReadonlyMap<string, string> = new Map([
  ["bean", `${jvm}: write the logic as an expression or a script in the language js`],
  ["process", `${jvm}: write the logic as an expression or a script in the language js`],
  ["policy", "there are no policy beans: use doTry, onException or circuitBreaker around the steps"],
]);

/** Spellings of old Camel versions. */
export const stepAliases: ReadonlyMap<string, string> = new Map([["tod", "toD"]]);

export function convertSteps(node: Node, label: string, context: Context): Converted<readonly StepModel[]> {
  if (node.kind === "scalar" && node.text === null) return [];
  if (node.kind !== "seq") {
    const message = `${label} is a list of steps, each beginning with '- '; found ${describeNode(node)}`;
    context.report.error("wrong_type", message, node, context.scope);
    return failed;
  }
  const steps: StepModel[] = [];
  let good = true;
  for (const item of node.items) {
    const step = convertItem(item, context);
    if (step === failed) good = false;
    else if (step !== undefined) steps.push(step);
  }
  return good ? steps : failed;
}

/** Returns undefined for a disabled step. */
function convertItem(item: Node, context: Context): Converted<StepModel | undefined> {
  const { report, scope } = context;
  const [entry, second] = item.kind === "map" ? item.entries : [];
  if (entry === undefined) {
    const hint = item.kind === "scalar" && item.text !== null ? `: write '- ${item.text.slice(0, 40)}: {}'` : "";
    report.error(
      "wrong_type",
      `a step is a map with one key, the step's name${hint}; found ${describeNode(item)}`,
      item,
      scope,
    );
    return failed;
  }
  const name = stepAliases.get(entry.key) ?? toCamelCase(entry.key);
  const definition = context.definitions.catalog.steps.get(name);
  if (definition === undefined || (definition.internal === true && entry.generated !== true)) {
    return unknownStep(name, entry, context);
  }
  const step = convertStep(definition, entry, context);
  if (second === undefined) return step;
  const message = `a step has one key, its name: '${second.key}' belongs inside of '${entry.key}', or begins a step of its own with '- '`;
  report.error("several_keys", message, atKey(second), scope);
  return failed;
}

function unknownStep(name: string, entry: Entry, { definitions, report, scope }: Context): typeof failed {
  const known = [...definitions.catalog.steps.values()]
    .filter(({ internal }) => internal !== true)
    .map((step) => step.name);
  const parent = camelStepParts.get(name);
  if (parent !== undefined) {
    report.error("misplaced_step", `'${name}' is not a step: it belongs inside of '${parent}'`, atKey(entry), scope);
  } else if (refusedSteps.has(name)) {
    report.error("not_yet", `step '${name}' is refused: ${refusedSteps.get(name)}`, atKey(entry), scope);
  } else if (camelSteps.includes(name)) {
    const message = `step '${name}' is part of Camel's YAML DSL; this runtime does not have it yet`;
    report.error("not_yet", message, atKey(entry), scope);
  } else if (routeWideNames.has(name)) {
    const message = `'${name}' belongs among a route's own steps, or at the top of a document, not inside of a step`;
    report.error("misplaced_step", message, atKey(entry), scope);
  } else if (camelTopLevel.includes(name)) {
    report.error("misplaced_step", `'${name}' is not a step: it stands at the top of a document`, atKey(entry), scope);
  } else {
    const hint = didYouMean(entry.key, known);
    report.error("unknown_step", `unknown step '${entry.key.slice(0, 100)}'${hint}`, atKey(entry), scope);
  }
  return failed;
}

function convertStep(definition: StepDefinition, entry: Entry, outer: Context): Converted<StepModel | undefined> {
  const node = optionsNode(definition, entry, outer);
  if (node === failed) return failed;
  const disabled = flagOf(node, "disabled", outer);
  if (disabled === failed) return failed;
  if (disabled) return undefined;
  const draft = draftOf(definition, entry, node, outer);
  const context: Context = { ...outer, scope: { route: outer.route, step: draft.model } };
  outer.steps.push(draft);
  const schema = context.definitions.schema(definition);
  const owner = { name: `step '${definition.name}'`, attributes: attributesOf(definition) };
  const values = context.build.map(schema, node, owner, context, atKey(entry));
  const options = values === failed ? failed : finish(schema, values, node, owner, context);
  if (options === failed) return failed;
  draft.model.options = options;
  return draft.model;
}

function idKey({ idIsOption }: StepDefinition): string {
  return idIsOption === true ? "stepId" : "id";
}

function attributesOf(definition: StepDefinition): ReadonlySet<string> {
  if (definition.idIsOption !== true) return commonAttributes;
  return new Set([...commonAttributes].map((name) => (name === "id" ? idKey(definition) : name)));
}

/** Returns the step's options as a map: the string form fills the option that `short` names. */
function optionsNode(
  definition: StepDefinition,
  entry: Entry,
  { definitions, report, scope }: Context,
): Converted<MapNode> {
  const { value } = entry;
  if (value.kind === "map") return value;
  const empty: MapNode = { kind: "map", entries: [], dropped: [], at: entry.keyAt, pointer: value.pointer };
  if (value.kind === "scalar" && value.text === null) return empty;
  const { name, short } = definition;
  if (value.kind === "scalar" && short !== undefined) {
    const key = short === shapeOf(definitions.schema(definition)).endpoint ? "uri" : short;
    return { ...empty, entries: [{ key, keyAt: value.at, value }] };
  }
  const forms = short === undefined ? "a map of options" : `text (its '${short}') or a map of options`;
  report.error("wrong_type", `step '${name}' takes ${forms}; found ${describeNode(value)}`, value, scope);
  return failed;
}

function draftOf(
  definition: StepDefinition,
  entry: Entry,
  node: MapNode,
  { report, route, scope }: Context,
): StepDraft {
  const draft = (stepId: string) => ({
    model: { type: definition.name, id: stepId, options: {}, at: entry.keyAt },
    route,
  });
  const id = entryOf(node, idKey(definition))?.value;
  // The conversion of the options reports a map or a list.
  if (id === undefined || id.kind !== "scalar" || id.text === null) return draft("");
  const problem = stepIdProblem(id.text);
  if (problem !== undefined) {
    report.error("bad_id", `${problem}; found ${describeNode(id)}`, id, scope);
    return draft("");
  }
  return { ...draft(`${route.nodePrefix}${id.text}`), idAt: id };
}

/** Reads an attribute that is true or false, false by default. */
export function flagOf(
  node: MapNode,
  key: string,
  { report, scope }: Pick<Context, "report" | "scope">,
): Converted<boolean> {
  const value = entryOf(node, key)?.value;
  if (value === undefined || (value.kind === "scalar" && value.text === null)) return false;
  if (value.kind === "scalar" && /^(true|false)$/i.test(value.text ?? "")) return value.text?.toLowerCase() === "true";
  report.error("invalid_value", `'${key}' is true or false; found ${describeNode(value)}`, value, scope);
  return failed;
}
