/** Which generated keys a message asks for. */
import { asText, asValue, truthy } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";

/**
 * `retrieve`, `columns`: names of the headers. Returns the columns, true for those that the database chooses, undefined
 * for none. Throws IllegalArgumentException for columns by their numbers.
 */
export function generatedKeys(
  { message: { headers } }: Exchange,
  retrieve: string,
  columns: string,
): true | readonly string[] | undefined {
  if (!truthy(headers.get(retrieve))) return undefined;
  const given = asValue(headers.get(columns));
  if (given === null) return true;
  const names = Array.isArray(given) ? given.map((name) => asText(name)) : asText(given).split(",");
  const trimmed = names.map((name) => name.trim());
  if (trimmed.length > 0 && trimmed.every((name) => name !== "" && !/^\d+$/.test(name))) return trimmed;
  throw new FlowException("java.lang.IllegalArgumentException", `the header ${columns} is a list of names of columns`);
}
