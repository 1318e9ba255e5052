/** Makes the route for a use of a kamelet: its template with the use's values, connected to the route that uses it. */
import { entryOf, type MapNode, type Node } from "../tree.ts";
import type { Expansion } from "./expansion.ts";
import type { KameletUse } from "./kamelet-use.ts";
import { mapAt, movedTo, seqAt, withoutEntries } from "./nodes.ts";
import { templateBeans } from "./template-beans.ts";

export interface Ends {
  /** The id of the route. */
  readonly id: string;
  /** The `direct:` name that connects the route and its user. */
  readonly direct: string;
  readonly role: "source" | "sink";
  /** Attributes of the user's route that also apply to this one. */
  readonly along?: Readonly<Record<string, Node | undefined>>;
}

/** Returns undefined after a problem, which is reported. */
export function kameletRoute(use: KameletUse, ends: Ends, expansion: Expansion): MapNode | undefined {
  const { kamelet, where, noErrorHandler } = use;
  const { id, direct, role, along } = ends;
  const template = kamelet.own ? kamelet.template : (movedTo(kamelet.template, where) as MapNode);
  const locals = templateBeans(template, use.locals, id, expansion);
  const body = entryOf(template, "route")?.value ?? withoutEntries(template, ["beans"]);
  const filled = expansion.instance(body, locals, where);
  if (filled?.kind !== "map") return undefined;
  const takes = isMarker(fromUri(filled), "source");
  if (takes !== (role === "sink")) {
    const [code, is, place] = takes
      ? ["no_consumer", "takes messages", "'to'"]
      : ["no_producer", "is a source", "'from'"];
    expansion.report.error(code as string, `kamelet '${kamelet.name}' ${is}: it stands in ${place}`, where);
    return undefined;
  }
  const kept = withoutEntries(joinEnds(filled, direct) as MapNode, ["id", "nodePrefixId"]);
  const head = mapAt(where, {
    id,
    errorHandler: noErrorHandler ? mapAt(where, { noErrorHandler: mapAt(where, {}) }) : undefined,
    nodePrefixId: kamelet.own ? `${id}-` : undefined,
    ...along,
  });
  return { ...kept, at: where.at, pointer: where.pointer, entries: [...head.entries, ...kept.entries] };
}

function fromUri(route: MapNode): Node | undefined {
  const from = entryOf(route, "from")?.value;
  return from?.kind === "map" ? entryOf(from, "uri")?.value : from;
}

/** `kamelet:source`, `kamelet:sink` */
function isMarker(node: Node | undefined, which: "source" | "sink"): boolean {
  return node?.kind === "scalar" && new RegExp(`^\\s*kamelet:(?://)?${which}\\s*$`).test(node.text ?? "");
}

/** Replaces the ends of a template by the `direct:` that its route and its user share. */
function joinEnds(node: Node, direct: string): Node {
  if (node.kind === "scalar") {
    return isMarker(node, "source") || isMarker(node, "sink")
      ? { ...node, text: `direct:${direct}`, layout: { kind: "folded" } }
      : node;
  }
  if (node.kind === "seq")
    return seqAt(
      node,
      node.items.map((item) => joinEnds(item, direct)),
    );
  return { ...node, entries: node.entries.map((entry) => ({ ...entry, value: joinEnds(entry.value, direct) })) };
}
