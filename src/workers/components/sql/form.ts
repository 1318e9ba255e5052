/** How the statements of a sql endpoint are read. */
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { StatementForm } from "../database/statement.ts";
import type { SqlOptions } from "./options.ts";

/** Throws an Error for options that contradict each other. */
export function formOf(
  { allowNamedParameters, usePlaceholder, placeholder, separator }: SqlOptions,
  { expression }: Pick<EndpointContext, "expression">,
): StatementForm {
  if (placeholder === "") throw new Error("placeholder is empty: write usePlaceholder=false for ? alone");
  return {
    placeholder: usePlaceholder ? placeholder : undefined,
    names: allowNamedParameters,
    separator,
    simple: (text) => expression("simple", text),
  };
}
