/** The mappings of a run: the versions from its beginning, until it ends. */
import { groupOf } from "../../shared/ids.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import type { LookupOptions } from "../../shared/value-lookup.ts";
import { FlowException } from "./exception.ts";

export { type LookupOptions, type MissingMode, missingModes } from "../../shared/value-lookup.ts";

export interface ValueLookup {
  /**
   * Returns the value of `value`'s row in the column `to`. In a mapping of two columns, one of `from` and `to` may be
   * undefined, which is then the other column; without both the lookup goes from the first to the second. null and
   * undefined are missing in every mapping. Throws FlowException for an unknown column, and for a missing value if the
   * mapping makes that an error.
   */
  lookup(from: string | undefined, to: string | undefined, value: unknown, options?: LookupOptions): unknown;
}

export interface MessageMapping<Exchange> {
  /**
   * Returns the mapped message, as a value or as text of its format. Throws FlowException that names rule and target.
   */
  map(exchange: Exchange): unknown;
}

/** Never changes: an update makes another object. */
export interface Mappings<Exchange> {
  /** Throws FlowException for an unknown id. */
  value(id: string): ValueLookup;
  message(id: string): MessageMapping<Exchange>;
}

/** Declares, while the flow is compiled, that it uses a mapping; its threads then get the mapping and its updates. */
export type UseMapping = (kind: MappingKind, id: string) => void;

export const noMappings: Mappings<unknown> = {
  value: (id) => missing("value", id),
  message: (id) => missing("message", id),
};

export function missing(kind: MappingKind, id: string): never {
  const type = kind === "value" ? "ValueMappingNotFoundException" : "MessageMappingNotFoundException";
  const group = groupOf(id);
  const others =
    group === "" ? "" : `; flows of other groups than '${group}' have it when its document says "shared": true`;
  throw new FlowException(
    type,
    `there is no ${kind} mapping '${id}': PUT /_api/${kind}-mappings/${id} installs it${others}`,
  );
}
