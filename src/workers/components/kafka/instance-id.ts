/**
 * An id of a consumer that outlasts its thread and the runtime, and that no other runtime has: a consumer that comes again after
 * a loss takes the place of the one before in its group, in place of waiting until the group has noticed the loss.
 */
import { randomBytes } from "node:crypto";
import { stateKey } from "../../../shared/state.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import type { SourceContext } from "../../engine/source.ts";

const own = stateKey("id");
/** Older runtimes, whose store had no values, have kept the bits of the id as keys, and this key when all were there. */
const made = stateKey("the id is made");
const bits = Array.from({ length: 32 }, (_, bit) => stateKey(`bit ${bit}`));

export class InstanceId {
  readonly #prefix: string;
  readonly #name: string;
  readonly #port: StatePort;
  #id: string | undefined;

  /** Throws while a flow is compiled whose repository cannot be declared. */
  constructor({ flowId, routeId, state }: SourceContext) {
    this.#name = `kafka-member:${routeId}`;
    this.#prefix = `bulkhead-${flowId}-${routeId}`;
    this.#port = state({ kind: "values", name: this.#name, evicts: false });
  }

  async get(): Promise<string> {
    this.#id ??= `${this.#prefix}-${await this.#kept()}`;
    return this.#id;
  }

  async #kept(): Promise<string> {
    const [kept, isOlder] = await Promise.all([this.#port.get(this.#name, own), this.#has(made)]);
    if (kept !== undefined && !isOlder) return kept;
    const id = kept ?? (isOlder ? await this.#older() : randomBytes(4).toString("hex"));
    const put = await this.#port.putIf(this.#name, own, undefined, id);
    // From here on the bits say nothing: a loss between two removals does no harm.
    if (isOlder) await this.#forgetOlder();
    return put ?? id;
  }

  async #older(): Promise<string> {
    const set = await Promise.all(bits.map((key) => this.#has(key)));
    const number = set.reduce((sum, isSet, bit) => sum + (isSet ? 2 ** bit : 0), 0);
    return number.toString(16).padStart(8, "0");
  }

  async #forgetOlder(): Promise<void> {
    await Promise.all(bits.map((key) => this.#port.delete(this.#name, key)));
    await this.#port.delete(this.#name, made);
  }

  async #has(key: string): Promise<boolean> {
    return (await this.#port.get(this.#name, key)) !== undefined;
  }
}
