/** The simple language: templates and conditions (Camel 4: org.apache.camel.language.simple). */
import { defineLanguage } from "../engine/language.ts";
import { compileExpression, compilePredicate } from "./simple/compile.ts";

/**
 * Which grammar reads a text is the caller's to say: `predicate` where a condition stands and where the resultType is boolean
 * (`isBooleanType`), `expression` elsewhere, where operators are literal text.
 */
export const simple = defineLanguage({
  name: "simple",
  docs: "Text with ${functions} in it, and conditions such as ${header.amount} > 100.",
  options: (z, { refused }) =>
    z.object({
      pretty: refused("write ${prettyBody} or ${pretty(exp)} in the text"),
      nested: refused("the result of an expression is never evaluated again"),
      trimResult: refused("write ${trim(exp)} in the text"),
    }),
  example: "Order ${body[orderNo]} of ${header.customer}",
  expression: (text) => {
    const read = compileExpression(text);
    return (exchange) => read(exchange, exchange.message.body ?? null);
  },
  predicate: (text) => {
    const test = compilePredicate(text);
    return (exchange) => test(exchange, exchange.message.body ?? null);
  },
});
