/** Languages that read one value: a header, a property or a variable of that name, or the constant text itself. */

import { truthy } from "../engine/convert.ts";
import { ExpressionSyntaxError } from "../engine/exception.ts";
import { defineLanguage, type LanguageContext } from "../engine/language.ts";
import { getVariable, nameProblem } from "../engine/variables.ts";
import { headerOrProperty } from "./header.ts";

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
  docs: "The value of the header of that name; without one the exchange's property of that name, null when there is none either.",
  options: (z) => z.object({}),
  example: "orderId",
  expression: (text) => {
    const name = text.trim();
    if (name === "") throw new ExpressionSyntaxError("the name of a header is missing", 0);
    return (exchange) => headerOrProperty(exchange, name) ?? null;
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
  docs: "The value of the variable of that name, null when there is none; `global:name` and `route:id:name` are shared by the flow's runs.",
  options: (z) => z.object({}),
  example: "customer",
  expression: (text, _, context) => {
    const name = text.trim();
    if (name === "") throw new ExpressionSyntaxError("the name of a variable is missing", 0);
    checkVariable(name, 0, context);
    return (exchange) => getVariable(exchange, name);
  },
});

/** Declares the variable. Throws ExpressionSyntaxError for a name that no variable has. */
export function checkVariable(name: string, index: number, { useVariable }: LanguageContext): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new ExpressionSyntaxError(`variable '${name}': ${problem}`, index);
  useVariable(name);
}
