/** Writes MIME parts (RFC 2045, 2046). */
import type { Attachment } from "../../engine/attachments.ts";
import { parseField } from "../../engine/multipart.ts";

/** An attachment with its name, or, without one, the body. */
type Written = Pick<Attachment, "contentType" | "content"> & Partial<Attachment> & { readonly name?: string };

const line = "\r\n";
/** Headers that are written for each part anew. */
const own = new Set(["content-type", "content-transfer-encoding", "content-disposition"]);

export function partBytes({ contentType, content, name, headers = [] }: Written, binaryContent: boolean): Buffer {
  const isText = parseField(contentType).value.startsWith("text/");
  const encoding = isText ? "8bit" : binaryContent ? "binary" : "base64";
  const disposition = headers.find(([given]) => given.toLowerCase() === "content-disposition")?.[1];
  const fields: (readonly [string, string])[] = [
    ["Content-Type", contentType],
    ["Content-Transfer-Encoding", encoding],
    ...(name === undefined ? [] : [["Content-Disposition", disposition ?? attached(name)] as const]),
    ...headers.filter(([given]) => !own.has(given.toLowerCase())),
  ];
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return Buffer.concat([Buffer.from(headOf(fields)), encoding === "base64" ? inLines(bytes) : bytes]);
}

/** A line break in a value would begin another field. */
export function headOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const lines = fields.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, " ")}`);
  return `${lines.join(line)}${line}${line}`;
}

function attached(name: string): string {
  const plain = /^[\x20-\x7e]*$/.test(name);
  if (plain) return `attachment; filename="${name.replaceAll(/["\\]/g, "\\$&")}"`;
  return `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", "%27")}`;
}

function inLines(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("base64").replaceAll(/.{76}(?=.)/g, `$&${line}`));
}

/** `head`: what stands before the parts, with its empty line. */
export function wholeBytes(parts: readonly Buffer[], boundary: string, head: string): Buffer {
  const pieces = parts.flatMap((part, index) => [Buffer.from(`${index === 0 ? "" : line}--${boundary}${line}`), part]);
  return Buffer.concat([Buffer.from(head), ...pieces, Buffer.from(`${line}--${boundary}--${line}`)]);
}
