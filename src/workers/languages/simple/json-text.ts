/** Finds values that a simple text puts into JSON as they are, without quoting or escaping them. */
import { functionEnd, functionStart } from "./scan.ts";

/** A function in a text that is JSON around it. */
interface Insertion {
  /** What stands between the braces. */
  readonly text: string;
  /** It is a part of a string of the JSON. */
  readonly quoted: boolean;
  /** The key that the whole value belongs to; undefined: the value has other parts, or is an element of a list. */
  readonly key: string | undefined;
}

/** Functions whose values have no character that JSON would have to escape, and paths that end in a number. */
const harmless =
  /^(?:date|uuid|exchangeId|id|routeId|fromRouteId|stepId|camelId|thread(?:Id|Name)|host[nN]ame|random|sum|min|max|average|abs|ceil|floor|size|length|hash|base64Encode|messageTimestamp|properties|null|is[A-Z]\w*|int|integer|long|boolean|file:(?:size|length|modified))\b|[.](?:size|length)(?:\(\))?$/;

/** Properties that Camel's steps set are numbers and names, except for the failure. */
const ofSteps = /^exchangeProperty(?:[.]|\[['"]?)Camel(?!Exception)/;

/** Parts of a message that a caller can make any text of. Whole bodies and variables are often JSON already. */
const anyText = /^(?:header|headers|body)[?.[]|^exception\b/;

/** Escapes by the author's own hand. */
const escaped = /\breplace(?:All)?\b|\bescape/;

/**
 * Warns of a text that is JSON with values of messages in it: quotation marks and line ends in such a value make other
 * JSON, or none. Returns undefined for all other texts.
 */
export function jsonAdvice(text: string): { readonly code: string; readonly message: string } | undefined {
  if (!/^\s*[{[]/.test(text) || !/[$](?:simple)?\{/.test(text)) return undefined;
  const found = insertionsIn(text)?.find(isUnescaped);
  if (found === undefined) return undefined;
  const value = found.text.length > 60 ? `${found.text.slice(0, 60)}...` : found.text;
  const breaks = found.quoted
    ? "a quotation mark, a backslash or a line end in its value makes other JSON, or none"
    : "a text as its value makes other JSON, or none";
  const example = pathOf(found) === undefined ? '{"name": name}' : `{"${found.key}": ${pathOf(found)}}`;
  const message =
    `'\${${value}}' goes into this JSON as it is: ${breaks}. Let jsonata make the JSON in place of simple, such as ` +
    `jsonata: '${example}' ($headers, $properties and $variables are bound), or to: mustache:ref:name?escape=json`;
  return { code: "unescaped_json", message };
}

function isUnescaped({ text, quoted }: Insertion): boolean {
  if (harmless.test(text) || ofSteps.test(text) || escaped.test(text)) return false;
  return quoted || anyText.test(text);
}

/** Returns undefined for a text that is no JSON even with a value for each function. */
function insertionsIn(text: string): readonly Insertion[] | undefined {
  const found: Insertion[] = [];
  let filled = "";
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const start = functionStart(text, at);
    if (start === 0) {
      const char = text.charAt(at);
      const isEscape = quoted && char === "\\";
      filled += isEscape ? text.slice(at, at + 2) : char;
      if (isEscape) at += 1;
      else if (char === '"') quoted = !quoted;
      continue;
    }
    const end = functionEnd(text, at + start, 0);
    found.push({ text: text.slice(at + start, end).trim(), quoted, key: keyBefore(filled, text.slice(end + 1)) });
    filled += quoted ? "x" : "0";
    at = end;
  }
  try {
    JSON.parse(filled);
    return found;
  } catch {
    return undefined;
  }
}

/** The key of a value that consists of the function alone. */
function keyBefore(before: string, after: string): string | undefined {
  const [, key, quote = ""] = /"([^"\\]*)"\s*:\s*("?)$/.exec(before) ?? [];
  return after.startsWith(quote) && /^"?\s*[,}]/.test(after) ? key : undefined;
}

const bound: Readonly<Record<string, string>> = {
  body: "",
  header: "$headers.",
  headers: "$headers.",
  exchangeProperty: "$properties.",
  variable: "$variables.",
};

/** The value in jsonata; undefined for what has no simple counterpart there. */
function pathOf({ text, key }: Insertion): string | undefined {
  const [, root = "", name = "", inBrackets] = /^(\w+)\??(?:[.](\w+)|\[['"]?(\w+)['"]?\])$/.exec(text) ?? [];
  const prefix = bound[root];
  const field = name || inBrackets;
  return key === undefined || prefix === undefined || field === undefined ? undefined : `${prefix}${field}`;
}
