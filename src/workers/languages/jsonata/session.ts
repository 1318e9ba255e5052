/** The surroundings of an evaluation, or of several for one message, beside the message. */
import type { ValueLookup } from "../../engine/mappings.ts";
import type { Budget } from "../budget.ts";

export interface Session {
  readonly budget: Budget;
  /** Looks up a value mapping. Throws FlowException when none has the id. */
  values(id: string): ValueLookup;
  /** Milliseconds since 1970, for `clock`: the same for all of the evaluations. */
  readonly now?: number;
  /** Present: values that change all the time are fixed, for a mapping's tests. */
  readonly frozen?: Frozen | undefined;
}

export interface Frozen {
  readonly random: number;
  readonly uuid: string;
}
