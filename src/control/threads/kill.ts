/** Why threads are ended. */
import type { LimitName } from "../../shared/limits.ts";

/**
 * Why a thread was ended: `timeout`, `cpu_limit`, `stuck_loop` and `memory_limit` are limits of its flow; `flood`: it sent more than
 * control can read; `exit`: it ended by itself, or did not keep to the protocol; `host`: the process that it was in has ended.
 */
export type KillReason =
  | "timeout"
  | "cpu_limit"
  | "stuck_loop"
  | "memory_limit"
  | "flood"
  | "exit"
  | "host"
  | "redeploy";

/** A limit that was passed, and by how much: `used` in the limit's unit. */
export interface LimitExcess {
  readonly limit: LimitName;
  readonly allowed: number;
  readonly used: number;
}

export interface Kill {
  readonly reason: KillReason;
  /** For people: what happened, with the figures. */
  readonly detail: string;
  /** Present: which limit. */
  readonly excess?: LimitExcess;
  /** true: it is known not to be the fault of the flow, which is not quarantined for it. */
  readonly blameless?: boolean;
}
