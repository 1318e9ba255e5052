/** Writes the form of `xmlFormReader` as XML: `{order: {"@id": 1, line: ["a", "b"], "#text": "..."}}`. */
import { TextBuilder } from "../engine/text-builder.ts";
import { tooDeep } from "../engine/write-json.ts";
import { tooLarge } from "./stream.ts";
import { checked, escaped, unwritableXml } from "./xml-writer.ts";

type Entries = readonly [name: string, value: unknown][];

/**
 * `value` is plain, with one entry that is not a list. Throws JsonMappingException for content that XML cannot hold.
 */
export function writeXmlForm(value: unknown, maxBytes: number): string {
  const [root, ...more] =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (root === undefined || more.length > 0 || Array.isArray(root[1])) {
    throw unwritableXml("an XML document has one root element: all targets begin with its name, which is no list");
  }
  const written = new TextBuilder(maxBytes, tooLarge);
  const add = (part: string): void => written.append(part);
  const write = (name: string, inner: unknown): void => {
    if (Array.isArray(inner)) for (const element of inner) write(name, element);
    else if (typeof inner !== "object" || inner === null) writeText(name, inner, add);
    else writeElement(name, Object.entries(inner), add, write);
  };
  try {
    write(root[0], root[1]);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
  return written.text;
}

type Add = (part: string) => void;

function writeText(name: string, value: unknown, add: Add): void {
  const content = scalar(value);
  add(content === "" ? `<${checked(name)}/>` : `<${checked(name)}>${escaped(content)}</${name}>`);
}

function writeElement(name: string, entries: Entries, add: Add, write: (name: string, inner: unknown) => void): void {
  const attributes = entries.filter(([key, value]) => key.startsWith("@") && value !== null);
  add(`<${checked(name)}${attributes.map(attribute).join("")}`);
  const content = entries.filter(([key]) => !key.startsWith("@"));
  if (content.length === 0) {
    add("/>");
    return;
  }
  add(">");
  for (const [key, value] of content) {
    if (key === "#text") add(escaped(scalar(value)));
    else write(key, value);
  }
  add(`</${name}>`);
}

function attribute([key, value]: readonly [name: string, value: unknown]): string {
  const text = escaped(scalar(value)).replaceAll('"', "&quot;").replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
  return ` ${checked(key.slice(1))}="${text}"`;
}

function scalar(value: unknown): string {
  if (typeof value !== "object") return String(value);
  if (value === null) return "";
  throw unwritableXml("an attribute and #text hold one value each, no list and no object");
}
