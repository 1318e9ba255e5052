/** The attachments of a message (Camel: camel-attachments, AttachmentMessage). */
import type { Limits } from "../../shared/limits.ts";
import { limitExceeded } from "./exception.ts";
import { bytesOf, weight } from "./weight.ts";

export interface Attachment {
  /** Absent: a part that was no file. */
  readonly fileName?: string;
  /** As it came, with its parameters: `text/plain; charset=utf-8`. */
  readonly contentType: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly content: Uint8Array;
}

/** Attachments by their names, within a bound on their number (headerCount) and on their bytes (messageBodyBytes). */
export class Attachments {
  readonly #byName: Map<string, Attachment>;
  readonly #limits: Limits;
  #bytes = 0;

  constructor(limits: Limits, from?: Attachments) {
    this.#limits = limits;
    this.#byName = new Map(from?.entries());
    this.#bytes = from?.[weight] ?? 0;
  }

  get size(): number {
    return this.#byName.size;
  }

  get(name: string): Attachment | undefined {
    return this.#byName.get(name);
  }

  entries(): IterableIterator<[name: string, attachment: Attachment]> {
    return this.#byName.entries();
  }

  /** Replaces one of the same name. Throws LimitExceededException. */
  set(name: string, attachment: Attachment): void {
    const { headerCount, messageBodyBytes } = this.#limits;
    const before = this.#byName.get(name);
    const bytes = this.#bytes + bytesIn(attachment) - (before === undefined ? 0 : bytesIn(before));
    if (before === undefined && this.size >= headerCount) {
      throw limitExceeded("headerCount", `a message has at most ${headerCount} attachments`);
    }
    if (bytes > messageBodyBytes) {
      throw limitExceeded(
        "messageBodyBytes",
        `a message's attachments have at most ${messageBodyBytes} bytes together`,
      );
    }
    this.#bytes = bytes;
    this.#byName.set(name, attachment);
  }

  delete(name: string): void {
    const present = this.#byName.get(name);
    if (present === undefined) return;
    this.#bytes -= bytesIn(present);
    this.#byName.delete(name);
  }

  clear(): void {
    this.#byName.clear();
    this.#bytes = 0;
  }

  get [weight](): number {
    return this.#bytes;
  }
}

function bytesIn({ headers, content }: Attachment): number {
  return headers.reduce((sum, [name, value]) => sum + bytesOf(name) + bytesOf(value), content.length);
}
