/** The variable language: the text is a variable's name. */
import { ExpressionSyntaxError } from "../engine/exception.ts";
import { defineLanguage } from "../engine/language.ts";
import { checkVariable } from "./variable-name.ts";

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
