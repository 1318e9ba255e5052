/** Reads the text of a flow. */
import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isScalar,
  parseAllDocuments,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { words } from "../words.ts";
import { keyText } from "./names.ts";
import type { Change, FlowText, TextError, YamlDocument } from "./types.ts";

/** The last texts that were read: an edit reads its result to prove it, and the editor reads the same text next. */
const recent: FlowText[] = [];
const mostRecent = 4;

/** Reads a text. Never throws: whatever cannot be read is an error with its place. */
export function parse(text: string): FlowText {
  const known = recent.find((flow) => flow.text === text);
  if (known !== undefined) return known;
  const flow = read(text);
  recent.unshift(flow);
  recent.length = Math.min(recent.length, mostRecent);
  return flow;
}

function read(text: string): FlowText {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  try {
    // The library takes the mark that a file may begin with for a column: a list beside it would not be read.
    const parsed = parseAllDocuments(text.replace(/^\ufeff/, "\n"), {
      keepSourceTokens: true,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "silent",
    });
    const documents = [...parsed] as YamlDocument[];
    const errors = documents.flatMap((document) => [...syntaxErrors(document), ...contentErrors(document)]);
    return { text, documents, errors: errors.sort((one, other) => one.from - other.from), newline };
  } catch (error) {
    // The library calls itself for each level of nesting.
    const message = error instanceof RangeError ? words.model.tooDeep : String(error);
    return { text, documents: [], errors: [{ from: 0, to: text.length, message }], newline };
  }
}

function syntaxErrors({ errors }: YamlDocument): TextError[] {
  return errors.map(({ pos, message }) => ({ from: pos[0], to: Math.max(pos[1], pos[0] + 1), message }));
}

/** Keys that stand twice in a map, and aliases without an anchor before them. */
function contentErrors(document: YamlDocument): TextError[] {
  const errors: TextError[] = [];
  const anchors = new Set<string>();
  const report = (range: readonly number[] | null | undefined, message: string): void => {
    errors.push({ from: range?.[0] ?? 0, to: range?.[1] ?? 0, message });
  };
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        if (!anchors.has(node.source)) report(node.range, words.model.noAnchor);
        return;
      }
      if (isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
      if (isMap(node)) for (const key of twice(node)) report(key.range, words.model.twice);
    },
  });
  return errors;
}

/** Keys of a map that stand there before. */
function twice(map: YAMLMap): Scalar[] {
  const seen = new Set<string>();
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const name = keyText(key);
    if (seen.has(name)) return [key];
    seen.add(name);
    return [];
  });
}

/** Returns the text after changes, which do not overlap. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  let out = "";
  let at = 0;
  for (const { from, to, insert } of inOrder(changes)) {
    out += text.slice(at, from) + insert;
    at = Math.max(at, to);
  }
  return out + text.slice(at);
}

/** Sorts changes by place; what is inserted where a removal begins stands before it. */
export function inOrder(changes: readonly Change[]): Change[] {
  return [...changes].sort((one, other) => one.from - other.from || one.to - other.to);
}

/** Names of the anchors that aliases of the document use. */
export function usedAnchors(document: YamlDocument): ReadonlySet<string> {
  const known = anchorsOf.get(document);
  if (known !== undefined) return known;
  const names = new Set<string>();
  visit(document, { Alias: (_, alias: Alias) => void names.add(alias.source) });
  anchorsOf.set(document, names);
  return names;
}

const anchorsOf = new WeakMap<YamlDocument, ReadonlySet<string>>();
