/**
 * The only import of @cfworker/json-schema, which interprets schemas and generates no code. The loader replaces its
 * regular expressions by linear ones, and adds checks of the time.
 */
import { readFileSync } from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import type { JsonSchema } from "../../shared/mapping-models.ts";
import { exactRemainder } from "../../shared/whole-numbers.ts";
import { libraryFile } from "../engine/library-files.ts";
import type { Budget } from "../languages/budget.ts";
import { LinearRegExp } from "../languages/linear-reg-exp.ts";

/** A fault of a value, at a JSON pointer into it ("" for the whole). */
export interface Invalid {
  readonly path: string;
  readonly message: string;
  /** The keyword of the schema that the value does not satisfy. */
  readonly keyword: string;
}

interface Finding {
  readonly instanceLocation: string;
  readonly keyword: string;
  readonly error: string;
}

type Draft = "4" | "7" | "2019-09" | "2020-12";

interface Library {
  validate(
    value: unknown,
    schema: JsonSchema,
    draft: Draft,
    lookup: Readonly<Record<string, unknown>>,
    shortCircuit: boolean,
  ): { readonly valid: boolean; readonly errors: readonly Finding[] };
  dereference(schema: JsonSchema): Readonly<Record<string, unknown>>;
}

/** The most faults that are reported for one value: of a mapping, whose validation ends with the first failing part. */
const mostFindings = 5;
/** The most faults that are reported by `compileFullSchema`, which then looks for no others. */
export const mostFaults = 100;

/** Compiled patterns of schemas. */
const patterns = new Map<string, LinearRegExp>();
const mostPatterns = 200;

class CachedRegExp {
  readonly #regex: LinearRegExp;

  constructor(pattern: string) {
    let regex = patterns.get(pattern);
    if (regex === undefined) {
      if (patterns.size >= mostPatterns) patterns.clear();
      regex = new LinearRegExp(pattern);
      patterns.set(pattern, regex);
    }
    this.#regex = regex;
  }

  test(text: string): boolean {
    return this.#regex.test(text);
  }
}

let library: Library | undefined;
/** The budget of the present validation. */
let budget: Budget | undefined;
/** How many members and elements have failed in the present validation. */
let failedParts = 0;

type Validator = (value: unknown, own: Budget) => readonly Invalid[];

/**
 * The library writes marks into the schema, so pass one that nothing else reads. Throws Error for a schema that the
 * library rejects. The validator throws LimitExceededException when the time of its budget is over, and RangeError for
 * a value that is too deep.
 */
export function compileSchema(schema: JsonSchema): Validator {
  const find = finder(schema, true);
  return (value, own) => innerFaults(find(value, own)).slice(0, mostFindings);
}

/** As `compileSchema`, for a validator that looks for all faults. */
export function compileFullSchema(schema: JsonSchema): Validator {
  const find = finder(schema, false);
  return (value, own) => innerFaults(find(value, own)).slice(0, mostFaults);
}

function finder(schema: JsonSchema, shortCircuit: boolean): (value: unknown, own: Budget) => readonly Finding[] {
  library ??= load();
  const { validate, dereference } = library;
  const lookup = dereference(schema);
  const draft = draftOf(schema);
  return (value, own) => {
    budget = own;
    failedParts = 0;
    return validate(value, schema, draft, lookup, shortCircuit).errors;
  };
}

/** The library reports the failure of an outer schema in addition to the failures inside it. */
function innerFaults(errors: readonly Finding[]): readonly Invalid[] {
  const inner = errors.filter(({ keyword }) => !outer.has(keyword));
  return (inner.length > 0 ? inner : errors).map((finding) => {
    const path = finding.instanceLocation.replace(/^#/, "");
    if (finding.keyword !== "false") return { path, message: finding.error, keyword: finding.keyword };
    // A schema that is `false` stands where the one before it in the list says.
    const keyword = errors[errors.indexOf(finding) - 1]?.keyword ?? "false";
    return { path, message: "The schema allows no value here.", keyword };
  });
}

const outer = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "prefixItems",
  "allOf",
  "$ref",
  "$recursiveRef",
]);

function draftOf(schema: JsonSchema): Draft {
  const uri = typeof schema === "object" ? String(schema["$schema"] ?? "") : "";
  if (uri.includes("draft-04")) return "4";
  if (uri.includes("draft-07") || uri.includes("draft-06")) return "7";
  return uri.includes("2019-09") ? "2019-09" : "2020-12";
}

/**
 * Changes of the library's source: JSON pointers accept names of any characters, the time is checked for each schema and
 * for each pair of items that `uniqueItems` compares, and a value with many faults is not looked at to its end.
 */
const changes: readonly (readonly [found: RegExp, times: number, replacement: string])[] = [
  [/\bnew RegExp\(/g, 2, "$&"],
  [/\(0, pointer_js_1\.encodePointer\)/g, 9, "encodePointer"],
  [/evaluated = Object\.create\(null\)\) \{/g, 1, "$& checkTime();"],
  [/const b = instance\[k\];/g, 1, "$& tick();"],
  [/stop = shortCircuit;/g, 7, "stop = shortCircuit || isEnough();"],
  [/const rawInstanceType = typeof instance;/g, 1, "const rawInstanceType = kind(instance);"],
  [/instance % 1/g, 2, "(typeof instance !== 'bigint' && instance % 1)"],
  [
    /isMultipleOf\(instance, \$multipleOf\)/g,
    1,
    "(isMultiple(instance, $multipleOf) ?? isMultipleOf(instance, $multipleOf))",
  ],
];

function load(): Library {
  const path = join(dirname(libraryFile("@cfworker/json-schema")), "validate.js");
  let source = readFileSync(path, "utf8");
  for (const [found, times, replacement] of changes) {
    const count = source.match(found)?.length ?? 0;
    if (count !== times) {
      throw new Error(`@cfworker/json-schema has changed: ${found} occurs ${count} times in ${path}`);
    }
    source = source.replaceAll(found, replacement);
  }
  const module = new Module(path) as Module & { _compile(text: string, path: string): void; changed: unknown };
  // Makes the module resolve its own imports from the library's directory.
  module.filename = path;
  module.changed = {
    RegExp: CachedRegExp,
    encodePointer: (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1"),
    checkTime: () => budget?.checkTime(),
    tick: () => budget?.tick(),
    isEnough: () => ++failedParts >= mostFaults,
    kind: (value: unknown) => (typeof value === "bigint" ? "number" : typeof value),
    // undefined: the library decides.
    isMultiple: (value: number | bigint, of: number | bigint) =>
      typeof value === typeof of && typeof of === "number" ? undefined : exactRemainder(value, of) === 0,
  };
  module._compile(
    `const { RegExp, encodePointer, checkTime, tick, isEnough, kind, isMultiple } = module.changed;${source}`,
    path,
  );
  const { dereference } = module.require("./dereference.js") as Library;
  return { validate: (module.exports as Library).validate, dereference };
}
