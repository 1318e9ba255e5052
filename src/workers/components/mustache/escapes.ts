/** How values come into a template's text. */
import { asText } from "../../engine/convert.ts";
import { isData } from "../../engine/json-body.ts";
import { writeJson } from "../../engine/write-json.ts";

export const escapes = ["html", "json", "none"] as const;
export type EscapeName = (typeof escapes)[number];

export interface Escaping {
  /** The text for `{{name}}`. Both throw LimitExceededException for more than `maxBytes`. */
  escaped(value: unknown, maxBytes: number): string;
  /** The text for `{{{name}}}` and `{{&name}}`. */
  plain(value: unknown, maxBytes: number): string;
}

const plain: Escaping["plain"] = asText;

/** The characters that Camel's library escapes. */
const special: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "&": "&amp;",
  "'": "&#39;",
  "<": "&lt;",
  "=": "&#61;",
  ">": "&gt;",
  "`": "&#96;",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped.
const html = /["&'<=>`\u0000-\u000d]/g;

export const escapings: Readonly<Record<EscapeName, Escaping>> = {
  html: {
    escaped: (value, maxBytes) =>
      asText(value, maxBytes).replace(html, (found) => special[found] ?? `&#${found.charCodeAt(0)};`),
    plain,
  },
  json: {
    // What stands between quotation marks.
    escaped: (value, maxBytes) =>
      JSON.stringify(isData(value) ? writeJson(value, maxBytes) : asText(value, maxBytes)).slice(1, -1),
    plain: (value, maxBytes) => writeJson(value ?? null, maxBytes),
  },
  none: { escaped: plain, plain },
};
