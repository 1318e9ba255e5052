/**
 * A body that arrives in parts. Small parts are packed into blocks: Node makes a buffer of some hundred bytes for every
 * part, so a caller who sends one byte per chunk would otherwise cost a hundred times what is counted.
 */

import { isUtf8 } from "node:buffer";
import { BodyKind } from "../../shared/protocol.ts";
import { bodyKindOf, emptyBodyOf, type WebhookBody } from "./http-message.ts";
import { mainPart } from "./media-types.ts";

/** Parts of fewer bytes are packed. */
const small = 1024;
const blockBytes = 8 * 1024;

export class BodyParts {
  readonly #parts: Buffer[] = [];
  #block = Buffer.alloc(0);
  /** In the block: the end of what is in `#parts` already, and the end of what is used. */
  #from = 0;
  #used = 0;

  add(part: Buffer): void {
    if (part.length >= small) {
      this.#close();
      this.#parts.push(part);
      return;
    }
    if (part.length > this.#block.length - this.#used) {
      this.#close();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#from = 0;
      this.#used = 0;
    }
    this.#used += part.copy(this.#block, this.#used);
  }

  whole(): Buffer {
    this.#close();
    return Buffer.concat(this.#parts);
  }

  #close(): void {
    if (this.#used > this.#from) this.#parts.push(this.#block.subarray(this.#from, this.#used));
    this.#from = this.#used;
  }
}

const nothing: WebhookBody = { kind: BodyKind.none, content: null };
/**
 * Methods for which Vert.x Web reads forms; with another one a form is no body at all (VertxPlatformHttpEngineTest).
 */
const formMethods = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Makes the body that a route with a path of its own gets: text or bytes, JSON unparsed, forms as fields. */
export function claimedBodyOf(
  body: Buffer | null,
  contentType: string | undefined,
  method: string | undefined,
): WebhookBody {
  if (body === null || body.length === 0) return emptyBodyOf(method);
  if (contentType !== undefined && mainPart(contentType) === "application/x-www-form-urlencoded") {
    if (!formMethods.has(method ?? "")) return nothing;
    // A form that is not UTF-8 becomes a broken escape, which the thread refuses.
    return { kind: BodyKind.form, content: isUtf8(body) ? body.toString("utf8") : "%" };
  }
  const read = bodyKindOf(body, contentType, method);
  if (read.kind !== BodyKind.json) return read;
  if (read.content === "") return { kind: BodyKind.bytes, content: new Uint8Array(body) };
  return { kind: BodyKind.maybeJson, content: read.content };
}

/** Smaller bytes may share their memory with others, and are soon collected. */
const worthIt = 64 * 1024;

/**
 * Frees a large answer, which lies outside of V8's heap. V8 collects it only when more memory is requested, so it would
 * stay for as long as the runtime has little to do. `bytes` are empty afterwards; their socket is closed, or has passed
 * all of them on.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < worthIt || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
