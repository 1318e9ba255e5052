/** The jsonata language (Camel has it as a component): JSONata 2 on the message's JSON. */
import { ExpressionSyntaxError, exceptionMessage, FlowException } from "../engine/exception.ts";
import { defineLanguage } from "../engine/language.ts";
import { Budget } from "./budget.ts";
import { jsonInput, setOwn } from "./json-input.ts";
import { Guard, guardFunctions } from "./jsonata/guards.ts";
import { type Jsonata, jsonataLibrary } from "./jsonata/library.ts";
import { LinearRegExp } from "./linear-reg-exp.ts";
import { sourceReader } from "./source.ts";

/** Functions inside each other; each takes several frames of the thread's stack. */
const maxDepth = 400;

/** How many times a message's size an evaluation may build in all, most of which nobody holds for long. */
const garbage = 16;

const evaluated = Symbol.for("jsonata.__evaluate_exit");

export const jsonata = defineLanguage({
  name: "jsonata",
  docs:
    "JSONata 2: queries and maps JSON. `$headers`, `$properties` and `$variables` are bound. An expression without a result gives " +
    "null. Regular expressions have neither look-around nor back-references; `$eval` is not available.",
  options: (z, { text }) => z.object({ source: text.optional() }),
  example: '{ "order": orderNo, "labels": [1..2].("L" & $) }',
  expression(text, options, { limits }) {
    const { make, guard } = guardedLibrary();
    const input = sourceReader(options.source);
    const expression = make(text, {
      timeout: limits.scriptMs,
      stack: maxDepth,
      sequence: Math.floor(limits.messageBodyBytes / 8),
      RegexEngine: LinearRegExp,
    });
    return (exchange) => {
      const { message, properties, variables } = exchange;
      const data = jsonInput(input(exchange), "com.fasterxml.jackson.core.JsonParseException");
      const budget = new Budget(exchange.run.limits, "jsonata", garbage);
      guard.begin(budget);
      try {
        const result = expression.evaluate(data ?? undefined, {
          headers: bindings(message.headers.entries()),
          properties: bindings(properties),
          variables: bindings(variables),
        });
        return plain(result);
      } catch (error) {
        throw failure(error, budget);
      } finally {
        guard.end();
      }
    };
  },
});

interface Guarded {
  readonly make: (...parameters: Parameters<Jsonata>) => ReturnType<Jsonata>;
  readonly guard: Guard;
}

let guarded: Guarded | undefined;

/** The library with its functions guarded, once in a thread. Throws NotLoaded. */
function guardedLibrary(): Guarded {
  const library = jsonataLibrary.module();
  if (guarded !== undefined) return guarded;
  const guard = new Guard();
  const functions = guardFunctions(library, guard);
  // A text is new where two are joined, and where a function makes it, which counts it itself.
  const exit = ({ type }: { readonly type: string }, _input: unknown, _frame: unknown, result: unknown): void => {
    if (type === "binary" || typeof result !== "string") guard.keep(result);
  };
  guarded = {
    guard,
    make(text, options) {
      try {
        const expression = library(text, options);
        for (const [name, [call, signature]] of functions) expression.registerFunction(name, call, signature);
        expression.assign(evaluated, exit);
        return expression;
      } catch (error) {
        const { position, message } = error as { readonly position?: number; readonly message?: string };
        throw new ExpressionSyntaxError(message ?? exceptionMessage(error), Math.max(0, (position ?? 1) - 1));
      }
    },
  };
  return guarded;
}

/** Read by name only: no prototype behind. */
function bindings(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) record[name] = jsonInputOrText(value);
  return record;
}

/** A header stays text, whatever is in it. */
function jsonInputOrText(value: unknown): unknown {
  return typeof value === "string" || value instanceof Uint8Array ? value : jsonInput(value, "");
}

/** Lists of the library carry marks and methods of its own, which end here; functions have no place in a message. */
function plain(result: unknown, known = new Map<object, unknown>()): unknown {
  if (typeof result === "function" || result === undefined) return null;
  if (typeof result !== "object" || result === null) return result;
  if ("_jsonata_lambda" in result || "_jsonata_function" in result) return null;
  const done = known.get(result);
  if (done !== undefined) return done;
  if (Array.isArray(result)) {
    const list: unknown[] = [];
    known.set(result, list);
    for (const element of result) list.push(plain(element, known));
    return list;
  }
  const record: Record<string, unknown> = {};
  known.set(result, record);
  for (const [name, value] of Object.entries(result)) setOwn(record, name, plain(value, known));
  return record;
}

function failure(error: unknown, budget: Budget): unknown {
  if (error instanceof FlowException) return error;
  if (error instanceof RangeError) return budget.exceeded("is too deep or builds too much");
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code === "D1012") return budget.overTime();
  if (code === "D1011") return budget.exceeded(`nests at most ${maxDepth} deep`);
  if (code === "D2014" || code === "D2015") return budget.tooLarge();
  const text = message ?? exceptionMessage(error);
  return new FlowException("com.dashjoin.jsonata.JException", code === undefined ? text : `${text} (${code})`);
}
