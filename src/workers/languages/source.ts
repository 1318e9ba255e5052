/** Where an expression takes its input from (Camel: ExpressionBuilder.singleInputExpression). */
import type { Expression } from "../engine/processor.ts";

/** Without a prefix the name is a variable's. Throws Error for a source of another form. */
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
