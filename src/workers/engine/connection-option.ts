/** `connection` names the connection at an endpoint of each component, beside the option that Camel's component has for it. */
import type { ComponentDefinition } from "./component.ts";

/**
 * Returns the option and the value that a parameter stands for: `connection: orders` of `sql` is `dataSource: orders`. Another parameter
 * is returned as it is.
 */
export function connectionOption(
  { connects }: Pick<ComponentDefinition, "connects">,
  name: string,
  value: string,
): readonly [name: string, value: string] {
  if (name !== "connection" || connects === undefined || connects.option === name) return [name, value];
  // Without the mark it would be a server's address.
  const isMarked = connects.marked !== true || value.startsWith("#");
  return [connects.option, isMarked ? value : `#${value}`];
}
