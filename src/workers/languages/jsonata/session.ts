/** What one evaluation, or a row of them for one message, has around it beside the message. */
import type { ValueLookup } from "../../engine/mappings.ts";
import type { Budget } from "../budget.ts";

export interface Session {
  readonly budget: Budget;
  /** Throws FlowException when there is no value mapping of the id. */
  values(id: string): ValueLookup;
  /** Milliseconds since 1970, for `clock`: one for a row of evaluations. */
  readonly now?: number;
  /** Present: what never stands still does, in the tests of a mapping. */
  readonly frozen?: Frozen | undefined;
}

export interface Frozen {
  readonly random: number;
  readonly uuid: string;
}
