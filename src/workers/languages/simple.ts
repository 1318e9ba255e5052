/** The simple language: templates and conditions (Camel 4: org.apache.camel.language.simple). */

import { fillSecrets, hasSecret, secretMark } from "../../shared/secret-mark.ts";
import { asText } from "../engine/convert.ts";
import { ExpressionSyntaxError } from "../engine/exception.ts";
import { trim } from "../engine/java-space.ts";
import { defineLanguage } from "../engine/language.ts";
import type { Expression } from "../engine/processor.ts";
import { compileExpression, compilePredicate } from "./simple/compile-text.ts";
import { jsonAdvice } from "./simple/json-text.ts";
import { functionEnd, functionStart } from "./simple/scan.ts";
import { prettyText } from "./simple/text-building.ts";

/**
 * The caller chooses the grammar: `predicate` for a condition and for a boolean resultType (`isBooleanType`),
 * `expression` elsewhere, where operators are literal text.
 */
export const simple = defineLanguage({
  name: "simple",
  docs:
    "Text with ${functions} in it, and conditions such as ${header.amount} > 100. A block ahead of both sets variables, one on each line: " +
    "`$init{`, `$total := ${sum(${body.a},${body.b})};`, `}init$`. `pretty` indents a result that is JSON, " +
    "`trimResult` takes the spaces off its ends.",
  options: (z, { flag, refused }) =>
    z.object({
      pretty: flag("Writes a result that is JSON over several lines, indented.").default(false),
      trimResult: flag("Takes the white space off both ends of the result.").default(false),
      nested: refused("it would evaluate what a message holds: put the text into the flow, or into a parameter"),
    }),
  example: "Order ${body[orderNo]} of ${header.customer}",
  secrets: { place: "template", bind: bindSecrets },
  advice: jsonAdvice,
  expression(text, { pretty, trimResult }, context) {
    const read = compileExpression(text, context);
    const max = context.limits.messageBodyBytes;
    let value: Expression = (exchange) => read(exchange, exchange.message.body ?? null);
    if (pretty)
      value = (exchange) => orNull(read(exchange, exchange.message.body ?? null), (found) => prettyText(found, max));
    if (!trimResult) return value;
    return (exchange) =>
      orNull(value(exchange), (found) => trim(typeof found === "string" ? found : asText(found, max)));
  },
  predicate: (text, _options, context) => {
    const test = compilePredicate(text, context);
    return (exchange) => test(exchange, exchange.message.body ?? null);
  },
});

function orNull(value: unknown, work: (value: unknown) => unknown): unknown {
  return value === null || value === undefined ? null : work(value);
}

/**
 * Replaces each `{{secret:NAME}}` by a parameter of the thread, so that the secret's value is never parsed. Throws
 * ExpressionSyntaxError for a secret inside a function, because some functions do not evaluate their text.
 */
export function bindSecrets(text: string): string {
  let bound = "";
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const length = functionStart(text, i);
    if (length === 0) continue;
    const end = functionEnd(text, i + length, 0);
    if (hasSecret(text.slice(i, end))) {
      const message =
        "a secret cannot stand inside of a function: give it to a variable (setVariable with constant: '{{secret:NAME}}') " +
        "and write ${variable.name}";
      throw new ExpressionSyntaxError(message, i);
    }
    bound += reading(text.slice(at, i)) + text.slice(i, end + 1);
    at = end + 1;
    i = end;
  }
  return bound + reading(text.slice(at));
}

function reading(text: string): string {
  return fillSecrets(text, (name) => `\${properties:${secretMark(name)}}`);
}
