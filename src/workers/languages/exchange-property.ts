/** The exchangeProperty language: the text is a property's name. */
import { ExpressionSyntaxError } from "../engine/exception.ts";
import { defineLanguage } from "../engine/language.ts";

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
