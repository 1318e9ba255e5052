/** Reads XML text to maps as Jackson's XmlMapper does: attributes and elements become entries, repeated ones lists. */
import { exceptionMessage, FlowException, limitExceeded } from "../engine/exception.ts";
import { LateModule } from "../engine/late-module.ts";
import { countOf } from "./count-of.ts";
import { putEntry } from "./plain-map.ts";

export const xmlLibrary = new LateModule(() => import("fast-xml-parser"));
type Library = ReturnType<typeof xmlLibrary.module>;

const maxDepth = 500;
const maxAttributes = 1000;
/** A prefix of all names: the library refuses names such as `constructor`, which are harmless with it. */
const mark = ".";
const text = "#text";
const data = "#cdata";

export interface Bounds {
  /** The most characters of one text. */
  readonly maxString: number;
  /** The most tags and references, each of which takes far more memory than its text. */
  readonly maxMarks: number;
}

const marks = "<&";

/** A node of the library: one key, its name, with its children or its text, and its attributes under `:@`. */
type Nodes = readonly Readonly<Record<string, unknown>>[];

/**
 * Returns a reader of the root element's content, without its name (Jackson). Entities of a document type are not
 * expanded. Throws JsonParseException.
 */
export function xmlReader(library: Library, bounds: Bounds): (source: string) => unknown {
  const read = rootReader(library, bounds);
  return (source) => valueOfNode(read(source), bounds.maxString);
}

/**
 * Returns a reader of the root element as `{name: content}`. An element with only text becomes the text; another
 * becomes a map: attributes are `@name`, repeated elements lists, text beside attributes or elements `#text`. Prefixes
 * and xmlns attributes are dropped. Throws as `xmlReader`.
 */
export function xmlFormReader(library: Library, bounds: Bounds): (source: string) => Record<string, unknown> {
  const read = rootReader(library, bounds);
  return (source) => {
    const root = read(source);
    return mapOf([[local(nameOf(root) as string), formOfNode(root, bounds.maxString)]]);
  };
}

type Node = Nodes[number];

function rootReader({ XMLParser, XMLValidator }: Library, { maxMarks }: Bounds): (source: string) => Node {
  const named = (name: string): string => mark + name;
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    textNodeName: text,
    cdataPropName: data,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: maxDepth,
    transformTagName: named,
    transformAttributeName: named,
  });
  return (source) => {
    if (countOf(source, marks) > maxMarks) {
      const bound = `an XML document has at most ${maxMarks} tags and references, each counted by its < or &`;
      throw limitExceeded("messageBodyBytes", bound);
    }
    checkAttributes(source);
    const problem = XMLValidator.validate(source);
    if (problem !== true) {
      const { msg, line, col } = problem.err;
      throw failure(`${msg.slice(0, 300)} at line ${line}, column ${col}`);
    }
    let roots: Nodes;
    try {
      roots = parser.parse(source) as Nodes;
    } catch (error) {
      throw failure(exceptionMessage(error), error);
    }
    const root = roots.find((node) => nameOf(node) !== undefined);
    if (root === undefined) throw failure("Unexpected EOF in prolog");
    return root;
  };
}

/** Bounds the attributes of a tag, since the library compares each with all others. Throws LimitExceededException. */
function checkAttributes(source: string): void {
  for (let at = source.indexOf("<"); at >= 0; at = source.indexOf("<", at)) {
    const other = markup.find(([start]) => source.startsWith(start, at));
    if (other !== undefined) {
      const end = source.indexOf(other[1], at + other[0].length);
      if (end < 0) return;
      at = end;
    } else at = endOfTag(source, at + 1);
  }
}

/** Markup in angle brackets that is not a tag. */
const markup: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];

function endOfTag(source: string, start: number): number {
  let attributes = 0;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === ">") return at;
    if (character === "=") attributes += 1;
    if (attributes > maxAttributes) {
      throw new FlowException("LimitExceededException", `an XML element has at most ${maxAttributes} attributes`);
    }
    if (character === '"' || character === "'") {
      at = source.indexOf(character, at + 1);
      if (at < 0) break;
    }
  }
  return source.length;
}

