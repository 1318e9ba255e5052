/** The only import of json-p3: evaluates queries of RFC 9535 within a budget, with linear regular expressions. */
import type { JSONPathNode, JSONPathQuery, JSONValue } from "json-p3";
import { isPlainObject } from "../../engine/convert.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { exportsOf, LateModule } from "../../engine/late-module.ts";
import { type Regex, regexCache } from "../../engine/regex.ts";
import type { Budget } from "../budget.ts";
import { callFunction, functionNames } from "./functions.ts";
import { type Lead, leadOf } from "./missing.ts";
import { type Descending, walkLazily } from "./segments.ts";
import { compareExactly, type JsonP3 } from "./whole-numbers.ts";

/** The greatest depth that `..` searches. */
const maxDepth = 200;

export const pathLibrary = new LateModule(async () => withBudget(exportsOf(await import("json-p3"))));

/** A compiled query, for evaluation within `budgeted`. */
export interface Query {
  /** The query in the library's syntax. */
  readonly text: string;
  /** true: the query has only names and indexes, so it leads to at most one value. */
  readonly definite: boolean;
  /** Throws PathNotFoundException where its first names and indexes lead nowhere in a document. */
  readonly lead: Lead;
  values(root: unknown): unknown[];
  /** Returns the values, and null for each object without the name at the query's end. */
  leaves(root: unknown): unknown[];
  /** Returns the path of each value: `$['a'][0]`. */
  paths(root: unknown): string[];
}

/** Makes none, one or several results of a node. */
type Pick<T> = (node: JSONPathNode) => readonly T[];

/**
 * Finds the objects in which a path's last name is looked up, and the values there. Returns undefined for a path that
 * does not end with a name.
 */
function leafFinder({ jsonpath }: JsonP3, environment: JSONPathEnvironment) {
  const [everything] = environment.compile("$..*").segments;
  return (query: JSONPathQuery): { from: JSONPathQuery; of: Pick<unknown> } | undefined => {
    const last = query.segments.at(-1);
    const [selector, another] = last?.selectors ?? [];
    if (last === undefined || another !== undefined || !(selector instanceof jsonpath.selectors.NameSelector))
      return undefined;
    const { name } = selector;
    const leaf: Pick<unknown> = ({ value }) =>
      isPlainObject(value) ? [Object.hasOwn(value, name) ? value[name] : null] : [];
    const descends = last.constructor === everything?.constructor ? (last as typeof last & Descending) : undefined;
    return {
      from: new jsonpath.JSONPathQuery(environment, query.segments.slice(0, -1)),
      of: descends === undefined ? leaf : (node) => [...descends.visit(node)].flatMap(leaf),
    };
  };
}

/**
 * Limits the library: each node that any query yields, also within filters, is charged to the budget of the present
 * evaluation.
 */
function withBudget(library: JsonP3) {
  let budget: Budget | undefined;
  const { prototype } = library.jsonpath.JSONPathQuery;
  const { lazyQuery } = prototype;
  prototype.lazyQuery = function* (value) {
    budget?.tick();
    for (const node of lazyQuery.call(this, value)) {
      budget?.tick();
      budget?.keep(16);
      yield node;
    }
  };
  walkLazily(library, () => budget?.tick());
  compareExactly(library.jsonpath);
  // The library's own query would find all nodes of a filter before any is counted.
  prototype.query = function (value) {
    return new library.jsonpath.JSONPathNodeList([...this.lazyQuery(value)]);
  };
  const environment = new library.jsonpath.JSONPathEnvironment({ maxRecursionDepth: maxDepth });
  addFunctions(library, environment);
  const leafOf = leafFinder(library, environment);
  return {
    /** Throws an error of the library for a text that is no query: see `queryProblem`. */
    compile(text: string): Query {
      const query = environment.compile(text);
      const leaf = leafOf(query);
      const valuesOf = (root: unknown): unknown[] => each(query, root, ({ value }) => value);
      return {
        text: query.toString({ form: "canonical" }),
        definite: query.singularQuery(),
        lead: leadOf(library, query),
        values: valuesOf,
        leaves: leaf === undefined ? valuesOf : (root) => each(leaf.from, root, leaf.of).flat(),
        paths: (root) => each(query, root, (node) => node.getPath({ form: "canonical" })),
      };
    },
    /** Throws LimitExceededException. Evaluations do not nest. */
    budgeted<T>(own: Budget, evaluate: () => T): T {
      budget = own;
      try {
        return evaluate();
      } catch (error) {
        if (error instanceof library.jsonpath.JSONPathRecursionLimitError || error instanceof RangeError) {
          throw own.exceeded(`looks at most ${maxDepth} levels deep with '..'`);
        }
        throw error;
      } finally {
        budget = undefined;
      }
    },
  };
}

