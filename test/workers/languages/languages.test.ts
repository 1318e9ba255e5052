/** The languages beside simple, and every language's example. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { languages } from "../../../src/workers/languages/index.ts";
import { anExchange } from "../../support/exchange.ts";
import { evaluate, loadLanguages, matches } from "./evaluate.ts";

describe("languages", () => {
  // The first test: other languages load it, too.
  it("load the regular expression library only for a text that uses one", () => {
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("re2js"));
    evaluate("${body.trim()} ${split(',')} ${date:now:yyyy}", anExchange({ body: "a,b" }));
    assert.equal(loaded(), false);
    assert.equal(matches("${body} regex 'a'", anExchange({ body: "a" })), true);
    assert.equal(loaded(), true);
  });

  it("each compiles its example and has a name of its own", async () => {
    assert.equal(new Set(languages.map(({ name }) => name)).size, languages.length);
    await loadLanguages();
  });

  it("constant is its text, and as a condition by the rule for values", () => {
    assert.equal(evaluate("${body}", anExchange({ body: 1 }), "constant"), "${body}");
    assert.equal(matches("yes", anExchange(), "constant"), true);
    assert.equal(matches("false", anExchange(), "constant"), false);
  });

  it("header, exchangeProperty and variable read by name and give null for none", () => {
    const exchange = anExchange({ headers: { "a.b": 1 }, properties: { p: [] }, variables: { v: "x" } });
    assert.equal(evaluate("A.B", exchange, "header"), 1);
    assert.equal(evaluate("nope", exchange, "header"), null);
    assert.equal(matches("p", exchange, "exchangeProperty"), false);
    assert.equal(evaluate("v", exchange, "variable"), "x");
    assert.equal(evaluate("V", exchange, "variable"), null);
  });
});
