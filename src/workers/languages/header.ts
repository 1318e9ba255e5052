/** The header language: the text is a header's name. */
import { ExpressionSyntaxError } from "../engine/exception.ts";
import { defineLanguage } from "../engine/language.ts";

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
