/** The data format `base64` (Camel: Base64DataFormat on commons-codec). */
import { defineFormat } from "../engine/format.ts";
import { bodyBytes, tooLarge, viewOf, writtenAsUtf8 } from "./stream.ts";

const decoder = new TextDecoder("latin1");

export const base64 = defineFormat({
  name: "base64",
  docs: "Base64 (RFC 4648), in lines of 76 characters with CRLF unless `lineLength` is 0; reading takes both alphabets and skips whatever belongs to neither.",
  options: (z, { text, integer, flag }) =>
    z.object({
      lineLength: integer("Characters of a written line, rounded down to a multiple of 4; 0 writes one line.")
        .refine((length) => length <= 1_000_000, "lineLength is at most 1000000")
        .default(76),
      lineSeparator: text("What ends each line, the last one too; CRLF by default.").default("\r\n"),
      urlSafe: flag("Writes - and _ in place of + and /, and leaves out = at the end.").default(false),
    }),
  example: "marshal: { base64: { lineLength: 0 } }",
  marshal({ lineLength, lineSeparator, urlSafe }, limits) {
    if (/[A-Za-z0-9+/=_-]/.test(lineSeparator)) throw new Error("lineSeparator has characters of the Base64 alphabet");
    const length = lineLength - (lineLength % 4);
    return (exchange, body) => {
      const encoded = Buffer.from(bodyBytes(exchange, body)).toString(urlSafe ? "base64url" : "base64");
      const lines = length > 0 ? Math.ceil(encoded.length / length) : 0;
      if (encoded.length + lines * lineSeparator.length > limits.messageBodyBytes)
        throw tooLarge(limits.messageBodyBytes);
      return writtenAsUtf8(exchange, lines > 0 ? inLines(encoded, length, lineSeparator) : encoded, limits);
    };
  },
  unmarshal() {
    return (exchange, body) => viewOf(Buffer.from(lettersOf(bodyBytes(exchange, body)), "base64"));
  },
});

function inLines(encoded: string, length: number, separator: string): string {
  let text = "";
  for (let at = 0; at < encoded.length; at += length) text += encoded.slice(at, at + length) + separator;
  return text;
}

/** Returns the text up to the first `=`, which ends the data (commons-codec). */
function lettersOf(bytes: Uint8Array): string {
  const letters = decoder.decode(bytes).replaceAll(/[^A-Za-z0-9+/=_-]/g, "");
  const end = letters.indexOf("=");
  return end < 0 ? letters : letters.slice(0, end);
}
