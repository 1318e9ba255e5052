/**
 * A message's headers. Names are case-insensitive and keep the case of the first writer (Camel's CaseInsensitiveMap).
 */

import type { Limits } from "../../shared/limits.ts";
import { limitExceeded } from "./exception.ts";
import type { OwnCopy } from "./in-place.ts";
import { bytesOf, weightOf } from "./weight.ts";

interface Header {
  readonly name: string;
  value: unknown;
  /** true: a step of the flow has set it. Only such headers are part of a webhook's answer. */
  written: boolean;
  /** The bytes that it counts. */
  bytes: number;
}

export class Headers {
  readonly #byName = new Map<string, Header>();
  readonly #limits: Limits;
  /** Headers as received, `name\nvalue\nname\nvalue`; split on first use. */
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

  /** Sets a header of the request, such as a trigger's metadata: steps read it, but answers do not contain it. */
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

  /** Approximate bytes of names and values. */
  get bytes(): number {
    return this.#inbound.length + this.#bytes;
  }

  /** Whether a step has set it; answers contain only such headers. */
  isWritten(name: string): boolean {
    return this.#byName.get(name.toLowerCase())?.written === true;
  }

  *entries(): IterableIterator<[name: string, value: unknown]> {
    for (const { name, value } of this.#load().values()) yield [name, value];
  }

  /** Yields the headers that steps have set, in the order of their first setting. */
  *written(): IterableIterator<[name: string, value: unknown]> {
    for (const { name, value, written } of this.#byName.values()) if (written) yield [name, value];
  }

  /** `own`: copies the values, too. */
  copy(own?: OwnCopy): Headers {
    const copy = new Headers(this.#limits, this.#inbound);
    for (const [key, header] of this.#byName)
      copy.#byName.set(key, own === undefined ? { ...header } : { ...header, value: own(header.value) });
    copy.#bytes = this.#bytes;
    return copy;
  }

  /** Takes the state of an earlier copy. */
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

  /** A repeated name becomes a list, as in Camel's platform-http. */
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
