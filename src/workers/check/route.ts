/** Reads one route: its attributes, its `from`, its steps. */
import type { EndpointModel, StepModel } from "../../shared/flow-model.ts";
import { idProblem } from "../../shared/ids.ts";
import type { Trigger } from "../../shared/manifest.ts";
import { didYouMean, listed } from "../../shared/suggest.ts";
import { triggerOf } from "../engine/component.ts";
import { exceptionMessage } from "../engine/exception.ts";
import { NotLoaded } from "../engine/late-module.ts";
import { routeWideNames } from "./camel-names.ts";
import { type Context, type Converted, failed, type RouteDraft } from "./context.ts";
import { stepIdProblem } from "./ids.ts";
import { isPlainAttribute } from "./options.ts";
import { preconditionHolds } from "./precondition.ts";
import { claimsReservedPath } from "./reserved-paths.ts";
import { checkRouteAttribute, ownRouteAttributes } from "./route-attributes.ts";
import { type OwnElements, ownElements, type RouteConfiguration } from "./route-configurations.ts";
import { flagOf } from "./steps.ts";
import {
  atKey,
  describeNode,
  type Entry,
  entryOf,
  type MapNode,
  type Node,
  type SeqNode,
  toCamelCase,
  type Where,
} from "./tree.ts";

/** A route as found in the document, in any shape. */
export interface FoundRoute {
  /** The attributes, including `from`. */
  readonly node: MapNode;
  /** The place of the key that begins the route, or of the route itself. */
  readonly where: Where;
  /** true: `steps` beside `from` are obsolete in this shape. */
  readonly stepsBelongInside: boolean;
}

/** A route that has been read. It becomes part of the model when ids are known, unless it has failed. */
export interface ReadRoute {
  readonly draft: RouteDraft;
  readonly elements: OwnElements;
  readonly autoStartup: boolean;
  readonly group: string | undefined;
  readonly variableReceive: string | undefined;
  readonly endpoint: Converted<EndpointModel>;
  /** undefined if the endpoint has failed. */
  readonly trigger: Trigger | undefined;
  readonly steps: Converted<readonly StepModel[]>;
}

/** Attributes of a route in addition to its id. */
const textAttributes: ReadonlySet<string> = new Set([
  "description",
  "note",
  "nodePrefixId",
  "routeConfigurationId",
  "group",
]);
const fromAttributes = ["id", "description", "note", "uri", "parameters", "steps", "variableReceive"];

/** Returns undefined if the route's precondition does not hold. */
export function readRoute(
  found: FoundRoute,
  base: Omit<Context, "route" | "scope">,
  configurations: readonly RouteConfiguration[],
): ReadRoute | undefined {
  const { node, where } = found;
  const draft = draftOf(node, where, { ...base, route: blank(where), scope: {} });
  const context: Context = { ...base, route: draft, scope: { route: draft } };
  if (!preconditionHolds(node, context)) return undefined;
  for (const entry of node.entries) {
    if (!ownRouteAttributes.has(toCamelCase(entry.key))) checkRouteAttribute(entry, context);
    else isPlainAttribute(entry, "'route'", context, textAttributes);
  }
  const elements = ownElements(node, routeWideOf(node), configurations, context);
  const autoStartup = entryOf(node, "autoStartup") === undefined ? true : flagOf(node, "autoStartup", context);
  const fromEntry = entryOf(node, "from");
  const from = fromEntry === undefined ? undefined : fromMap(fromEntry, context);
  if (fromEntry === undefined || from === undefined) {
    if (fromEntry === undefined) context.report.error("missing_option", "a route needs 'from'", where, context.scope);
    const steps = entryOf(node, "steps");
    if (steps !== undefined) context.build.steps(steps.value, "'steps' of the route", context);
    return {
      draft,
      elements,
      autoStartup: true,
      group: undefined,
      variableReceive: undefined,
      endpoint: failed,
      trigger: undefined,
      steps: failed,
    };
  }
  draft.fromId = fromId(from, context);
  checkFromAttributes(from, context);
  const { endpoint, trigger } = readEndpoint(from, atKey(fromEntry), context);
  const steps = readSteps(found, from, trigger, context);
  return {
    draft,
    elements,
    autoStartup: autoStartup === true || autoStartup === failed,
    group: textAttribute(node, "group")?.text ?? undefined,
    variableReceive: variableReceive(from, context),
    endpoint,
    trigger,
    steps,
  };
}

function blank({ at }: Where): RouteDraft {
  return { id: "", at, nodePrefix: "", fromId: "" };
}

function draftOf(node: MapNode, where: Where, { report }: Context): RouteDraft {
  const prefix = textAttribute(node, "nodePrefixId");
  const draft: RouteDraft = { ...blank(where), nodePrefix: prefix?.text ?? "" };
  const id = entryOf(node, "id")?.value;
  if (id === undefined || (id.kind === "scalar" && id.text === null)) return draft;
  const problem = id.kind === "scalar" ? idProblem(id.text ?? "") : "an id is text";
  if (problem === undefined && id.kind === "scalar") return { ...draft, id: id.text ?? "", idAt: id };
  report.error("bad_id", `${problem}; found ${describeNode(id)}`, id);
  return draft;
}

