/** Headers of messages as those of records, and the other way round (Camel: KafkaHeaderFilterStrategy, DefaultKafkaHeaderSerializer). */
import { traceparentIn } from "../../../shared/trace-context.ts";
import type { InRecord } from "../../connectors/kafka/records.ts";
import { traceparentName } from "../../engine/trace-context.ts";

/** Names that direct the runtime, in any case: they are not sent, and none is taken from a record. */
const filtered = /^(?:camel|org\.apache\.camel|kafka\.)/i;

/** Returns the headers that are sent. A value that Camel's serializer does not know is left out. `traceparent`: sent when no header has it. */
export function recordHeaders(
  headers: Iterable<readonly [name: string, value: unknown]>,
  traceparent?: string,
): [name: Buffer, value: Buffer][] {
  const sent: [Buffer, Buffer][] = [];
  let isTraced = traceparent === undefined;
  for (const [name, value] of headers) {
    if (filtered.test(name)) continue;
    const bytes = headerBytes(value);
    if (bytes === undefined) continue;
    sent.push([Buffer.from(name), bytes]);
    isTraced ||= name === traceparentName;
  }
  if (!isTraced) sent.push([Buffer.from(traceparentName), Buffer.from(traceparent ?? "")]);
  return sent;
}

function headerBytes(value: unknown): Buffer | undefined {
  switch (typeof value) {
    case "string":
      return Buffer.from(value);
    case "boolean":
      return Buffer.from(String(value));
    case "bigint":
      return longBytes(value);
    case "number":
      return numberBytes(value);
    default:
      return value instanceof Uint8Array ? Buffer.from(value) : undefined;
  }
}

/** A whole number is an Integer where it fits, as in Java. */
function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 4 : 8);
  if (bytes.length === 4) bytes.writeInt32BE(value);
  else if (Number.isSafeInteger(value)) return longBytes(BigInt(value));
  else bytes.writeDoubleBE(value);
  return bytes;
}

function longBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt.asIntN(64, value));
  return bytes;
}

/** Returns the headers of a record that messages get: the last of those with the same name. */
export function messageHeaders(
  { headers }: InRecord,
  form: "bytes" | "text",
): [name: string, value: Uint8Array | string | null][] {
  const taken = new Map<string, Uint8Array | string | null>();
  for (const [name, value] of headers) {
    const text = name?.toString("utf8") ?? "";
    if (text === "" || filtered.test(text)) continue;
    taken.set(text, value === null ? null : form === "text" ? value.toString("utf8") : Uint8Array.from(value));
  }
  return [...taken];
}

/** Returns the valid traceparent of a record; of several headers of that name the last, as of others. */
export function traceparentOfRecord({ headers }: InRecord): string | undefined {
  const last = headers.findLast(
    ([name]) => name?.length === traceparentName.length && name.toString() === traceparentName,
  );
  return traceparentIn(last?.[1]);
}
