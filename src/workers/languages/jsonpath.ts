/** The jsonpath language (Camel: JsonPathExpression, JsonPathEngine), on paths of RFC 9535. */

import type { Limits } from "../../shared/limits.ts";
import { truthy } from "../engine/convert.ts";
import { ExpressionSyntaxError, exceptionType, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineLanguage, type LanguageContext } from "../engine/language.ts";
import { textIn } from "../engine/message-text.ts";
import type { Expression } from "../engine/processor.ts";
import { writeJson } from "../engine/write-json.ts";
import { jsonInput, sourceReader } from "./input.ts";
import { easyPredicate } from "./jsonpath/dialect.ts";
import { functionNames } from "./jsonpath/functions.ts";
import { pathLibrary } from "./jsonpath/library.ts";
import { requireFilterable } from "./jsonpath/missing.ts";
import { type Path, parsePath, pathNotFound } from "./jsonpath/path.ts";
import { wrapErrors } from "./wrap-errors.ts";

/** Camel's exception around each failure (JsonPathExpression.evaluate). */
const failure = "org.apache.camel.ExpressionEvaluationException";

/** Jayway's options, without REQUIRE_PROPERTIES. */
const pathOptions = ["DEFAULT_PATH_LEAF_TO_NULL", "ALWAYS_RETURN_LIST", "AS_PATH_LIST", "SUPPRESS_EXCEPTIONS"] as const;

interface Settings {
  readonly options: ReadonlySet<string>;
  readonly writeAsString: boolean;
  readonly unpackArray: boolean;
  readonly input: Expression;
  readonly context: LanguageContext;
}

export const jsonpath = defineLanguage({
  name: "jsonpath",
  docs:
    "A path into JSON (RFC 9535): one value for a path of names and indexes, a list for any other. A path without a value is " +
    "a PathNotFoundException unless suppressExceptions is set. Of Jayway's dialect these are understood beside the RFC: a path " +
    "without `$`, its functions (`$.list.sum()`, `$.sum($..price, 1)`, `$.list.index(-1)`; " +
    `${functionNames.map((name) => `\`${name}\``).join(", ")}), and \`=~ /regex/\`, ` +
    "`in`, `nin`, `contains`, `size`, `empty` and functions without arguments in filters. `${...}` in the path is simple. A condition may be written `foo.bar == 1`.",
  options: (z, { flag, text }) =>
    z.object({
      suppressExceptions: flag("A path that leads nowhere gives null; without this it fails.").default(false),
      allowSimple: flag("Fills `${...}` of simple into the path before it is read.").default(true),
      allowEasyPredicate: flag(
        "Reads a condition such as `order.price > 10` as a test of the JSON, without brackets and dollar signs.",
      ).default(true),
      writeAsString: flag("Gives each found value as JSON text.").default(false),
      unpackArray: flag("Takes the one element out of a list that has no other.").default(false),
      option: text(
        "Settings of the reader, with commas between them: SUPPRESS_EXCEPTIONS, ALWAYS_RETURN_LIST, AS_PATH_LIST, DEFAULT_PATH_LEAF_TO_NULL.",
      )
        .refine(
          (list) => names(list).every((name) => (pathOptions as readonly string[]).includes(name)),
          `option is a list of ${pathOptions.join(", ")}`,
        )
        .refine(
          (list) => !(names(list).includes("AS_PATH_LIST") && names(list).includes("DEFAULT_PATH_LEAF_TO_NULL")),
          "AS_PATH_LIST has the paths of what is there: leave out DEFAULT_PATH_LEAF_TO_NULL",
        )
        .optional(),
      source: text(
        "Where the JSON is taken from: `header:name`, `property:name` or `variable:name`; by default the body.",
      ).optional(),
    }),
  example: "$.orderNo",
  expression: (text, options, context) => compile(text, options, context),
  predicate(text, options, context) {
    const easy = options.allowEasyPredicate === false ? undefined : easyPredicate(text);
    const value = compile(text, options, context, easy);
    return (exchange) => truthy(value(exchange));
  },
});

interface Options {
  readonly suppressExceptions?: boolean | undefined;
  readonly allowSimple?: boolean | undefined;
  readonly writeAsString?: boolean | undefined;
  readonly unpackArray?: boolean | undefined;
  readonly option?: string | undefined;
  readonly source?: string | undefined;
}