function formOfNode(node: Node, maxString: number): unknown {
  const entries: [name: string, value: unknown][] = [];
  for (const [name, value] of attributesOf(node)) entries.push([`@${local(name)}`, decoded(value)]);
  let content = "";
  for (const child of childrenOf(node)) {
    const piece = textIn(child);
    if (piece === undefined) entries.push([local(nameOf(child) as string), formOfNode(child, maxString)]);
    else content = joined(content, piece, maxString);
  }
  if (entries.length === 0) return content;
  if (content.trim() !== "") entries.push([text, content.trim()]);
  return mapOf(entries);
}

/** Drops namespace declarations, which are not data. */
function attributesOf(node: Node): [name: string, value: string][] {
  return Object.entries((node[":@"] ?? {}) as Record<string, string>).filter(
    ([name]) => !name.startsWith(`${mark}xmlns:`) && name !== `${mark}xmlns`,
  );
}

function childrenOf(node: Node): Nodes {
  return node[nameOf(node) as string] as Nodes;
}

/** Returns the text of a text node or a section; undefined for an element. */
function textIn(child: Node): string | undefined {
  if (text in child) return decoded(String(child[text]));
  return data in child ? (child[data] as Nodes).map((inner) => String(inner[text])).join("") : undefined;
}

function joined(run: string, piece: string, maxString: number): string {
  if (run.length <= maxString) return run + piece;
  const message = `String value length (${run.length}) exceeds the maximum allowed (${maxString})`;
  throw new FlowException("com.fasterxml.jackson.core.exc.StreamConstraintsException", message);
}

function nameOf(node: Node): string | undefined {
  return Object.keys(node).find((key) => key.startsWith(mark));
}

/**
 * An element with only text is the text; text beside attributes or elements is the entry "". White space beside
 * elements is dropped.
 */
function valueOfNode(node: Node, maxString: number): unknown {
  const entries: [name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries((node[":@"] ?? {}) as Record<string, string>)) {
    if (isNil(name, value)) return null;
  }
  for (const [name, value] of attributesOf(node)) entries.push([local(name), decoded(value)]);
  let run = "";
  const endRun = (): void => {
    if (run.trim() !== "") entries.push(["", run]);
    run = "";
  };
  for (const child of childrenOf(node)) {
    const piece = textIn(child);
    if (piece !== undefined) run = joined(run, piece, maxString);
    else {
      endRun();
      entries.push([local(nameOf(child) as string), valueOfNode(child, maxString)]);
    }
  }
  if (entries.length === 0) return run;
  endRun();
  return mapOf(entries);
}

function mapOf(entries: readonly [name: string, value: unknown][]): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  const repeated = new Set<string>();
  for (const [name, value] of entries) {
    if (!Object.hasOwn(map, name)) putEntry(map, name, value);
    else if (repeated.has(name)) (map[name] as unknown[]).push(value);
    else {
      putEntry(map, name, [map[name], value]);
      repeated.add(name);
    }
  }
  return map;
}

/** Tests for `xsi:nil="true"` with any prefix, which is rarely declared otherwise. */
function isNil(name: string, value: string): boolean {
  return name === `${mark}xsi:nil` && value === "true";
}

/** Removes the prefix and the mark, which an empty element's name has twice. */
function local(name: string): string {
  const unmarked = name.replace(/^\.+/, "");
  return unmarked.slice(unmarked.lastIndexOf(":") + 1);
}

const predefined: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Decodes XML's five entities and references by number. Entities of a document type are never expanded. */
function decoded(source: string): string {
  if (!source.includes("&")) return source;
  return source.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([^;&\s]{1,100}));/g, (_, decimal, hex, name) => {
    if (name !== undefined) {
      const character = Object.hasOwn(predefined, name) ? predefined[name] : undefined;
      if (character === undefined) throw failure(`Undeclared general entity "${name}"`);
      return character;
    }
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    if (code > 0x10ffff || code === 0) throw failure(`Illegal character entity: value ${code}`);
    return String.fromCodePoint(code);
  });
}

function failure(message: string, cause?: unknown): FlowException {
  return new FlowException("com.fasterxml.jackson.core.JsonParseException", message, { cause });
}
