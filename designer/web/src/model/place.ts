/** Finds the place of a path in a text. */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { usedAnchors } from "./document.ts";
import { isKey, keyText } from "./names.ts";
import { EditRefused, type Refusal } from "./refused.ts";
import type { FlowText, Path, YamlDocument } from "./types.ts";

export type YamlPair = Pair<Node, Node | null>;

/** A node with what is around it. The root has neither a pair nor an index. */
export interface Place {
  /** Its path, with keys as they are written. */
  readonly path: Path;
  /** null: nothing is written there. Aliases are resolved. */
  readonly node: Node | null;
  /** The pair whose value it is. */
  readonly pair?: YamlPair;
  /** Its index in the list or the map that holds it. */
  readonly index: number;
  readonly parent?: YAMLMap | YAMLSeq;
  /** Whether it stands inside of braces or brackets. */
  readonly inFlow: boolean;
  /** Why it cannot be edited here. */
  readonly shared?: Refusal;
}

/** Returns the place of a path; undefined when nothing is there. */
export function placeAt(flow: FlowText, path: Path): Place | undefined {
  const document = flow.documents[0];
  if (document === undefined) return undefined;
  let place: Place | undefined = rootOf(document);
  for (const key of path) {
    place = childOf(document, place, key);
    if (place === undefined) return undefined;
  }
  return place;
}

function rootOf(document: YamlDocument): Place {
  return settled(document, { path: [], node: document.contents, index: 0, inFlow: false });
}

export function childOf(document: YamlDocument, place: Place, key: string | number): Place | undefined {
  const { node } = place;
  const inFlow = place.inFlow || (isCollection(node) && node.flow === true);
  const around = { inFlow, ...(place.shared !== undefined && { shared: place.shared }) };
  if (isMap(node)) {
    const index = indexOfKey(node, String(key));
    const pair = node.items[index] as YamlPair | undefined;
    if (pair === undefined) return undefined;
    const path = [...place.path, keyText(pair.key)];
    return settled(document, { path, node: pair.value, pair, index, parent: node, ...around });
  }
  const index = Number(key);
  if (!isSeq(node) || !Number.isInteger(index) || index < 0 || index >= node.items.length) return undefined;
  const path = [...place.path, index];
  return settled(document, { path, node: node.items[index] as Node | null, index, parent: node, ...around });
}

/** Resolves an alias, and notes that a part is written once for several places. */
function settled(document: YamlDocument, place: Place): Place {
  const { node } = place;
  if (isAlias(node)) return { ...place, node: node.resolve(document) ?? null, shared: "alias" };
  const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined;
  if (anchor === undefined || place.shared !== undefined || !usedAnchors(document).has(anchor)) return place;
  return { ...place, shared: "anchor" };
}

export function isCollection(node: unknown): node is YAMLMap | YAMLSeq {
  return isMap(node) || isSeq(node);
}

function indexOfKey(map: YAMLMap, name: string): number {
  const exact = map.items.findIndex(({ key }) => keyText(key) === name);
  return exact >= 0 ? exact : map.items.findIndex(({ key }) => isKey(keyText(key), name));
}

/** Whether nothing is written at a place. */
export function isNothing({ node }: Place): boolean {
  return node === null || (isScalar(node) && node.value === null && node.source === "");
}

/** Returns the document that edits reach, or refuses. */
export function editable(flow: FlowText): YamlDocument {
  if (flow.errors.length > 0) throw new EditRefused("syntax");
  const document = flow.documents[0];
  if (document === undefined) throw new EditRefused("empty");
  return document;
}

/** Returns the place of a path that is to be edited; refuses when it is not there, or is written for several places. */
export function editablePlace(flow: FlowText, path: Path): Place {
  editable(flow);
  const place = placeAt(flow, path);
  if (place === undefined) throw new EditRefused("nowhere");
  if (place.shared !== undefined) throw new EditRefused(place.shared);
  return place;
}

/** Returns the value at a path as plain data; undefined when nothing is there. Keys of options are those written. */
export function valueAt(flow: FlowText, path: Path): unknown {
  const document = flow.documents[0];
  const place = placeAt(flow, path);
  if (document === undefined || place === undefined) return undefined;
  return place.node === null ? null : plain(place.node, document);
}

export function plain(node: Node, document: YamlDocument): unknown {
  try {
    return node.toJS(document, { maxAliasCount: 100 });
  } catch {
    // An alias without an anchor, or too many of them: the text has an error there.
    return undefined;
  }
}
