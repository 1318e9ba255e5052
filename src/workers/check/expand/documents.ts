/** Finds the list of items in each shape of a document, in order to replace it. */
import type { Report } from "../report.ts";
import { describeNode, entryOf, type MapNode, type Node, type SeqNode } from "../tree.ts";
import { mapAt, scalarText, seqAt, withEntry } from "./nodes.ts";
import { pipeItems } from "./pipe.ts";

type Rewrite = (items: readonly Node[]) => readonly Node[];

/**
 * Returns the document with its items replaced by the result of `rewrite`. A list, `{routes}`, an Integration and a
 * single item keep their shape; a Pipe and several resources of Camel K become a list. A document without items is
 * returned unchanged, and the reader of routes reports it.
 */
export function rewriteItems(root: Node, report: Report, rewrite: Rewrite): Node {
  if (root.kind === "seq") return withItems(root, rewrite(root.items.flatMap((item) => itemsOf(item, report))));
  if (root.kind !== "map") return root;
  const routes = entryOf(root, "routes")?.value;
  if (routes !== undefined) {
    return routes.kind === "seq" ? withEntry(root, "routes", withItems(routes, rewrite(routes.items))) : root;
  }
  const kind = kindOf(root);
  if (kind === "Integration") return rewriteIntegration(root, rewrite);
  if (isPipe(kind)) return seqAt(root, rewrite(pipeItems(root, report)));
  if (kind === "Kamelet") return seqAt(root, rewrite([root]));
  if (kind !== undefined) return root;
  const items = rewrite([root]);
  return items.length === 1 && items[0] === root ? root : mapAt(root, { routes: seqAt(root, items) });
}

function withItems(list: SeqNode, items: readonly Node[]): Node {
  const same = items.length === list.items.length && items.every((item, at) => item === list.items[at]);
  return same ? list : { ...list, items };
}

function rewriteIntegration(root: MapNode, rewrite: Rewrite): Node {
  const spec = entryOf(root, "spec")?.value;
  const flows = spec?.kind === "map" ? entryOf(spec, "flows")?.value : undefined;
  if (spec?.kind !== "map" || flows?.kind !== "seq") return root;
  return withEntry(root, "spec", withEntry(spec, "flows", withItems(flows, rewrite(flows.items))));
}

/** Returns the kind of a resource of Camel K; undefined for other nodes. */
export function kindOf(node: Node): string | undefined {
  if (node.kind !== "map" || entryOf(node, "from") !== undefined) return undefined;
  return scalarText(entryOf(node, "kind")?.value);
}

function isPipe(kind: string | undefined): boolean {
  return kind === "Pipe" || kind === "KameletBinding";
}

/** Returns the items of one of several documents. */
function itemsOf(item: Node, report: Report): readonly Node[] {
  const kind = kindOf(item);
  if (item.kind !== "map" || kind === undefined || kind === "Kamelet") return [item];
  if (isPipe(kind)) return pipeItems(item, report);
  const spec = entryOf(item, "spec")?.value;
  const flows = kind === "Integration" && spec?.kind === "map" ? entryOf(spec, "flows")?.value : undefined;
  if (flows?.kind === "seq") return flows.items;
  const at = entryOf(item, "kind")?.value ?? item;
  const message = `kind ${describeNode(at)} makes no routes: a flow holds routes, and the kinds Integration, Pipe and Kamelet`;
  report.error("unknown_element", message, at);
  return [];
}
