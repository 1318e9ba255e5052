/**
 * The ends of a kamelet's template, `kamelet:source` and `kamelet:sink`, joined with the route that uses it (Camel:
 * Kamelet.templateToRoute).
 */
import { atKey, type Entry, entryOf, type MapNode, type Node, toCamelCase, type Where } from "../tree.ts";
import { itemAt, mapAt, scalarAt, seqAt, withEntry } from "./nodes.ts";

/**
 * - source: its route begins the run, and calls the route that uses it
 * - sink: a route calls it; steps inside of the call run where it has `kamelet:sink`, or else at its end
 * - sink with steps: the same, and the call has such steps
 */
export type Role = "source" | "sink" | "sink with steps";

/** Whether the template takes messages from the route that uses it. */
export function takesMessages(route: MapNode): boolean {
  const from = entryOf(route, "from")?.value;
  return isMarker(from?.kind === "map" ? entryOf(from, "uri")?.value : from, "source");
}

/** `kamelet:source`, `kamelet:sink` */
function isMarker(node: Node | undefined, which: "source" | "sink"): boolean {
  return node?.kind === "scalar" && new RegExp(`^\\s*kamelet:(?://)?${which}\\s*$`).test(node.text ?? "");
}

/** Returns the template's route with its ends joined to `direct:` of this name. */
export function joinEnds(route: MapNode, direct: string, role: Role): MapNode {
  const joining = new Joining(direct, role);
  const joined = joining.node(route) as MapNode;
  if (joining.sinks > 0 || role === "sink") return joined;
  return withLastStep(joined, joining.sinkAt(route));
}

class Joining {
  /** The number of `kamelet:sink`. */
  sinks = 0;
  readonly #direct: string;
  readonly #role: Role;

  constructor(direct: string, role: Role) {
    this.#direct = direct;
    this.#role = role;
  }

  node(node: Node): Node {
    if (node.kind === "scalar") return this.#scalar(node);
    if (node.kind === "seq")
      return seqAt(
        node,
        node.items.map((item) => this.node(item)),
      );
    return { ...node, entries: node.entries.map((entry) => this.#entry(entry)) };
  }

  /** Makes the step that leaves the kamelet. */
  sinkAt(where: Where): MapNode {
    if (this.#role === "source") return itemAt(where, "to", scalarAt(`direct:${this.#direct}`, where));
    return itemAt(where, "kameletSink", mapAt(where, { name: this.#direct }));
  }

  #scalar(node: Node & { kind: "scalar" }): Node {
    const isSink = isMarker(node, "sink");
    // A sink in another place than a step `to` is refused where endpoints are read.
    if (!isMarker(node, "source") && (!isSink || this.#role !== "source")) return node;
    if (isSink) this.sinks += 1;
    return { ...node, text: `direct:${this.#direct}`, layout: { kind: "folded" } };
  }

  #entry(entry: Entry): Entry {
    const { key, value } = entry;
    const uri = value.kind === "map" ? entryOf(value, "uri")?.value : value;
    if (this.#role === "source" || toCamelCase(key) !== "to" || !isMarker(uri, "sink")) {
      return { ...entry, value: this.node(value) };
    }
    this.sinks += 1;
    const [step] = this.sinkAt(atKey(entry)).entries;
    const id = value.kind === "map" ? entryOf(value, "id") : undefined;
    return id === undefined
      ? (step as Entry)
      : { ...(step as Entry), value: withEntry(step?.value as MapNode, "id", id.value) };
  }
}

function withLastStep(route: MapNode, step: MapNode): MapNode {
  const steps = entryOf(route, "steps")?.value;
  if (steps?.kind === "seq") return withEntry(route, "steps", seqAt(steps, [...steps.items, step]));
  const from = entryOf(route, "from")?.value;
  if (from?.kind !== "map") return withEntry(route, "steps", seqAt(step, [step]));
  const inner = entryOf(from, "steps")?.value;
  const items = inner?.kind === "seq" ? inner.items : [];
  return withEntry(route, "from", withEntry(from, "steps", seqAt(inner ?? step, [...items, step])));
}
