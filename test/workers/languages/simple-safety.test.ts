/** What no text and no message may do to simple: escape, crash, mutate, grow without bound. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import fc from "fast-check";
import { ExpressionSyntaxError, FlowException } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import type { Expression } from "../../../src/workers/engine/processor.ts";
import { functions } from "../../../src/workers/languages/simple/functions/index.ts";
import { methodNames } from "../../../src/workers/languages/simple/methods/index.ts";
import { anExchange } from "../../support/exchange.ts";
import { compileCondition, compileText, evaluate, loadLanguages, matches } from "./evaluate.ts";

const name = fc.constantFrom(...Object.keys(functions));
const method = fc.constantFrom(...methodNames, "constructor", "__proto__", "prototype", "toString", "valueOf");
const piece = fc.oneof(
  fc.constantFrom(
    "${",
    "$simple{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "'",
    '"',
    ",",
    ".",
    "?",
    "?.",
    ":",
    " ",
    "\\",
    "$param",
    "last",
  ),
  fc.constantFrom(
    " == ",
    " && ",
    " || ",
    " ? ",
    " : ",
    " ?: ",
    " ~> ",
    "++ ",
    " in ",
    " range ",
    " regex ",
    "1",
    "null",
    "0..9",
  ),
  name.map((function_) => `\${${function_}(`),
  name.map((function_) => `\${${function_}}`),
  fc.constantFrom("${body}", "${header.h}", "${body[a]}", "${variable.v}", "${exchange", "${body."),
  method.map((method) => `.${method}()`),
  method,
  fc.string({ maxLength: 4 }),
);
const wild = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
/** Texts that compile more often than not. */
const tame = fc.oneof(
  fc
    .tuple(name, fc.array(fc.constantFrom("${body}", "a", "2", "${header.h}", "String", "'x y'"), { maxLength: 3 }))
    .map(([function_, args]) => `\${${function_}(${args.join(",")})}`),
  fc
    .tuple(
      fc.array(method, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("body", "header.h", "variable.v", "exchange", "exception"),
    )
    .map(([path, start]) => `<\${${start}${path.map((step) => `.${step}()`).join("")}}>`),
  fc
    .tuple(method, fc.constantFrom("body", "header.h"))
    .map(([key, start]) => `\${${start}.${key}}\${${start}[${key}]}`),
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.jsonValue({ maxDepth: 2 }).map((json) => new JsonText(JSON.stringify(json), json)),
  fc.uint8Array({ maxLength: 4 }),
  fc.constantFrom(new Date(0), new Date(Number.NaN), new FlowException("java.io.IOException", "io"), undefined),
);

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    for (const inner of Object.values(value)) freeze(inner);
    if (!(value instanceof Error)) Object.freeze(value);
  }
  return value;
}

function compiles(text: string, predicate: boolean): Expression | undefined {
  try {
    return predicate ? compileCondition(text) : compileText(text);
  } catch (error) {
    assert.ok(error instanceof ExpressionSyntaxError, `${text}: ${String(error)} ${(error as Error).stack}`);
    assert.ok(error.index >= 0 && error.index <= text.length, `${text}: index ${error.index}: ${error.message}`);
    return undefined;
  }
}

function runs(text: string, predicate: boolean, body: unknown): void {
  const compiled = compiles(text, predicate);
  if (compiled === undefined) return;
  const exchange = anExchange({ body: freeze(body), headers: { h: freeze(body) }, variables: { v: freeze([1, "a"]) } });
  exchange.exception = new FlowException("java.io.IOException", "io");
  const frozen = JSON.stringify(body) ?? "";
  try {
    const result = compiled(exchange);
    assert.notEqual(typeof result, "function", text);
    assert.ok(result !== Object.prototype && result !== Array.prototype && result !== exchange, text);
  } catch (error) {
    assert.ok(error instanceof FlowException, `${text}: ${String(error)} ${(error as Error).stack}`);
  }
  assert.equal(JSON.stringify(body) ?? "", frozen, `${text} changed its input`);
}

describe("simple, whatever it is given", () => {
  before(loadLanguages);

  it("compiles or refuses with a place; runs or fails as a flow does; changes no value", () => {
    const text = fc.oneof(wild, tame);
    fc.assert(fc.property(text, fc.boolean(), value, runs), {
      numRuns: 800,
      examples: [["${average()}", false, new Date(Number.NaN)]],
    });
  });

  it("gives nothing of a prototype", () => {
    for (const body of [{}, [], "x", 1, true, new Date(0), new JsonText("{}", {})]) {
      for (const key of ["constructor", "__proto__", "prototype", "hasOwnProperty"]) {
        for (const text of [
          `\${body.${key}}`,
          `\${body[${key}]}`,
          `\${body?.${key}}`,
          `\${header.${key}}`,
          `\${variable[${key}]}`,
        ]) {
          try {
            assert.equal(evaluate(text, anExchange({ body })), null, text);
          } catch (error) {
            assert.ok(error instanceof FlowException, text);
          }
        }
      }
    }
  });
});

const limited = (error: unknown) => error instanceof FlowException && error.type === "LimitExceededException";

describe("simple builds nothing beyond a message's limit", () => {
  const big = "x".repeat(6 * 1024 * 1024);
  const list = Array.from({ length: 1_000_000 }, () => "abcdef");
  for (const text of [
    "${body}${body}",
    "a${body}b${body}c",
    "${concat(${body},${body})}",
    "${body.concat(${body})}",
    "${body.repeat(1000)}",
    "${body.replace('x','yyyy')}",
    "${replace(x,yyyy)}",
    "${body.replaceAll('x','yyyy')}",
    "${pad(${body},2000000000)}",
    "${range(2000000000)}",
    "${range(0,999999999999)}",
    "${split(x)}",
    "${body.split('x')}",
    "${body.split('x', -1)}",
    "${body.split('[x]', 99999999)}",
    "${list(${body},${body})} ",
    "${join(abc,def,${variable.list})}",
  ]) {
    it(text, () => {
      assert.throws(() => evaluate(text, anExchange({ body: big, variables: { list } })), limited);
    });
  }

  it("a list that holds itself many times over is not written out", () => {
    let list: unknown = ["0123456789"];
    for (let i = 0; i < 40; i++) list = [list, list];
    const exchange = anExchange({ body: list });
    assert.throws(() => evaluate("${list(${body},${body})}", exchange), limited);
    assert.throws(() => evaluate("${forEach(${body},${body})}", exchange), limited);
    assert.throws(() => evaluate("${body} ", exchange), limited);
    assert.throws(() => evaluate("${toJsonBody}", exchange), limited);
    // Compared only as far as the other side goes.
    assert.equal(matches("${body} == '[]'", exchange), false);
  });

  it("a value that nests too deep fails as a flow does", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    assert.throws(() => evaluate("${body} ", anExchange({ body: deep })), limited);
  });

  it("a long text compiles or is refused in little time", () => {
    for (const part of [
      "${",
      "$simple{",
      "${a} && ",
      "'${ ",
      "${a} ? 'b' : ",
      "${body} ?: ",
      "${body} ~> ",
      "(",
      "${body[",
      "${body} == 1 && ",
    ]) {
      const text = part.repeat(5000);
      compiles(text, true);
      compiles(text, false);
      compiles(`\${body.${text}}`, false);
      compiles(`\${concat(${text})}`, false);
    }
  });
});
