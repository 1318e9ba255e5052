/** When the groups of an `aggregate` step are complete, and their bounds. */
import type { AggregationStrategy } from "../../engine/aggregation-strategy.ts";
import type { Expression, Predicate } from "../../engine/processor.ts";

/** The cause of a group's completion, for the property CamelAggregatedCompletedBy. */
export type CompletedBy = "predicate" | "size" | "timeout" | "interval" | "force" | "consumer";

export interface AggregationRules {
  readonly strategy: AggregationStrategy;
  /** Evaluated on the group's exchange, or with eager checks on the received message. */
  readonly predicate: Predicate | undefined;
  readonly eager: boolean;
  /** 0: groups are not completed by size. */
  readonly size: number;
  readonly sizeOf: Expression | undefined;
  readonly timeoutMs: number;
  readonly timeoutOf: Expression | undefined;
  /** A message that begins a group completes all others. */
  readonly newGroupCompletes: boolean;
  /** All groups are complete when as many messages have come as the consumer's poll has (property CamelBatchSize). */
  readonly batchCompletes: boolean;
  /**
   * The number of keys of completed groups that are remembered and whose messages are refused; undefined: none, 0: the
   * default number.
   */
  readonly closedKeys: number | undefined;
  readonly discardOnFailure: boolean;
  readonly maxGroups: number;
  readonly maxMessages: number;
  /** The limit for the messages of all groups together. */
  readonly maxBytes: number;
}
