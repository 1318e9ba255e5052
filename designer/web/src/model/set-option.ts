/** Sets and removes options. */
import { isMap, isScalar, isSeq } from "yaml";
import { contentOf } from "./content.ts";
import { drop } from "./drop.ts";
import { insertItems } from "./items.ts";
import { toCamelCase } from "./names.ts";
import { editable, editablePlace, isNothing, type Place, placeAt, plain, valueAt } from "./place.ts";
import { prove, same, withItems, without, withValue } from "./prove.ts";
import { add, put } from "./put.ts";
import { EditRefused } from "./refused.ts";
import { shortOption } from "./short-forms.ts";
import type { Change, FlowText, Path } from "./types.ts";

/**
 * Sets the value at a path: it replaces the one there, or the missing maps are made. A text in place of a map (`to:
 * direct:x`) becomes a map first. `undefined` removes the option.
 */
export function setOption(flow: FlowText, path: Path, value: unknown): Change[] {
  if (value === undefined) return removeOption(flow, path);
  editable(flow);
  const known = placeAt(flow, path);
  if (known !== undefined) {
    if (same(valueAt(flow, path), value) && !isNothing(known)) return [];
    return prove(flow, put(flow, editablePlace(flow, path), value), (root) => withValue(root, path, value));
  }
  return setMissing(flow, path, value);
}

function setMissing(flow: FlowText, path: Path, value: unknown): Change[] {
  let depth = path.length - 1;
  while (depth > 0 && placeAt(flow, path.slice(0, depth)) === undefined) depth -= 1;
  const above = path.slice(0, depth);
  const place = editablePlace(flow, above);
  const [key, ...rest] = path.slice(depth) as [string | number, ...(string | number)[]];
  const inner = rest.reduceRight<unknown>((made, name) => ({ [name]: made }), value);
  const { node } = place;
  if (isSeq(node)) {
    if (Number(key) !== node.items.length) throw new EditRefused("nowhere");
    const changes = insertItems(flow, place, node.items.length, contentOf([inner]));
    return prove(flow, changes, (root) => withItems(root, above, node.items.length, [inner]));
  }
  if (isMap(node) || isNothing(place) || (isScalar(node) && node.value === null)) {
    return prove(flow, add(flow, place, String(key), inner), (root) => withValue(root, [...above, key], inner));
  }
  return setInShort(flow, place, String(key), inner, rest.length === 0);
}

/** A text that stands for one option: `to: direct:x`, `- stop`. */
function setInShort(flow: FlowText, place: Place, key: string, value: unknown, last: boolean): Change[] {
  const { path, node } = place;
  if (!isScalar(node)) throw new EditRefused("noMap");
  const owner = path.at(-1);
  if (typeof owner === "number") {
    // `- stop`: the text is the name of a step.
    if (toCamelCase(String(node.value)) !== toCamelCase(key)) throw new EditRefused("noMap");
    return prove(flow, put(flow, place, { [key]: value }), (root) => withValue(root, path, { [key]: value }));
  }
  const short = owner === undefined ? undefined : shortOption(owner);
  if (short === undefined) throw new EditRefused("noMap");
  const filled = short === key && last ? value : { [short]: node.value, [key]: value };
  return prove(flow, put(flow, place, filled), (root) => withValue(root, path, filled));
}

/** Removes the option at a path; comments above it stay. A path where nothing is changes nothing. */
export function removeOption(flow: FlowText, path: Path): Change[] {
  editable(flow);
  if (placeAt(flow, path) === undefined) return [];
  return prove(flow, drop(flow, editablePlace(flow, path)), (root) => without(root, path));
}

/** Whether a list stands there, such as under `beans`: it has no options by name. */
export function isListAt(flow: FlowText, path: Path): boolean {
  return flow.errors.length === 0 && isSeq(placeAt(flow, path)?.node);
}

/** Returns the options of a step or another part as plain data: keys in camel case, a text as the option it fills. */
export function optionsAt(flow: FlowText, path: Path): Readonly<Record<string, unknown>> {
  const document = flow.documents[0];
  const node = placeAt(flow, path)?.node;
  if (document === undefined || node === undefined || node === null) return {};
  const value = plain(node, document);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [toCamelCase(key), one]));
  }
  const owner = path.at(-1);
  const short = typeof owner === "string" ? shortOption(owner) : undefined;
  return short === undefined || value === null ? {} : { [short]: value };
}
