/** Says the character set of an answer's text in its Content-Type. */
import { charsetOfType, holdsAscii, withCharset } from "../shared/content-charset.ts";
import type { WireBody } from "./bodies.ts";

const contentType = /(?<=^|\n)(content-type)\n([^\n]*)/i;
const beyondAscii = /[\u0080-\uffff]/;

/**
 * Returns the headers (`name\nvalue\n...`) with a Content-Type that says UTF-8 where the text would read differently in
 * the set that it names, because an answer's text is always UTF-8. Camel leaves the wrong name.
 */
export function labelledHeaders({ body }: WireBody, headers: string): string {
  // Most answers name no character set.
  if (typeof body !== "string" || !/charset/i.test(headers)) return headers;
  const type = contentType.exec(headers)?.[2];
  const charset = charsetOfType(type);
  if (type === undefined || charset === undefined || /^utf-?8$/i.test(charset)) return headers;
  if (holdsAscii(charset) && !beyondAscii.test(body)) return headers;
  return headers.replace(contentType, (_all, name) => `${name}\n${withCharset(type, "UTF-8")}`);
}