function compile(
  text: string,
  given: Options,
  context: LanguageContext,
  easy?: { nodes: string; test: string },
): Expression {
  pathLibrary.module();
  const options = new Set(names(given.option ?? ""));
  if (given.suppressExceptions === true) options.add("SUPPRESS_EXCEPTIONS");
  const settings: Settings = {
    options,
    writeAsString: given.writeAsString ?? false,
    unpackArray: given.unpackArray ?? false,
    input: sourceReader(given.source, context),
    context,
  };
  const dynamic = given.allowSimple !== false;
  if (easy === undefined) {
    const path = dynamicPath(text, dynamic, settings);
    return wrapErrors(failure, (exchange) => read(exchange, path(exchange), settings));
  }
  const nodes = dynamicPath(easy.nodes, dynamic, settings);
  const test = dynamicPath(easy.test, dynamic, settings);
  return wrapErrors(failure, (exchange) => {
    const { limits } = exchange.run;
    const path = nodes(exchange);
    const found = foundIn(path, inputOf(exchange, settings), settings, limits);
    if (path.definite && !settings.options.has("SUPPRESS_EXCEPTIONS")) requireFilterable(found, path.text);
    // Jayway tests an object itself and an array's elements, where the RFC always tests the values inside.
    const candidates = found.flatMap((value) => (Array.isArray(value) ? value : [value]));
    return test(exchange).values(candidates, limits);
  });
}

/**
 * Returns the path of a text that may contain simple's `${...}`. The path is parsed again only when the text changes.
 */
function dynamicPath(text: string, allowSimple: boolean, settings: Settings): (exchange: Exchange) => Path {
  const { context } = settings;
  const simple = allowSimple && /\$\{[^}]+\}/.test(text) ? context.language("simple") : undefined;
  if (simple === undefined) {
    const path = parseFor(settings, text);
    return () => path;
  }
  const render = simple.expression(text, {}, context);
  let latest: { readonly text: string; readonly path: Path } | undefined;
  return (exchange) => {
    const filled = textIn(exchange, render(exchange));
    if (latest?.text !== filled) latest = { text: filled, path: parseFor(settings, filled) };
    return latest.path;
  };
}

/** Throws ExpressionSyntaxError, also for a path with calls where options ask for lists: Jayway would fail in each run. */
function parseFor({ options }: Settings, text: string): Path {
  const path = parsePath(text);
  const option = ["AS_PATH_LIST", "ALWAYS_RETURN_LIST"].find((name) => options.has(name));
  if (!path.calls || option === undefined) return path;
  throw new ExpressionSyntaxError(`a path with a function gives one value: leave out ${option}`, 0);
}

function inputOf(exchange: Exchange, { input }: Settings): unknown {
  return jsonInput(exchange, input(exchange), "com.jayway.jsonpath.InvalidJsonException");
}

function read(exchange: Exchange, path: Path, settings: Settings): unknown {
  const { options, context, writeAsString } = settings;
  const { limits } = exchange.run;
  const input = inputOf(exchange, settings);
  const lenient = options.has("SUPPRESS_EXCEPTIONS");
  if (input === null) {
    if (lenient || options.has("DEFAULT_PATH_LEAF_TO_NULL")) return options.has("ALWAYS_RETURN_LIST") ? [] : null;
    throw new FlowException("org.apache.camel.CamelExchangeException", "there is no JSON to read: the input is null");
  }
  const listed = options.has("AS_PATH_LIST");
  const found = foundIn(path, input, settings, limits);
  if (found.length === 0 && !lenient && (path.definite || listed)) throw pathNotFound(path.text);
  if (listed) return found;
  let result: unknown = path.definite && !options.has("ALWAYS_RETURN_LIST") ? (found[0] ?? null) : found;
  if (writeAsString) result = eachAsJson(result, limits.messageBodyBytes);
  return convertTo(result, settings.unpackArray, context.resultType);
}

function foundIn(path: Path, input: unknown, { options }: Settings, limits: Limits): unknown[] {
  try {
    path.requireLead(input);
    if (options.has("AS_PATH_LIST")) return path.paths(input, limits);
    return options.has("DEFAULT_PATH_LEAF_TO_NULL") ? path.leaves(input, limits) : path.values(input, limits);
  } catch (error) {
    if (options.has("SUPPRESS_EXCEPTIONS") && /\.(?:PathNotFound|InvalidPath)Exception$/.test(exceptionType(error)))
      return [];
    throw error;
  }
}

/** Camel's writeAsString: converts each element of a list, or each value of a map, to JSON text. */
function eachAsJson(value: unknown, maxBytes: number): unknown {
  const json = (one: unknown): string => writeJson(one, maxBytes);
  if (Array.isArray(value)) return value.map(json);
  if (typeof value !== "object" || value === null) return json(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, json(one)]));
}

/**
 * Converts a result to the type. A list stays a list if a collection is requested; another type, or unpackArray, takes
 * its only element.
 */
function convertTo(result: unknown, unpackArray: boolean, resultType: string | undefined): unknown {
  if (resultType !== undefined && /(?:^|\.)(?:\w*List|Collection|\w*Set)$/.test(resultType)) {
    return Array.isArray(result) ? result : [result];
  }
  const unpacks = unpackArray || resultType !== undefined;
  return unpacks && Array.isArray(result) && result.length === 1 ? result[0] : result;
}

function names(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
