/** What a run of a test session asks before each step and each endpoint. */
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";

export interface RunMocks {
  /** The step, or what a mock does in its place. `index`: into the flow's step table. */
  step(exchange: Exchange, index: number, step: Processor): void | Promise<void>;
  /** The sending to an endpoint, or what a mock does in its place. `uris`: in normal form, and as written. */
  send(exchange: Exchange, uris: readonly string[], send: Processor): void | Promise<void>;
}
