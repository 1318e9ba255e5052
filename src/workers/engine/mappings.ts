/** The mappings that a run sees: the versions that were there when it began, until it ends. */
import { groupOf } from "../../shared/ids.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import type { LookupOptions } from "../../shared/value-lookup.ts";
import { FlowException } from "./exception.ts";

export { type LookupOptions, type MissingMode, missingModes } from "../../shared/value-lookup.ts";

export interface ValueLookup {
  /**
   * undefined for a column: the mapping has two, and the first is looked up from, or the one beside the column that is named. null and
   * undefined are values that no mapping has. Throws FlowException for a column that is not there, and for a missing value when that
   * is an error.
   */
  lookup(from: string | undefined, to: string | undefined, value: unknown, options?: LookupOptions): unknown;
}

export interface MessageMapping<Exchange> {
  /** The mapped message: a value, or the text of its format. Throws FlowException that names rule and target. */
  map(exchange: Exchange): unknown;
}

/** Never changed once made: an update is another one. */
export interface Mappings<Exchange> {
  /** Throws FlowException when there is none of the id. */
  value(id: string): ValueLookup;
  message(id: string): MessageMapping<Exchange>;
}

/** How compiled parts tell, once, that they will use a mapping: their flow is given it, and keeps it up to date. */
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
