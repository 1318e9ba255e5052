/** No expression gives a function, a class, a prototype or a part of the engine. */
import fc from "fast-check";
import { ExpressionSyntaxError, FlowException } from "../../../../src/workers/engine/exception.ts";
import { Exchange } from "../../../../src/workers/engine/exchange.ts";
import { Headers } from "../../../../src/workers/engine/headers.ts";
import { JsonText, Message } from "../../../../src/workers/engine/message.ts";
import { Run } from "../../../../src/workers/engine/run.ts";
import { methodNames } from "../../../../src/workers/languages/simple/methods/index.ts";
import { anExchange } from "../../../support/exchange.ts";
import { compileText, surroundings } from "../evaluate.ts";

const alone = surroundings({ a: "parameter" }, []);
/** Names that lead out of data in JavaScript or in Java. */
const exits =
  "constructor __proto__ prototype __defineGetter__ __lookupGetter__ hasOwnProperty valueOf toString call apply bind caller arguments getClass class classLoader getClassLoader forName getRuntime exec run sink limits headers message context camelContext process globalThis global require import eval Function details cause stack".split(
    " ",
  );
const name = fc.oneof(fc.constantFrom(...exits), fc.constantFrom(...methodNames), fc.constantFrom("a", "0", "last"));
/** Steps from one part of the engine to another. */
const inward = fc.constantFrom(
  ...".message .in .getMessage() .getIn() .exception .properties .variables .headers .getHeaders() .body .class".split(
    " ",
  ),
);
const step = fc.oneof(
  inward,
  name.map((key) => `.${key}`),
  name.map((key) => `?.${key}`),
  name.map((key) => `.${key}()`),
  fc.tuple(name, name).map(([key, argument]) => `.${key}('${argument}')`),
  name.map((key) => `[${key}]`),
  name.map((key) => `['${key}']`),
);
const start = fc.oneof(
  fc.constantFrom(
    "body",
    "in.body",
    "header.a",
    "headers",
    "exchangeProperty.a",
    "variable.a",
    "variables",
    "exchange",
  ),
  fc.constantFrom("exception", "bodyAs(Map)", "val(${body})", "map(a,${body})", "list(${exchange},${exception})"),
  name.map((key) => `header.${key}`),
  name.map((key) => `exchangeProperty[${key}]`),
  name.map((key) => `variable:${key}`),
  name.map((key) => `date:header.${key}`),
  name.map((key) => `properties:${key}`),
  name.map((key) => `${key}()`),
  name,
);
const path = fc.tuple(start, fc.array(step, { maxLength: 4 })).map(([from, steps]) => `\${${from}${steps.join("")}}`);
const text = fc.oneof(
  path,
  fc.array(inward, { minLength: 1, maxLength: 3 }).map((steps) => `\${exchange${steps.join("")}}`),
  fc.tuple(path, path).map(([left, right]) => `${left} ~> ${right}`),
  fc.tuple(path, path).map(([list, each]) => `\${forEach(${list},${each})}`),
  fc
    .tuple(fc.constantFrom("toJson", "kindOfType", "val", "reverse", "sort", "distinct", "listAdd"), path)
    .map(([f, p]) => `\${${f}(${p})}`),
);
const value = fc.oneof(
  fc.constantFrom(...[null, "x", 1, true, "", [], {}, new Date(0), new Uint8Array(2)]),
  fc.jsonValue({ maxDepth: 2 }).map((json) => new JsonText(JSON.stringify(json), json)),
  fc.constantFrom(
    { a: { a: [1] } },
    JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
    new FlowException("a.B", "b"),
  ),
);

/** Throws for the first expression that reaches out of the data. */
export function provesEnclosed({ runs, seed }: { runs: number; seed?: number }): void {
  fc.assert(fc.property(text, value, staysInside), { numRuns: runs, ...(seed !== undefined && { seed }) });
}

function staysInside(text: string, value: unknown): void {
  const exchange = anExchange({
    body: value,
    headers: { a: value },
    properties: { a: value },
    variables: { a: value },
  });
  exchange.exception = new FlowException("java.io.IOException", "io", { details: { statusCode: 500 } });
  let result: unknown;
  try {
    result = compileText(text, "simple", alone)(exchange);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError || error instanceof FlowException) return;
    throw error;
  }
  requireData(result, text, 0);
}

const prototypes = new Set<unknown>([
  null,
  Object.prototype,
  Array.prototype,
  Date.prototype,
  Uint8Array.prototype,
  FlowException.prototype,
]);

function requireData(value: unknown, text: string, depth: number): void {
  const escaped = (what: string) => new Error(`${text} gives ${what}`);
  if (typeof value === "function" || typeof value === "symbol") throw escaped(`a ${typeof value}`);
  if (typeof value !== "object" || value === null || depth > 8) return;
  if (prototypes.has(value)) throw escaped("a prototype");
  for (const part of [Exchange, Message, Headers, Run<Exchange>])
    if (value instanceof part) throw escaped(`a ${part.name}`);
  const isJson = value instanceof JsonText;
  if (!isJson && !prototypes.has(Object.getPrototypeOf(value))) throw escaped("an object of a class");
  if (value instanceof Uint8Array || value instanceof Error) return;
  for (const inner of isJson ? [value.value] : Object.values(value)) requireData(inner, text, depth + 1);
}
