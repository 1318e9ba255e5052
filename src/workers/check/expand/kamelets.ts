/**
 * Expands kamelets to separate routes (Camel: KameletComponent): a use becomes a call of `direct:`, which the kamelet's
 * route consumes, or, for a source, calls. The route has no error handler, so its caller handles its errors.
 */
import { atKey, type Entry, entryOf, type MapNode, type Node, type ScalarNode, toCamelCase } from "../tree.ts";
import { type Expansion, routeItem } from "./expansion.ts";
import type { Kamelets } from "./kamelet-catalog.ts";
import type { Role } from "./kamelet-ends.ts";
import { type Ends, kameletRoute } from "./kamelet-route.ts";
import { isKameletUri, type KameletUse, keyOf, readUse } from "./kamelet-use.ts";
import { isNothing, itemAt, mapAt, scalarAt, scalarText, withEntry, withoutEntries } from "./nodes.ts";

const maxDepth = 8;
/** Keys whose value is, or contains, the endpoint of a step. */
const endpointKeys = new Set(["to", "toD", "wireTap"]);
/** Keys whose value is an endpoint's URI as text. */
const uriKeys = new Set(["deadLetterUri", "afterUri"]);
/** Keys whose values contain no steps. */
const data = new Set(["parameters", "properties", "constructors", "beans"]);

/** Returns the items with kamelets replaced, and the generated routes. */
export function expandKamelets(items: readonly Node[], kamelets: Kamelets, expansion: Expansion): Node[] {
  const rewriter = new Rewriter(kamelets, expansion);
  const kept = items.map((item) => rewriter.item(item, 0));
  return [...kept, ...rewriter.made];
}

class Rewriter {
  readonly made: Node[] = [];
  readonly #kamelets: Kamelets;
  readonly #expansion: Expansion;
  /** The `direct:` name by the use's key. */
  readonly #shared = new Map<string, string>();

  constructor(kamelets: Kamelets, expansion: Expansion) {
    this.#kamelets = kamelets;
    this.#expansion = expansion;
  }

  /** Replaces kamelets in an item; the `from` of a route may be one. `depth` counts kamelets inside kamelets. */
  item(item: Node, depth: number): Node {
    if (item.kind !== "map") return item;
    const bare = entryOf(item, "from") !== undefined;
    const walked = this.#node(item, depth) as MapNode;
    if (bare) return this.#route(walked, depth);
    const entries = walked.entries.map((entry) => {
      const isRoute = toCamelCase(entry.key) === "route" && entry.value.kind === "map";
      return isRoute ? { ...entry, value: this.#route(entry.value as MapNode, depth) } : entry;
    });
    return entries.every((entry, at) => entry.value === walked.entries[at]?.value) ? walked : { ...walked, entries };
  }

  #route(route: MapNode, depth: number): MapNode {
    const from = entryOf(route, "from")?.value;
    const uri = from?.kind === "map" ? entryOf(from, "uri")?.value : from;
    if (from === undefined || !isKameletUri(uri)) return route;
    const parameters = from.kind === "map" ? entryOf(from, "parameters")?.value : undefined;
    const use = readUse(uri, parameters, this.#kamelets, this.#expansion.report);
    const name = this.#expansion.routeId(use?.routeId ?? this.#expansion.flowId, use?.routeId ? "" : use?.kamelet.name);
    const direct = `kamelet-${name}`;
    if (use !== undefined) {
      const along = {
        autoStartup: entryOf(route, "autoStartup")?.value,
        precondition: preconditionOf(route),
      };
      this.#make(use, { id: name, direct, role: "source", along }, depth);
    }
    const called = scalarAt(`direct:${direct}`, uri);
    const kept = from.kind === "map" ? withoutEntries(from, ["parameters"]) : mapAt(from, {});
    return withEntry(route, "from", withEntry(kept, "uri", called));
  }

  /** Returns a copy with the kamelets of its steps replaced; the node itself without any. */
  #node(node: Node, depth: number): Node {
    if (node.kind === "scalar") return node;
    if (node.kind === "seq") {
      const items = node.items.map((item) => this.#node(item, depth));
      return items.every((item, at) => item === node.items[at]) ? node : { ...node, items };
    }
    if (scalarText(entryOf(node, "disabled")?.value) === "true") return node;
    const entries = node.entries.map((entry) => this.#entry(entry, depth));
    return entries.every((entry, at) => entry === node.entries[at]) ? node : { ...node, entries };
  }

  #entry(entry: Entry, depth: number): Entry {
    const key = toCamelCase(entry.key);
    const { value } = entry;
    if (data.has(key)) return entry;
    if (key === "kamelet") return this.#step(entry, depth);
    if (uriKeys.has(key) && isKameletUri(value)) {
      const name = this.#call(value, undefined, depth);
      return { ...entry, value: scalarAt(name === undefined ? "log:kamelet" : `direct:${name}`, value) };
    }
    if (endpointKeys.has(key) || key === "tod") {
      const uri = value.kind === "map" ? entryOf(value, "uri")?.value : value;
      if (isKameletUri(uri)) return this.#sent(entry, key, uri, depth);
    }
    const walked = this.#node(value, depth);
    return walked === value ? entry : { ...entry, value: walked };
  }

  /** Replaces `to: kamelet:name` and similar steps. */
  #sent(entry: Entry, key: string, uri: ScalarNode, depth: number): Entry {
    const { value } = entry;
    if (key !== "to" && uri.text?.includes("${")) {
      const message = "a kamelet's route is made when the flow is deployed, so a message cannot choose it: use 'to'";
      this.#expansion.report.error("not_yet", message, uri);
      return refusedStep(entry);
    }
    const name = this.#call(uri, value.kind === "map" ? entryOf(value, "parameters")?.value : undefined, depth);
    if (name === undefined) return refusedStep(entry);
    const called = scalarAt(`direct:${name}`, uri);
    if (value.kind !== "map") return { ...entry, value: called };
    return { ...entry, value: withEntry(withoutEntries(value, ["parameters"]), "uri", called) };
  }

