/**
 * Writes a changed list or map back: `listAdd` and similar functions change what the body, a header, a property or a
 * variable holds.
 */
import type { Exchange } from "../../engine/exchange.ts";
import type { Argument } from "./arguments.ts";

type Write = (exchange: Exchange, value: unknown) => void;

const place =
  /^\$(?:simple)?\{(?:in\.)?(body|headers?|exchangeProperty|variables?)(?:[.:]([^.[\]?${}()]+)|\[([^[\]${}]+)\])?\}$/;

/**
 * Returns the writer; undefined when the value has no such place: then the changed one is only the function's result.
 */
export function writerOf(source: Argument | undefined, chained: boolean): Write | undefined {
  // On the right of ~> the body is the result from the left.
  if (source === undefined || source.text === "$param") return chained ? undefined : writeBody;
  const found = place.exec(source.text);
  if (found === null) return undefined;
  const name = found[2] ?? found[3];
  if (found[1] === "body") return name === undefined && !chained ? writeBody : undefined;
  if (name === undefined) return undefined;
  if (found[1] === "exchangeProperty") return (exchange, value) => void exchange.properties.set(name, value);
  if (found[1]?.startsWith("header")) return (exchange, value) => exchange.message.headers.set(name, value);
  return (exchange, value) => void exchange.variables.set(name, value);
}

const writeBody: Write = (exchange, value) => {
  exchange.message.body = value;
};
