/**
 * Notes of deliveries as older runtimes have kept them, whose store had no values: a key for each delivery of a message, with the number in
 * its name, and one that says that messages are counted. What is read is moved when the message comes again: keys may be digests, of which
 * nobody can list what is theirs.
 */
import { stateKey } from "../../shared/state.ts";
import type { StatePort } from "./flow-state.ts";

const counted = stateKey("messages are counted");

export class OlderNotes {
  readonly #port: StatePort;
  readonly #name: string;
  readonly #deliveries: readonly number[];

  /** `most`: the last delivery that may be noted. */
  constructor(port: StatePort, name: string, most: number) {
    this.#port = port;
    this.#name = name;
    this.#deliveries = Array.from({ length: most }, (_, index) => index + 1);
  }

  /** Whether there may be some. */
  areThere(): Promise<boolean> {
    return this.#has(counted);
  }

  /** Returns the last noted delivery of a message; 0: none. */
  async last(key: string): Promise<number> {
    const found = await Promise.all(this.#deliveries.map((delivery) => this.#has(this.#keyOf(key, delivery))));
    return found.lastIndexOf(true) + 1;
  }

  async forget(key: string): Promise<void> {
    await Promise.all(this.#deliveries.map((delivery) => this.#port.delete(this.#name, this.#keyOf(key, delivery))));
  }

  /** All messages that may have one have come again. */
  end(): Promise<void> {
    return this.#port.delete(this.#name, counted);
  }

  async #has(key: string): Promise<boolean> {
    return (await this.#port.get(this.#name, key)) !== undefined;
  }

  #keyOf(key: string, delivery: number): string {
    return this.#port.keyOf(`${key} ${delivery}`);
  }
}