  /** Replaces `kamelet: name` and `kamelet: {name, parameters}`. */
  #step(entry: Entry, depth: number): Entry {
    const { value } = entry;
    const written = value.kind === "map" ? entryOf(value, "name")?.value : value;
    const { report } = this.#expansion;
    if (written?.kind !== "scalar" || scalarText(written) === undefined) {
      report.error("missing_option", "step 'kamelet' needs 'name'", atKey(entry));
      return refusedStep(entry);
    }
    const steps = value.kind === "map" ? entryOf(value, "steps")?.value : undefined;
    const hasSteps = steps !== undefined && !isNothing(steps) && !(steps.kind === "seq" && steps.items.length === 0);
    const { layout, text } = written;
    const scheme = "kamelet:".length;
    // Keeps the place of the name, though the URI begins before it.
    const shifted = layout.kind === "line" ? { ...layout, column: layout.column - scheme } : layout;
    const uri: ScalarNode = { ...written, text: `kamelet:${text?.trim()}`, layout: shifted };
    const parameters = value.kind === "map" ? entryOf(value, "parameters")?.value : undefined;
    const name = this.#call(uri, parameters, depth, hasSteps ? "sink with steps" : "sink");
    if (name === undefined) return refusedStep(entry);
    const called = scalarAt(`direct:${name}`, written);
    const rest = value.kind === "map" ? withoutEntries(value, ["name", "parameters", "steps"]) : mapAt(value, {});
    const call = withEntry(rest, "uri", called);
    if (!hasSteps) return { ...entry, key: "to", value: call };
    const inner = withEntry(withEntry(call, "sink", scalarAt(name, written)), "steps", this.#node(steps, depth));
    return { ...entry, generated: true, value: inner };
  }

  /** Returns the `direct:` name of a sink or an action. Equal uses share one route. */
  #call(uri: ScalarNode, parameters: Node | undefined, depth: number, role: Role = "sink"): string | undefined {
    const use = readUse(uri, parameters, this.#kamelets, this.#expansion.report);
    if (use === undefined) return undefined;
    const key = keyOf(use, role);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const id = this.#expansion.routeId(use.routeId ?? this.#expansion.flowId, use.routeId ? "" : use.kamelet.name);
    const direct = `kamelet-${id}`;
    this.#shared.set(key, direct);
    return this.#make(use, { id, direct, role }, depth) ? direct : undefined;
  }

  /** Adds the route of a use; returns false after a problem, which is reported. */
  #make(use: KameletUse, ends: Ends, depth: number): boolean {
    const { report } = this.#expansion;
    const { kamelet, where } = use;
    if (depth >= maxDepth) {
      const message = `kamelets nest at most ${maxDepth} deep; does '${kamelet.name}' contain itself?`;
      report.error("kamelet_depth", message, where);
      return false;
    }
    if (kamelet.routeTemplate !== undefined) kamelet.routeTemplate.uses += 1;
    const route = kameletRoute(use, ends, this.#expansion);
    if (route !== undefined) this.made.push(this.item(routeItem(route), depth + 1));
    return route !== undefined;
  }
}

/** A `{{?name}}` without a value is false. */
function preconditionOf(route: MapNode): Node | undefined {
  if (route.dropped.includes("precondition")) return scalarAt("false", route);
  return entryOf(route, "precondition")?.value;
}

/** Replaces a step whose problem has been reported, so that it causes no others. */
function refusedStep(entry: Entry): Entry {
  return itemAt(atKey(entry), "stop", mapAt(atKey(entry), {})).entries[0] as Entry;
}
