/** Reads values of AMQP 1.0 from bytes. Throws an Error for what is none, and for what would need more bytes than there are. */
import type { AmqpValue } from "../amqp-client.ts";

export interface TypedValue {
  readonly type: "uuid" | "other";
  readonly value: AmqpValue;
}

const deepest = 64;
const decimals: Readonly<Record<number, number>> = { 116: 4, 132: 8, 148: 16 };

export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  /** How many items lists, maps and arrays have announced. */
  #items = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The descriptor of a described value, whose value is read next. */
  descriptor(): number | string {
    if (this.#take(1) !== 0) throw new Error("a section has no descriptor");
    const value = this.value();
    if (typeof value === "number" || typeof value === "string") return value;
    throw new Error("a section's descriptor is neither a number nor a name");
  }

  value(): AmqpValue {
    return this.typed().value;
  }

  typed(): TypedValue {
    let code = this.#take(1);
    while (code === 0) {
      // What describes the value has no meaning here.
      this.value();
      code = this.#take(1);
    }
    return { type: code === 0x98 ? "uuid" : "other", value: this.#ofType(code) };
  }

  /** A list, whose items `read` reads. */
  list(read: (reader: ByteReader, index: number) => AmqpValue): readonly AmqpValue[] {
    const code = this.#take(1);
    if (code === 0x45) return [];
    if (code !== 0xc0 && code !== 0xd0) throw new Error("a list is expected");
    const count = this.#count(code === 0xc0 ? 1 : 4);
    return Array.from({ length: count }, (_, index) => read(this, index));
  }

  #ofType(code: number): AmqpValue {
    const fixed = this.#fixed(code);
    if (fixed !== undefined) return fixed;
    const width = (code & 0x10) === 0 ? 1 : 4;
    switch (code) {
      case 0xa0:
      case 0xb0:
        return Uint8Array.from(this.#slice(this.#size(width)));
      case 0xa1:
      case 0xb1:
      case 0xa3:
      case 0xb3:
        return this.#slice(this.#size(width)).toString("utf8");
      case 0xc0:
      case 0xd0:
        return this.#inside(() => Array.from({ length: this.#count(width) }, () => this.value()));
      case 0xc1:
      case 0xd1:
        return this.#inside(() => this.#map(width));
      case 0xe0:
      case 0xf0:
        return this.#inside(() => this.#array(width));
      default:
        throw new Error(`there is no type 0x${code.toString(16)}`);
    }
  }

  /** undefined: the type has no fixed width. */
  #fixed(code: number): AmqpValue | undefined {
    switch (code) {
      case 0x40:
        return null;
      case 0x41:
        return true;
      case 0x42:
        return false;
      case 0x43:
      case 0x44:
        return 0;
      case 0x45:
        return [];
      case 0x56:
        return this.#take(1) !== 0;
      case 0x50:
      case 0x52:
      case 0x53:
        return this.#take(1);
      case 0x51:
      case 0x54:
      case 0x55:
        return this.#bytes.readInt8(this.#skip(1));
      case 0x60:
        return this.#bytes.readUInt16BE(this.#skip(2));
      case 0x61:
        return this.#bytes.readInt16BE(this.#skip(2));
      case 0x70:
        return this.#bytes.readUInt32BE(this.#skip(4));
      case 0x71:
        return this.#bytes.readInt32BE(this.#skip(4));
      case 0x72:
        return shortestOf(this.#bytes.readFloatBE(this.#skip(4)));
      case 0x73:
        return String.fromCodePoint(Math.min(this.#bytes.readUInt32BE(this.#skip(4)), 0x10ffff));
      case 0x80:
        return narrowed(this.#bytes.readBigUInt64BE(this.#skip(8)));
      case 0x81:
        return narrowed(this.#bytes.readBigInt64BE(this.#skip(8)));
      case 0x82:
        return this.#bytes.readDoubleBE(this.#skip(8));
      case 0x83:
        return new Date(Number(this.#bytes.readBigInt64BE(this.#skip(8))));
      case 0x98: {
        const hex = this.#slice(16).toString("hex");
        return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
      }
      default: {
        const bytes = decimals[code];
        return bytes === undefined ? undefined : Uint8Array.from(this.#slice(bytes));
      }
    }
  }

  #map(width: number): AmqpValue {
    const entries: [string, AmqpValue][] = [];
    for (let left = this.#count(width); left > 1; left -= 2) {
      const key = this.value();
      entries.push([typeof key === "string" ? key : String(key), this.value()]);
    }
    return Object.fromEntries(entries);
  }

  #array(width: number): AmqpValue {
    const count = this.#count(width);
    let code = this.#take(1);
    while (code === 0) {
      this.value();
      code = this.#take(1);
    }
    return Array.from({ length: count }, () => this.#ofType(code));
  }

  #inside<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Error(`it nests deeper than ${deepest}`);
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /**
   * The number of items behind the size in bytes. Each has a byte, except some in arrays. All are counted together: lists in
   * lists, and arrays of nothing, could each announce as many as the message has bytes.
   */
  #count(width: number): number {
    this.#skip(width);
    const count = this.#size(width);
    this.#items += count;
    if (this.#items > this.#bytes.length) throw new Error("it has more items than bytes");
    return count;
  }

  #size(width: number): number {
    return width === 1 ? this.#take(1) : this.#bytes.readUInt32BE(this.#skip(4));
  }

  #take(width: 1): number {
    return this.#bytes.readUInt8(this.#skip(width));
  }

  #slice(length: number): Buffer {
    const start = this.#skip(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Returns where the bytes begin that are read. */
  #skip(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw new Error("it ends in the middle of a value");
    this.#at = start + length;
    return start;
  }
}

/** The number with the fewest digits that is this float: 0.1 stays 0.1, as in Java's text of it. */
function shortestOf(float: number): number {
  for (const digits of [6, 7, 8]) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return float;
}

function narrowed(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
