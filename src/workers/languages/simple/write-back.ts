/** Where a changed list or map goes: `listAdd` and its like change what the body, a header, a property or a variable holds. */
import type { Exchange } from "../../engine/exchange.ts";
import type { Argument } from "./arguments.ts";

type Write = (exchange: Exchange, value: unknown) => void;

const place =
  /^\$(?:simple)?\{(?:in\.)?(body|headers?|exchangeProperty|variables?)(?:[.:]([^.[\]?${}()]+)|\[([^[\]${}]+)\])?\}$/;

/** undefined when the value has no such place: the changed one is then only the function's result. */
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
