/** The context of one evaluation, or of several for one message, in addition to the message. */
import { jsonData } from "../../engine/json-data.ts";
import type { ValueLookup } from "../../engine/mappings.ts";
import type { Budget } from "../budget.ts";

export interface Session {
  readonly budget: Budget;
  /** Looks up a value mapping. Throws FlowException when none has the id. */
  values(id: string): ValueLookup;
  /** Milliseconds since 1970, for `clock`; the same for all these evaluations. */
  readonly now?: number;
  /** Present in a mapping's tests: fixes the clock and random values. */
  readonly frozen?: Frozen | undefined;
}

export interface Frozen {
  readonly random: number;
  readonly uuid: string;
}

/** Makes an object without a prototype. A header stays text, even if it contains JSON. */
export function bindings(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) record[name] = jsonData(value);
  return record;
}
