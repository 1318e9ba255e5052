/** The js language (Camel: JavaScriptExpression), on QuickJS. */
import { truthy } from "../engine/convert.ts";
import { defineLanguage, type LanguageContext } from "../engine/language.ts";
import type { Expression } from "../engine/processor.ts";
import { Budget } from "./budget.ts";
import { declareQuoted } from "./input.ts";
import { scriptEngine } from "./js/engine.ts";
import { applyChanges, exchangeAsJson } from "./js/exchange-copy.ts";
import { prelude } from "./js/prelude.ts";

export const js = defineLanguage({
  name: "js",
  docs:
    "JavaScript (ES2023), for expressions and the script step; the result is the last value. `exchange`, `message`, `body`, `headers`, " +
    "`properties` and `variables` are copies; what is set through them is written back, values as JSON, whose objects and lists render as " +
    "JSON text. A body of JSON text is parsed already, and still is its text to JSON.parse(body). A whole number beyond 2^53 is a BigInt, " +
    "which JSON.stringify writes as its digits. Each evaluation has a scope of its own, 64 MiB of memory and " +
    "the time of the limit scriptMs; there is no require, no fetch, no timer.",
  options: (z) => z.object({}),
  example: "body.orderNo * 2",
  expression: (text, _, context) => compile(text, context),
  predicate(text, _, context) {
    const value = compile(text, context);
    return (exchange) => truthy(value(exchange));
  },
});

function compile(text: string, context: LanguageContext): Expression {
  const engine = scriptEngine.module();
  engine.check(text, new Budget(context.limits, "js"));
  declareQuoted(text, context);
  return (exchange) => {
    const budget = new Budget(exchange.run.limits, "js");
    const output = engine.run(prelude(), text, exchangeAsJson(exchange), budget);
    // Escaped quotes and line breaks may make the output twice as long as the result.
    budget.checkSize(output.length / 2);
    const result = applyChanges(exchange, output);
    if (typeof result === "string") budget.checkSize(result.length);
    return result;
  };
}
