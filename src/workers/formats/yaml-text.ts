/** Converts YAML text to values and back as SnakeYAML does. The texts of flows are read by check/parse.ts. */
import type { Alias, Document, ScalarTag, Tags } from "yaml";
import { maxDigits, narrow } from "../../shared/whole-numbers.ts";
import { exceptionMessage, FlowException, limitExceeded } from "../engine/exception.ts";
import { exportsOf, LateModule } from "../engine/late-module.ts";
import { countOf } from "./count-of.ts";
import { viewOf } from "./stream.ts";

export const yamlLibrary = new LateModule(async () => exportsOf(await import("yaml")));
type Library = ReturnType<typeof yamlLibrary.module>;

/** SnakeYAML's own bounds (LoaderOptions). */
const maxDepth = 50;
const maxCharacters = 3 * 1024 * 1024;
/** The most values of a document: each takes the library about a kilobyte of memory and ten microseconds. */
const maxValues = 150_000;
/** Characters that may stand before, after or between values. */
const structure = ":,-?[]{}\n";

interface Bounds {
  /** The most aliases of maps and lists. */
  readonly maxAliases: number;
  /** The most characters of all values together, where each alias counts as its value. */
  readonly maxSize: number;
}

/** Reads YAML 1.1: one document, only YAML's own tags. Throws FlowException with SnakeYAML's class names. */
export function readYaml(text: string, library: Library, { maxAliases, maxSize }: Bounds): unknown {
  if (text.length > maxCharacters) {
    const message = `The incoming YAML document exceeds the limit: ${maxCharacters} code points.`;
    throw new FlowException("org.yaml.snakeyaml.error.YAMLException", message);
  }
  if (countOf(text, structure) > maxValues) throw tooMany();
  const value = guarded(() => {
    const document = library.parseDocument(text, {
      version: "1.1",
      schema: "yaml-1.1",
      merge: true,
      uniqueKeys: false,
      prettyErrors: true,
      logLevel: "error",
      customTags: snakeTags,
    });
    const [error] = document.errors;
    if (error !== undefined) throw failure("scanner.ScannerException", placeOnly(error.message));
    const [warning] = document.warnings;
    if (warning !== undefined) throw failure("constructor.ConstructorException", placeOnly(warning.message));
    countAliases(document, library, maxAliases);
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  });
  measure(value, maxSize);
  return value ?? null;
}

/**
 * Removes the excerpt that the library appends: it may begin in the middle of a secret, which the mask would then not
 * find.
 */
function placeOnly(message: string): string {
  return message.split(":\n\n", 1)[0] ?? message;
}

/** Writes one document. Lists and maps of only scalars are on one line (SnakeYAML's FlowStyle.AUTO). */
export function writeYaml(value: unknown, library: Library): string {
  requireFew(value);
  return guarded(() => {
    const document = new library.Document(value, {
      version: "1.1",
      schema: "yaml-1.1",
      anchorPrefix: "id00",
      customTags: writtenTags,
    });
    library.visit(document, {
      Scalar(_, node) {
        if (node.value === "<<") node.type = "QUOTE_SINGLE";
        else if (typeof node.value === "string" && node.value.includes("\t")) node.type = "QUOTE_DOUBLE";
      },
      Collection(_, node) {
        const parts = library.isMap(node) ? node.items.flatMap(({ key, value: inner }) => [key, inner]) : node.items;
        node.flow = parts.every((part) => library.isScalar(part) && !String(part.value).includes("\n"));
      },
    });
    return document.toString({
      indentSeq: false,
      flowCollectionPadding: false,
      singleQuote: true,
      lineWidth: 80,
      blockQuote: "literal",
      directives: false,
    });
  });
}

/** Differences between the library and SnakeYAML in YAML 1.1: `y` is text, and so are `09` and `2020-1-1`. */
function snakeTags(tags: Tags): Tags {
  return tags.map((tag): Tags[number] => {
    if (typeof tag !== "object" || tag.collection !== undefined) return tag;
    if (tag.tag.endsWith(":binary")) return { ...tag, resolve: decodeBase64 };
    const test = testOf(tag) ?? tag.test;
    return { ...tag, ...(test && { test }), ...(tag.tag.endsWith(":int") && { resolve: wholeNumber(tag) }) };
  });
}

/** Without merge keys, since they would change a text `<<`. */
function writtenTags(tags: Tags): Tags {
  return snakeTags(tags).filter((tag) => typeof tag !== "object" || !tag.tag.endsWith(":merge"));
}

/** Keeps every digit, where the library reads a double. */
function wholeNumber(tag: ScalarTag): ScalarTag["resolve"] {
  return (text, onError, options) => {
    if (text.length > maxDigits) onError(`a number has at most ${maxDigits} digits`);
    const value = tag.resolve(text.slice(0, maxDigits), onError, { ...options, intAsBigInt: true });
    return typeof value === "bigint" ? narrow(value) : value;
  };
}

function decodeBase64(text: string): Uint8Array {
  return viewOf(Buffer.from(text, "base64"));
}

function testOf({ tag, format, test }: ScalarTag): RegExp | undefined {
  if (tag.endsWith(":bool")) {
    return test?.test("true")
      ? /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/
      : /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
  }
  if (tag.endsWith(":timestamp")) return timestamp;
  if (!tag.endsWith(":int")) return undefined;
  if (format === "TIME") return /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/;
  return format === undefined ? /^[-+]?(?:0|[1-9][0-9_]*)$/ : undefined;
}

const timestamp =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)$/;

function requireFew(root: unknown): void {
  const pending = [root];
  for (let count = 0; pending.length > 0; count++) {
    if (count > maxValues) throw tooMany();
    const value = pending.pop();
    if (typeof value !== "object" || value === null || value instanceof Date || value instanceof Uint8Array) continue;
    for (const inner of Object.values(value)) pending.push(inner);
  }
}

function tooMany(): FlowException {
  const message = `a YAML document has at most ${maxValues} values, counted by the signs between them (: , - ? brackets, line ends)`;
  return new FlowException("LimitExceededException", message);
}

function countAliases(document: Document, library: Library, most: number): void {
  let count = 0;
  library.visit(document, {
    Alias(_, alias: Alias) {
      if (!library.isScalar(alias.resolve(document))) count++;
      if (count <= most) return;
      throw failure("error.YAMLException", `Number of aliases for non-scalar nodes exceeds the specified max=${most}`);
    },
  });
}

/** Bounds values: with aliases, a value may contain the same list many times, or contain itself. */
function measure(root: unknown, maxSize: number): void {
  const pending: [value: unknown, depth: number][] = [[root, 0]];
  let size = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    if (depth > maxDepth) throw failure("error.YAMLException", `Nesting Depth exceeded max ${maxDepth}`);
    size += 1 + (typeof value === "string" ? value.length : 0);
    if (size > maxSize) {
      throw limitExceeded("messageBodyBytes", `the aliases of a YAML document make more than ${maxSize} bytes`);
    }
    if (typeof value !== "object" || value === null || value instanceof Date || value instanceof Uint8Array) continue;
    const inner = value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
    for (const one of inner) pending.push([one, depth + 1]);
  }
}

/** The library walks values by recursion, and throws its own errors for values that it cannot resolve. */
function guarded<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof FlowException) throw error;
    if (error instanceof RangeError) throw failure("error.YAMLException", `Nesting Depth exceeded max ${maxDepth}`);
    throw failure("composer.ComposerException", exceptionMessage(error), error);
  }
}

function failure(type: string, message: string, cause?: unknown): FlowException {
  return new FlowException(`org.yaml.snakeyaml.${type}`, message, { cause });
}
