/** Reads the input that an expression's `source` option names (Camel: ExpressionBuilder.singleInputExpression). */
import type { Expression } from "../engine/processor.ts";

/** A name without a prefix is a variable. Throws Error for a source of another form. */
export function sourceReader(source: string | undefined): Expression {
  if (source === undefined || source === "body") return (exchange) => exchange.message.body ?? null;
  const colon = source.indexOf(":");
  const name = source.slice(colon + 1).trim();
  switch (name === "" ? "" : colon < 0 ? "variable" : source.slice(0, colon)) {
    case "header":
      return (exchange) => exchange.message.headers.get(name) ?? null;
    case "property":
    case "exchangeProperty":
      return (exchange) => exchange.properties.get(name) ?? null;
    case "variable":
      return (exchange) => exchange.variables.get(name) ?? null;
    default:
      throw new Error(`source is header:name, property:name or variable:name; found '${source}'`);
  }
}
