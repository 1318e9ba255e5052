/** A message without its payload: a PUBLISH packet (MQTT 3.1.1 and 5, section 3.3) of which topic, id and properties are kept. */

interface HeadBounds {
  readonly version: 4 | 5;
  readonly mostHeadBytes: number;
}

const sizeBytes = 8;

export class CutMessage {
  readonly #first: number;
  readonly #size: number;
  readonly #bounds: HeadBounds;
  readonly #mark: Uint8Array;
  #left: number;
  /** The beginning of the packet behind its length, until all of its head is there. */
  #begun = Buffer.alloc(0);
  #head: Buffer | undefined;

  /** `first`: the packet's first byte; `size`: its length behind its length. */
  constructor(first: number, size: number, bounds: HeadBounds, mark: Uint8Array) {
    this.#first = first;
    this.#size = size;
    this.#bounds = bounds;
    this.#mark = mark;
    this.#left = size;
  }

  /** Takes what the chunk has of the packet from this index on. Returns the index behind it. Throws an Error for a head that is too large. */
  take(chunk: Uint8Array, at: number): number {
    const end = at + Math.min(this.#left, chunk.length - at);
    this.#left -= end - at;
    if (this.#head === undefined) {
      this.#begun = Buffer.concat([this.#begun, chunk.subarray(at, end)]);
      const length = this.#headLength();
      if (Math.min(length ?? 0, this.#begun.length) > this.#bounds.mostHeadBytes)
        throw new Error(
          `the broker sends a message whose topic and properties have more than ${this.#bounds.mostHeadBytes} bytes: remove it at the broker`,
        );
      if (length !== undefined && length <= this.#begun.length) {
        this.#head = Buffer.from(this.#begun.subarray(0, length));
        this.#begun = Buffer.alloc(0);
      }
    }
    return end;
  }

  get isWhole(): boolean {
    return this.#left === 0;
  }

  /** The packet with the mark and the size of its payload in place of the payload. */
  get packet(): Buffer {
    if (this.#head === undefined) throw new Error("the broker sends a message without an end of its properties");
    const size = Buffer.alloc(sizeBytes);
    size.writeDoubleBE(this.#size - this.#head.length);
    const rest = Buffer.concat([this.#head, this.#mark, size]);
    return Buffer.concat([Buffer.from([this.#first, ...lengthBytes(rest.length)]), rest]);
  }

  /** Returns how many bytes a payload had that was cut; undefined: it was not cut. */
  static bytesOf(payload: Uint8Array, mark: Uint8Array): number | undefined {
    if (payload.length !== mark.length + sizeBytes) return undefined;
    const bytes = Buffer.from(payload);
    return bytes.subarray(0, mark.length).equals(mark) ? bytes.readDoubleBE(mark.length) : undefined;
  }

  /** Returns the length of topic, id and properties; undefined: what states it is not there yet. */
  #headLength(): number | undefined {
    const bytes = this.#begun;
    if (bytes.length < 2) return undefined;
    const hasId = (this.#first & 0b110) !== 0;
    const at = 2 + bytes.readUInt16BE(0) + (hasId ? 2 : 0);
    if (this.#bounds.version === 4) return at;
    let length = 0;
    for (let index = 0; index < 4; index += 1) {
      const byte = bytes[at + index];
      if (byte === undefined) return undefined;
      length += (byte & 127) * 128 ** index;
      if (byte < 128) return at + index + 1 + length;
    }
    return Number.POSITIVE_INFINITY;
  }
}

function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  for (let left = length; ; left = Math.floor(left / 128)) {
    const byte = left % 128;
    if (left < 128) return [...bytes, byte];
    bytes.push(byte + 128);
  }
}
