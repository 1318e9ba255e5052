/** Which names of variables exist here. */
import { ExpressionSyntaxError } from "../engine/exception.ts";

/** A variable of this exchange: `global:` and `route:` have no place to live here. */
export function checkVariable(name: string, index: number): void {
  if (!/^(?:global|route):/.test(name)) return;
  throw new ExpressionSyntaxError(
    `variable '${name}': only exchange variables exist here, without '${name.slice(0, name.indexOf(":") + 1)}'`,
    index,
  );
}
