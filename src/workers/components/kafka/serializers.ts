/** What keys and bodies are as bytes, and the other way round (Java: org.apache.kafka.common.serialization). */
import { asText } from "../../engine/convert.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";

export type Serializer = (value: unknown) => Buffer | null;
export type Deserializer = (bytes: Buffer | null) => unknown;

interface Serde {
  write(value: unknown): Buffer;
  read(bytes: Buffer): unknown;
}

const packageName = "org.apache.kafka.common.serialization.";

function whole(bits: 2 | 4 | 8, least: bigint, most: bigint): Serde {
  return {
    write(value) {
      const number = BigInt(asText(value).trim());
      if (number < least || number > most) throw new RangeError(`${number} is not from ${least} to ${most}`);
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64BE(number);
      return bytes.subarray(8 - bits);
    },
    read(bytes) {
      if (bytes.length !== bits) throw new RangeError(`${bytes.length} bytes have come in place of ${bits}`);
      if (bits === 8) return narrow(bytes.readBigInt64BE());
      return bytes.readIntBE(0, bits);
    },
  };
}

function narrow(number: bigint): number | bigint {
  return Number.isSafeInteger(Number(number)) ? Number(number) : number;
}

function floating(bits: 4 | 8): Serde {
  return {
    write(value) {
      const number = Number(asText(value).trim());
      if (Number.isNaN(number) && asText(value).trim() !== "NaN")
        throw new TypeError(`'${asText(value).slice(0, 40)}' is no number`);
      const bytes = Buffer.alloc(bits);
      if (bits === 4) bytes.writeFloatBE(number);
      else bytes.writeDoubleBE(number);
      return bytes;
    },
    read(bytes) {
      if (bytes.length !== bits) throw new RangeError(`${bytes.length} bytes have come in place of ${bits}`);
      return bits === 4 ? bytes.readFloatBE() : bytes.readDoubleBE();
    },
  };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const text: Serde = { write: (value) => Buffer.from(asText(value)), read: (bytes) => bytes.toString("utf8") };
const bytes: Serde = {
  write: (value) => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(asText(value))),
  // A copy: the answer that it is a part of would stay in memory.
  read: (value) => Uint8Array.from(value),
};

const serdes: Readonly<Record<string, Serde>> = {
  String: text,
  ByteArray: bytes,
  ByteBuffer: bytes,
  Bytes: bytes,
  Short: whole(2, -32_768n, 32_767n),
  Integer: whole(4, -2_147_483_648n, 2_147_483_647n),
  Long: whole(8, -(2n ** 63n), 2n ** 63n - 1n),
  Float: floating(4),
  Double: floating(8),
  Boolean: {
    write: (value) => Buffer.from([/^true$/i.test(asText(value).trim()) ? 1 : 0]),
    read(value) {
      if (value.length !== 1) throw new RangeError(`${value.length} bytes have come in place of 1`);
      return value[0] !== 0;
    },
  },
  UUID: {
    write(value) {
      if (!uuid.test(asText(value))) throw new TypeError(`'${asText(value).slice(0, 40)}' is no UUID`);
      return Buffer.from(asText(value));
    },
    read: (value) => value.toString("utf8"),
  },
  Void: { write: () => Buffer.alloc(0), read: () => null },
};

/** Throws an Error with what to write. `option`: for messages. */
export function serializerOf(option: string, className: string): Serializer {
  const serde = serdeOf(option, className, "Serializer");
  return (value) => {
    if (value === null || value === undefined || className.endsWith("VoidSerializer")) return null;
    return guarded(option, className, () => serde.write(value));
  };
}

export function deserializerOf(option: string, className: string): Deserializer {
  const serde = serdeOf(option, className, "Deserializer");
  return (value) => (value === null ? null : guarded(option, className, () => serde.read(value)));
}

function serdeOf(option: string, className: string, kind: "Serializer" | "Deserializer"): Serde {
  const name = className.replace(/^#class:/, "");
  const short = name.startsWith(packageName) && name.endsWith(kind) ? name.slice(packageName.length, -kind.length) : "";
  const serde = Object.hasOwn(serdes, short) ? serdes[short] : undefined;
  if (serde !== undefined) return serde;
  const known = Object.keys(serdes).join(", ");
  throw new Error(
    `${option}: '${name}' is a class of the JVM: write ${packageName}ByteArray${kind}, and unmarshal or marshal in the route; there are ${known}, each with ${kind} behind it`,
  );
}

function guarded<T>(option: string, className: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const name = className.slice(className.lastIndexOf(".") + 1);
    throw new FlowException(
      "org.apache.kafka.common.errors.SerializationException",
      `${option} ${name}: ${exceptionMessage(error)}`,
      { cause: error },
    );
  }
}
