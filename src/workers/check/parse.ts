/** Parses YAML text to the check's own nodes: the only import of the `yaml` library. */
import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  Parser,
  type Range,
  type YAMLParseError,
} from "yaml";
import type { Position } from "../../shared/diagnostic.ts";
import type { Report } from "./report.ts";
import { type Entry, type Layout, type MapNode, type Node, pointerTo, type ScalarNode, type SeqNode } from "./tree.ts";

const maxDepth = 64;
const maxAliases = 50;
/** The most syntax errors that are reported, since later ones are mostly caused by the first. */
const maxSyntaxErrors = 5;
/** More nodes than a document of the allowed size can have without aliases. */
const maxNodes = 300_000;

const maxDocuments = 20;

/** Plain scalars that mean null (YAML 1.2 core schema). */
const nulls = new Set(["", "~", "null", "Null", "NULL"]);
const knownTags = new Set([
  "!",
  ...["str", "int", "float", "bool", "null", "map", "seq"].map((t) => `tag:yaml.org,2002:${t}`),
]);

/** The reason why the text cannot be read; thrown inside this module only. */
class Unreadable extends Error {
  readonly code: string;
  readonly range: Range | readonly [number, number];

  constructor(code: string, message: string, range: Range | readonly [number, number]) {
    super(message);
    this.code = code;
    this.range = range;
  }
}

/**
 * Returns the document's root, or undefined after reporting an error. Reads YAML 1.2 and keeps every scalar as its
 * text; accepts one document, or several resources of Camel K as a list; supports no merge keys. This module finds
 * duplicate keys itself, because the library's check is quadratic and is off.
 */
export function parseYaml(source: string, report: Report): Node | undefined {
  // A document may begin with a byte order mark, which the library would count as a column.
  const text = source.startsWith("\ufeff") ? source.slice(1) : source;
  const lines = linesOf(text);
  const place = (range: Range | readonly number[]): Position =>
    positionOf(lines, range[0] ?? 0, range[1] ?? range[0] ?? 0);
  const fail = (code: string, message: string, range: Range | readonly number[], pointer = ""): undefined => {
    report.error(code, message, { at: place(range), pointer });
    return undefined;
  };
  try {
    const tokens = [...new Parser().parse(text)];
    const deep = tooDeep(tokens);
    if (deep !== undefined) return fail("yaml_depth", `maps and lists nest at most ${maxDepth} deep`, [deep, deep + 1]);
    const [document, ...others] = new Composer({
      version: "1.2",
      schema: "failsafe",
      uniqueKeys: false,
      resolveKnownTags: false,
      prettyErrors: false,
    }).compose(tokens, true, text.length);
    if (document === undefined) return fail("yaml_syntax", "the document is empty", [0, 0]);
    const errors = new Map<number, YAMLParseError>();
    for (const error of [document, ...others].flatMap((one) => one.errors)) {
      // The library may report several errors for one character; only the first is useful.
      if (!errors.has(error.pos[0])) errors.set(error.pos[0], error);
    }
    for (const [at, { message, pos }] of [...errors].slice(0, maxSyntaxErrors))
      fail("yaml_syntax", withHint(message, text, at), pos);
    if (errors.size > 0) return undefined;
    const [root, ...more] = [document, ...others.slice(0, maxDocuments)].map((one) =>
      new TreeBuilder(text, lines, fail).build(one.contents),
    );
    if (others[0] === undefined) return root;
    if (root !== undefined && others.length < maxDocuments && [root, ...more].every(isResource)) {
      return { kind: "seq", items: [root, ...more], at: root.at, pointer: "" };
    }
    const message = `a flow is one YAML document, or at most ${maxDocuments} resources of Camel K with 'kind': remove what follows '---'`;
    return fail("yaml_documents", message, others[0].range);
  } catch (error) {
    if (error instanceof Unreadable) return fail(error.code, error.message, error.range);
    throw error;
  }
}

function isResource(root: Node): boolean {
  return root.kind === "map" && ["kind", "spec"].every((key) => root.entries.some((entry) => entry.key === key));
}

/** Counts lines here, because the library's parser misses the lines of some scalars. */
function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return lines;
}

/** Returns the offset of a token that is nested too deep. Works without recursion, before the library recurses. */
function tooDeep(tokens: readonly CST.Token[]): number | undefined {
  const stack: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return token.offset;
    if (token.type === "document" && token.value !== undefined) stack.push({ token: token.value, depth });
    if (!("items" in token)) continue;
    for (const item of token.items) {
      if ("key" in item && item.key) stack.push({ token: item.key, depth: depth + 1 });
      if (item.value) stack.push({ token: item.value, depth: depth + 1 });
    }
  }
  return undefined;
}

