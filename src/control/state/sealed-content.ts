/** The content of a kept message: packed to bytes, and encrypted (AES-256-GCM, NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { NewMessage } from "./failed-operations.ts";
import { StateFailure } from "./operations.ts";

interface Content {
  readonly form: string;
  readonly head: string;
  readonly alike: string;
  readonly body: string | Uint8Array | null;
}

/** How a body is packed. */
const kinds = { none: 0, text: 1, bytes: 2 } as const;

/** The kind of the body, the length of the texts, the texts as JSON, the body. */
export function packContent({ form, head, alike, body }: Pick<NewMessage, keyof Content>): Buffer {
  const texts = Buffer.from(JSON.stringify([form, head, alike]));
  const kind = body === null ? kinds.none : typeof body === "string" ? kinds.text : kinds.bytes;
  const rest = body === null ? Buffer.alloc(0) : typeof body === "string" ? Buffer.from(body) : body;
  const packed = Buffer.allocUnsafe(5 + texts.length + rest.length);
  packed.writeUInt8(kind, 0);
  packed.writeUInt32LE(texts.length, 1);
  packed.set(texts, 5);
  packed.set(rest, 5 + texts.length);
  return packed;
}

export function unpackContent(packed: Uint8Array): Content {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const end = 5 + bytes.readUInt32LE(1);
  const [form = "", head = "", alike = ""] = JSON.parse(bytes.toString("utf8", 5, end)) as string[];
  const kind = bytes[0];
  const rest = bytes.subarray(end);
  return { form, head, alike, body: kind === kinds.none ? null : kind === kinds.text ? rest.toString() : rest };
}

/** The first byte of what is stored. Versions up to 0.1 stored content as it is when they had no key. */
const plain = 0;
const sealed = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Closes content for the database, and opens it again. */
export class Seal {
  /** Closes; the others only open. */
  readonly key: Uint8Array;
  readonly #keys: readonly Uint8Array[];

  /** `keys`: 32 bytes each. */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    this.key = keys[0];
    this.#keys = keys;
  }

  /** `id`: of the entry, so that the content of one cannot stand in another. */
  close(id: string, content: Uint8Array): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce).setAAD(Buffer.from(id));
    const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([Uint8Array.of(sealed), nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Throws StateFailure without the key that it was closed with. */
  open(id: string, stored: Uint8Array): Uint8Array {
    if (stored[0] === plain) return stored.subarray(1);
    for (const key of this.#keys) {
      const opened = openWith(key, id, stored);
      if (opened !== undefined) return opened;
    }
    const what = "the content of the message was encrypted with another key, or was changed";
    const out = "start the runtime with the key that encrypted it: DATA_KEY, or data.key in DATA_DIR";
    throw new StateFailure("store_failed", `${what}: ${out}`);
  }
}

function openWith(key: Uint8Array, id: string, stored: Uint8Array): Uint8Array | undefined {
  const text = stored.subarray(1 + nonceBytes + tagBytes);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, stored.subarray(1, 1 + nonceBytes));
    decipher.setAAD(Buffer.from(id)).setAuthTag(stored.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch {
    return undefined;
  }
}
