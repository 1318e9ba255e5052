/** Languages that read one value: a header, a property or a variable of that name, or the constant text itself. */

import { truthy } from "../engine/convert.ts";
import { ExpressionSyntaxError } from "../engine/exception.ts";
import { defineLanguage } from "../engine/language.ts";

export const constant = defineLanguage({
  name: "constant",
  docs: "The text itself, always the same.",
  options: (z) => z.object({}),
  example: "Hello",
  secrets: { place: "text", bind: (text) => text },
  expression: (text) => () => text,
  predicate: (text) => {
    const value = truthy(text);
    return () => value;
  },
});

export const header = defineLanguage({
  name: "header",
  docs: "The value of the header of that name, null when there is none.",
  options: (z) => z.object({}),
  example: "orderId",
  expression: (text) => {
    const name = text.trim();
    if (name === "") throw new ExpressionSyntaxError("the name of a header is missing", 0);
    return (exchange) => exchange.message.headers.get(name) ?? null;
  },
});

export const exchangeProperty = defineLanguage({
  name: "exchangeProperty",
  docs: "The value of the exchange's property of that name, null when there is none.",
  options: (z) => z.object({}),
  example: "CamelSplitIndex",
  expression: (text) => {
    const name = text.trim();
    if (name === "") throw new ExpressionSyntaxError("the name of a property is missing", 0);
    return (exchange) => exchange.properties.get(name) ?? null;
  },
});

export const variable = defineLanguage({
  name: "variable",
  docs: "The value of the exchange's variable of that name, null when there is none.",
  options: (z) => z.object({}),
  example: "customer",
  expression: (text) => {
    const name = text.trim();
    if (name === "") throw new ExpressionSyntaxError("the name of a variable is missing", 0);
    checkVariable(name, 0);
    return (exchange) => exchange.variables.get(name) ?? null;
  },
});

/** Accepts variables of the exchange; `global:` and `route:` variables are not supported. */
export function checkVariable(name: string, index: number): void {
  if (!/^(?:global|route):/.test(name)) return;
  throw new ExpressionSyntaxError(
    `variable '${name}': only exchange variables exist here, without '${name.slice(0, name.indexOf(":") + 1)}'`,
    index,
  );
}
