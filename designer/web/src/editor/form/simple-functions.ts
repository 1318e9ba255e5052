/** Functions of Camel's simple language that are offered while one types: how they begin, and what they give. */
import { words } from "../../words.ts";

export interface SimpleFunction {
  /** What stands between `${` and `}`; one that ends with `.`, `(`, `:` or `[` goes on. */
  readonly text: string;
  readonly docs: string;
}

/** In the order in which they are offered. */
export const simpleFunctions: readonly SimpleFunction[] = Object.entries(words.form.functions).map(([text, docs]) => ({
  text,
  docs,
}));
