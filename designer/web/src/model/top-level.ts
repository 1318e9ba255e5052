/** Adds and removes routes, and what stands beside them in a flow. */
import { isMap, isSeq } from "yaml";
import { readContent } from "./content.ts";
import { endOf, startOf } from "./extent.ts";
import { insertItems } from "./items.ts";
import { beginsLine, columnOf, lineEnd, lineStart } from "./lines.ts";
import { editable, editablePlace, isNothing, placeAt } from "./place.ts";
import { prove, withItems } from "./prove.ts";
import { add } from "./put.ts";
import { EditRefused } from "./refused.ts";
import { removeOption } from "./set-option.ts";
import { insertContent, removeStep } from "./steps.ts";
import { tree } from "./tree.ts";
import type { Change, FlowText, Path } from "./types.ts";

/** Adds a route (`{route: {...}}`, or its YAML) behind the last one. */
export function addRoute(flow: FlowText, route: object | string): Change[] {
  if (flow.documents.length > 0) editable(flow);
  return insertTop(flow, route, Number.POSITIVE_INFINITY);
}

/** Adds an element such as onException before the first route, where elements have to stand. */
export function addTopLevel(flow: FlowText, name: string, definition: unknown): Change[] {
  const first = tree(flow).routes.map(({ itemPath }) => Number(itemPath.at(-1) ?? 0));
  return insertTop(flow, { [name]: definition }, Math.min(Number.POSITIVE_INFINITY, ...first));
}

function insertTop(flow: FlowText, item: object | string, index: number): Change[] {
  const content = readContent(item);
  if (flow.documents.length === 0 && flow.errors.length === 0) {
    const text = content.lines.join(flow.newline) + flow.newline;
    const before = flow.text === "" || /\n$|^\ufeff$/.test(flow.text) ? "" : flow.newline;
    return [{ from: flow.text.length, to: flow.text.length, insert: before + text }];
  }
  editable(flow);
  const path = listPath(flow);
  const place = placeAt(flow, path);
  if (place === undefined)
    return prove(flow, add(flow, editablePlace(flow, path.slice(0, -1)), String(path.at(-1)), content.values), (root) =>
      withItems(root, path, 0, content.values),
    );
  const length = isSeq(place.node) ? place.node.items.length : 0;
  const at = Math.min(index, length);
  if (isMap(place.node)) return asList(flow, index === 0 ? 0 : 1, content);
  if (path.length === 0 && isNothing(place)) {
    return prove(flow, insertItems(flow, place, 0, content), () => content.values);
  }
  return insertContent(flow, path, at, content);
}

/** Where the items of the flow stand: the document, `routes`, or `spec.flows` of an Integration. */
function listPath(flow: FlowText): Path {
  if (placeAt(flow, ["routes"]) !== undefined) return ["routes"];
  if (placeAt(flow, ["spec", "flows"]) !== undefined) return ["spec", "flows"];
  if (placeAt(flow, ["kind"]) !== undefined && placeAt(flow, ["from"]) === undefined) throw new EditRefused("resource");
  return [];
}

/** Makes a list of the one item that the document is, which moves all of its lines. */
function asList(flow: FlowText, index: number, content: ReturnType<typeof readContent>): Change[] {
  const { text, newline } = flow;
  const { node } = editablePlace(flow, []);
  if (!isMap(node) || node.flow === true || !beginsLine(text, startOf(node)) || columnOf(text, startOf(node)) > 0) {
    throw new EditRefused("spelling");
  }
  const changes: Change[] = [];
  const end = lineEnd(text, endOf(text, node));
  for (let at = lineStart(text, startOf(node)); at <= end; at = text.indexOf("\n", at) + 1) {
    const first = changes.length === 0;
    if (lineEnd(text, at) > at) changes.push({ from: at, to: at, insert: first ? "- " : "  " });
    if (!text.includes("\n", at)) break;
  }
  const start = lineStart(text, startOf(node));
  const lines = content.lines.map((line) => (index === 0 ? line + newline : newline + line)).join("");
  const at = index === 0 ? start : end;
  return prove(
    flow,
    index === 0 ? [{ from: at, to: at, insert: lines }, ...changes] : [...changes, { from: at, to: at, insert: lines }],
    (root) => (index === 0 ? [...content.values, root] : [root, ...content.values]),
  );
}

/** Removes a route, or an element beside the routes. */
export function removeRoute(flow: FlowText, itemPath: Path): Change[] {
  const place = editablePlace(flow, itemPath);
  if (itemPath.length === 0) {
    const { text } = flow;
    if (place.node === null) return [];
    return prove(flow, [{ from: startOf(place.node), to: endOf(text, place.node), insert: "[]" }], () => []);
  }
  return typeof itemPath.at(-1) === "number" ? removeStep(flow, itemPath) : removeOption(flow, itemPath);
}
