/**
 * An id of a consumer that outlasts its thread and the runtime, and that no other runtime has: a consumer that comes again after
 * a loss takes the place of the one before in its group, in place of waiting until the group has noticed the loss.
 */
import { randomBytes } from "node:crypto";
import { stateKey } from "../../../shared/state.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import type { SourceContext } from "../../engine/source.ts";

const made = stateKey("the id is made");
const bits = Array.from({ length: 32 }, (_, bit) => stateKey(`bit ${bit}`));

/** The store keeps keys and no values: the number is kept as its bits. */
export class InstanceId {
  readonly #prefix: string;
  readonly #name: string;
  readonly #port: StatePort;
  #id: string | undefined;

  /** Throws while a flow is compiled whose repository cannot be declared. */
  constructor({ flowId, routeId, state }: SourceContext) {
    this.#name = `kafka-member:${routeId}`;
    this.#prefix = `bulkhead-${flowId}-${routeId}`;
    this.#port = state({ kind: "idempotent", name: this.#name, evicts: false });
  }

  async get(): Promise<string> {
    this.#id ??= `${this.#prefix}-${(await this.#number()).toString(16).padStart(8, "0")}`;
    return this.#id;
  }

  async #number(): Promise<number> {
    if (await this.#has(made)) {
      const set = await Promise.all(bits.map((key) => this.#has(key)));
      return set.reduce((number, isSet, bit) => number + (isSet ? 2 ** bit : 0), 0);
    }
    const number = randomBytes(4).readUInt32BE();
    const set = bits.filter((_, bit) => Math.floor(number / 2 ** bit) % 2 === 1);
    await Promise.all(set.map((key) => this.#port.ask(undefined, "confirm", this.#name, key)));
    await this.#port.ask(undefined, "confirm", this.#name, made);
    return number;
  }

  async #has(key: string): Promise<boolean> {
    return (await this.#port.ask(undefined, "look", this.#name, key)) === "stored";
  }
}
