/** A server's answer as the body of a message: text where it is text, JSON that can be looked into, else bytes; never longer than allowed. */
import { isUtf8 } from "node:buffer";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { JsonText } from "../../engine/exchange.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { type MostBytes, type RawAnswer, tooLong } from "./exchange-once.ts";

const textual =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript|graphql|sql)\b|application\/x-www-form-urlencoded)/i;
const json = /^application\/(?:[\w.+-]*\+)?json\b/i;

/** The answer without its Content-Encoding, if that is one that can be undone. Rejects when there is more in it than `most`. */
export async function unpacked(answer: RawAnswer, most: MostBytes): Promise<RawAnswer> {
  const encodings = headerValue(answer, "content-encoding")?.toLowerCase().split(",") ?? [];
  let { body } = answer;
  let undone = 0;
  for (const encoding of encodings.map((name) => name.trim()).reverse()) {
    const undo = encoding === "" || encoding === "identity" ? undefined : decoders[encoding];
    if (undo === undefined && encoding !== "" && encoding !== "identity") break;
    if (undo !== undefined && body.length > 0) body = await undo(body, most);
    undone += 1;
  }
  if (encodings.length === 0 || undone < encodings.length) return answer;
  const headers = answer.headers.filter(([name]) => !/^content-(?:encoding|length|md5)$/i.test(name));
  return { ...answer, body, headers };
}

type Decoder = (bytes: Uint8Array, most: MostBytes) => Promise<Uint8Array>;
type Zlib = typeof import("node:zlib");

const gunzip: Decoder = (bytes, most) => inflated("gunzip", bytes, most);
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  br: (bytes, most) => inflated("brotliDecompress", bytes, most),
  // Some send it with zlib's head, as RFC 9110 has it, some without.
  deflate: (bytes, most) => inflated(((bytes[0] ?? 0) & 15) === 8 ? "inflate" : "inflateRaw", bytes, most),
};

function inflated(
  how: keyof Pick<Zlib, "gunzip" | "inflate" | "inflateRaw" | "brotliDecompress">,
  bytes: Uint8Array,
  most: MostBytes,
): Promise<Uint8Array> {
  const undo = process.getBuiltinModule("node:zlib")[how] as Zlib["gunzip"];
  return new Promise((resolve, reject) => {
    undo(bytes, { maxOutputLength: most.bytes }, (error, result) => {
      if (error === null) resolve(result);
      else if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") reject(tooLong(most));
      else {
        const message = `the answer's body is not what its Content-Encoding says: ${exceptionMessage(error)}`;
        reject(new FlowException("java.io.IOException", message));
      }
    });
  });
}

/** Whether an answer of this status and to this method has a body, be it an empty one. */
export function mayHaveBody({ status }: RawAnswer, method: string): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

/** null: there is none. An empty one is no bytes: Camel's is an empty stream. */
export function bodyOf(answer: RawAnswer, method: string): unknown {
  const { body } = answer;
  if (!mayHaveBody(answer, method)) return null;
  const type = headerValue(answer, "content-type");
  if (body.length === 0 || (type !== undefined && !textual.test(type))) return body;
  const text = textOf(body, charsetOf(type));
  if (text === undefined || type === undefined || !json.test(type)) return text ?? body;
  try {
    return new JsonText(text, parseJson(text));
  } catch {
    return text;
  }
}

/** undefined: it is not text in this character set; without one, not UTF-8. */
export function textOf(bytes: Uint8Array, charset: string | undefined): string | undefined {
  if (charset === undefined || /^utf-?8$/i.test(charset)) {
    return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;
  }
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return undefined;
  }
}

/** As named; undefined: none. */
export function charsetOf(type: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w.:+-]+)/i.exec(type ?? "")?.[1];
}

export function headerValue({ headers }: RawAnswer, lowerName: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}
