/**
 * Serializes messages for threads of host processes. Short lists of texts and numbers, which most messages are, become
 * JSON text, which takes a fifth of the time. Other lists become bytes in V8's format, in which byte arrays are copied
 * and no other kind of view is allowed. Shared memory, which only the `words` of an ArmTask are, is written as a
 * number, for which each side has its own memory.
 */

const bytesTag = 1;
const memoryTag = 2;

export type Packed = string | Uint8Array<ArrayBuffer>;

/** The first byte of a JSON list. V8's format begins with another byte. */
export const textMark = 0x5b;
/** Longer texts are faster in V8's format, which copies them unchanged. */
const mostText = 32 * 1024;

/**
 * Packs a message. `share` numbers a memory that must exist when the message is read. Throws for a value that cannot be
 * written.
 */
export function pack(frames: readonly unknown[], share?: (memory: SharedArrayBuffer) => number): Packed {
  if (isPlain(frames)) return JSON.stringify(frames);
  const { Packer } = loadSerializer();
  const packer = new Packer();
  packer.writeHeader();
  packer.writeValue(share === undefined ? frames : frames.map((field) => numbered(field, share)));
  return packer.releaseBuffer() as Uint8Array<ArrayBuffer>;
}

/** Unpacks a message. Throws for bytes that are not a packed message. */
export function unpack(packed: string | Uint8Array, memories?: ReadonlyMap<number, SharedArrayBuffer>): unknown {
  if (typeof packed === "string") return JSON.parse(packed);
  if (packed[0] === textMark)
    return JSON.parse(Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString());
  const { Unpacker } = loadSerializer();
  const unpacker = new Unpacker(packed, memories);
  unpacker.readHeader();
  return unpacker.readValue();
}

/** Whether JSON preserves all values: texts, finite numbers, null. */
function isPlain(frames: readonly unknown[]): boolean {
  let length = 0;
  for (const field of frames) {
    if (typeof field === "string") length += field.length;
    else if (typeof field !== "number" ? field !== null : !Number.isFinite(field)) return false;
  }
  return length <= mostText;
}

/** Hooks of V8's serializer that its types lack. */
interface Delegate {
  _setTreatArrayBufferViewsAsHostObjects(yes: boolean): void;
}

let serializer: ReturnType<typeof makeSerializer> | undefined;

/** Loads V8's serializer, which takes 2 ms, so that only those who pack have it. A thread must call it before it renounces the right to load. */
export function loadSerializer(): ReturnType<typeof makeSerializer> {
  serializer ??= makeSerializer(process.getBuiltinModule("node:v8"));
  return serializer;
}

function makeSerializer({ Deserializer, Serializer }: typeof import("node:v8")) {
  class Packer extends Serializer {
    constructor() {
      super();
      (this as unknown as Delegate)._setTreatArrayBufferViewsAsHostObjects(true);
    }

    _writeHostObject(value: unknown): void {
      if (value instanceof Uint32Array && value.length === 1) {
        this.writeUint32(memoryTag);
        this.writeUint32(value[0] as number);
      } else if (value instanceof Uint8Array) {
        this.writeUint32(bytesTag);
        this.writeUint32(value.byteLength);
        this.writeRawBytes(value);
      } else throw new TypeError("a message has no views but byte arrays");
    }
  }

  class Unpacker extends Deserializer {
    readonly #memories: ReadonlyMap<number, SharedArrayBuffer> | undefined;

    constructor(bytes: Uint8Array, memories: ReadonlyMap<number, SharedArrayBuffer> | undefined) {
      super(bytes);
      this.#memories = memories;
    }

    _readHostObject(): Uint8Array | SharedArrayBuffer {
      const tag = this.readUint32();
      // A copy, so that a kept part does not keep the whole message in memory.
      if (tag === bytesTag) return new Uint8Array(this.readRawBytes(this.readUint32()));
      const memory = tag === memoryTag ? this.#memories?.get(this.readUint32()) : undefined;
      if (memory === undefined) throw new TypeError("a message names memory that is not there");
      return memory;
    }
  }

  return { Packer, Unpacker };
}

function numbered(field: unknown, share: (memory: SharedArrayBuffer) => number): unknown {
  if (typeof field !== "object" || field === null || !("words" in field)) return field;
  const { words } = field;
  return words instanceof SharedArrayBuffer ? { ...field, words: Uint32Array.of(share(words)) } : field;
}