/** Returns `from` as a map; the string form is its URI. */
function fromMap(entry: Entry, { report, scope }: Context): MapNode | undefined {
  const { value } = entry;
  if (value.kind === "map") return value;
  if (value.kind === "scalar" && value.text !== null) {
    const uri = { key: "uri", keyAt: value.at, value };
    return { kind: "map", entries: [uri], dropped: [], at: value.at, pointer: value.pointer };
  }
  report.error("wrong_type", `'from' holds 'uri' and 'steps'; found ${describeNode(value)}`, atKey(entry), scope);
  return undefined;
}

function checkFromAttributes(from: MapNode, context: Context): void {
  const { report, scope } = context;
  for (const entry of from.entries) {
    if (fromAttributes.includes(toCamelCase(entry.key))) {
      isPlainAttribute(entry, "'from'", context);
      continue;
    }
    const hint = didYouMean(entry.key, fromAttributes);
    const message = `'from' has no option '${entry.key}'${hint}; its options: ${listed(fromAttributes)}. A component's own options stand in 'parameters'`;
    report.error("unknown_option", message, atKey(entry), scope);
  }
}

function fromId(from: MapNode, { report, route, scope }: Context): string {
  const id = textAttribute(from, "id");
  if (id?.text === undefined || id.text === null) return "";
  const problem = stepIdProblem(id.text);
  if (problem === undefined) return `${route.nodePrefix}${id.text}`;
  report.error("bad_id", problem, id, scope);
  return "";
}

function readEndpoint(
  from: MapNode,
  where: Where,
  context: Context,
): { endpoint: Converted<EndpointModel>; trigger: Trigger | undefined } {
  const uri = entryOf(from, "uri")?.value;
  const parameters = entryOf(from, "parameters")?.value;
  const nothing = { endpoint: failed, trigger: undefined } as const;
  if (claimsReservedPath(uri, parameters, context.report, context.scope)) return nothing;
  const endpoint = context.build.endpoint({ uri, parameters, role: "consumer", where, label: "'from'" }, context);
  if (endpoint === failed) return nothing;
  const component = context.definitions.catalog.components.get(endpoint.scheme);
  try {
    return { endpoint, trigger: component && triggerOf(component, endpoint.options) };
  } catch (error) {
    if (error instanceof NotLoaded) throw error;
    context.report.error("bad_endpoint", exceptionMessage(error), uri ?? where, context.scope);
    return nothing;
  }
}

function readSteps(
  { node, where, stepsBelongInside }: FoundRoute,
  from: MapNode,
  trigger: Trigger | undefined,
  context: Context,
): Converted<readonly StepModel[]> {
  const { report, scope, build } = context;
  const inside = entryOf(from, "steps");
  const beside = entryOf(node, "steps");
  if (inside !== undefined && beside !== undefined) {
    report.error(
      "duplicate_option",
      "the route has steps inside of 'from' and beside it: keep one list",
      atKey(beside),
      scope,
    );
  } else if (beside !== undefined && stepsBelongInside) {
    report.warning(
      "steps_beside_from",
      "'steps' stands beside 'from': Camel's place for it is inside of 'from'",
      atKey(beside),
      scope,
    );
  }
  const entry = inside ?? beside;
  const list = entry === undefined ? undefined : withoutRouteWide(entry.value);
  const steps = list === undefined ? [] : build.steps(list, "'steps' of the route", context);
  if (steps === failed || !writesNoSteps(list)) return steps;
  const at = entry === undefined ? where : atKey(entry);
  if (trigger?.kind === "webhook") {
    report.warning("no_steps", "the route has no steps: its webhook answers ok and does nothing", at, scope);
    return steps;
  }
  report.error("no_steps", "a route needs at least one step: from: {uri: ..., steps: [...]}", at, scope);
  return failed;
}

/** The steps stand inside of `from`, or beside it. */
function routeWideOf(node: MapNode): readonly Entry[] {
  const from = entryOf(node, "from")?.value;
  const steps = (from?.kind === "map" ? entryOf(from, "steps") : undefined) ?? entryOf(node, "steps");
  return routeWideAmong(steps?.value);
}

function writesNoSteps(node: Node | undefined): boolean {
  if (node === undefined || (node.kind === "scalar" && node.text === null)) return true;
  return node.kind === "seq" && node.items.length === 0;
}

function variableReceive(from: MapNode, { report, scope }: Context): string | undefined {
  const value = entryOf(from, "variableReceive")?.value;
  if (value === undefined || (value.kind === "scalar" && value.text === null)) return undefined;
  if (value.kind === "scalar" && value.text?.trim()) return value.text.trim();
  report.error("wrong_type", `'variableReceive' is the name of a variable; found ${describeNode(value)}`, value, scope);
  return undefined;
}

function textAttribute(node: MapNode, key: string) {
  const value = entryOf(node, key)?.value;
  return value?.kind === "scalar" ? value : undefined;
}

/** Returns what is for the whole route, of the list of its steps, in their order; it stands anywhere in the list. */
function routeWideAmong(steps: Node | undefined): readonly Entry[] {
  if (steps?.kind !== "seq") return [];
  return steps.items.filter(isRouteWide).flatMap(({ entries }) => entries);
}

/** Returns the list of steps without those that are for the whole route. */
function withoutRouteWide(steps: Node): Node {
  if (steps.kind !== "seq" || !steps.items.some(isRouteWide)) return steps;
  return { ...steps, items: steps.items.filter((item) => !isRouteWide(item)) } satisfies SeqNode;
}

function isRouteWide(item: Node): item is MapNode {
  return (
    item.kind === "map" && item.entries.length === 1 && routeWideNames.has(toCamelCase(item.entries[0]?.key ?? ""))
  );
}
