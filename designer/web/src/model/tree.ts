/** Reads what a flow is made of: routes and what stands beside them, with the paths that edits take. */
import { isMap, isSeq, type Node } from "yaml";
import { words } from "../words.ts";
import { linksOf } from "./links.ts";
import { keyText, toCamelCase } from "./names.ts";
import type { FlowTree, OtherNode, Problem, RouteNode } from "./nodes.ts";
import { childOf, type Place, placeAt } from "./place.ts";
import { readOther } from "./tree-others.ts";
import { readRoute } from "./tree-routes.ts";
import { type Reader, rangeOf, readSteps } from "./tree-steps.ts";
import type { FlowText } from "./types.ts";

/** Keys of Camel that stand beside `route`; a map with `from` and any other key is a route itself. */
const topLevel = new Set(
  "beans dataFormats errorHandler from intercept interceptFrom interceptSendToEndpoint onCompletion onException rest restConfiguration route routeConfiguration routeTemplate sslContextParameters templatedRoute transformers validators".split(
    " ",
  ),
);

/** Documents of Kubernetes that Camel K and its designers write. */
const resources = new Set(["Integration", "Kamelet", "KameletBinding", "Pipe"]);

/** Whether what stands beside routes is a part of a flow by its name; a file of something else has none. */
export function isFlowPart(name: string): boolean {
  return topLevel.has(name) || resources.has(name);
}

interface Found {
  readonly routes: RouteNode[];
  readonly others: OtherNode[];
  readonly problems: Problem[];
}

/** Reads a flow. `steps: true` reads a bare list of steps, as the steps of one route. */
export function tree(flow: FlowText, { steps = false } = {}): FlowTree {
  const document = flow.documents[0];
  const found: Found = { routes: [], others: [], problems: [] };
  const root = placeAt(flow, []);
  if (document === undefined || root === undefined) return { ...found, links: [] };
  const reader: Reader = { flow, document, depth: 0, steps: 0 };
  if (steps) {
    const range = { from: 0, to: flow.text.length };
    return {
      ...found,
      routes: [{ path: [], itemPath: [], range, stepsPath: [], steps: readSteps(reader, root) }],
      links: [],
    };
  }
  readRoot(reader, root, found);
  for (const other of flow.documents.slice(1)) {
    const [from = 0, to = from] = (other.contents as Node | null)?.range ?? other.range;
    found.problems.push({ message: words.model.otherDocument, path: [], range: { from, to } });
    found.others.push({ name: "document", brief: "", path: [], itemPath: [], range: { from, to }, branches: [] });
  }
  return { ...found, links: linksOf(found.routes, found.others) };
}

function readRoot(reader: Reader, root: Place, found: Found): void {
  const { document } = reader;
  const list = isMap(root.node) ? (childOf(document, root, "routes") ?? flowsOf(reader, root)) : root;
  if (list !== undefined && isSeq(list.node)) readList(reader, list, found);
  if (!isMap(root.node) || isSeq(list?.node)) return;
  const kind = childOf(document, root, "kind");
  if (kind !== undefined && childOf(document, root, "from") === undefined)
    found.others.push(readOther(reader, "resource", root, root));
  else readItem(reader, root, found);
}

function flowsOf({ document }: Reader, root: Place): Place | undefined {
  const spec = childOf(document, root, "spec");
  return spec === undefined ? undefined : childOf(document, spec, "flows");
}

function readList(reader: Reader, list: Place, found: Found): void {
  if (!isSeq(list.node)) return;
  for (const index of list.node.items.keys()) {
    const item = childOf(reader.document, list, index);
    if (item !== undefined) readItem(reader, item, found);
  }
}

function readItem(reader: Reader, item: Place, found: Found): void {
  const { document, flow } = reader;
  if (!isMap(item.node) || item.node.items.length === 0) {
    found.problems.push({ message: words.model.noItem, path: item.path, range: rangeOf(flow, item) });
    return;
  }
  const keys = item.node.items.map(({ key }) => keyText(key));
  if (keys.includes("from") && (keys.length === 1 || keys.some((key) => !topLevel.has(toCamelCase(key))))) {
    found.routes.push(readRoute(reader, item, item));
    return;
  }
  for (const key of keys) {
    const place = childOf(document, item, key);
    if (place === undefined) continue;
    const name = toCamelCase(key);
    const at = keys.length === 1 ? item : place;
    if (name === "route" || name === "from") {
      const route = readRoute(reader, name === "route" ? place : item, at);
      if (route.trigger === undefined) {
        found.problems.push({ message: words.model.noFrom, path: place.path, range: route.range });
      }
      found.routes.push(route);
    } else found.others.push(readOther(reader, name, place, at));
  }
}
