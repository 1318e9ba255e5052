/** Checks names of variables. */
import { ExpressionSyntaxError } from "../engine/exception.ts";

/** Accepts variables of the exchange; `global:` and `route:` variables are not supported. */
export function checkVariable(name: string, index: number): void {
  if (!/^(?:global|route):/.test(name)) return;
  throw new ExpressionSyntaxError(
    `variable '${name}': only exchange variables exist here, without '${name.slice(0, name.indexOf(":") + 1)}'`,
    index,
  );
}
