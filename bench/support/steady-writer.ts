/** Writes messages at a steady rate, whatever is consumed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Rig } from "../../test/servers/suite/connector.ts";

const everyMs = 100;

export class SteadyWriter {
  readonly #rig: Rig;
  readonly #part: number;
  #over = false;
  #writing: Promise<void> | undefined;

  constructor(rig: Rig, perSecond: number) {
    this.#rig = rig;
    this.#part = (perSecond * everyMs) / 1000;
  }

  start(): void {
    this.#writing = this.#write();
  }

  async #write(): Promise<void> {
    for (let at = 0; !this.#over; at += this.#part) {
      const next = sleep(everyMs);
      await this.#rig.produce(Array.from({ length: this.#part }, (_, index) => `m${at + index}`));
      await next;
    }
  }

  /** Rejects when a message could not be written. */
  async stop(): Promise<void> {
    this.#over = true;
    await this.#writing;
  }
}
