/** How the kinds of mappings are called. */
import type { MappingKind } from "../../shared/mapping.ts";

/** In messages; the address of one is `/_api/<this with a dash>s/<id>`. */
export const kindNames: Readonly<Record<MappingKind, string>> = { value: "value mapping", message: "message mapping" };

export function nameOf(kind: MappingKind, id: string): string {
  return `${kindNames[kind]} '${id}'`;
}
