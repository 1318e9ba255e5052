/** Writes text in the character set that its Content-Type names. */
import { charsetOfType, isUtf8Charset, withCharset } from "../../shared/content-charset.ts";
import { charsetNamed } from "./charset.ts";

export interface LabelledText {
  readonly bytes: Uint8Array;
  readonly type: string | undefined;
}

const encoder = new TextEncoder();

/**
 * Returns the text's bytes and its Content-Type. A text with a character that the named set lacks becomes UTF-8, and
 * the type says so: Camel sends `?` for the character. So does a text whose type names a set that is not here.
 */
export function labelledText(text: string, type: string | undefined): LabelledText {
  const name = charsetOfType(type);
  if (type === undefined || name === undefined || isUtf8Charset(name)) {
    const bytes = encoder.encode(text);
    // US-ASCII lacks what takes more than one byte.
    const fits = bytes.length === text.length || !/^(?:us-)?ascii$/i.test(name ?? "");
    return { bytes, type: type === undefined || fits ? type : withCharset(type, "UTF-8") };
  }
  const charset = charsetNamed(name);
  const bytes = charset?.encode(text);
  if (charset !== undefined && bytes !== undefined && charset.decode(bytes) === text) return { bytes, type };
  return { bytes: encoder.encode(text), type: withCharset(type, "UTF-8") };
}
