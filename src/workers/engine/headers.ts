/** A message's headers: names without case, the case of the first writer kept (Camel's CaseInsensitiveMap). */

import type { Limits } from "../../shared/limits.ts";
import { limitExceeded } from "./exception.ts";
import { bytesOf, weightOf } from "./weight.ts";

interface Header {
  readonly name: string;
  value: unknown;
  /** Set by a step of the flow; only these go into a webhook's answer. */
  written: boolean;
  /** What it counts for. */
  bytes: number;
}

export class Headers {
  readonly #byName = new Map<string, Header>();
  readonly #limits: Limits;
  /** Headers as they came, `name\nvalue\nname\nvalue`; taken apart when somebody first asks. */
  #inbound: string;
  #bytes = 0;

  constructor(limits: Limits, inbound = "") {
    this.#limits = limits;
    this.#inbound = inbound;
  }

  get(name: string): unknown {
    return this.#load().get(name.toLowerCase())?.value;
  }

  has(name: string): boolean {
    return this.#load().has(name.toLowerCase());
  }

  /** Sets a header for the flow and its answer; null is a value (Camel: SetHeaderProcessor). */
  set(name: string, value: unknown): void {
    this.#load();
    this.#put(name, value, true);
  }

  /** Sets a header that belongs to the request (a trigger's metadata): steps see it, the answer does not carry it. */
  receive(name: string, value: unknown): void {
    this.#load();
    this.#put(name, value, false);
  }

  delete(name: string): boolean {
    const key = name.toLowerCase();
    const header = this.#load().get(key);
    if (header === undefined) return false;
    this.#bytes -= header.bytes;
    return this.#byName.delete(key);
  }

  get size(): number {
    return this.#load().size;
  }

  /** Of names and values, near enough. */
  get bytes(): number {
    return this.#inbound.length + this.#bytes;
  }

  /** Whether a step has set it; the answer carries only these. */
  isWritten(name: string): boolean {
    return this.#byName.get(name.toLowerCase())?.written === true;
  }

  *entries(): IterableIterator<[name: string, value: unknown]> {
    for (const { name, value } of this.#load().values()) yield [name, value];
  }

  /** The headers that steps set, in the order of their first setting. */
  *written(): IterableIterator<[name: string, value: unknown]> {
    for (const { name, value, written } of this.#byName.values()) if (written) yield [name, value];
  }

  copy(): Headers {
    const copy = new Headers(this.#limits, this.#inbound);
    for (const [key, header] of this.#byName) copy.#byName.set(key, { ...header });
    copy.#bytes = this.#bytes;
    return copy;
  }

  /** Becomes what `saved`, a copy made earlier, was. */
  restore(saved: Headers): void {
    this.#inbound = saved.#inbound;
    this.#byName.clear();
    for (const [key, header] of saved.#byName) this.#byName.set(key, header);
    this.#bytes = saved.#bytes;
  }

  #load(): Map<string, Header> {
    if (this.#inbound !== "") {
      const parts = this.#inbound.split("\n");
      this.#inbound = "";
      for (let i = 0; i + 1 < parts.length; i += 2) this.#add(parts[i] as string, parts[i + 1] as string);
    }
    return this.#byName;
  }

  /** A repeated name becomes a list (reference: Camel's platform-http). */
  #add(name: string, value: string): void {
    const present = this.#byName.get(name.toLowerCase());
    if (present === undefined) this.#put(name, value, false);
    else if (Array.isArray(present.value)) present.value.push(value);
    else present.value = [present.value, value];
  }

  #put(name: string, value: unknown, written: boolean): void {
    const key = name.toLowerCase();
    const bytes = bytesOf(name) + weightOf(value, this.#limits.headerBytes);
    const present = this.#byName.get(key);
    if (present === undefined) this.#byName.set(key, { name, value, written, bytes });
    else {
      this.#bytes -= present.bytes;
      present.value = value;
      present.written ||= written;
      present.bytes = bytes;
    }
    this.#bytes += bytes;
    if (this.#byName.size > this.#limits.headerCount) {
      throw limitExceeded("headerCount", `a message has at most ${this.#limits.headerCount} headers`);
    }
    if (this.#bytes > this.#limits.headerBytes) {
      throw limitExceeded("headerBytes", `a message's headers have at most ${this.#limits.headerBytes} bytes`);
    }
  }
}