/** Returns the message of an error of `compile`, and the index of the character that is wrong. */
export function queryProblem(error: unknown): { readonly message: string; readonly index: number } {
  const token = (error as { readonly token?: { readonly index?: number } }).token;
  return { message: exceptionMessage(error).replace(/ \(.*\)$/s, ""), index: token?.index ?? 0 };
}

function each<T>(query: JSONPathQuery, root: unknown, of: (node: JSONPathNode) => T): T[] {
  const found: T[] = [];
  for (const node of query.lazyQuery(root as JSONValue)) found.push(of(node));
  return found;
}

type JSONPathEnvironment = InstanceType<JsonP3["jsonpath"]["JSONPathEnvironment"]>;

function addFunctions(
  { jsonpath }: JsonP3,
  { functionRegister }: InstanceType<JsonP3["jsonpath"]["JSONPathEnvironment"]>,
): void {
  const { ValueType, LogicalType } = jsonpath.FunctionExpressionType;
  const define = (name: string, parameters: number, call: (...values: unknown[]) => boolean): void => {
    functionRegister.set(name, { argTypes: Array(parameters).fill(ValueType), returnType: LogicalType, call });
  };
  // Patterns may come from the document: one that cannot be read matches nothing (RFC 9535 2.4.6).
  const compiled = regexCache();
  const matching = (test: (regex: Regex, text: string) => boolean) => (text: unknown, pattern: unknown) => {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    try {
      return test(compiled(iRegexp(pattern)), text);
    } catch {
      return false;
    }
  };
  define(
    "search",
    2,
    matching((regex, text) => regex.find(text)),
  );
  const matches = matching((regex, text) => regex.matches(text));
  define("match", 2, matches);
  // The operator `=~` of Jayway (RegexpEvaluator): of a list, any element; a value that has no text is an empty one.
  define("regexp", 2, (value, pattern) =>
    (Array.isArray(value) ? value : [value]).some((one: unknown) => matches(scalarText(one), pattern)),
  );
  for (const name of functionNames) {
    // A missing value stays missing, so that its comparison is false.
    const call = (value: unknown): unknown => (isMissing(value) ? value : callFunction(name, value, [], String));
    functionRegister.set(`fn_${name}`, { argTypes: [ValueType], returnType: ValueType, call });
  }
  define("contains", 2, (whole, part) =>
    typeof whole === "string"
      ? typeof part === "string" && whole.includes(part)
      : Array.isArray(whole) && whole.includes(part),
  );
}

function scalarText(value: unknown): string {
  return ["string", "number", "boolean", "bigint"].includes(typeof value) ? String(value) : "";
}

/** The library's mark of a value that is not there. */
function isMissing(value: unknown): boolean {
  return typeof value === "symbol" || value === undefined;
}

/** Converts an I-Regexp, whose dot matches all but line feed and carriage return (RFC 9485 5.3). */
function iRegexp(pattern: string): string {
  let inClass = false;
  return pattern.replaceAll(/\\.|[[\].]/gs, (token) => {
    if (token === "[") inClass = true;
    else if (token === "]") inClass = false;
    return token === "." && !inClass ? "[^\\n\\r]" : token;
  });
}