/** Adds the most frequent cause of a syntax error, if the line shows it. */
function withHint(message: string, text: string, offset: number): string {
  const near = text.slice(Math.max(0, offset - 200), offset + 200);
  const at = offset - Math.max(0, offset - 200);
  const line = near.slice(near.lastIndexOf("\n", at - 1) + 1, near.indexOf("\n", at) >>> 0);
  if (/:\s*\{\{/.test(line)) return `${message}; a value that begins with a placeholder must be quoted: "{{name}}"`;
  if (/:\s*[@`%]/.test(line)) return `${message}; put the value in quotes`;
  return message;
}

function positionOf(lines: LineCounter, start: number, end: number): Position {
  const from = lines.linePos(start);
  const to = lines.linePos(Math.max(start, end));
  return {
    line: Math.max(1, from.line),
    column: Math.max(1, from.col),
    endLine: Math.max(1, to.line),
    endColumn: Math.max(1, to.col),
  };
}

class TreeBuilder {
  readonly #text: string;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, ParsedNode>();
  readonly #open = new Set<ParsedNode>();
  readonly #fail: (code: string, message: string, range: Range, pointer: string) => void;
  #aliases = 0;
  #nodes = 0;

  constructor(
    text: string,
    lines: LineCounter,
    fail: (code: string, message: string, range: Range, pointer: string) => void,
  ) {
    this.#fail = fail;
    this.#text = text;
    this.#lines = lines;
  }

  build(root: ParsedNode | null): Node {
    const nothing = { kind: "scalar", text: null, layout: { kind: "folded" } } as const;
    return root === null ? { ...nothing, at: this.#at([0, 0]), pointer: "" } : this.#node(root, "");
  }

  #node(node: ParsedNode, pointer: string): Node {
    this.#nodes += 1;
    if (this.#nodes > maxNodes)
      throw new Unreadable("yaml_alias", `aliases make more than ${maxNodes} values`, node.range);
    if (isAlias(node)) return this.#alias(node.source, node.range, pointer);
    if (node.tag !== undefined && !knownTags.has(node.tag)) {
      const tag = node.tag.slice(0, 100);
      this.#fail("yaml_tag", `the tag '${tag}' is not allowed: write the value without it`, node.range, pointer);
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return this.#scalar(node, pointer);
    this.#open.add(node);
    const built = isSeq(node) ? this.#seq(node, pointer) : this.#map(node, pointer);
    this.#open.delete(node);
    return built;
  }

  /** Copies the anchored node for an alias, with its own pointer. */
  #alias(name: string, range: Range, pointer: string): Node {
    const target = this.#anchors.get(name);
    if (target === undefined)
      throw new Unreadable("yaml_alias", `the alias '*${name}' has no anchor '&${name}' before it`, range);
    if (this.#open.has(target))
      throw new Unreadable("yaml_alias", `the alias '*${name}' stands inside of its own anchor`, range);
    this.#aliases += 1;
    if (this.#aliases > maxAliases)
      throw new Unreadable("yaml_alias", `at most ${maxAliases} aliases are resolved`, range);
    return this.#node(target, pointer);
  }

  #scalar(node: ParsedNode & { value: unknown; type?: string; source: string }, pointer: string): ScalarNode {
    const value = String(node.value ?? "");
    const plain = node.type === undefined || node.type === "PLAIN";
    const text = plain && nulls.has(value) && node.tag === undefined ? null : value;
    return {
      kind: "scalar",
      text,
      at: this.#at(node.range),
      pointer,
      layout: this.#layout(node.range, node.type, value),
    };
  }

  #layout(range: Range, type: string | undefined, value: string): Layout {
    const [start, end] = range;
    if (type === "BLOCK_LITERAL") {
      const first = this.#text.indexOf("\n", start) + 1;
      const indent = /^(?:[ ]*\n)*([ ]*)/.exec(this.#text.slice(first, end))?.[1]?.length ?? 0;
      return { kind: "block", line: this.#lines.linePos(first).line, column: indent + 1 };
    }
    const quote = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? 1 : 0;
    if (this.#text.slice(start + quote, end - quote) !== value) return { kind: "folded" };
    const { line, col } = this.#lines.linePos(start);
    return { kind: "line", line, column: col + quote };
  }

  #seq(node: ParsedNode & { items: unknown[] }, pointer: string): SeqNode {
    const items = node.items.map((item, i) => this.#node(item as ParsedNode, pointerTo(pointer, i)));
    return { kind: "seq", items, at: this.#at(node.range), pointer };
  }

  #map(node: ParsedNode & { items: unknown[] }, pointer: string): MapNode {
    const entries: Entry[] = [];
    const seen = new Map<string, Position>();
    for (const item of node.items as { key: ParsedNode; value: ParsedNode | null }[]) {
      const key = this.#key(item.key, pointer);
      if (key === undefined) continue;
      const keyAt = this.#at(item.key.range);
      const first = seen.get(key);
      if (first !== undefined) {
        const other = `line ${first.line}, column ${first.column}`;
        const message = `the key '${key.slice(0, 100)}' stands here twice, first at ${other}`;
        this.#fail("yaml_duplicate_key", message, item.key.range, pointerTo(pointer, key));
        continue;
      }
      seen.set(key, keyAt);
      const inner = pointerTo(pointer, key);
      const value: Node =
        item.value === null
          ? { kind: "scalar", text: null, at: keyAt, pointer: inner, layout: { kind: "folded" } }
          : this.#node(item.value, inner);
      entries.push({ key, keyAt, value });
    }
    return { kind: "map", entries, at: this.#at(node.range), pointer, dropped: [] };
  }

  /** Returns the key's text; undefined for an invalid key, which is reported. */
  #key(key: ParsedNode, pointer: string): string | undefined {
    if (isScalar(key) && key.value !== "<<") return String(key.value ?? "");
    const message = isScalar(key)
      ? "merge keys ('<<') are not part of YAML 1.2: write the keys out"
      : isMap(key) && this.#text.startsWith("{{", key.range[0] - 1)
        ? `a value that begins with a placeholder must be quoted: "{{name}}"`
        : "a key is text, not a map, a list or an alias";
    this.#fail("yaml_key", message, key.range, pointer);
    return undefined;
  }

  #at(range: Range | readonly [number, number]): Position {
    return positionOf(this.#lines, range[0], range[1]);
  }
}
