/** Writes values as XML as Jackson's XmlMapper does: entries of maps become elements, lists repeated elements. */
import { javaType } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { TextBuilder } from "../engine/text-builder.ts";
import { tooDeep } from "../engine/write-json.ts";
import { tooLarge } from "./stream.ts";

export interface XmlStyle {
  readonly pretty: boolean;
  readonly maxBytes: number;
}

/** A name, with or without a prefix (XML 1.0). */
const nameText = /^[\p{L}_][\p{L}\p{N}\p{M}_.:\-\u00b7]*$/u;
const unwritable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them.
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** `value` is plain: maps, lists and scalars. The root element has the Java name of the value's class. */
export function writeXml(value: unknown, { pretty, maxBytes }: XmlStyle): string {
  const written = new TextBuilder(maxBytes, tooLarge);
  const add = (part: string, depth: number): void => {
    written.append(pretty ? `${"  ".repeat(depth)}${part}\n` : part);
  };
  const write = (name: string, inner: unknown, depth: number): void => {
    if (Array.isArray(inner)) for (const element of inner) write(name, element, depth);
    else element(name, inner, depth);
  };
  const element = (name: string, inner: unknown, depth: number): void => {
    if (typeof inner !== "object" || inner === null) {
      add(inner === null ? `<${name}/>` : `<${name}>${escaped(String(inner))}</${name}>`, depth);
      return;
    }
    // Only the root can be a list here: elsewhere a list repeats its element.
    const keys = Array.isArray(inner) ? undefined : Object.keys(inner);
    if ((keys ?? (inner as unknown[])).length === 0) {
      add(`<${name}/>`, depth);
      return;
    }
    add(`<${name}>`, depth);
    if (keys === undefined) write("item", inner, depth + 1);
    else for (const key of keys) write(checked(key), (inner as Record<string, unknown>)[key], depth + 1);
    add(`</${name}>`, depth);
  };
  try {
    element(rootName(value), value, 0);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
  return written.text;
}

function rootName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "ArrayList";
  if (typeof value === "string") return "String";
  if (typeof value === "boolean") return "Boolean";
  if (typeof value !== "number" && typeof value !== "bigint") return "LinkedHashMap";
  return javaType(value).replace(/^.*\./, "");
}

/** Throws for a name that an element or attribute cannot have. */
export function checked(name: string): string {
  if (nameText.test(name)) return name;
  const shown = name.slice(0, 100);
  throw unwritableXml(`'${shown}' cannot be the name of an XML element: rename the key`);
}

export function escaped(text: string): string {
  if (unwritable.test(text)) throw unwritableXml("the text has a character that XML cannot hold");
  if (!/[<>&\r]/.test(text)) return text;
  // Like Woodstox, escapes `>` only where it could end a section.
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/(^|\])>/g, "$1&gt;")
    .replaceAll("\r", "&#xd;");
}

export function unwritableXml(message: string): FlowException {
  return new FlowException("com.fasterxml.jackson.databind.JsonMappingException", message);
}
