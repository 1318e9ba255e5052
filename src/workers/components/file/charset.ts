/** Text files in the character sets that Node writes as well as reads. */

const names: Readonly<Record<string, BufferEncoding>> = {
  "utf-8": "utf8",
  utf8: "utf8",
  "iso-8859-1": "latin1",
  "us-ascii": "latin1",
  ascii: "latin1",
  "utf-16le": "utf16le",
};

/** Throws for another character set. */
export function charsetOf(name: string | undefined): BufferEncoding {
  if (name === undefined) return "utf8";
  const encoding = names[name.toLowerCase()];
  if (encoding === undefined) throw new Error(`charset is one of ${Object.keys(names).join(", ")}; found '${name}'`);
  return encoding;
}

export function encode(text: string, charset: string): Uint8Array {
  return Buffer.from(text, charset as BufferEncoding);
}

/** Text where the bytes are text of the character set, the bytes themselves where they are not. */
export function decode(bytes: Buffer, charset: BufferEncoding): string | Uint8Array {
  if (charset !== "utf8") return bytes.toString(charset);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new Uint8Array(bytes);
  }
}
