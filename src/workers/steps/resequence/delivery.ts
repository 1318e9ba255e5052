/** Messages that a step keeps until their turn, and hands on in runs of their own, one after another. */

import { exceptionMessage, exceptionType, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FlowScope } from "../../engine/flow-scope.ts";
import { placeIn } from "../../engine/place-in.ts";
import type { Processor } from "../../engine/processor.ts";
import type { Run } from "../../engine/run.ts";
import { weight } from "../../engine/weight.ts";

export interface Kept {
  readonly exchange: Exchange;
  readonly bytes: number;
}

/** The weight of an exchange in addition to its message. */
const bytesOfExchange = 200;

export class Delivery {
  readonly #scope: FlowScope;
  readonly #stepId: string;
  readonly #process: Processor;
  readonly #left: () => void;
  readonly #ready: Kept[] = [];
  #size = 0;
  #bytes = 0;
  #working: Promise<void> | undefined;

  /** `left`: called when a message is no longer kept. */
  constructor(scope: FlowScope, stepId: string, process: Processor, left: () => void = () => {}) {
    this.#scope = scope;
    this.#stepId = stepId;
    this.#process = process;
    this.#left = left;
  }

  /** The number of messages that are kept, in order or not yet. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a copy of the message. Throws LimitExceededException. */
  keep(exchange: Exchange): Kept {
    const { aggregateBytes, splitItems } = this.#scope.limits;
    const bytes = bytesOfExchange + exchange[weight];
    if (this.#size >= splitItems)
      throw limitExceeded("splitItems", `a resequence keeps at most ${splitItems} messages`);
    if (this.#bytes + bytes > aggregateBytes)
      throw limitExceeded("aggregateBytes", `the messages of a resequence have at most ${aggregateBytes} bytes`);
    this.#weigh(1, bytes);
    return { exchange: exchange.copyApart(), bytes };
  }

  /** Forgets messages that are duplicates of others. */
  drop(kept: readonly Kept[]): void {
    if (kept.length === 0) return;
    const message = `${kept.length} messages of '${this.#stepId}' are dropped: others had their place in the order already`;
    this.#scope.log("WARN", "", message);
    for (const { bytes } of kept) this.#weigh(-1, -bytes);
  }

  /** Hands messages on, behind those that were handed on before. */
  handOn(kept: readonly Kept[]): void {
    this.#ready.push(...kept);
    this.#working ??= this.#work();
  }

  /** Resolves when no message is on its way, and all their runs are over. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    for (let at = 0; at < this.#ready.length; at++) {
      const kept = this.#ready[at] as Kept;
      await this.#run(kept.exchange);
      this.#weigh(-1, -kept.bytes);
      if (at < 1000) continue;
      this.#ready.splice(0, at + 1);
      at = -1;
    }
    this.#ready.length = 0;
    this.#working = undefined;
  }

  /** A failure is in the record of the run, and affects no other message. */
  async #run(kept: Exchange): Promise<void> {
    let begun = false;
    const exchange = (run: Run<Exchange>): Exchange => {
      begun = true;
      return kept.copy(run);
    };
    const uri = `resequence:${this.#stepId}`;
    try {
      const place = await placeIn(this.#scope, kept);
      await this.#scope.begin(place, { cause: "resequence", uri, exchange, process: this.#process });
    } catch (error) {
      if (begun) return;
      const why = `${exceptionType(error)} - ${exceptionMessage(error)}`;
      this.#scope.log("ERROR", "", `a message of '${this.#stepId}' is lost, since its run did not begin: ${why}`);
    }
  }

  #weigh(count: number, bytes: number): void {
    this.#size += count;
    this.#bytes += bytes;
    this.#scope.count("heldMessages", count);
    if (count < 0) this.#left();
  }
}
