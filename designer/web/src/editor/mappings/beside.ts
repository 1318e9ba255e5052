/** The address of a mapping that is open beside a flow: `#/flows/orders?panel=mappings&mapping=value:codes`. */
import { type MappingUse, mappingKinds } from "../../../../shared/mapping-uses.ts";

/** The query of the address. `tab`: the panel of the mapping that is shown. */
export function besideAddress({ kind, id }: MappingUse, tab?: string): Record<string, string> {
  return { panel: "mappings", mapping: `${kind}:${id}`, ...(tab !== undefined && { tab }) };
}

let left: string | undefined;

/** The mapping is left for its flow, whose list of mappings has the focus at it then. */
export function noteLeft({ kind, id }: MappingUse): void {
  left = `${kind} ${id}`;
}

/** Whether the mapping was left just now; asked once. */
export function wasLeft({ kind, id }: MappingUse): boolean {
  if (left !== `${kind} ${id}`) return false;
  left = undefined;
  return true;
}

/** Reads `mapping` of the address; undefined: none is open beside. */
export function besideOf(text: string | undefined): MappingUse | undefined {
  const [name, ...rest] = (text ?? "").split(":");
  const kind = mappingKinds.find((one) => one === name);
  const id = rest.join(":");
  return kind === undefined || id === "" ? undefined : { kind, id };
}
