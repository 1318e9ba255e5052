/**
 * Messages as bytes, for threads of host processes: lists of frames as V8 writes values, with byte arrays copied and no other
 * kind of view. Shared memory, which is the `words` of an ArmTask and nothing else, is written as a number that each side has its
 * own memory for.
 */
import { Deserializer, Serializer } from "node:v8";

const bytesTag = 1;
const memoryTag = 2;

/** `share` numbers a memory that is to be there when the message is read. Throws for what cannot be written. */
export function pack(
  frames: readonly unknown[],
  share?: (memory: SharedArrayBuffer) => number,
): Uint8Array<ArrayBuffer> {
  const packer = new Packer();
  packer.writeHeader();
  packer.writeValue(share === undefined ? frames : frames.map((field) => numbered(field, share)));
  return packer.releaseBuffer() as Uint8Array<ArrayBuffer>;
}

/** Throws for bytes that are no message. */
export function unpack(bytes: Uint8Array, memories?: ReadonlyMap<number, SharedArrayBuffer>): unknown {
  const unpacker = new Unpacker(bytes, memories);
  unpacker.readHeader();
  return unpacker.readValue();
}

/** What V8's serializer is told, and calls; its types do not have it. */
interface Delegate {
  _setTreatArrayBufferViewsAsHostObjects(yes: boolean): void;
}

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
    // A copy: what is kept of a message must not keep the whole of it.
    if (tag === bytesTag) return new Uint8Array(this.readRawBytes(this.readUint32()));
    const memory = tag === memoryTag ? this.#memories?.get(this.readUint32()) : undefined;
    if (memory === undefined) throw new TypeError("a message names memory that is not there");
    return memory;
  }
}

function numbered(field: unknown, share: (memory: SharedArrayBuffer) => number): unknown {
  if (typeof field !== "object" || field === null || !("words" in field)) return field;
  const { words } = field;
  return words instanceof SharedArrayBuffer ? { ...field, words: Uint32Array.of(share(words)) } : field;
}
