/** Lists of exception classes: a failure belongs to one by its own class or a cause's, or a class above these. */
import { exceptionType } from "./exception.ts";
import { distance } from "./exception-classes.ts";
import { causesOf } from "./exception-match.ts";

export function isOneOf(error: unknown, classes: readonly string[]): boolean {
  if (classes.length === 0) return false;
  const types = causesOf(error).map(exceptionType);
  return classes.some((wanted) => types.some((type) => distance(type, wanted) !== undefined));
}
