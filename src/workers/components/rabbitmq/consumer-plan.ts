/** What a consumer does, whichever of the components describes it. */
import type { Arguments } from "../../connectors/rabbitmq/channel.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { RabbitConnection } from "./connection.ts";
import type { HeaderNames } from "./names.ts";
import type { Topology } from "./topology.ts";

/** What becomes of a message whose run has failed as often as it may. */
export type Verdict = "reject" | "requeue" | "acknowledge";

export interface ConsumerPlan {
  readonly scheme: string;
  readonly connection: RabbitConnection;
  readonly names: HeaderNames;
  readonly queues: readonly string[];
  readonly topology: Topology;
  /** The consumers of each queue. */
  readonly consumers: number;
  /** The most messages of a consumer that are under way. */
  readonly window: number;
  readonly exclusive: boolean;
  readonly arguments: Arguments;
  /** true: a message is acknowledged before its run, and is lost with the thread. */
  readonly acknowledgesFirst: boolean;
  /** How often a message is run before it has failed; at least 1. */
  readonly attempts: number;
  readonly retryMs: number;
  readonly whenFailed: (exchange: Exchange) => Verdict;
  /** true: the runtime keeps a message that has failed, since the server may not. */
  readonly keepsFailed: boolean;
  /** true: the server counts the losses at which a message was under way, and nothing else. With a window it counts those that waited, too. */
  readonly trustsCount: boolean;
  readonly replies: boolean;
  readonly allowNullBody: boolean;
  readonly bridgesErrors: boolean;
}
