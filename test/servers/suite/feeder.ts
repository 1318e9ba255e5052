/** Writes messages as long as a case lasts, so that the flow has work whatever is done to it; what was not acknowledged is not counted. */
import { pause } from "../../support/clock.ts";
import type { Rig } from "./connector.ts";

const part = 20;
/** It waits while more are left for the flow. */
const mostLeft = 100;
/** The most messages that a server may have sent ahead. */
export const mostAhead = mostLeft + part;

export class Feeder {
  readonly acknowledged: string[] = [];
  readonly #over: Promise<void>;
  #stopped = false;

  constructor(rig: Rig) {
    this.#over = this.#feed(rig);
  }

  async #feed(rig: Rig): Promise<void> {
    for (let from = 0; !this.#stopped; from += part) {
      const texts = Array.from({ length: part }, (_, index) => `m${from + index}`);
      try {
        await rig.produce(texts);
        this.acknowledged.push(...texts);
        while (!this.#stopped && (await rig.left()) > mostLeft) await pause(5);
      } catch {
        // The server is away.
        await pause(50);
      }
    }
  }

  /** Resolves with the texts that were acknowledged. */
  async stop(): Promise<readonly string[]> {
    this.#stopped = true;
    await this.#over;
    return this.acknowledged;
  }
}
