/** The constant language: the text itself. */
import { truthy } from "../engine/convert.ts";
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
